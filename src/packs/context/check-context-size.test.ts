import { describe, expect, it } from 'vitest';
import type { World } from '../world.fixture.ts';
import { counter } from '../../engine/rule.ts';
import { WRAPPED_UP } from './command-cells.ts';
import { contextWorld, HOUR, nextIn, NOW } from './context.fixture.ts';
import type { ContextWorldOptions } from './context.fixture.ts';
import { OVERSIZE } from './oversize.ts';
import { answerLine, cellOf, pauseSession, relaysOf, resultLine, SESSION, setCell } from './session.fixture.ts';
import { statsOf, transcribe } from './session.fixture.ts';

const PROMPTS = counter('context.prompts');

interface Given extends ContextWorldOptions {
  readonly count?: number;
  readonly tokens?: number;
}

function world({ count = 0, tokens = 100_000, ...more }: Given = {}): World {
  const opened = contextWorld({ ...more, only: ['check-context-size'] });
  if (count > 0) setCell(opened, PROMPTS, count);
  if (tokens > 0) transcribe(opened, answerLine(tokens));
  return opened;
}

const go = (opened: World) => opened.prompt('Go on.');
const eventsIn = async (opened: World) => (await statsOf(opened)).map(({ event }) => event);
const saidBy = (opened: World) => relaysOf(opened).map(({ variant }) => variant);

describe('the counter decides', () => {
  it.each<[string, Given, string]>([
    ['prompt 20 at 50 %', { count: 19 }, 'checkpoint'],
    ['prompt 15', { count: 14 }, 'silent'],
    ['prompt 17', { count: 16 }, 'silent'],
    ['prompt 31', { count: 30 }, 'silent'],
    ['prompt 30', { count: 29 }, 'checkpoint'],
    ['prompt 33 at 85 %', { count: 32, tokens: 170_000 }, 'window-warning'],
    ['prompt 33 at 80 %', { count: 32, tokens: 160_000 }, 'window-warning'],
    ['prompt 33 just below', { count: 32, tokens: 159_999 }, 'checkpoint'],
    ['prompt 33, another limit', { count: 32, options: 'size: { window_pct: 50 }' }, 'window-warning'],
    ['prompt 35', { count: 34 }, 'checkpoint'],
    ['prompt 35, bands apart', { count: 34, options: 'size: { exclusive_bands: true }' }, 'silent'],
    ['prompt 36, bands apart', { count: 35, options: 'size: { exclusive_bands: true }' }, 'checkpoint'],
    ['prompt 20, bands apart', { count: 19, options: 'size: { exclusive_bands: true }' }, 'checkpoint'],
    ['prompt 5 at 85 %', { count: 4, tokens: 170_000 }, 'silent'],
    ['a trigger nobody knows', { count: 4, tokens: 170_000, options: 'size: { trigger: always }' }, 'silent'],
    ['options of the wrong kind', { count: 19, options: 'size: 5, window: x, wrap_up: [], pause: 1' }, 'checkpoint'],
    ['tokens that nobody knows', { count: 19, tokens: 0 }, 'checkpoint'],
  ])('%s', async (_, given, event) => {
    const opened = world(given);
    const { note, warn } = await go(opened);
    expect(await eventsIn(opened)).toEqual([event]);
    const variants = { silent: [], checkpoint: ['checkpoint'], 'window-warning': ['window'] }[event];
    expect(saidBy(opened)).toEqual(variants);
    expect(note === '').toBe(event === 'silent');
    expect(warn === '').toBe(event === 'silent');
    expect(cellOf(opened, 'context.prompts')).toBe((given.count ?? 0) + 1);
  });

  it('of 60 prompts', async () => {
    const opened = world({ tokens: 0 });
    const spoke: number[] = [];
    for (let prompt = 1; prompt <= 60; prompt += 1) if ((await go(opened)).note !== '') spoke.push(prompt);
    expect(spoke).toEqual([20, 25, 30, 33, 35, 36, 39, 40, 42, 45, 48, 50, 51, 54, 55, 57, 60]);
    expect(await statsOf(opened)).toHaveLength(60);
  });
});

