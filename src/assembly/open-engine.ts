import { ADAPTERS, knownWords } from '../adapters/registry.ts';
import { createSetupReader } from '../adapters/setup-reader.ts';
import type { Engine, Place, Seen } from '../engine/engine.ts';
import { isPromise } from '../engine/decide/run.ts';
import type { RuleBody } from '../engine/rule.ts';
import { createFacts } from '../facts/facts.ts';
import type { Facts } from '../facts/facts.ts';
import type { Graphs, GraphsDeps } from '../graph/index.ts';
import { drainRoots, queueRoot } from '../workspace/index-queue.ts';
import type { QueuedRoot } from '../workspace/index-queue.ts';
import { graphWanted } from '../graph/settings.ts';
import type { Jobs, JobsOptions } from '../jobs/jobs.ts';
import { createFailureLog } from '../ledger/failures.ts';
import type { FailureLog } from '../ledger/failures.ts';
import { BUILT_IN, PACK_JOBS, PACK_OBSERVERS } from '../packs/index.generated.ts';
import { BUILD } from '../platform/build.ts';
import { canonicalPath } from '../platform/files.ts';
import { createProgramLookup } from '../platform/find-program.ts';
import { sha256 } from '../platform/hash.ts';
import { systemOutside } from '../platform/outside.ts';
import type { Outside } from '../platform/outside.ts';
import { ownCommand } from '../platform/own-command.ts';
import { environmentOf, join } from '../platform/paths.ts';
import type { HomePaths } from '../platform/paths.ts';
import { runCommand } from '../platform/run-command.ts';
import { afterThis } from '../platform/timers.ts';
import { createRelay } from '../relay/relay.ts';
import { cellId } from '../state/cells.ts';
import { openMemory } from '../ledger/open.ts';
import type { Memory } from '../ledger/open.ts';
import { pruneSessions } from '../state/prune.ts';
import { usualDays } from '../workspace/config/settings.ts';
import { watchSwitch } from '../state/switch.ts';
import { createSessionKeeper } from '../state/session-keeper.ts';
import { createSessionVariables } from '../workspace/session-variables.ts';
import { surroundingsIn } from './surroundings.ts';
import { createTelemetry } from '../telemetry/telemetry.ts';
import type { Telemetry } from '../telemetry/telemetry.ts';
import { createFailClosedKeeper } from '../transport/fail-closed.ts';
import { openMeetingPlace } from '../transport/meeting-place.ts';
import type { ParseRule } from '../workspace/config/compiled.ts';
import { createResolver } from '../roots/resolver.ts';
import { createWorkspaces } from '../workspace/workspaces.ts';
import type { Workspaces } from '../workspace/workspaces.ts';
import type { DeclaredRule } from '../workspace/policy.ts';
import { GRAPH_PACK } from '../event/known-packs.ts';
import { loadBorrowed } from '../packs/load-borrowed.ts';

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
  /** Does the background work of packs here; code that a process for one event has no use for. */
  readonly createJobs?: (options: JobsOptions) => Jobs;
  /** Keeps code graphs open and current; for a process that stays. */
  readonly createGraphs?: (deps: GraphsDeps) => Graphs;
}

/** How soon a resident engine writes its rows. */
const FLUSH_MS = 40;
/** How long its settings count as current; the process looks at them more often than that, between events. */
const RECHECK_MS = 1_500;
/** How often it looks for the kill switch. */
const LOOK_MS = 20;

