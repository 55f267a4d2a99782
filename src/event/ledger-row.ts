import type { Heed } from './heed.ts';
import type { Action, Decision, VerdictFacts } from './verdict.ts';

/** The compact record of one event. */
export interface LedgerRow {
  /** Decision id: unique, short, written by people. */
  readonly id: string;
  readonly at: number;
  readonly session: string;
  readonly agent: string;
  readonly event: string;
  readonly tool: string;
  readonly root: string;
  readonly action: Action;
  /** Rules that spoke or decided, comma separated. */
  readonly rules: string;
  /** Characters injected into the agent's context. */
  readonly chars: number;
  readonly replyBytes: number;
  readonly micros: number;
  /** How far the event got. */
  readonly tier: number;
  /** Version of the rule set that decided. */
  readonly digest: string;
  readonly changed: boolean;
  /** The same event had been decided before. */
  readonly copy: boolean;
  /** Names the event for a second delivery of it, which then gets `answer` again. */
  readonly delivery?: string | undefined;
  /** JSON of a `KeptAnswer`. */
  readonly answer?: string | undefined;
}

/** What a second delivery of the same event is answered with. */
export interface KeptAnswer {
  /** Tells a copy from another event under the same name. */
  readonly content: string;
  /** Without what was said beside it. */
  readonly decision: Decision;
}

/** What a rule said, before its mode was applied. */
export interface TracedVerdict {
  readonly kind: string;
  readonly variant?: string;
  readonly text?: string;
  readonly about?: VerdictFacts;
  /** A copy could bring back what it is about. */
  readonly mendable?: true;
}

/** Where one rule stopped. */
export interface RuleTrace {
  readonly rule: string;
  readonly tier: 0 | 1 | 2 | 3;
  readonly reason: string;
  readonly mode: string;
  /** At tier 2: its throttle, or that the workspace lacks what it needs. */
  readonly stop?: 'throttle' | 'lacking';
  readonly verdicts?: readonly TracedVerdict[];
  readonly micros?: number;
  /** `reason` is worth a line of its own in the log. */
  readonly remark?: true;
  readonly failed?: boolean;
  /** The exception that silenced what the rule said. */
  readonly exception?: string;
  /** The policy of a team that says how hard the rule acts. */
  readonly policy?: string;
  /** As hard as that policy wants it, where the machine has it act less hard. */
  readonly lowered?: string;
  /** What a lease, or the age of the team's state, had to do with it. */
  readonly shared?: string;
  /** Names the call that the rule stopped, so that a person can let this very one pass. */
  readonly call?: string;
}

export interface StageTimes {
  readonly parse: number;
  readonly workspace: number;
  /** Absent in rows of older versions. */
  readonly effects?: number;
  readonly select: number;
  readonly rules: number;
  readonly render: number;
  readonly commit: number;
}

/** The policy of a team as it counted for an event. */
export interface TeamMark {
  readonly name: string;
  readonly version: number;
  /** How far it went on this machine; `broken glass` while it did not count. */
  readonly stage: 'audit' | 'warn' | 'enforce' | 'broken glass';
  /** Which ring, counted from 1; 0 where the machine is in none. */
  readonly ring: number;
}

/** The long form, written after the reply. */
export interface LedgerDetail {
  readonly event: unknown;
  readonly trace: readonly RuleTrace[];
  readonly decision: unknown;
  readonly times: StageTimes;
  readonly attempts: number;
  /** The payload was too big to read; no rule looked at it. */
  readonly unread?: boolean;
  /** Nobody worked here: it only tries out whether events arrive, and counts for no rule. */
  readonly isTrial?: true;
  /** The span of the agent's trace in which it happened, as the agent told its hook. */
  readonly traceparent?: string;
  readonly team?: TeamMark;
  /** What became of advice by this event; kept apart from the rest. */
  readonly heeds?: readonly Heed[];
}
