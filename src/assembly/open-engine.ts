import { ADAPTERS } from '../adapters/registry.ts';
import { createSetupReader } from '../adapters/setup-reader.ts';
import type { createEffects } from '../effects/effects.ts';
import type { Engine, Place } from '../engine/engine.ts';
import { isPromise } from '../engine/decide/run.ts';
import { marksOf } from '../engine/session/marks.ts';
import type { Event } from '../event/event.ts';
import type { LeaseLink } from '../event/lease.ts';
import type { Marks } from '../event/marks.ts';
import { createFacts } from '../facts/facts.ts';
import type { Facts } from '../facts/facts.ts';
import type { Graphs, GraphsDeps } from '../graph/index.ts';
import { drainRoots } from '../workspace/index-queue.ts';
import type { Jobs, JobsOptions } from '../jobs/jobs.ts';
import { createFailureLog } from '../ledger/failures.ts';
import type { FailureLog } from '../ledger/failures.ts';
import { createUnrecordedCount } from '../ledger/unrecorded.ts';
import { canonicalPath } from '../platform/files.ts';
import type { Files } from '../platform/files.ts';
import { sha256 } from '../platform/hash.ts';
import { systemOutside } from '../platform/outside.ts';
import type { Outside } from '../platform/outside.ts';
import { join } from '../platform/paths.ts';
import type { HomePaths } from '../platform/paths.ts';
import { afterThis } from '../platform/timers.ts';
import { openMemory } from '../ledger/open.ts';
import type { Memory } from '../ledger/open.ts';
import type { Receipts, ReceiptsOptions } from '../transcripts/receipts.ts';
import { usualDays } from '../workspace/config/settings.ts';
import { watchSwitch } from '../state/switch.ts';
import { createSessionVariables } from '../workspace/session-variables.ts';
import type { TeamFollower } from './follow-team.ts';
import { openFollowers } from './open-followers.ts';
import { openWorkspaces } from './open-workspaces.ts';
import { createScriptTexts } from './script-texts.ts';
import { surroundingsIn } from './surroundings.ts';
import { createTidying } from './tidying.ts';
import type { Telemetry } from '../telemetry/telemetry.ts';
import { createFailClosedKeeper } from '../transport/fail-closed.ts';
import { openMeetingPlace, placesToCount } from '../transport/meeting-place.ts';
import { launchDir, readLaunched } from '../transport/launch-place.ts';
import { prepareCounts } from '../transport/prepare-counts.ts';
import { createWired } from '../workspace/wired.ts';
import type { Wired } from '../workspace/wired.ts';
import type { Workspaces } from '../workspace/workspaces.ts';
import { redactCommand } from '../ledger/secret-files.ts';
import type { Keeper } from '../undo/keeper.ts';
import { openKeeper } from '../undo/open-keeper.ts';
import type { KeeperOptions } from '../undo/open-keeper.ts';
import type { UndoLimits } from '../workspace/config/settings.ts';

interface CopyOptions extends Omit<KeeperOptions, 'limits'> {
  now(): number;
  readonly keeps?: boolean | 'trial';
  readonly deadline?: number;
}

/** Copies what a call destroys. By the deadline the agent has its reply, whatever the settings allow. */
function createKeep(
  { now, keeps, deadline = Infinity, ...options }: CopyOptions,
  limits: () => UndoLimits,
): { readonly keep: NonNullable<Engine['keep']>; warmUp(): Promise<void>; close(): void } {
  const isTrial = keeps === 'trial';
  let keeper: Keeper | undefined;
  const open = () => (keeper ??= openKeeper({ ...options, limits }));
  return {
    warmUp: () => open().warmUp(),
    async keep(effects, event, { root }) {
      const begun = now();
      const { receivedAt: at, session, agent } = event;
      const { budgetMs, budgetMegabytes, exclude: excluded } = limits();
      const budget = {
        ms: isTrial ? TRIAL_MS : Math.min(budgetMs, deadline - begun - REPLY_MS),
        bytes: budgetMegabytes * MEGABYTE,
      };
      const about = { at, session, root, agent, command: commandOf(event) };
      const result = await open().keep({ effects, about, budget, excluded, ...(isTrial && { isTrial }) });
      return 'kept' in result ? { kept: { ...result.kept, ms: now() - begun } } : result;
    },
    close: () => (isTrial ? undefined : keeper?.close()),
  };
}

const MEGABYTE = 1 << 20;
/** No agent waits, and what looks is loaded in this time. */
const TRIAL_MS = 10_000;
/** What it takes to answer. */
const REPLY_MS = 500;
const LONGEST = 200;