/** Puts an engine together for one home: the same parts whether it answers one event or a million. */
export function openEngine(options: EngineOptions): OpenedEngine {
  const { paths, userHome, resident, gathers = () => false, outside = systemOutside } = options;
  const { clock, files, soon } = outside;
  const failures = createFailureLog(paths.state, files, clock.now);
  const settings = () => workspaces.userSettings();
  const memory = openMemory({
    path: join(paths.state, 'state.db'),
    busyMs: resident ? 500 : 4_000,
    now: clock.now,
    resident,
    random: Math.random,
    onFailure: failures.add,
    retention: () => settings().ledger,
    ...(resident ? { gathers, onWaiting: () => afterThis(() => soon(FLUSH_MS, flush)) } : {}),
  });
  const late = new Set<Promise<void>>();
  const isOff = watchSwitch(files, paths.state, resident ? LOOK_MS : 0);
  const relay = createRelay({
    log: memory.ledger.relay,
    policyAt: (root) => workspaces.policyAt(root),
    store: memory.store,
    files,
    config: paths.config,
    userHome,
    now: clock.now,
    soon,
    isOff,
    onFailure: failures.add,
    ...(resident ? { afterReply: afterThis } : {}),
  });
  const telemetry = createTelemetry({
    store: memory.store,
    clock,
    observers: PACK_OBSERVERS,
    relay: relay.take,
    isOff,
    onFailure: failures.add,
    ...(resident ? { resident: { afterReply: afterThis, soon } } : {}),
  });
  const sessions = { store: memory.store, files, state: paths.state };
  const keeper = createSessionKeeper({
    ...sessions,
    now: clock.now,
    usualDays: () => usualDays(settings()),
    isOff,
    onFailure: failures.add,
    ...(resident ? { afterReply: afterThis } : {}),
  });
  /** Each takes notice of every event whose reply stands. */
  const consumers: readonly ((seen: Seen) => void)[] = [
    telemetry.see,
    relay.see,
    keeper.see,
    (seen) => jobs?.see(seen),
    (seen) => graphs?.see(seen),
    (seen) => !resident && isAtWork(seen) && (queued = seen.place),
  ];
  let queued: QueuedRoot | undefined;
  const queue = (root: QueuedRoot) => {
    queued = undefined;
    try {
      queueRoot(files, paths.run, root);
    } catch (error) {
      failures.add('leaving word of a workspace', error);
    }
  };
  const graphs = options.createGraphs?.({
    state: paths.state,
    files,
    now: clock.now,
    soon,
    afterReply: afterThis,
    isOff,
    onFailure: failures.add,
  });
  let hasTidied = false;
  const tidy = async () => {
    if (isOff(clock.now())) return;
    await closed.keep().catch((error: unknown) => failures.add('writing what holds without an engine', error));
    try {
      const isDue = isFirstToday(memory, clock.now());
      // A process that stays does so when it starts as well.
      const prunes = isDue || (resident && !hasTidied);
      hasTidied = true;
      if (isDue) memory.rotate(clock.now());
      if (prunes) pruneSessions(sessions, usualDays(settings()), clock.now());
    } catch (error) {
      failures.add('removing old state', error);
    }
  };
  const flush = () => {
    memory.ledger.flush();
    void tidy();
  };
  /** Only the person says that; a project that could would widen itself. */
  const forcesRoots = () => graphWanted(settings().packs[GRAPH_PACK])?.force === true;
  const surrounded = createSessionVariables(outside.env);
  const { variable } = surrounded;
  const hasProgram = createProgramLookup(clock.now);
  const workspaces = createWorkspaces({
    resolver: createResolver({ files, home: userHome, now: clock.now, force: forcesRoots }),
    files,
    home: userHome,
    config: paths.config,
    builtIn: BUILT_IN,
    layer: {
      files,
      state: paths.state,
      now: clock.now,
      build: BUILD,
      loadRuleParser,
      loadBorrowed,
    },
    loadDeclared,
    hasProgram: (name, session) => hasProgram(name, variable('PATH', session)),
    variable,
    ...(graphs && { graphAt: graphs.at }),
    ...(resident ? { recheckMs: RECHECK_MS } : {}),
  });
  const setups = createSetupReader({ adapters: ADAPTERS, files, home: userHome, env: outside.env, now: clock.now });
  const noted = (place: Place) => {
    closed.saw(place);
    return place;
  };
  const closed = createFailClosedKeeper(
    files,
    paths.run,
    () => openMeetingPlace(paths).marks,
    ADAPTERS,
    workspaces.policyAt,
  );
  const ownEnv = environmentOf(paths);
  const jobs = options.createJobs?.({
    packs: PACK_JOBS,
    store: memory.store,
    files,
    env: outside.env,
    now: clock.now,
    soon,
    newSession: () => crypto.randomUUID(),
    run: runCommand,
    ...(ownEnv && { own: { argv: ownCommand(), env: { HOME: userHome, ...ownEnv } } }),
    policyAt: workspaces.policyAt,
    numbersOf: telemetry.of,
    relay: relay.take,
    isOff,
    onFailure: failures.add,
  });
  if (resident) jobs?.start();
  const facts = createFacts({
    sources: outside.sources,
    files,
    now: clock.now,
    soon,
    home: { config: paths.config, userHome, env: outside.env, program: outside.program },
    ...(options.factWaitMs === undefined ? {} : { waitMs: options.factWaitMs }),
    ...(resident ? { afterReply: afterThis } : {}),
  });
  const surroundings = surroundingsIn(paths, (path) => canonicalPath(files, path));
  const effects = loadOnce(async () => (await import('../effects/effects.ts')).createEffects());
  return {
    clock,
    files,
    paths,
    memory,
    failures,
    workspaces,
    store: memory.store,
    ledger: memory.ledger,
    locate(event, project, variables) {
      setups.saw(event);
      if (variables) surrounded.keep(event.session, variables);
      const place = workspaces.locate(event, project);
      if (isPromise(place)) return place.then(noted);
      return noted(place);
    },
    effectsOf(event, { root, workspace: { home } }) {
      const around = surroundings(event, { root, home });
      const loaded = effects();
      return isPromise(loaded) ? loaded.then((effectsOf) => effectsOf(event, around)) : loaded(event, around);
    },
    async warmUp() {
      await effects();
    },
    async indexQueued() {
      if (!graphs) return;
      for (const { root, reason } of drainRoots(files, paths.run)) {
        const { graph } = await workspaces.policyAt(root);
        if (graph) graphs.begin(root, reason, graph);
      }
    },
    // What the agent is set up with belongs to the directory that it calls its project.
    setupOf: (event, root) => setups.setupOf(event, event.projectDir ?? root),
    isOwnWrite: (path, mtimeMs) => jobs?.isOwnWrite(path, mtimeMs) === true,
    seal: sha256,
    facts,
    ...(resident ? { usageLooks: new Map(), startPlaces: new Map() } : {}),
    isOff,
    onFailure: failures.add,
    tidy,
    onLate(kept) {
      const done: Promise<void> = kept.catch(() => {}).then(() => void late.delete(done));
      late.add(done);
    },
    after(seen) {
      for (const consume of consumers) {
        try {
          consume(seen);
        } catch (error) {
          failures.add('taking notice of an event', error);
        }
      }
    },
    telemetry,
    ...(jobs && { jobs }),
    finishLate: async (ms) => {
      await telemetry.finish();
      keeper.flush();
      if (queued) queue(queued);
      const timeIsUp = new Promise<void>((resolve) => {
        soon(ms, resolve);
      });
      await Promise.race([Promise.allSettled([...late, jobs?.settled(), relay.settled()]), timeIsUp]);
    },
    close() {
      jobs?.close();
      graphs?.close();
      telemetry.close();
      keeper.flush();
      relay.close();
      memory.close();
    },
  };
}

