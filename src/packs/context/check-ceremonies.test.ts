import { expect, it } from 'vitest';
import { contextWorld, DAY, nextIn, NOW } from './context.fixture.ts';
import { pauseSession } from './session.fixture.ts';
import type { World } from '../world.fixture.ts';

const entry = (day: number) => `.context/journal/2026-03-0${day}-0900-aaaaaaa${day}.md`;
const journal = (...texts: readonly string[]) => Object.fromEntries(texts.map((text, at) => [entry(at + 1), text]));
const marked = (world: World) => Object.keys(world.cells('context.day.ceremonies')).length > 0;
const seen = (world: World) =>
  Object.fromEntries(
    Object.entries(world.cells('context.ceremony_seen')).map(([id, day]) => [id.split(' ').at(-1), day]),
  );

type Says = 'both' | 'remember' | 'wrapup' | 'pass';
interface Row {
  readonly entries: readonly string[];
  readonly options?: string;
  readonly prompt?: string;
  readonly says: Says;
  readonly isMarked?: boolean;
}

const NEXT = {
  both: 'fairlead context remember now, and fairlead context wrap-up before this session ends',
  remember: 'fairlead context remember',
  wrapup: 'fairlead context wrap-up before this session ends',
  pass: undefined,
};

it.each<[string, Row]>([
  ['neither in three entries', { entries: ['a', 'b', 'c'], says: 'both' }],
  ['only a start', { entries: ['a', 'Bash `ctx-remember`', 'c'], says: 'wrapup' }],
  ['only an end', { entries: ['a', 'Bash `fairlead context wrap-up`', 'c'], says: 'remember' }],
  ['both, in different entries', { entries: ['/ctx-wrap-up', 'fairlead context remember', 'c'], says: 'pass' }],
  ['no journal', { entries: [], says: 'pass' }],
  ['a start that is too long ago', { entries: ['ctx-remember', 'ctx-wrap-up', 'c', 'd'], says: 'remember' }],
  [
    'a longer look back',
    {
      entries: ['ctx-remember', 'ctx-wrap-up', 'c', 'd'],
      options: 'ceremonies: { lookback: 4, start: [ctx-remember], end: [ctx-wrap-up] }',
      says: 'pass',
    },
  ],
  ['one entry', { entries: ['a'], says: 'both' }],
  ['this prompt is one', { entries: ['a', 'b', 'c'], prompt: '/ctx-remember', says: 'pass', isMarked: true }],
  ['this prompt is the other', { entries: ['a'], prompt: '/ctx-wrap-up all of it', says: 'pass', isMarked: true }],
  ['this prompt is one of a plugin', { entries: ['a'], prompt: '/ctx:ctx-remember', says: 'pass', isMarked: true }],
  ['this prompt is a command', { entries: ['a'], prompt: 'fairlead context remember', says: 'pass', isMarked: true }],
  [
    'this prompt runs a command',
    { entries: ['a'], prompt: '! fairlead context wrap-up', says: 'pass', isMarked: true },
  ],
  ['this prompt speaks of one', { entries: ['a'], prompt: 'ctx-remember is what we lack', says: 'both' }],
  ['this prompt asks about one', { entries: ['a'], prompt: 'What does /ctx-remember do?', says: 'both' }],
  ['look back 0', { entries: ['a'], options: 'ceremonies: { lookback: 0 }', says: 'pass' }],
  ['look back that is negative', { entries: ['a', 'b'], options: 'ceremonies: { lookback: -1 }', says: 'pass' }],
  [
    'wrong types',
    { entries: ['a', 'b', 'c'], options: 'ceremonies: { lookback: some, start: 5, end: {} }', says: 'both' },
  ],
  ['the group is no map', { entries: ['a', 'b', 'c'], options: 'ceremonies: 5', says: 'both' }],
  [
    'nothing counts as a start',
    { entries: ['a'], options: 'ceremonies: { start: [], end: [fairlead context wrap-up] }', says: 'wrapup' },
  ],
  ['nothing counts at all', { entries: ['a'], options: 'ceremonies: { start: [], end: [] }', says: 'pass' }],
])('%s', async (_, { entries, options, prompt = 'Go on.', says, isMarked = says !== 'pass' }) => {
  const world = contextWorld({
    only: ['check-ceremonies'],
    files: journal(...entries),
    ...(options === undefined ? {} : { options }),
  });
  const { note, warn } = await world.prompt(prompt);
  expect(nextIn(note)).toBe(NEXT[says]);
  expect(warn.includes('fairlead context')).toBe(says !== 'pass');
  if (says !== 'pass') expect(note).toContain(`(${Math.min(3, entries.length)})`);
  expect(marked(world)).toBe(isMarked);
  expect((await world.prompt('And on.')).note).toBe('');
});

