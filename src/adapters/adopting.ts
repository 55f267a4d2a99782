import type { Fields } from './fields.ts';

/** A hook of somebody else's, as it stands in a file. */
export interface ForeignHook {
  readonly event: string;
  readonly matcher?: string;
  /** What it starts, as a person reads it. */
  readonly shown: string;
  /** Keys and positions joined by dots. */
  readonly path: string;
  readonly entry: Fields;
  /** Why it has to be left to the agent. */
  readonly objection?: string;
}

/** A hook that we run in the agent's place. */
export interface AdoptedHook {
  /** What a person calls it. */
  readonly name: string;
  readonly event: string;
  readonly matcher?: string;
  readonly entry: Fields;
}

/** What was taken out of one file at a time. */
export interface TakenSet {
  readonly id: string;
  readonly hooks: readonly AdoptedHook[];
}

/** How a hook ended. */
export interface HookRun {
  readonly hook: AdoptedHook;
  /** Absent where it did not end by itself. */
  readonly code?: number;
  readonly stdout: string;
  readonly stderr: string;
  /** Why it did not. */
  readonly failure?: 'start' | 'time' | 'stopped';
  readonly ms: number;
}

/** What came of one run. */
export interface HookOutcome {
  /** `deny`, `ask`, `allow` and their like, in the agent's words; `none` where it had nothing to say. */
  readonly verdict: string;
  /** What went wrong, for doctor. */
  readonly problem?: string;
}

export interface HookAnswer {
  /** As a hook prints it; empty where nobody had anything to say. */
  readonly reply: string;
  /** For each run. */
  readonly outcomes: readonly HookOutcome[];
  /** The payload with the input that they have put in place of the one they were shown. */
  readonly rewritten?: Fields;
}

/** How an agent runs its hooks, for those that we run in its place. */
export interface HookRunner {
  /** Those that the agent would start on this event: each once, in order. */
  startedOn(hooks: readonly AdoptedHook[], payload: Fields): readonly AdoptedHook[];
  start(
    hook: AdoptedHook,
    env: Readonly<Record<string, string | undefined>>,
  ): { readonly argv: readonly string[]; readonly limitMs: number };
  /** Whether a hook that begins with this line goes on without anybody who waits. */
  goesAside(line: string): boolean;
  /** One reply of all that they said. */
  answer(payload: Fields, runs: readonly HookRun[]): HookAnswer;
  /** One reply of two; what the second decides about stands beside what the first does. */
  join(payload: Fields, first: string, second: string): string;
}
