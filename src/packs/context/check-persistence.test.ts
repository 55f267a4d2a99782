import { describe, expect, it } from 'vitest';
import { record } from '../../engine/rule.ts';
import type { Answer, World } from '../world.fixture.ts';
import { WRAPPED_UP } from './command-cells.ts';
import { contextWorld, DAY, HOUR, nextIn, NOW } from './context.fixture.ts';
import { cellOf, pauseSession, relaysOf, setCell } from './session.fixture.ts';

const PERSIST = record('context.persist');

function world(options?: string, before?: object): World {
  const opened = contextWorld({ only: ['check-persistence'], ...(options === undefined ? {} : { options }) });
  if (before) setCell(opened, PERSIST, { lastNudge: 0, lastMtime: NOW, persistedAt: NOW - 7 * DAY, ...before });
  return opened;
}

const go = (opened: World) => opened.prompt('Go on.');
const edit = (opened: World, path: string, more: object = {}) =>
  opened.after(
    'Edit',
    { file_path: `${opened.root}/${path}`, old_string: 'a', new_string: 'b' },
    { filePath: `${opened.root}/${path}`, structuredPatch: [] },
    { ...more },
  );

/** Sends prompts up to a number; gives back those at which something was said. */
async function promptsTo(opened: World, last: number, first = 1): Promise<{ at: number[]; answers: Answer[] }> {
  const at: number[] = [];
  const answers: Answer[] = [];
  for (let prompt = first; prompt <= last; prompt += 1) {
    const answer = await go(opened);
    if (answer.note === '') continue;
    at.push(prompt);
    answers.push(answer);
  }
  return { at, answers };
}

it('the first prompt begins to count', async () => {
  const opened = world();
  expect((await go(opened)).note).toBe('');
  expect(cellOf(opened, 'context.persist')).toEqual({
    count: 1,
    lastNudge: 0,
    lastMtime: NOW,
    persistedAt: NOW - 7 * DAY,
  });
});

it('60 prompts without a change', async () => {
  const opened = world();
  const { at, answers } = await promptsTo(opened, 60);
  expect(at).toEqual([20, 35, 50]);
  expect(answers[0]?.note).toContain('For 20 prompts no file in .context has changed; this is prompt 20.');
  expect(answers[1]?.note).toContain('For 15 prompts');
  expect(answers[0]?.note).toContain('7 days ago');
  expect(nextIn(answers[0]?.note ?? '')).toContain('fairlead context wrap-up');
  expect(answers[0]?.warn).toContain('┌');
  expect(relaysOf(opened)[0]).toMatchObject({ event: 'nudge', variant: 'nudge', variables: { prompt: 20, since: 20 } });
});

it('a change of a context file starts the count again', async () => {
  const opened = world();
  expect((await promptsTo(opened, 18)).at).toEqual([]);
  opened.now += HOUR;
  opened.put('.context/DECISIONS.md', '# Decisions\n\nOne.\n', opened.now - 60_000);
  expect((await go(opened)).note).toBe('');
  expect(cellOf(opened, 'context.persist')).toEqual({
    count: 19,
    lastNudge: 19,
    lastMtime: opened.now - 60_000,
    persistedAt: opened.now - 60_000,
  });
  opened.now += 3 * HOUR;
  const { at, answers } = await promptsTo(opened, 40, 20);
  expect(at).toEqual([34]);
  expect(answers[0]?.note).toContain('The last change was 3 hours ago');
});

it.each<[string, string | undefined, object, string]>([
  ['prompt 11, nothing said', undefined, { count: 10 }, ''],
  ['prompt 25, 19 since', undefined, { count: 24, lastNudge: 6 }, ''],
  ['prompt 25, 20 since', undefined, { count: 24, lastNudge: 5 }, 'For 20 prompts'],
  ['prompt 26, 15 since', undefined, { count: 25, lastNudge: 11 }, 'For 15 prompts'],
  ['prompt 26, 14 since', undefined, { count: 25, lastNudge: 12 }, ''],
  ['other limits', 'persist: { early_min: 2, early_interval: 3 }', { count: 2 }, 'For 3 prompts'],
  ['limits of the wrong kind', 'persist: { late_interval: soon }', { count: 25, lastNudge: 11 }, 'For 15 prompts'],
  ['edits are required, none came', 'persist: { require_edits: true }', { count: 19 }, ''],
])('%s', async (_, options, before, says) => {
  const opened = world(options, before);
  const { note } = await go(opened);
  expect(note === '').toBe(says === '');
  expect(note).toContain(says);
});

