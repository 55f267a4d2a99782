import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { adapterNamed } from '../../adapters/registry.ts';
import type { Adapter } from '../../adapters/adapter.ts';
import { readDetail, readRows } from '../../ledger/read.ts';
import type { Database } from '../../platform/database.ts';
import { handle } from '../../handle.ts';
import { CARD, openCards, symbolOf } from './autocontext.fixture.ts';
import type { CardWorld } from './autocontext.fixture.ts';

const FILES = {
  'a.ts': 'export function first() {\n  return 1;\n}\n\nexport function second() {\n  return 2;\n}\n',
  'b.ts': "import { first, second } from './a.ts';\nexport function b() {\n  return first() + second();\n}\n",
};
const SECOND = { offset: 5, limit: 3 };
const REPEATING = 'packs: { autocontext: { enabled: true, cards: { repeatIdentical: on } } }';

let world: CardWorld | undefined;
afterEach(() => {
  world?.close();
  world = undefined;
});

async function open(config?: string): Promise<CardWorld> {
  return (world = await openCards(FILES, config === undefined ? {} : { config }));
}

/** One more caller, which the index knows of. */
async function change({ put, after, graphs }: CardWorld): Promise<void> {
  const content = "import { first } from './a.ts';\nexport function c() {\n  return first();\n}\n";
  const file_path = put('c.ts', content);
  await after('Write', { file_path, content }, { filePath: file_path });
  await graphs.idle();
}

const said = (cards: readonly string[]) => cards.map((card) => symbolOf(card) ?? '');

it('the same file twice within 60 s', async () => {
  const { card, pass } = await open();
  const first = await card('a.ts');
  await pass(59_000);
  expect(said([first, await card('a.ts')])).toEqual(['first', '']);
});

describe('after 61 s', () => {
  it.each<[string, string | undefined, boolean, string]>([
    ['the graph changed', undefined, true, 'first'],
    ['nothing changed', undefined, false, ''],
    ['nothing changed, and repeating is wanted', REPEATING, false, 'first'],
  ])('%s', async (_, config, changes, expected) => {
    const opened = await open(config);
    await opened.card('a.ts');
    if (changes) await change(opened);
    expect(await opened.card('a.ts')).toBe('');
    await opened.pass(61_000);
    expect(said([await opened.card('a.ts')])).toEqual([expected]);
  });
  it('that the index was behind is no change', async () => {
    const opened = await open();
    opened.hold(true);
    await opened.prompt('go on');
    expect((await opened.readNow('a.ts')).note).toContain('partial');
    opened.hold(false);
    await opened.graphs.idle();
    await opened.pass(61_000);
    expect(await opened.card('a.ts')).toBe('');
  });
});

it('other lines, another symbol', async () => {
  const { card } = await open();
  expect(said([await card('a.ts'), await card('a.ts', SECOND), await card('a.ts')])).toEqual(['first', 'second', '']);
});

it('files A, B, A', async () => {
  const { card } = await open();
  expect(said([await card('a.ts'), await card('b.ts'), await card('a.ts')])).toEqual(['first', 'b', '']);
});

it('a card for each session, and for the main agent and each one it started', async () => {
  const { card } = await open();
  const of = (more: object) => card('a.ts', {}, more as Readonly<Record<string, unknown>>);
  const cards = [
    {},
    { session_id: 'session-2' },
    { agent_id: 'agent-1' },
    { agent_id: 'agent-2' },
    {},
    { agent_id: 'agent-1' },
  ];
  const heard: string[] = [];
  for (const more of cards) heard.push(await of(more));
  expect(said(heard)).toEqual(['first', 'first', 'first', 'first', '', '']);
});

it('after a compaction, again', async () => {
  const { card, event } = await open();
  await card('a.ts');
  await event('SessionStart', { source: 'compact' });
  expect(said([await card('a.ts'), await card('a.ts')])).toEqual(['first', '']);
});

it.each([['kindly', undefined] as const, ['at once', 'killed'] as const])(
  '59: an engine that was ended %s',
  async (_, how) => {
    const opened = await open();
    await opened.card('a.ts');
    opened.restart(how);
    await opened.prompt('go on');
    await opened.graphs.idle();
    expect(said([await opened.card('a.ts'), await opened.card('b.ts')])).toEqual(['', 'b']);
    await opened.pass(61_000);
    expect(await opened.card('a.ts')).toBe('');
  },
);

