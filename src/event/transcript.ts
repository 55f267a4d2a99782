import type { ToolCall } from './event.ts';

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