function commandOf({ tool }: Event): string {
  const text =
    tool?.command === undefined ? [tool?.name, ...(tool?.paths ?? [])].join(' ') : redactCommand(tool.command);
  return text.slice(0, LONGEST);
}

export interface OpenedEngine extends Engine {
  readonly paths: HomePaths;
  readonly workspaces: Workspaces;
  readonly memory: Memory;
  readonly failures: FailureLog;
  readonly telemetry: Telemetry;
  readonly facts: Facts;
  /** Absent where background work is left to another process. */
  readonly jobs?: Jobs;
  /** Loads what the first call would otherwise wait for. */
  warmUp(): Promise<void>;
  /** Goes on where processes for one event have been; for a process that stays. */
  indexQueued(): Promise<void>;
  /** Does what is due by now; called again and again by a process that stays. */
  look(): void;
  /** What can wait until a reply is out: flags for clients that find no engine, and once a day the removal of what is over age. */
  tidy(): Promise<void>;
  /** Lets observers see the rest, and gives advice that is late this much time to be kept for the session's next event. */
  finishLate(ms: number): Promise<void>;
  close(): void;
}

export interface EngineOptions {
  readonly paths: HomePaths;
  /** The person's home directory: never a workspace. */
  readonly userHome: string;
  /** Stays for many events: keeps state in memory and writes rows in batches. */
  readonly resident: boolean;
  /** Whether more events are on their way right now, so that what they store had better be stored together. */
  gathers?(): boolean;
  readonly outside?: Outside;
  /** How long an event waits for a fact that takes long to find out, if not as long as usual. */
  readonly factWaitMs?: number;
  /** Copies what calls destroy, for a process whose calls run; in a trial it only looks what it would copy. */
  readonly keeps?: boolean | 'trial';
  /** When the agent has its reply at the latest, for a process that answers one event. */
  readonly deadline?: number;
  /** The program of the thread that copies, for a process that stays. */
  readonly copier?: string;
  /** Does the background work of packs here; code that a process for one event has no use for. */
  readonly createJobs?: (options: JobsOptions) => Jobs;
  /** Reads in the agents' transcripts what became of decisions; for a process that stays. */
  readonly createReceipts?: (options: ReceiptsOptions) => Receipts;
  /** Keeps code graphs open and current; for a process that stays. */
  readonly createGraphs?: (deps: GraphsDeps) => Graphs;
}

/** How soon a resident engine writes its rows. */
const FLUSH_MS = 40;
/** So many at a time: events that arrive meanwhile wait for a few milliseconds, however many rows there are. */
const FLUSH_ROWS = 32;
/** How long its own look for the kill switch counts; it takes one each second. */
const LOOK_MS = 2_000;

/**
 * Puts an engine together for one home: the same parts whether it answers one event or a million. Each part is opened before
 * those that use it.
 */
