import type { Attention } from './advice/attention.ts';
import type { Seal } from './limits/exceptions.ts';
import type { BreakerLimits } from './limits/breaker.ts';
import type { Overrides, UnfitMessage } from './advice/messages.ts';
import type { StartPlaces, UsageLooks } from './session/agent-records.ts';
import type { Sharing } from './session/scope.ts';
import type { LeaseLink } from '../event/lease.ts';
import type { RuleFacts } from '../event/facts.ts';
import type { GraphSettings, RelaySettings } from './settings.ts';
import type { RootOf, RuleIndex } from './match/rule-index.ts';
import type { AgentSetup, RuleFiles, RuleWorkspace } from './rule.ts';
import type { FollowUp } from '../event/follow-up.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { Clock } from '../platform/clock.ts';
import type { Store } from '../state/store.ts';
import type { Effect } from '../event/effect.ts';
import type { KeepResult } from '../event/keeping.ts';
import type { Event } from '../event/event.ts';
import type { LedgerRow, RuleTrace, TeamMark } from '../event/ledger-row.ts';

/** The rules in force for an event, and the limits they run under. */
export interface Policy {
  readonly index: RuleIndex;
  readonly overrides: Overrides;
  /** Overrides of rules in force that are not used. */
  readonly unfit?: readonly UnfitMessage[];
  readonly attention: Attention;
  readonly breaker: BreakerLimits;
  /** What the person should hear once per session, such as project rules that are not trusted. */
  readonly notices: readonly string[];
  /** The same, at the next event of a session, whatever that is. */
  readonly urgent?: readonly string[];
  /** In what the person's settings protect less than those that they have accepted. */
  readonly weakened?: readonly string[];
  /** With whom this machine shares state; absent where it is alone. */
  readonly sharing?: Sharing;
  /** The policy of a team that the machine follows. */
  readonly team?: TeamMark;
  /** Who wants to know of relay records; absent when nobody does. */
  readonly relay?: RelaySettings;
  /** How the code of a workspace is indexed; absent when nobody asked for that. */
  readonly graph?: GraphSettings;
  /** Roots of projects whose settings and texts the person has accepted. */
  readonly trusted: ReadonlySet<string>;
}

/** `active`: none did, and the session stays where it was. */
export type PlaceReason = 'session-start' | 'file' | 'path' | 'cwd' | 'single-child' | 'active' | 'none';

/** Where an event takes place. */
export interface Place {
  readonly root: string;
  /** Which part of the event led to the root. */
  readonly reason: PlaceReason;
  /** The root of the session's project; differs from `root` when the agent works elsewhere. */
  readonly project: string;
  readonly workspace: RuleWorkspace;
  readonly policy: Policy;
  readonly rootOf: RootOf;
  /** Where the agent stands; its project directory where only that has the entry. */
  atCwd(entry?: string): RuleWorkspace;
}

/** Everything an event needs from the process that handles it. */
export interface Engine {
  readonly clock: Clock;
  readonly files: RuleFiles;
  readonly store: Store;
  readonly ledger: Ledger;
  /** `project` is the root the session was started in, `variables` what the call's environment holds, as far as known. */
  locate(
    event: Event,
    project: string | undefined,
    variables?: Readonly<Record<string, string>>,
  ): Place | Promise<Place>;
  /** Where many events are at hand: resolves when this one is to be decided. */
  turn?(event: Event): Promise<void> | undefined;
  /** What the event's call would do. */
  effectsOf(event: Event, place: Place): readonly Effect[] | Promise<readonly Effect[]>;
  /** Copies what a call destroys before it runs; absent where nothing is copied. */
  keep?(effects: readonly Effect[], event: Event, place: Place): Promise<KeepResult>;
  /** What the agent is set up with in a workspace. */
  setupOf(event: Event, root: string): AgentSetup;
  /** Whether a job of ours wrote the file at this time, a moment ago. */
  isOwnWrite(path: string, mtimeMs: number): boolean;
  /** The leases of a team's server; absent where nobody keeps a link to it, as in a process for one event. */
  readonly leases?: LeaseLink;
  readonly seal: Seal;
  readonly facts: RuleFacts;
  /** Present where one process answers many events. */
  readonly usageLooks?: UsageLooks;
  readonly startPlaces?: StartPlaces;
  isOff(now: number): boolean;
  onFailure(what: string, error: unknown): void;
  /** Told of advice that is still being made, for a process that would otherwise end before it is kept. */
  onLate?(kept: Promise<void>): void;
  /** Told of every event when its reply stands. Only takes notice: what it does about it comes later. */
  after?(seen: Seen): void;
}

/** An event and what became of it. */
export interface Seen {
  readonly event: Event;
  readonly place: Place;
  readonly row: LedgerRow;
  readonly trace: readonly RuleTrace[];
  readonly followUps: readonly FollowUp[];
  /** Packs that this call's environment switches off. */
  readonly silenced: readonly string[];
  /** Microseconds from the payload to the reply. */
  readonly micros: number;
}