it('the same path in two roots', async () => {
  const { card, put, graphs, home } = await open();
  for (const [path, text] of Object.entries({ ...FILES, 'package.json': '{}' })) put(join(home, 'other', path), text);
  const there = join(home, 'other', 'a.ts');
  await card(there);
  await graphs.idle();
  const [one, two] = [await card('a.ts'), await card(there)];
  expect([one, two]).toEqual([
    expect.stringContaining(`${CARD} project: `),
    expect.stringContaining(`${CARD} other: `),
  ]);
});

describe('what was not heard was not said', () => {
  it('a reply that nobody read', async () => {
    const opened = await open();
    const { card, root, home, engine, now } = opened;
    const read = async () => {
      const payload = {
        session_id: 'session-1',
        cwd: root,
        hook_event_name: 'PostToolUse',
        tool_name: 'Read',
        tool_input: { file_path: join(root, 'a.ts') },
        tool_response: { type: 'text' },
      };
      const call = { payload, cwd: root, home, depth: 0, projectDir: root, receivedAt: now };
      return handle(call, adapterNamed('claude-code') as Adapter, engine);
    };
    const lost = await read();
    expect(lost.stdout).toContain('function first');
    lost.unheard?.();
    expect(said([await card('a.ts'), await card('a.ts')])).toEqual(['first', '']);
  });
  it('a card that came late', async () => {
    const opened = await open();
    opened.hold(true);
    const file_path = opened.put('a.ts', `${FILES['a.ts']}\n`);
    await opened.after('Edit', { file_path, old_string: '\n', new_string: '\n\n' }, { filePath: file_path });
    // The clock of the test stands still, so that the wait ends when the rule's time is up.
    expect((await opened.readNow('a.ts')).note).toBe('');
    await opened.pass(1_000);
    expect(opened.cells('autocontext.cards')).toEqual({});
    opened.hold(false);
    await opened.graphs.idle();
    expect((await opened.prompt('go on')).note).toBe('');
    expect(said([await opened.card('a.ts')])).toEqual(['first']);
  });
  it('a card that attention has no room for', async () => {
    const opened = await open('attention: { turn: 60 }\npacks: { autocontext: on }');
    expect(await opened.card('a.ts')).toBe('');
    expect(opened.cells('autocontext.cards')).toEqual({});
    opened.put(join(opened.paths.config, 'config.yaml'), 'packs: { autocontext: on }');
    await opened.pass(5_000);
    expect(said([await opened.card('a.ts')])).toEqual(['first']);
  });
  it('a card that was only watched', async () => {
    const opened = await open('packs: { autocontext: { enabled: true, mode: shadow } }');
    expect(await opened.card('a.ts')).toBe('');
    opened.put(join(opened.paths.config, 'config.yaml'), 'packs: { autocontext: on }');
    await opened.pass(5_000);
    expect(said([await opened.card('a.ts')])).toEqual(['first']);
    expect(opened.graphs.drawn.filter(({ what }) => what === 'impact')).toHaveLength(1);
  });
});

it('a card is drawn, and kept with its symbol and tests', async () => {
  const opened = await open();
  const text = "import { first } from '../a.ts';\nexport function checks() {\n  first();\n}\n";
  const file_path = opened.put('test/a.test.ts', text);
  await opened.after('Write', { file_path, content: text }, { filePath: file_path });
  await opened.graphs.idle();
  expect(await opened.card('a.ts')).toContain('Tests that reach it: checks (test/a.test.ts:3)');
  expect(opened.graphs.drawn.filter(({ what }) => what === 'impact')).toMatchObject([
    { symbol: 'a.ts#first', origin: 'auto' },
  ]);
  opened.engine.ledger.flush();
  const db = opened.engine.memory.db as Database;
  const row = readRows(db, { rule: 'autocontext/impact-card', outcomes: ['note'] }).at(-1);
  const trace = readDetail(db, row?.n ?? 0)?.trace.find(({ rule }) => rule === 'autocontext/impact-card');
  expect(trace?.verdicts?.[0]?.about).toEqual({
    card: expect.stringMatching(/^\w+$/) as string,
    symbol: 'a.ts#first',
    tests: ['test/a.test.ts:3'],
  });
});
