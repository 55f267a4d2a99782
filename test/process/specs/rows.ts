import { expect, it } from 'vitest';
import type { Payload } from '../daemon-home.ts';
import type { Reply, Seed, Stage, StageOptions } from './stage.ts';

/** For what a row looks at beside its session. */
export { expect as seen } from 'vitest';

/**
 * What is expected of an answer: its verdict, and what its text has to hold. `not` before a pattern would hide a silence, so
 * what must be missing is a list of its own.
 */
export interface Expected {
  readonly verdict: Reply['verdict'];
  readonly holds: readonly (string | RegExp)[];
  readonly lacks: readonly (string | RegExp)[];
  readonly most?: number;
  /** What the person sees beside it. */
  readonly shows?: string | RegExp;
}

export const PASS: Expected = { verdict: 'pass', holds: [], lacks: [] };
const as =
  (verdict: Reply['verdict']) =>
  (...holds: readonly (string | RegExp)[]): Expected => ({ verdict, holds, lacks: [] });
export const note = as('note');
export const warn = as('warn');
export const ask = as('ask');
export const deny = as('deny');
export const without = (expected: Expected, ...lacks: readonly (string | RegExp)[]): Expected => ({
  ...expected,
  lacks,
});
export const showing = (shows: string | RegExp, expected: Expected): Expected => ({ ...expected, shows });
export const within = (most: number, expected: Expected): Expected => ({ ...expected, most });

/** An event and what is answered; or what happens beside the session, as a file that changes. */
export type Step = readonly [event: Payload, expected?: Expected | undefined] | ((stage: Stage, seed: Seed) => unknown);

export interface Row extends StageOptions {
  /** The rows and sections of the specification that it stands for. */
  readonly id: string;
  readonly what: string;
  /** Why Fairlead does otherwise than the specification says; the row states what Fairlead does. */
  readonly differs?: string;
  /** What the specification has and Fairlead lacks, with no page that says why. */
  readonly gap?: string;
  readonly steps: readonly Step[];
}

/** An event that only the stage can name, as one about a path outside of the project. */
export const sends =
  (of: (stage: Stage) => Payload, expected?: Expected): Step =>
  (stage) =>
    take(stage, [of(stage), expected], 0);

type More = Partial<Omit<Row, 'id' | 'what' | 'steps'>>;

export const row = (id: string, what: string, steps: readonly Step[], more: More = {}): Row => ({
  id,
  what,
  steps,
  ...more,
});

/** The same set-up for many. */
export const given = (more: More, rows: readonly Row[]): readonly Row[] => rows.map((each) => ({ ...more, ...each }));

export function play(rows: readonly Row[], open: () => Seed): void {
  for (const each of rows)
    it(`${each.id}: ${each.what}`, async () => {
      expect(each.steps.length).toBeGreaterThan(0);
      const seed = open();
      for (;;) {
        const begun = Date.now();
        try {
          return await playOnce(each, seed);
        } catch (error) {
          // By the engine's own word a rule had no answer in its time, or it looked between the two files of a project's trust, as
          // happens on a busy machine: what the row asks is not known yet.
          if (!seed.wasLate(begun) && !(error instanceof HalfTrusted)) throw error;
        }
      }
    });
}

class HalfTrusted extends Error {}

/** In a project and a session of its own. */
async function playOnce({ steps, ...options }: Row, seed: Seed): Promise<void> {
  const stage = seed.stage(options);
  for (const [at, step] of steps.entries()) {
    if (typeof step === 'function') await step(stage, seed);
    else await take(stage, step, at + 1);
  }
}

async function take(
  stage: Stage,
  [event, expected]: readonly [Payload, (Expected | undefined)?],
  at: number,
): Promise<void> {
  const { verdict, said, shown } = await stage.send(event);
  if (/changed what it guards: \S+ is trusted/.test(shown)) throw new HalfTrusted(shown);
  if (!expected) return;
  const text = verdict === 'warn' ? shown : said;
  expect({ step: at, verdict, ...(verdict !== expected.verdict && { text }) }).toEqual({
    step: at,
    verdict: expected.verdict,
  });
  for (const part of expected.holds) expect(text).toMatch(part);
  for (const part of expected.lacks) expect(text).not.toMatch(part);
  if (expected.shows !== undefined) expect(shown).toMatch(expected.shows);
  if (expected.most !== undefined) expect(text.length).toBeLessThanOrEqual(expected.most);
}

/** Events as Claude Code sends them. */
export const before = (tool: string, input: object, more: Payload = {}): Payload => ({
  hook_event_name: 'PreToolUse',
  tool_name: tool,
  tool_input: input,
  ...more,
});
export const after = (tool: string, input: object, response: unknown = {}, more: Payload = {}): Payload => ({
  hook_event_name: 'PostToolUse',
  tool_name: tool,
  tool_input: input,
  tool_response: response,
  ...more,
});
export const failed = (tool: string, input: object, error = 'Exit code 1', more: Payload = {}): Payload => ({
  hook_event_name: 'PostToolUseFailure',
  tool_name: tool,
  tool_input: input,
  error,
  is_interrupt: false,
  ...more,
});
export const bash = (command: string, more: Payload = {}): Payload => before('Bash', { command }, more);
export const ran = (command: string, stdout = '', more: Payload = {}, response: object = {}): Payload =>
  after('Bash', { command }, { stdout, stderr: '', interrupted: false, ...response }, more);
export const write = (file_path: string, content: string, more: Payload = {}): Payload =>
  before('Write', { file_path, content }, more);
export const wrote = (file_path: string, content: string, more: Payload = {}): Payload =>
  after('Write', { file_path, content }, { type: 'create', filePath: file_path }, more);
export const edit = (file_path: string, old_string: string, new_string: string, more: Payload = {}): Payload =>
  before('Edit', { file_path, old_string, new_string }, more);
export const edited = (file_path: string, more: Payload = {}): Payload =>
  after('Edit', { file_path, old_string: 'a', new_string: 'b' }, { filePath: file_path, structuredPatch: [] }, more);

let prompts = 0;
/** A person has typed it; each has an id of its own. */
export const prompt = (text = 'Go on.', more: Payload = {}): Payload => ({
  hook_event_name: 'UserPromptSubmit',
  prompt: text,
  prompt_id: `prompt-${(prompts += 1)}`,
  ...more,
});
export const start = (source = 'startup', more: Payload = {}): Payload => ({
  hook_event_name: 'SessionStart',
  source,
  ...more,
});
export const event = (name: string, more: Payload = {}): Payload => ({ hook_event_name: name, ...more });
