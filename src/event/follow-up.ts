import type { FollowOutcome, Heed } from './heed.ts';

/**
 * What a rule wants done once its event is answered. None of it holds the reply up, and none of it happens for an
 * attempt that is not stored.
 */
export type FollowUp =
  | { readonly kind: 'count'; readonly pack: string; readonly root: string; readonly name: string; readonly by: number }
  | { readonly kind: 'time'; readonly pack: string; readonly root: string; readonly name: string; readonly ms: number }
  | { readonly kind: 'relay'; readonly record: RelayRecord }
  | { readonly kind: 'heed'; readonly heed: Heed }
  | { readonly kind: 'job'; readonly pack: string; readonly root: string; readonly key: string }
  | { readonly kind: 'impact'; readonly root: string; readonly symbol: string }
  | { readonly kind: 'stats'; readonly session: string; readonly line: StatsLine }
  | { readonly kind: 'prune'; readonly days: number | undefined };

/** How full an agent's context was at a prompt, and what the session heard about it. */
export interface StatsLine {
  /** Which prompt of the session. */
  readonly prompt: number;
  readonly tokens: number;
  readonly pct: number;
  readonly window: number;
  readonly model?: string;
  readonly event: 'silent' | 'checkpoint' | 'window-warning' | 'suppressed';
}

/** What a record is about: something a rule did or found, the same when the session was told too, or a sign of life. */
export type RelayEvent = 'relay' | 'nudge' | 'heartbeat';

export type RelayValues = Readonly<Record<string, string | number | boolean>>;

/** What happened, for whoever listens outside the session; no text of the conversation and no file content. */
export interface RelayRecord {
  readonly at: number;
  readonly event: string;
  readonly rule: string;
  readonly variant: string;
  readonly message: string;
  readonly variables?: RelayValues;
  readonly session?: string;
  readonly root: string;
  /** Kept in the log and sent to nobody: its rule only watches. */
  readonly isLogOnly?: true;
}

/** How a rule asks for what comes after the reply. */
export interface Later {
  /** Adds to a number of the pack's telemetry in this workspace, or at `root` for a pack that counts by other roots. */
  count(name: string, by?: number, root?: string): void;
  /** A span of the pack's telemetry, in milliseconds. */
  time(name: string, ms: number): void;
  /** A record for the log and those who subscribed to it; `nudge` when the session hears of it too. */
  relay(variant: string, text: string, variables?: RelayValues, event?: RelayEvent): void;
  /**
   * Marks a job of the pack as due. The mark is stored with the event; the job runs when marks have been quiet for a while,
   * also after a restart. `root` is where its subject lies.
   */
  run(job: string, subject: string, root?: string): void;
  /** The agent was told what depends on a symbol, named by its key: that is kept as evidence, and drawn. */
  impact(symbol: string): void;
  /** What the agent made of the advice that a rule gave with a decision, for a rule that judges that itself; without an outcome it is awaited. */
  heed(rule: string, decision: string, outcome?: FollowOutcome): void;
  /** A line of the session's stats log; nothing where the payload names no session. */
  stats(line: StatsLine): void;
  /** Forgets sessions that were not heard of for so many days; without a number above 0, for as long as the settings say. */
  prune(days?: number): void;
}
