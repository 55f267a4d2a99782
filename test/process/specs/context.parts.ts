import { BUILT_IN } from '../../../src/packs/index.generated.ts';
import { answerLine } from '../../../src/packs/context/session.fixture.ts';
import { until } from '../../patience.ts';
import type { Payload } from '../daemon-home.ts';
import { PASS, before, prompt, row, seen } from './rows.ts';
import type { Row, Step } from './rows.ts';
import type { Stage, Texts } from './stage.ts';

export const HOUR = 3_600_000;
export const DAY = 24 * HOUR;

/** An initialised project. */
export const CONTEXT: Texts = {
  '.context/CONSTITUTION.md': '# Constitution\n\nTests pass before a commit.\n',
  '.context/TASKS.md': '# Tasks\n\n- [ ] Parse the file\n- [ ] Report errors\n- [x] Set up\n',
  '.context/DECISIONS.md': '# Decisions\n',
};
const RULES = BUILT_IN.map(({ meta }) => meta.id).filter((id) => id.startsWith('context/'));

/** These rules alone, with these options of the pack. */
export const only = (names: readonly string[], options: object = {}) => ({
  packs: { context: { enabled: true, ...options } },
  rules: Object.fromEntries(RULES.map((id) => [id, names.includes(id.slice('context/'.length)) ? 'on' : 'off'])),
});

type Given = Partial<Omit<Row, 'id' | 'what' | 'steps'>> & { readonly options?: object };
/** Rows of one rule; their ids count the rows of its table. */
export const about =
  (section: string, rule: string) =>
  (numbers: string, what: string, steps: readonly Step[], { options = {}, files = {}, ...more }: Given = {}): Row =>
    row(
      numbers
        .split(' ')
        .map((number) => `${section}.${number}`)
        .join(' '),
      `${rule}: ${what}`,
      steps,
      { settings: only([rule], options), files: { ...CONTEXT, ...files }, ...more },
    );

export const SUB = { agent_id: 'a1', agent_type: 'general-purpose' };
export const read = (more: Payload = {}): Payload => before('Read', { file_path: 'src/a.ts' }, more);

/** A file of the project is as old as this. */
export const old =
  (path: string, age: number): Step =>
  (stage) =>
    stage.put(path, stage.read(path), age);
export const tokens =
  (count: number): Step =>
  (stage) =>
    void stage.put(stage.transcript, answerLine(count));
export const cell =
  (name: string, value: unknown, scope: 'session' | 'workspace' = 'session'): Step =>
  (stage) =>
    stage.setCell(scope, name, value);
export const paused = (turns = 0): Step => cell('paused', { since: Date.now(), turns });
export const holds =
  (name: string, value: unknown): Step =>
  (stage) =>
    seen(Object.values(stage.cells(name))[0]).toEqual(value);
export const unset =
  (name: string): Step =>
  (stage) =>
    seen(stage.cells(name)).toEqual({});
export const isSet =
  (name: string): Step =>
  (stage) =>
    until(`${name} is set`, () => Object.keys(stage.cells(name)).length > 0);
export const relayed =
  (...variants: readonly string[]): Step =>
  (stage) =>
    until(`${variants.join(', ')} of ${stage.relays().join(', ')}`, () =>
      variants.every((each) => stage.relays().some((relay) => relay.endsWith(`/${each}`))),
    );

/** What is found out in the background is told at some prompt; a machine that is busy takes more of them. */
export const atLast =
  (...parts: readonly (string | RegExp)[]): Step =>
  async (stage: Stage) => {
    const said = await until(
      `a prompt is told ${parts.join(', ')}`,
      async () => (await stage.send(prompt())).said || undefined,
    );
    for (const part of parts) seen(said).toMatch(part);
  };
/** Prompts, and which of them were told something. */
export const speaksAt =
  (count: number, expected: readonly number[], of: () => Payload = () => prompt()): Step =>
  async (stage) => {
    const spoke: number[] = [];
    for (let at = 1; at <= count; at += 1) if ((await stage.send(of())).said !== '') spoke.push(at);
    seen(spoke).toEqual(expected);
  };

/** A prompt, and what is said to it. */
export const go = (expected = PASS): Step => [prompt(), expected];