it('an empty journal is looked at again when it gets an entry', async () => {
  const world = contextWorld({ only: ['check-ceremonies'], files: { '.context/journal/.gitkeep': '' } });
  world.put('.context/journal/.gitkeep', '', NOW - DAY);
  expect((await world.prompt('Go on.')).note).toBe('');
  world.put(entry(1), 'a');
  expect(nextIn((await world.prompt('Go on.')).note)).toBe(NEXT.both);
});

it('names the command of the settings', async () => {
  const options = 'ceremonies: { lookback: 3, start: [/recall], end: [goodbye.sh --all] }';
  const world = contextWorld({ only: ['check-ceremonies'], files: journal('a'), options });
  expect(nextIn((await world.prompt('Go on.')).note)).toBe(
    '/recall now, and goodbye.sh --all before this session ends',
  );
});

const ran = (world: World, command: string, more = {}) =>
  world.after('Bash', { command }, { stdout: '', stderr: '', interrupted: false }, more);

it.each<[string, string, Says]>([
  ['a start', 'fairlead context remember', 'wrapup'],
  ['a start by a path, among others', 'cd src && ../bin/fairlead context remember --json | head', 'wrapup'],
  ['an end, nested', "bash -c 'fairlead context wrap-up'", 'remember'],
  ['both', 'fairlead context wrap-up; ctx-remember', 'pass'],
  ['text that mentions one', 'echo "fairlead context remember"', 'both'],
  ['a search for one', 'grep -rn ctx-wrap-up .', 'both'],
  ['another verb', 'fairlead context remember-not', 'both'],
])('%s that was run today counts', async (_, command, says) => {
  const world = contextWorld({ only: ['check-ceremonies'], files: journal('a', 'b', 'c') });
  expect((await ran(world, command)).stdout).toBe('');
  expect(marked(world)).toBe(false);
  expect(nextIn((await world.prompt('Go on.')).note)).toBe(NEXT[says]);
});

it('counts for that day, in every session, and from sub-agents too', async () => {
  const world = contextWorld({ only: ['check-ceremonies'], files: journal('a', 'b', 'c') });
  await ran(world, 'fairlead context remember', { agent_id: 'agent-1', agent_type: 'Explore' });
  await ran(world, 'fairlead context wrap-up', { session_id: 'session-2' });
  expect(seen(world)).toEqual({ start: '2026-03-10', end: '2026-03-10' });
  expect((await world.prompt('Go on.')).note).toBe('');
  await world.pass(DAY);
  expect(nextIn((await world.prompt('Go on.')).note)).toBe(NEXT.both);
});

it('a command that failed does not count', async () => {
  const world = contextWorld({ only: ['check-ceremonies'], files: journal('a') });
  await world.failed('Bash', { command: 'fairlead context remember' }, 'Exit code 1');
  expect(seen(world)).toEqual({});
});

it('the marker holds for a day and for all sessions', async () => {
  const world = contextWorld({ only: ['check-ceremonies'], files: journal('a') });
  expect((await world.prompt('Go on.')).note).not.toBe('');
  expect((await world.prompt('Go on.', { session_id: 'session-2' })).note).toBe('');
  await world.pass(DAY);
  expect((await world.prompt('Go on.', { session_id: 'session-2' })).note).not.toBe('');
});

it.each<[string, Readonly<Record<string, unknown>>, string]>([
  ['a sub-agent', { agent_id: 'agent-1', agent_type: 'Explore' }, 'Go on.'],
  ['a notification', {}, '<task-notification>done</task-notification>'],
  ['the system', { source: 'system' }, '/ctx-remember'],
])('%s hears nothing and moves nothing', async (_, more, prompt) => {
  const world = contextWorld({ only: ['check-ceremonies'], files: journal('a') });
  expect((await world.prompt(prompt, more)).note).toBe('');
  expect([marked(world), seen(world)]).toEqual([false, {}]);
});

it('paused, or in a project that is not initialised, it passes', async () => {
  const paused = contextWorld({ only: ['check-ceremonies'], files: journal('a') });
  pauseSession(paused);
  expect((await paused.prompt('Go on.')).note).toBe('');
  expect(marked(paused)).toBe(false);
  const bare = contextWorld({ only: ['check-ceremonies'], files: journal('a'), uninitialised: true });
  await ran(bare, 'fairlead context remember');
  expect((await bare.prompt('Go on.')).note).toBe('');
  expect([marked(bare), seen(bare)]).toEqual([false, {}]);
});