describe('edits that were seen', () => {
  it('of a context file are a change, whatever its time says', async () => {
    const opened = world(undefined, { count: 18 });
    await edit(opened, '.context/LEARNINGS.md');
    expect((await go(opened)).note).toBe('');
    expect(cellOf(opened, 'context.persist')).toMatchObject({ count: 19, lastNudge: 19 });
    expect((await promptsTo(opened, 40, 20)).at).toEqual([34]);
  });

  it('of a sub-agent too', async () => {
    const opened = world(undefined, { count: 18 });
    await edit(opened, '.context/LEARNINGS.md', { agent_id: 'a1', agent_type: 'general-purpose' });
    await go(opened);
    expect(cellOf(opened, 'context.persist')).toMatchObject({ lastNudge: 19 });
  });

  it.each(['src/app.ts', '.contextual/a.md', 'docs/.context.md'])('of %s are none', async (path) => {
    const opened = world(undefined, { count: 18 });
    await edit(opened, path);
    expect(cellOf(opened, 'context.persist')).toMatchObject({ count: 18, persistedAt: NOW - 7 * DAY });
    await go(opened);
    expect((await go(opened)).note).toContain('For 20 prompts');
  });

  it('before the first prompt are not kept', async () => {
    const opened = world();
    await edit(opened, '.context/LEARNINGS.md');
    expect(cellOf(opened, 'context.persist')).toBeUndefined();
  });

  it('are one that can be required, since the last change', async () => {
    const opened = world('persist: { require_edits: true }', { count: 18 });
    await go(opened);
    await edit(opened, 'src/app.ts');
    expect((await go(opened)).note).toContain('For 20 prompts');
    await edit(opened, '.context/LEARNINGS.md');
    expect((await promptsTo(opened, 60, 21)).at).toEqual([]);
    expect(cellOf(opened, 'context.persist')).not.toHaveProperty('edited');
  });
});

describe('a wrap-up', () => {
  it.each([
    [undefined, 'For 20 prompts'],
    ['wrap_up: { suppresses: [check-persistence] }', ''],
    ['wrap_up: { suppresses: [context/check-persistence] }', ''],
    ['wrap_up: { suppresses: [check-persistence], hours: 0.5 }', 'For 20 prompts'],
    ['wrap_up: { suppresses: check-persistence }', 'For 20 prompts'],
  ])('with %s', async (options, says) => {
    const opened = world(options, { count: 19 });
    setCell(opened, WRAPPED_UP, { at: NOW - HOUR });
    const { note } = await go(opened);
    expect(note === '').toBe(says === '');
    expect(note).toContain(says);
    expect(cellOf(opened, 'context.persist')).toMatchObject({ count: 20, lastNudge: says === '' ? 0 : 20 });
  });
});

it('while the session is paused nothing counts', async () => {
  const opened = world(undefined, { count: 19 });
  pauseSession(opened);
  expect((await go(opened)).note).toBe('');
  expect(cellOf(opened, 'context.persist')).toMatchObject({ count: 19 });
});

it.each<[string, object]>([
  ['a notification', { prompt: '<task-notification>done</task-notification>' }],
  ['a sub-agent', { agent_id: 'a1', agent_type: 'general-purpose' }],
])('%s does not count', async (_, fields) => {
  const opened = world(undefined, { count: 19 });
  expect((await opened.prompt('Go on.', { ...fields })).note).toBe('');
  expect(cellOf(opened, 'context.persist')).toMatchObject({ count: 19 });
});

it('sessions count for themselves', async () => {
  const opened = world(undefined, { count: 18 });
  await opened.prompt('Go on.', { session_id: 'other' });
  expect((await go(opened)).note).toBe('');
  expect((await go(opened)).note).toContain('this is prompt 20');
});

it('a context that is not initialised is left alone', async () => {
  const opened = contextWorld({ only: ['check-persistence'], uninitialised: true });
  await go(opened);
  expect(opened.cells('context.persist')).toEqual({});
});
