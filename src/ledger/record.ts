import type { Ledger } from './ledger.ts';
import { coverSecretFiles, hideTexts } from './secret-files.ts';
import type { KeptAnswer, LedgerDetail, LedgerRow, RuleTrace, StageTimes, TeamMark } from '../event/ledger-row.ts';
import type { FollowUp } from '../event/follow-up.ts';
import type { Event } from '../event/event.ts';
import type { Decision } from '../event/verdict.ts';

/** Stages in the order an event passes them. */
const STAGES = ['parse', 'workspace', 'effects', 'select', 'rules', 'render', 'commit'] as const;
export type Stage = (typeof STAGES)[number];

export interface Watch {
  lap(stage: Stage): void;
  /** What has passed since the last lap was waiting for others, and does not count. */
  rested(): void;
  /** Microseconds since the start. */
  total(): number;
  times(): StageTimes;
}

export function startWatch(micros: () => number): Watch {
  return new StageWatch(micros);
}

/** A class, because every event makes one, and closures for each would cost more than what it measures. */
class StageWatch implements Watch {
  readonly #micros: () => number;
  #started: number;
  readonly #times = { parse: 0, workspace: 0, effects: 0, select: 0, rules: 0, render: 0, commit: 0 };
  #last: number;

  constructor(micros: () => number) {
    this.#micros = micros;
    this.#started = micros();
    this.#last = this.#started;
  }

  lap(stage: Stage): void {
    const now = this.#micros();
    this.#times[stage] += now - this.#last;
    this.#last = now;
  }

  rested(): void {
    const now = this.#micros();
    this.#started += now - this.#last;
    this.#last = now;
  }

  total(): number {
    return this.#micros() - this.#started;
  }

  times(): StageTimes {
    return this.#times;
  }
}

export interface Described {
  readonly id: string;
  readonly event: Event;
  readonly root: string;
  readonly digest: string;
  readonly tier: number;
  readonly decision: Decision;
  readonly replyBytes: number;
  readonly micros: number;
  readonly changed: boolean;
  readonly copy: boolean;
  readonly delivery: string | undefined;
  readonly answer: string | undefined;
}

export function rowOf(described: Described): LedgerRow {
  const { id, event, root, digest, tier, decision, replyBytes, micros, changed, copy, delivery, answer } = described;
  return {
    id,
    at: event.receivedAt,
    session: event.session,
    agent: event.agent,
    event: event.name,
    tool: event.tool?.name ?? '',
    root,
    action: decision.action,
    rules: rulesBehind(decision),
    chars: decision.notes.reduce((sum, { text }) => sum + text.length, decision.reason?.length ?? 0),
    replyBytes,
    micros,
    tier,
    digest,
    changed,
    copy,
    delivery,
    answer: answer === undefined || decision.action === 'pass' ? answer : answerWithout(event, answer),
  };
}

/** Without what the event has of secret files; undefined when the agent is to run something with it. */
function answerWithout(event: Event, answer: string): string | undefined {
  const { hidden } = coverSecretFiles(event);
  if (hidden.length === 0) return answer;
  const kept = JSON.parse(answer) as KeptAnswer;
  return kept.decision.input === undefined ? JSON.stringify(hideTexts(kept, hidden)) : undefined;
}

function rulesBehind({ by, notes, warns }: Decision): string {
  if (notes.length + warns.length === 0) return by.length === 1 ? (by[0] as string) : by.join(',');
  return [...new Set([...by, ...notes.map(ruleOf), ...warns.map(ruleOf)])].join(',');
}

function ruleOf({ rule }: { readonly rule: string }): string {
  return rule;
}

/** What became of an event. */
interface Outcome {
  readonly row: LedgerRow;
  readonly committed: boolean;
  readonly trace: readonly RuleTrace[];
  readonly decision: Decision;
  readonly followUps: readonly FollowUp[];
  readonly attempts: number;
}

interface About {
  readonly event: Event;
  readonly watch: Watch;
  readonly unread: boolean;
  readonly isTrial: boolean;
  readonly traceparent: string | undefined;
  readonly team: TeamMark | undefined;
}

/** What an environment says may be of any length. */
const TRACEPARENT_LENGTH = 55;

/** Hands the event to the ledger, which writes it after the reply. */
export function recordEvent(ledger: Ledger, outcome: Outcome, about: About): void {
  const { event, watch, unread, isTrial, traceparent, team } = about;
  const { row, committed, trace, decision, followUps, attempts } = outcome;
  const more = () => ({
    ...heedsIn(followUps),
    ...(isTrial && { isTrial: true as const }),
    ...(traceparent !== undefined && { traceparent: traceparent.slice(0, TRACEPARENT_LENGTH) }),
    ...(team && { team }),
  });
  const detail = () => ({ event, trace, decision, times: watch.times(), attempts, unread, ...more() });
  ledger.record(row, detail, committed);
}

function heedsIn(followUps: readonly FollowUp[]): Pick<LedgerDetail, 'heeds'> {
  const heeds = followUps.flatMap((one) => (one.kind === 'heed' ? [one.heed] : []));
  return heeds.length === 0 ? {} : { heeds };
}