export function openEngine(options: EngineOptions): OpenedEngine {
  const { paths, userHome, resident, keeps = false, gathers = () => false, outside = systemOutside } = options;
  const { clock, files, soon, env } = outside;
  const failures = createFailureLog(paths.state, files, clock.now);
  const killSwitch = watchSwitch(files, paths.state, resident ? LOOK_MS : 0);
  /** What most parts are given. */
  const given = { files, now: clock.now, soon, isOff: killSwitch.isOff, onFailure: failures.add };
  const graphs = options.createGraphs?.({ ...given, state: paths.state, afterReply: afterThis });
  const variables = createSessionVariables(env);
  const workspaces = openWorkspaces({ ...given, paths, userHome, resident, variable: variables.variable, graphs });
  const { policyAt, userSettings, readUserSettings, readTeamState, followed } = workspaces;
  const setups = createSetupReader({ ...given, adapters: ADAPTERS, home: userHome, env });
  const marks = () => openMeetingPlace(paths).marks;
  const closed = createFailClosedKeeper(files, marks, policyAt);
  const unrecorded = createUnrecordedCount(files, () => placesToCount(paths), Math.random);
  const memory = openMemory({
    ...given,
    onUnrecorded: unrecorded.add,
    path: join(paths.state, 'state.db'),
    busyMs: resident ? 500 : 4_000,
    resident,
    random: Math.random,
    retention: () => userSettings().ledger,
    ...(resident
      ? { gathers, onWaiting: (isBehind: boolean) => afterThis(() => (isBehind ? flush() : soon(FLUSH_MS, flush))) }
      : {}),
  });
  const { store, ledger } = memory;
  const wired = createWired({ ...given, ...options, state: paths.state });
  const sessions = { store, files, state: paths.state, usualDays: () => usualDays(userSettings()) };
  const tidy = createTidying({
    ...given,
    resident,
    closed,
    memory,
    sessions,
    lookAtWired: wired.look,
    prepareCounts: () => prepareCounts(files, marks()),
  });
  const flush = () => {
    ledger.flush(FLUSH_ROWS);
    void tidy();
  };
  const followers = openFollowers({
    ...options,
    given,
    outside,
    graphs,
    policyAt,
    readUserSettings,
    readTeamState,
    followed,
    memory,
    sessions,
  });
  const { jobs, telemetry, otlp, team } = followers;
  const facts = createFacts({
    ...given,
    ...(resident ? { afterReply: afterThis } : {}),
    sources: outside.sources,
    home: { config: paths.config, userHome, env, program: outside.program },
    ...(options.factWaitMs === undefined ? {} : { waitMs: options.factWaitMs }),
  });
  const keeping = { ...options, ...given, state: paths.state, env };
  const copies = keeps ? createKeep(keeping, () => userSettings().undo) : undefined;
  const effects = createEffectsReader(paths, files, outside.program, wired, (event) => marksOf(event, store));
  const noted = (place: Place) => wired.told(closed.saw(place));
  return {
    clock,
    files,
    paths,
    memory,
    failures,
    workspaces,
    store,
    ledger,
    locate(event, project, known) {
      setups.saw(event);
      if (known) variables.keep(event.session, known);
      const place = workspaces.locate(event, project);
      return isPromise(place) ? place.then(noted) : noted(place);
    },
    ...effects,
    ...(copies && { keep: copies.keep, warmUp: () => warmUpAll([effects, copies]) }),
    async indexQueued() {
      if (!graphs) return;
      for (const { root, reason } of drainRoots(files, paths.run)) {
        const { graph } = await policyAt(root);
        if (graph) graphs.begin(root, reason, graph);
      }
    },
    // What the agent is set up with belongs to the directory that it calls its project.
    setupOf: (event, root) => setups.setupOf(event, event.projectDir ?? root),
    isOwnWrite: (path, mtimeMs) => jobs?.isOwnWrite(path, mtimeMs) === true,
    seal: sha256,
    ...(team && { leases: leasesOf(team) }),
    facts,
    ...(resident ? { usageLooks: new Map(), startPlaces: new Map() } : {}),
    isOff: killSwitch.isOff,
    onFailure: failures.add,
    tidy,
    onLate: followers.onLate,
    after: followers.see,
    telemetry,
    ...(jobs && { jobs }),
    look() {
      killSwitch.look(clock.now());
      wired.look();
      jobs?.look();
      void otlp?.look();
      void team?.look();
    },
    finishLate: followers.finish,
    close() {
      copies?.close();
      followers.close();
      memory.close();
    },
  };
}

async function warmUpAll(parts: readonly { warmUp(): Promise<void> }[]): Promise<void> {
  await Promise.all(parts.map((part) => part.warmUp()));
}

/** Without a link nobody waits; what is given back is given back after the reply. */
function leasesOf({ leases }: Pick<TeamFollower, 'leases'>): LeaseLink {
  return {
    take: (...asked) => leases()?.takeLease(...asked),
    release: (...given) =>
      afterThis(
        () =>
          void leases()
            ?.releaseLease(...given)
            .catch(() => {}),
      ),
  };
}

/** Loaded at the first call whose effects a rule wants to know; a failed attempt is made again at the next one. */
function createEffectsReader(
  paths: HomePaths,
  files: Files,
  { dir: program, node }: Outside['program'],
  wired: Wired,
  marksOfEvent: (event: Event) => Marks | undefined,
): Pick<OpenedEngine, 'effectsOf' | 'warmUp'> {
  const surroundings = surroundingsIn(paths, {
    realPath: (path) => canonicalPath(files, path),
    readText: (path, most) => files.readText(path, most),
    script: createScriptTexts(files),
    isDir: (path) => files.stat(path)?.kind === 'dir',
    program,
    nodes: () => [node, readLaunched(files, launchDir(paths.state))?.node].filter((each) => each !== undefined),
    wired: wired.at,
  });
  let loaded: ReturnType<typeof createEffects> | undefined;
  const load = async () => (loaded ??= (await import('../effects/effects.ts')).createEffects());
  return {
    effectsOf(event, { root, workspace: { home } }) {
      const around = surroundings(event, { root, home }, marksOfEvent(event));
      return loaded ? loaded(event, around) : load().then((effectsOf) => effectsOf(event, around));
    },
    async warmUp() {
      await load();
      (await import('../effects/effects.ts')).readUsual();
    },
  };
}