describe('what is said', () => {
  it('a checkpoint names the prompt and how full the window is', async () => {
    const opened = world({ count: 19, tokens: 124_567 });
    const { note, warn } = await go(opened);
    expect(note).toContain('prompt 20');
    expect(note).toContain('124k tokens, 62 % of a window of 200k');
    expect(nextIn(note)).toBe('fairlead context wrap-up');
    expect(warn).toContain('┌');
    expect(await statsOf(opened)).toEqual([
      {
        ts: '2026-03-10T10:00:00.000Z',
        prompt: 20,
        tokens: 124_567,
        pct: 62,
        window: 200_000,
        model: 'claude-opus-5-5',
        event: 'checkpoint',
      },
    ]);
    expect(relaysOf(opened)).toMatchObject([{ event: 'nudge', variables: { prompt: 20, tokens: 124_567, pct: 62 } }]);
  });

  it('without tokens it speaks of the prompt alone', async () => {
    const { note } = await go(world({ count: 19, tokens: 0 }));
    expect(note).toContain('prompt 20');
    expect(note).not.toContain('%');
    expect(note).not.toContain('{');
  });

  it('a window warning names percent and tokens', async () => {
    const { note } = await go(world({ count: 32, tokens: 170_000 }));
    expect(note).toContain('85 % full: 170k of 200k tokens');
    expect(nextIn(note)).toBe('fairlead context wrap-up');
  });

  it('tokens are found behind a large result', async () => {
    const opened = world({ count: 19 });
    transcribe(opened, answerLine(88_000), resultLine(200 << 10));
    expect((await go(opened)).note).toContain('88k tokens, 44 %');
  });

  it('files that were too large to load are told once, by the next checkpoint', async () => {
    const opened = world({ count: 18, tokens: 170_000 });
    const files = [
      { name: 'TASKS.md', tokens: 2_000 },
      { name: 'ARCHITECTURE.md', tokens: 14_200 },
    ];
    setCell(opened, OVERSIZE, { tokens: 16_200, threshold: 15_000, files });
    expect((await go(opened)).note).toBe('');
    expect((await go(opened)).note).not.toContain('16k');
    expect(cellOf(opened, 'context.oversize')).toBeDefined();
    transcribe(opened, answerLine(100_000));
    setCell(opened, PROMPTS, 24);
    const { note } = await go(opened);
    expect(note).toMatch(/16k tokens; up to 15k .* ARCHITECTURE\.md/);
    expect(nextIn(note)).toBe('fairlead context wrap-up');
    expect(cellOf(opened, 'context.oversize')).toBeUndefined();
    setCell(opened, PROMPTS, 29);
    expect((await go(opened)).note).not.toContain('ARCHITECTURE');
  });

  it('the parts of a checkpoint can be reworded and silenced', async () => {
    const opened = world({ count: 19 });
    const at = `${opened.paths.config}/messages/context/check-context-size`;
    opened.put(`${at}/checkpoint.md`, 'At {promptCount}:{usage}{oversize}');
    opened.put(`${at}/usage.md`, '{tokenCount} in it.');
    opened.put(`${at}/oversize.md`, ' ');
    setCell(opened, OVERSIZE, { tokens: 16_200, threshold: 15_000, files: [] });
    opened.restart();
    expect((await go(opened)).note).toContain('At 20:\n100k in it.');
  });
});