/** Code is wanted indexed where this took place. */
function isAtWork({ event, place, silenced }: Seen): boolean {
  const { policy, workspace } = place;
  if (policy.graph === undefined || silenced.includes(GRAPH_PACK)) return false;
  return workspace.markerBacked && event.name !== 'session.end';
}

const DAY_MS = 86_400_000;

function isFirstToday({ store }: Memory, now: number): boolean {
  const id = cellId('user', '', 'tidied');
  if (store.get(id, now) !== undefined) return false;
  store.commit({ reads: new Map(), changes: [{ op: 'set', id, value: String(now), expires: now + DAY_MS }], now });
  return true;
}

/** The module itself once it is there; a failed attempt is made again at the next call. */
function loadOnce<Module>(load: () => Promise<Module>): () => Module | Promise<Module> {
  let module: Module | undefined;
  return () => module ?? load().then((loaded) => (module = loaded));
}

async function loadRuleParser(): Promise<ParseRule> {
  const { parseUserRule } = await import('../user-rules/parse.ts');
  return (text, place) => parseUserRule(text, { ...place, ...knownWords() });
}

async function loadDeclared(rule: DeclaredRule): Promise<RuleBody> {
  const { userRuleBody } = await import('../user-rules/body.ts');
  return userRuleBody(rule.match);
}
