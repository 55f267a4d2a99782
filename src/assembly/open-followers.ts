import { adapterNamed } from '../adapters/registry.ts';
import type { Engine, Policy, Seen } from '../engine/engine.ts';
import type { Graphs } from '../graph/index.ts';
import type { Jobs, JobsOptions } from '../jobs/jobs.ts';
import type { Memory } from '../ledger/open.ts';
import { PACK_JOBS, PACK_OBSERVERS } from '../packs/index.generated.ts';
import type { Outside } from '../platform/outside.ts';
import { ownCommand } from '../platform/own-command.ts';
import { environmentOf, join } from '../platform/paths.ts';
import type { HomePaths } from '../platform/paths.ts';
import { runCommand } from '../platform/run-command.ts';
import { afterThis } from '../platform/timers.ts';
import { createRelay } from '../relay/relay.ts';
import { createSessionKeeper } from '../state/session-keeper.ts';
import type { SessionKeeperOptions } from '../state/session-keeper.ts';
import { createLooks } from '../telemetry/looks.ts';
import { createOtlp } from '../telemetry/otlp/otlp.ts';
import type { Otlp } from '../telemetry/otlp/otlp.ts';
import { createTelemetry } from '../telemetry/telemetry.ts';
import type { Telemetry } from '../telemetry/telemetry.ts';
import type { Receipts, ReceiptsOptions } from '../transcripts/receipts.ts';
import type { Settings } from '../workspace/config/settings.ts';
import { createRootQueue } from '../workspace/index-queue.ts';
import type { TeamSettings } from '../team/place.ts';
import { createTeamFollower } from './follow-team.ts';
import type { TeamFollower } from './follow-team.ts';
import type { TeamStateSettings } from '../team/state/settings.ts';
import { PACKS } from '../event/packs.generated.ts';
import type { EventName } from '../event/event.ts';
import { VERSION } from '../platform/build.ts';
import type { Files } from '../platform/files.ts';

/** How long what is kept of a policy counts as current, while agents work. */
const EVERY_MS = 300_000;
const LOOKED_AT: ReadonlySet<EventName> = new Set(['session.start', 'prompt.submit']);

interface PolicyFollowerOptions {
  readonly files: Files;
  readonly state: string;
  now(): number;
  onFailure(doing: string, error: unknown): void;
  /** What the person's settings follow. */
  followed(): TeamSettings | undefined;
}

/** Looks at the source of a policy after replies, now and then; no event waits for it. */
function createPolicyFollower({ files, state, now, onFailure, followed }: PolicyFollowerOptions) {
  let lookedAt = Number.NEGATIVE_INFINITY;
  let isFirst = true;
  let underway: Promise<unknown> | undefined;
  return {
    see({ event }: { readonly event: { readonly name: EventName } }): void {
      const settings = isFirst || LOOKED_AT.has(event.name) ? followed() : undefined;
      isFirst = false;
      if (!settings || underway || now() - lookedAt < EVERY_MS) return;
      lookedAt = now();
      underway = refresh(settings)
        .catch((error: unknown) => onFailure('looking at the policy', error))
        .finally(() => (underway = undefined));
    },
  };

  async function refresh(settings: TeamSettings): Promise<void> {
    const { refreshPolicy } = await import('../team/refresh.ts');
    await refreshPolicy(state, settings, {
      ...{ files, now: now(), version: VERSION, packs: Object.keys(PACKS) },
      newMachine: () => crypto.randomUUID(),
    });
  }
}

/** What takes notice of every event whose reply stands, and works on it afterwards. */
export interface Followers extends Required<Pick<Engine, 'onLate'>> {
  readonly telemetry: Telemetry;
  readonly jobs: Jobs | undefined;
  /** Absent in a process for one event: the next one that stays sends what it recorded. */
  readonly otlp: Otlp | undefined;
  /** Absent in a process for one event: the next one that stays sends what it changed. */
  readonly team: TeamFollower | undefined;
  see(seen: Seen): void;
  /** Lets observers see the rest, and gives what is under way this much time. */
  finish(ms: number): Promise<void>;
  close(): void;
}