describe('a trigger by percent', () => {
  const percents = async (opened: World, ...all: readonly number[]) => {
    const said: string[] = [];
    for (const pct of all) {
      transcribe(opened, answerLine(pct * 2_000));
      const { note } = await go(opened);
      said.push(
        note === '' ? '' : note.startsWith('[context/check-context-size] Checkpoint') ? 'checkpoint' : 'window',
      );
    }
    return said;
  };

  it('says each thing once', async () => {
    const opened = world({ options: 'size: { trigger: percent }' });
    expect(await percents(opened, 50, 59, 60, 75, 90, 91, 92, 93, 95)).toEqual([
      ...['', '', 'checkpoint', '', 'window', '', 'window', '', 'window'],
    ]);
  });

  it('says nothing at the prompts of the counter', async () => {
    const opened = world({ count: 19, options: 'size: { trigger: percent }' });
    expect(await percents(opened, 50)).toEqual(['']);
  });

  it('says the more important thing alone when both are due', async () => {
    const opened = world({ options: 'size: { trigger: percent }' });
    expect(await percents(opened, 95, 95, 96)).toEqual(['window', '', '']);
  });

  it('begins again after a compaction', async () => {
    const opened = world({ options: 'size: { trigger: percent }' });
    expect(await percents(opened, 70, 92)).toEqual(['checkpoint', 'window']);
    await opened.event('SessionStart', { source: 'compact' });
    expect(await percents(opened, 65)).toEqual(['checkpoint']);
    await opened.event('SessionStart', { source: 'resume' });
    expect((await go(opened)).note).toBe('');
  });

  it('begins again when the window turns out to be larger', async () => {
    const opened = world({ options: 'size: { trigger: percent }' });
    expect(await percents(opened, 95, 125, 290, 310, 460)).toEqual(['window', '', '', 'checkpoint', 'window']);
  });

  it('both: the first crossing is told at any prompt, once', async () => {
    const opened = world({ count: 4, tokens: 170_000, options: 'size: { trigger: both }' });
    expect((await go(opened)).note).toContain('85 % full');
    expect((await go(opened)).note).toBe('');
    setCell(opened, PROMPTS, 19);
    expect((await go(opened)).note).toContain('85 % full');
    expect((await go(opened)).note).toBe('');
    expect(await eventsIn(opened)).toEqual(['window-warning', 'silent', 'window-warning', 'silent']);
    await opened.event('SessionStart', { source: 'compact' });
    expect(await percents(opened, 30, 82, 83)).toEqual(['', 'window', '']);
  });

  it('both: a crossing that the counter has told is not told again', async () => {
    const opened = world({ count: 19, tokens: 170_000, options: 'size: { trigger: both }' });
    expect((await go(opened)).note).toContain('85 % full');
    expect((await go(opened)).note).toBe('');
  });
});

describe('the window', () => {
  it.each<[string, string, string | undefined, string]>([
    ['as the person says', 'window: { size: 400000 }', undefined, '25 % of a window of 400k'],
    ['by the model', 'window: { models: { "claude-opus-*": 500000 } }', undefined, '20 % of a window of 500k'],
    ['sizes of the wrong kind', 'window: { size: many, models: { "*": x } }', undefined, '50 % of a window of 200k'],
    ['as the model is called', 'size: {}', 'claude-opus-5-5[1m]', '10 % of a window of 1000k'],
  ])('%s', async (_, options, model, says) => {
    const opened = world({ count: 19, options });
    transcribe(opened, answerLine(100_000, model));
    expect((await go(opened)).note).toContain(says);
  });

  it('is the large one from the prompt on that held more than was thought to fit', async () => {
    const opened = world({ count: 18, tokens: 250_000 });
    await go(opened);
    transcribe(opened, answerLine(50_000));
    expect((await go(opened)).note).toContain('50k tokens, 5 % of a window of 1000k');
    setCell(opened, PROMPTS, 19, { owner: 'another' });
    expect((await opened.prompt('Go on.', { session_id: 'another' })).note).toContain('25 % of a window of 200k');
  });
});

describe('billing', () => {
  const options = 'billing_token_warn: 100000';

  it('is told once, also after a wrap-up', async () => {
    const opened = world({ tokens: 120_000, options });
    setCell(opened, WRAPPED_UP, { at: NOW - HOUR });
    expect((await go(opened)).note).toContain('120k tokens; a notice was set at 100k');
    expect((await go(opened)).note).toBe('');
    expect(await eventsIn(opened)).toEqual(['suppressed', 'suppressed']);
    expect(saidBy(opened)).toEqual(['billing']);
  });

  it('stands above a checkpoint of the same prompt', async () => {
    const { note } = await go(world({ count: 19, tokens: 120_000, options }));
    expect(note.indexOf('120k tokens; a notice')).toBeLessThan(note.indexOf('Checkpoint'));
    expect(note).toContain('\n\n');
  });

  it.each([
    ['less than the limit', 99_999, options],
    ['no limit', 999_999, 'billing_token_warn: 0'],
    ['a limit that is no number', 999_999, 'billing_token_warn: lots'],
  ])('%s', async (_, tokens, given) => {
    expect((await go(world({ tokens, options: given }))).note).toBe('');
  });
});

