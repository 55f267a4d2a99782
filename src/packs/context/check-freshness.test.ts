import { symlinkSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { World } from '../world.fixture.ts';
import { staleLines } from './check-freshness.ts';
import { REVIEWS } from './command-cells.ts';
import { contextWorld, DAY, nextIn, NOW } from './context.fixture.ts';
import type { ContextWorldOptions } from './context.fixture.ts';
import { pauseSession, setCell } from './session.fixture.ts';

const MODELS = '{ path: src/models.ts, desc: model names, review_url: "https://example.com/models" }';
const PRICES = '{ path: docs/prices.md, desc: prices, review_url: "https://example.com/prices" }';
const marked = (world: World) => Object.keys(world.cells('context.day.freshness')).length > 0;

interface Row {
  /** Days since each file changed. */
  readonly ages?: Readonly<Record<string, number>>;
  readonly listed?: string;
  readonly more?: string;
  readonly options?: string;
  readonly reviewed?: Readonly<Record<string, number>>;
  readonly says?: readonly string[];
  readonly next?: string;
}

function open({ ages = {}, listed, more = '', options, reviewed = {} }: Row, parts: ContextWorldOptions = {}): World {
  const files = listed === undefined ? undefined : `freshness: { files: [${listed}]${more} }`;
  const given = options ?? files;
  const world = contextWorld({
    ...parts,
    only: ['check-freshness'],
    ...(given === undefined ? {} : { options: given }),
  });
  for (const [path, days] of Object.entries(ages)) world.put(path, 'text', NOW - days * DAY);
  for (const [path, days] of Object.entries(reviewed)) setCell(world, REVIEWS, { at: NOW - days * DAY }, { key: path });
  return world;
}

it.each<[string, Row]>([
  ['no files are listed', { ages: { 'src/models.ts': 900 } }],
  [
    '183 days old',
    {
      ages: { 'src/models.ts': 183 },
      listed: MODELS,
      says: ['more than 182 days', 'https://example.com/models:\n  src/models.ts, 183 days: "model names"'],
      next: 'src/models.ts',
    },
  ],
  ['exactly 182 days old', { ages: { 'src/models.ts': 182 }, listed: MODELS }],
  [
    'a minute more',
    {
      ages: { 'src/models.ts': 182 + 1 / 1_440 },
      listed: MODELS,
      says: ['src/models.ts, 182 days'],
      next: 'src/models.ts',
    },
  ],
  [
    'two of them, with a page each',
    {
      ages: { 'src/models.ts': 200, 'docs/prices.md': 190 },
      listed: `${MODELS}, ${PRICES}`,
      says: [
        'https://example.com/models:\n  src/models.ts, 200 days: "model names"\nhttps://example.com/prices:\n  docs/prices.md, 190 days: "prices"',
      ],
      next: 'src/models.ts',
    },
  ],
  [
    'one of two',
    {
      ages: { 'src/models.ts': 10, 'docs/prices.md': 190 },
      listed: `${MODELS}, ${PRICES}`,
      says: ['docs/prices.md'],
      next: 'docs/prices.md',
    },
  ],
  ['reviewed yesterday', { ages: { 'src/models.ts': 900 }, listed: MODELS, reviewed: { 'src/models.ts': 1 } }],
  [
    'reviewed too long ago',
    {
      ages: { 'src/models.ts': 900 },
      listed: MODELS,
      reviewed: { 'src/models.ts': 250 },
      says: ['src/models.ts, 250 days'],
      next: 'src/models.ts',
    },
  ],
  ['changed since the review', { ages: { 'src/models.ts': 2 }, listed: MODELS, reviewed: { 'src/models.ts': 250 } }],
  ['missing', { listed: MODELS }],
  ['a directory', { ages: { 'src/models.ts/a.ts': 900 }, listed: MODELS }],
  [
    'no page and no description',
    { ages: { 'a.md': 200 }, listed: '{ path: a.md }', says: ['\na.md, 200 days\n'], next: 'a.md' },
  ],
  [
    'a name with spaces, written with detours, twice',
    {
      ages: { "docs/it's old.md": 200 },
      listed: `{ path: "./docs/../docs/it's old.md" }, { path: "docs/it's old.md" }`,
      says: ['\n"docs/it\'s old.md", 200 days\nA look'],
      next: `'docs/it'\\''s old.md'`,
    },
  ],
  [
    'another limit',
    { ages: { 'src/models.ts': 31 }, listed: MODELS, more: ', max_age_days: 30', next: 'src/models.ts' },
  ],
  ['limit 0', { ages: { 'src/models.ts': 900 }, listed: MODELS, more: ', max_age_days: 0' }],
  [
    'wrong types',
    {
      ages: { 'src/models.ts': 183 },
      listed: `5, text, { path: 7 }, { path: "" }, ${MODELS.replace('model names', '[1]')}`,
      more: ', max_age_days: long, age_source: stars',
      says: ['\n  src/models.ts, 183 days\n'],
      next: 'src/models.ts',
    },
  ],
  ['a list that is none', { options: 'freshness: { files: src/models.ts }', ages: { 'src/models.ts': 900 } }],
  ['a group that is none', { options: 'freshness: on', ages: { 'src/models.ts': 900 } }],
])('%s', async (_, row) => {
  const world = open(row);
  const { note, warn } = await world.prompt('Go on.');
  for (const each of row.says ?? []) expect(note).toContain(each);
  expect(nextIn(note)).toBe(row.next === undefined ? undefined : `fairlead context reviewed ${row.next}`);
  expect(warn === '').toBe(row.next === undefined);
  expect(marked(world)).toBe(row.next !== undefined);
  expect((await world.prompt('And on.')).note).toBe('');
});

it('the marker holds for its day, in all sessions', async () => {
  const world = open({ ages: { 'src/models.ts': 183 }, listed: MODELS });
  expect((await world.prompt('Go on.')).note).not.toBe('');
  expect((await world.prompt('Go on.', { session_id: 'session-2' })).note).toBe('');
  await world.pass(DAY);
  expect((await world.prompt('Go on.', { session_id: 'session-2' })).note).toContain('184 days');
});

it('what leads out of the project is not looked at', async () => {
  const world = open({
    listed: '{ path: ../outside.md }, { path: link.md }, { path: /etc/hostname }, { path: inner/a.md }',
  });
  const outside = world.put(`${world.home}/outside.md`, 'text', NOW - 900 * DAY);
  world.put(`${world.home}/project-two/a.md`, 'text', NOW - 900 * DAY);
  symlinkSync(outside, join(world.root, 'link.md'));
  symlinkSync(join(world.home, 'project-two'), join(world.root, 'inner'));
  expect((await world.prompt('Go on.')).note).toBe('');
});

it('a link inside the project counts as the file it leads to', async () => {
  const world = open({ listed: '{ path: link.md }', reviewed: { 'real.md': 1 } });
  world.put('real.md', 'text', NOW - 900 * DAY);
  symlinkSync(join(world.root, 'real.md'), join(world.root, 'link.md'));
  expect((await world.prompt('Go on.')).note).toBe('');
  setCell(world, REVIEWS, { at: NOW - 300 * DAY }, { key: 'real.md' });
  await world.pass(11 * 60_000);
  expect(nextIn((await world.prompt('Go on.')).note)).toBe('fairlead context reviewed real.md');
});

it('looks again at once when a listed file changes, also one that appears', async () => {
  const world = open({ ages: { 'src/models.ts': 2 }, listed: `${MODELS}, ${PRICES}` });
  expect((await world.prompt('Go on.')).note).toBe('');
  utimesSync(join(world.root, 'src/models.ts'), (NOW - 200 * DAY) / 1_000, (NOW - 200 * DAY) / 1_000);
  expect((await world.prompt('Go on.')).note).toContain('src/models.ts, 200 days');
});

describe('by the last commit', () => {
  /** What git tells of a path: a time, 0 for a file that no commit has, undefined when it fails. */
  type Told = number | undefined;

  function openGit(row: Row, told: (path: string) => Told, factWaitMs?: number): World {
    const git = async (_dir: string, args: readonly string[]) => {
      const at = told(args.at(-1) ?? '');
      return at === undefined ? undefined : at === 0 ? '' : `${at / 1_000}\n`;
    };
    const more = { sources: { git }, ...(factWaitMs === undefined ? {} : { factWaitMs }) };
    const world = open({ ...row, more: ', age_source: git' }, more);
    world.put('.git/HEAD', '4b825dc642cb6eb9a060e54bf8d69288fbee4904\n');
    return world;
  }

  it.each<[string, Row, Told, string | undefined]>([
    ['a fresh clone', { ages: { 'src/models.ts': 0 } }, NOW - 183 * DAY, '183 days'],
    ['committed lately, though it looks old', { ages: { 'src/models.ts': 900 } }, NOW - DAY, undefined],
    ['not committed yet, and old', { ages: { 'src/models.ts': 200 } }, 0, '200 days'],
    ['not committed yet, and new', { ages: { 'src/models.ts': 2 } }, 0, undefined],
    ['git fails', { ages: { 'src/models.ts': 900 } }, undefined, undefined],
    ['reviewed since', { ages: { 'src/models.ts': 0 }, reviewed: { 'src/models.ts': 3 } }, NOW - 183 * DAY, undefined],
    [
      'reviewed, but too long ago',
      { ages: { 'src/models.ts': 0 }, reviewed: { 'src/models.ts': 190 } },
      NOW - 300 * DAY,
      '190 days',
    ],
  ])('%s', async (_, row, told, says) => {
    const world = openGit({ ...row, listed: MODELS }, () => told);
    const { note } = await world.prompt('Go on.');
    if (says === undefined) expect(note).toBe('');
    else expect(note).toContain(says);
    expect(marked(world)).toBe(says !== undefined);
  });

  it('what is not known in time is told at the next prompt', async () => {
    const ages = { 'src/models.ts': 0, 'docs/prices.md': 0 };
    const told = (path: string) => NOW - (path === 'docs/prices.md' ? 300 : 200) * DAY;
    const world = openGit({ ages, listed: `${MODELS}, ${PRICES}` }, told, 0);
    expect((await world.prompt('Go on.')).note).toBe('');
    expect(marked(world)).toBe(false);
    await world.pass(1_000);
    const { note } = await world.prompt('Go on.');
    expect(note).toContain('200 days');
    expect(note).toContain('300 days');
  });

  it('does not ask about files that were reviewed', async () => {
    const asked: string[] = [];
    const ages = { 'src/models.ts': 0, 'docs/prices.md': 0 };
    const world = openGit({ ages, listed: `${MODELS}, ${PRICES}`, reviewed: { 'src/models.ts': 1 } }, (path) => {
      asked.push(path);
      return NOW;
    });
    await world.prompt('Go on.');
    await world.prompt('And on.');
    expect(asked).toEqual(['docs/prices.md']);
  });
});

it.each<[string, Readonly<Record<string, unknown>>, string]>([
  ['a sub-agent', { agent_id: 'agent-1', agent_type: 'Explore' }, 'Go on.'],
  ['a notification', {}, '<task-notification>done</task-notification>'],
])('%s hears nothing', async (_, more, prompt) => {
  const world = open({ ages: { 'src/models.ts': 183 }, listed: MODELS });
  expect((await world.prompt(prompt, more)).note).toBe('');
  expect(marked(world)).toBe(false);
});

it('paused, or not initialised, it passes', async () => {
  const world = open({ ages: { 'src/models.ts': 183 }, listed: MODELS });
  pauseSession(world);
  expect((await world.prompt('Go on.')).note).toBe('');
  expect(marked(world)).toBe(false);
  const options = `freshness: { files: [${MODELS}] }`;
  const bare = contextWorld({ only: ['check-freshness'], options, uninitialised: true });
  bare.put('src/models.ts', 'text', NOW - 900 * DAY);
  expect((await bare.prompt('Go on.')).note).toBe('');
});

describe('the list', () => {
  const file = (path: string, url = '', desc = '') => ({ path, url, desc, days: 200 });

  it('has room for six lines, and counts the rest', () => {
    const six = ['a', 'b', 'c', 'd', 'e', 'f'].map((path) => file(path));
    expect(staleLines(six).split('\n')).toHaveLength(6);
    expect(
      staleLines([...six, file('g')])
        .split('\n')
        .slice(4),
    ).toEqual(['e, 200 days', 'and 2 more']);
    const paged = six.map(({ path }) => file(path, `https://example.com/${path}`));
    expect(staleLines(paged).split('\n').slice(3)).toEqual(['  b, 200 days', 'and 4 more']);
  });

  it('puts those of one page together, below it', () => {
    const lines = staleLines([file('a', 'u:1'), file('b'), file('c', 'u:2'), file('d', 'u:1')]);
    expect(lines.split('\n').map((line) => line.split(',')[0])).toEqual(['u:1:', '  a', '  d', 'b', 'u:2:', '  c']);
  });

  it('leaves room for the rest of the message, however long names are', () => {
    const long = Array.from({ length: 6 }, (_, at) => file(`${at}`.repeat(100), 'u'.repeat(90), 'd'.repeat(200)));
    expect(staleLines(long).length).toBeLessThan(460);
    expect(staleLines(long)).toMatch(/and \d more$/);
  });
});