export interface FollowersOptions {
  readonly paths: HomePaths;
  readonly userHome: string;
  readonly resident: boolean;
  readonly outside: Outside;
  /** What most parts of an engine are given. */
  readonly given: Pick<JobsOptions, 'files' | 'now' | 'soon' | 'isOff' | 'onFailure'>;
  readonly memory: Memory;
  readonly sessions: Pick<SessionKeeperOptions, 'store' | 'files' | 'state' | 'usualDays'>;
  readonly graphs: Graphs | undefined;
  readonly createJobs?: (options: JobsOptions) => Jobs;
  readonly createReceipts?: (options: ReceiptsOptions) => Receipts;
  policyAt(root: string): Promise<Policy>;
  followed(): TeamSettings | undefined;
  readUserSettings(): Promise<Settings>;
  readTeamState(): Promise<TeamStateSettings | undefined>;
}

export function openFollowers(options: FollowersOptions): Followers {
  const { paths, userHome, resident, outside, given, memory, graphs, policyAt } = options;
  const { files, soon, isOff, onFailure } = given;
  const { clock, env } = outside;
  const { store, ledger } = memory;
  const timing = resident ? { afterReply: afterThis } : {};
  const keeper = createSessionKeeper({ ...given, ...timing, ...options.sessions });
  const relay = createRelay({
    ...given,
    ...timing,
    log: ledger.relay,
    policyAt,
    store,
    config: paths.config,
    userHome,
  });
  const lookLater = createLooks({
    files,
    soon,
    mark: (seen, name) => jobs?.mark(seen, name) ?? false,
    isOff: () => isOff(clock.now()),
    onFailure,
  });
  const telemetry = createTelemetry({
    store,
    clock,
    observers: PACK_OBSERVERS,
    relay: relay.take,
    isOff,
    onFailure,
    ...(resident ? { resident: { afterReply: afterThis, soon } } : {}),
    ...(resident ? { lookLater } : {}),
  });
  const ownEnv = environmentOf(paths);
  const jobs: Jobs | undefined = options.createJobs?.({
    ...given,
    packs: PACK_JOBS,
    store,
    env,
    newSession: () => crypto.randomUUID(),
    run: runCommand,
    ...(ownEnv && { own: { argv: ownCommand(), env: { HOME: userHome, ...ownEnv } } }),
    policyAt,
    numbersOf: telemetry.of,
    relay: relay.take,
  });
  if (resident) jobs?.start();
  const queue = resident ? undefined : createRootQueue(files, paths.run, onFailure);
  const receipts = options.createReceipts?.({ ...given, memory, adapterNamed });
  const policy = resident
    ? createPolicyFollower({ ...given, state: paths.state, followed: options.followed })
    : undefined;
  const otlp = resident ? openOtlp(options) : undefined;
  const team = resident ? openTeam(options) : undefined;
  const followers = [telemetry, relay, keeper, jobs, graphs, queue, receipts, policy, team];
  const late = new Set<Promise<void>>();
  return {
    telemetry,
    jobs,
    otlp,
    team,
    see(seen) {
      for (const follower of followers)
        try {
          follower?.see(seen);
        } catch (error) {
          onFailure('taking notice of an event', error);
        }
    },
    onLate(kept) {
      const done: Promise<void> = kept.catch(() => {}).then(() => void late.delete(done));
      late.add(done);
    },
    async finish(ms) {
      await telemetry.finish();
      keeper.flush();
      queue?.flush();
      // What leaves the machine needs the details of the last rows.
      ledger.flush();
      const timeIsUp = new Promise<void>((resolve) => {
        soon(ms, resolve);
      });
      await Promise.race([
        Promise.allSettled([...late, jobs?.idle(), relay.idle(), otlp?.finish(), team?.look()]),
        timeIsUp,
      ]);
    },
    close() {
      jobs?.close();
      graphs?.close();
      telemetry.close();
      keeper.flush();
      receipts?.flush();
      relay.close();
      otlp?.close();
      team?.close();
    },
  };
}

function openTeam({ given, memory, userHome, readTeamState }: FollowersOptions): TeamFollower {
  const { files, now, soon, isOff, onFailure } = given;
  return createTeamFollower({
    ...{ files, now, soon, isOff, onFailure, userHome },
    store: memory.store,
    random: Math.random,
    settings: readTeamState,
  });
}

function openOtlp({ given, memory, paths, userHome, readUserSettings }: FollowersOptions): Otlp {
  const { files, now, isOff, onFailure } = given;
  return createOtlp({
    ...{ now, isOff, onFailure, userHome, files, state: paths.state },
    random: Math.random,
    newId: () => crypto.randomUUID(),
    outbox: () => memory.outbox,
    askedAt: () => files.stat(join(paths.config, 'config.yaml'))?.mtimeMs ?? now(),
    settings: async () => (await readUserSettings()).telemetry.otlp,
  });
}
