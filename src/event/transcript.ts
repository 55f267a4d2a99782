import type { EventName, PromptOrigin, ToolCall } from './event.ts';
import type { Action } from './verdict.ts';

/** How full the agent's context was when it last asked its model. */
export interface UsageRecord {
  /** All that went in; what came out is not counted. */
  readonly tokens: number;
  readonly model: string;
  /** How many tokens the context holds, where the model's name says so. */
  readonly window?: number;
}

/** What one line of a session's transcript tells about the main agent; what it does not tell is absent. */
export interface TranscriptLine {
  readonly at?: number;
  readonly cwd?: string;
  readonly branch?: string;
  /** What a person typed. */
  readonly prompt?: string;
  /** What the agent said. */
  readonly answer?: string;
  /** What it called; never with the output. */
  readonly calls?: readonly ToolCall[];
  readonly usage?: UsageRecord;
  /** Here the agent forgot what was before, but for a summary. */
  readonly compacted?: true;
}

/** What a transcript tells of one thing that happened, with where and when, as far as it says so. */
export type TranscriptRecord = RecordPlace &
  (PromptRecord | AnswerRecord | CallRecord | ResultRecord | HookRecord | TurnEndRecord | CompactedRecord);

export interface RecordPlace {
  readonly at?: number;
  readonly session?: string;
  /** The id of the sub-agent that it happened to. */
  readonly subagent?: string;
  readonly cwd?: string;
  readonly branch?: string;
  /** How calls are approved, as the agent names it. */
  readonly mode?: string;
  /** Another program drives the agent. */
  readonly attended?: false;
}

interface PromptRecord {
  readonly kind: 'prompt';
  readonly text: string;
  readonly origin: PromptOrigin;
  readonly id?: string;
  /** Hooks are asked about it, though it is a sub-agent's. */
  readonly heard?: true;
}

interface AnswerRecord {
  readonly kind: 'answer';
  readonly text: string;
  /** With it the agent's turn is over. */
  readonly ends?: true;
}

interface CallRecord {
  readonly kind: 'call';
  readonly call: ToolCall;
  /** The model's message that the call is a part of: calls of one message run together. */
  readonly message?: string;
}

/** Who said whether a call may run. */
export type CallJudge = 'hook' | 'person' | 'settings';

export interface ResultRecord {
  readonly kind: 'result';
  /** The id of the call. */
  readonly call: string;
  /** `stopped`: somebody kept it from running; `invalid`: the agent turned it down before any hook was asked. */
  readonly outcome: 'ran' | 'failed' | 'stopped' | 'invalid';
  readonly by?: CallJudge;
  /** As the model got it. */
  readonly text: string;
  /** What the tool returned, as the agent's own events have it. */
  readonly output?: unknown;
  /** The sub-agent that the call started. */
  readonly started?: { readonly id: string; readonly type: string };
  /** What the file held that the call wrote, where the agent tells it; null when there was none. */
  readonly before?: string | null;
}

/**
 * What became of a hook: `ran`: it answered; `told`: the model got its texts; `warned`: the person did; `blocked`: it held
 * back what the agent was about to do, or objected to it afterwards; `late`: the agent waited no longer; `failed`.
 */
export type HookOutcome = 'ran' | 'told' | 'warned' | 'blocked' | 'late' | 'failed';

export interface HookRecord {
  readonly kind: 'hook';
  /** Absent where the agent keeps what a hook said and not when: its texts and its time tell. */
  readonly event?: EventName;
  /** The id of the call that it is about. */
  readonly call?: string;
  readonly outcome: HookOutcome;
  /** What `ran` answered; else what the model or the person got, or why it failed. */
  readonly texts: readonly string[];
  /** The model got the beginning only. */
  readonly cut?: true;
  /** The command or address of the hook, where the agent says it. */
  readonly command?: string;
  /** By its command it is this program. */
  readonly own?: true;
  readonly durationMs?: number;
}

interface TurnEndRecord {
  readonly kind: 'turn-end';
  /** How many hooks were asked. */
  readonly hooks: number;
}

interface CompactedRecord {
  readonly kind: 'compacted';
}

/** What is asked of a decision whose trace is looked for. */
export interface SentDecision {
  readonly event: string;
  readonly action: Action;
  /** Characters for the model. */
  readonly chars: number;
}

/** One call of a tool as a transcript tells it. */
export interface ToldCall {
  readonly name: string;
  readonly id?: string;
  readonly input: Readonly<Record<string, unknown>>;
  readonly output?: unknown;
  readonly error?: string;
}

/** An event as far as a transcript tells it: what an agent's payload of that event is made of again. */
export interface ToldEvent {
  readonly name: EventName;
  readonly at: number;
  readonly session: string;
  readonly transcript: string;
  readonly cwd: string;
  readonly projectDir: string;
  /** The branch that was checked out there. */
  readonly branch?: string;
  readonly attended?: false;
  readonly promptId?: string;
  readonly mode?: string;
  readonly subagent?: { readonly id: string; readonly type: string };
  readonly call?: ToldCall;
  readonly batch?: readonly ToldCall[];
  readonly prompt?: { readonly text: string; readonly origin: PromptOrigin };
  /** Of a session's start: why; of its end likewise. */
  readonly reason?: string;
  readonly lastMessage?: string;
  /** What the file held that the call is about to write; null when there is none. */
  readonly before?: string | null;
}