describe('a wrap-up', () => {
  const MINUTE = 60_000;
  it.each<[string, string, { readonly at: number; readonly session?: string }, string]>([
    ['a moment ago', '', { at: NOW }, 'suppressed'],
    ['1 h 59 min ago', '', { at: NOW - 119 * MINUTE }, 'suppressed'],
    ['2 h 1 min ago', '', { at: NOW - 121 * MINUTE }, 'checkpoint'],
    ['before the clock was set back', '', { at: NOW + 1_000 * MINUTE }, 'checkpoint'],
    ['within other hours', 'wrap_up: { hours: 0.5 }', { at: NOW - 31 * MINUTE }, 'checkpoint'],
    ['with 0 hours', 'wrap_up: { hours: 0 }', { at: NOW }, 'checkpoint'],
    ['of another session', '', { at: NOW, session: 'other' }, 'suppressed'],
    ['of another session, kept apart', 'wrap_up: { scope: session }', { at: NOW, session: 'other' }, 'checkpoint'],
    ['of nobody, kept apart', 'wrap_up: { scope: session }', { at: NOW }, 'checkpoint'],
    ['of this session, kept apart', 'wrap_up: { scope: session }', { at: NOW, session: SESSION }, 'suppressed'],
  ])('%s', async (_, options, wrapped, event) => {
    const opened = world({ count: 19, ...(options === '' ? {} : { options }) });
    setCell(opened, WRAPPED_UP, wrapped);
    const { note } = await go(opened);
    expect(await eventsIn(opened)).toEqual([event]);
    expect(note === '').toBe(event === 'suppressed');
  });
});

describe('while the session is paused', () => {
  it.each([
    [
      2,
      'paused',
      /^\[context\/check-context-size\] Fairlead is paused in this session; its guards are not\.$/,
      undefined,
    ],
    [4, 'paused', /^\[context\/check-context-size\] Fairlead is paused/, undefined],
    [5, 'paused-long', /prompts so far: 6;/, 'fairlead resume'],
    [7, 'paused-long', /prompts so far: 8;/, 'fairlead resume'],
  ])('for %i prompts: %s', async (turns, variant, says, next) => {
    const opened = world({ count: 19, tokens: 190_000, options: 'billing_token_warn: 1' });
    pauseSession(opened, turns);
    const { note, warn } = await go(opened);
    expect(note).toMatch(says);
    expect(nextIn(note)).toBe(next);
    expect(warn).toContain('paused');
    expect(warn).not.toContain('┌');
    expect(cellOf(opened, 'context.prompts')).toBe(19);
    expect(await statsOf(opened)).toEqual([]);
    expect(saidBy(opened)).toEqual([variant]);
  });

  it('told to the agent alone, where nudges are', async () => {
    const opened = world({ options: 'nudge: { audience: agent }' });
    pauseSession(opened);
    expect(await go(opened)).toMatchObject({ note: expect.stringContaining('paused'), warn: '' });
  });

  it('short texts for as long as the person says', async () => {
    const opened = world({ options: 'pause: { short_turns: 0 }' });
    pauseSession(opened);
    expect((await go(opened)).note).toContain('prompts so far: 1;');
  });
});

it.each<[string, Given, Readonly<Record<string, unknown>>]>([
  ['a notification', {}, { prompt: '<task-notification>done</task-notification>' }],
  ['a sub-agent', {}, { agent_id: 'a1', agent_type: 'general-purpose' }],
  ['a project that is not initialised', { uninitialised: true }, {}],
])('%s moves nothing', async (_, given, fields) => {
  const opened = world({ ...given, count: 19 });
  expect((await opened.prompt('Go on.', fields)).note).toBe('');
  expect(cellOf(opened, 'context.prompts')).toBe(19);
  expect(await statsOf(opened)).toEqual([]);
});

it('sessions count for themselves', async () => {
  const opened = world({ count: 18, tokens: 0 });
  setCell(opened, PROMPTS, 19, { owner: 'other' });
  expect((await go(opened)).note).toBe('');
  expect((await opened.prompt('Go on.', { session_id: 'other' })).note).toContain('prompt 20');
  expect((await go(opened)).note).toContain('prompt 20');
});
