import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { bindCell, cellId, PART, scopedId } from './cells.ts';
import type { OwnerOf } from './cells.ts';
import { counter } from './cell.ts';
import { Draft } from './draft.ts';
import { createMemoryStore } from './memory.ts';
import { CELLS_SCHEMA, createSqliteStore } from './sqlite.ts';
import type { Store } from './store.ts';
import { copyAge, isTeamCell } from './team-queue.ts';
import { openDatabase } from '../platform/database.ts';

const NOW = 1_800_000_000_000;
const QUEUE = cellId('user', '', 'team.out');
const COUNT = counter('test.count', { scope: 'team', ttl: '1h' });

const alone: OwnerOf = (scope) => (scope === 'repository' ? '/repo/.git' : '');
const inTeam: OwnerOf = (scope) =>
  scope === 'team' ? 'acme' : scope === 'person' ? `acme${PART}alice` : scope === 'remote' ? `acme${PART}r1` : '';

describe('the id of what a team shares', () => {
  it.each([
    ['team', inTeam, cellId('team', 'acme', 'n', 'k')],
    ['person', inTeam, cellId('team', 'acme', 'n', `alice${PART}k`)],
    ['remote', inTeam, cellId('team', 'acme', 'n', `r1${PART}k`)],
    ['team', alone, cellId('user', '', 'n', 'k')],
    ['person', alone, cellId('user', '', 'n', 'k')],
    ['remote', alone, cellId('repository', '/repo/.git', 'n', 'k')],
  ] as const)('%s', (scope, ownerOf, id) => {
    expect(scopedId(scope, ownerOf, 'n', 'k')).toBe(id);
    expect(isTeamCell(id)).toBe(ownerOf === inTeam);
  });
});

const folder = mkdtempSync(join(tmpdir(), 'fairlead-team-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
let files = 0;
const noRows = { write() {}, stored() {}, undo() {}, moved() {}, answered: () => undefined };
const STORES: Readonly<Record<string, () => Store>> = {
  memory: () => createMemoryStore(),
  sqlite: () => createSqliteStore(openDatabase(join(folder, `${++files}.db`), CELLS_SCHEMA, 0).db, noRows),
};

describe.each(Object.keys(STORES))('the queue for the server, %s store', (name) => {
  const open = () => (STORES[name] as () => Store)();
  const queueIn = (store: Store) => store.list(QUEUE, NOW).map(({ value }) => JSON.parse(value) as unknown);
  const count = (store: Store, ownerOf: OwnerOf, next = false) => {
    const draft = new Draft(store, NOW);
    draft.set('session\u001fs1', '1', 0);
    const cell = bindCell(COUNT, draft, ownerOf);
    if (next) cell.next();
    else cell.add();
    return store.commit({ reads: draft.reads, changes: draft.changes, now: NOW });
  };

  it('tells of what a commit reads and changes of the team, and of nothing else', () => {
    const store = open();
    count(store, inTeam);
    count(store, inTeam, true);
    const id = cellId('team', 'acme', 'test.count');
    const change = { op: 'add', id, by: 1, expires: NOW + 3_600_000 };
    expect(queueIn(store)).toEqual([
      { delivery: expect.any(String), reads: [], changes: [change] },
      { delivery: expect.any(String), reads: [[id, '1']], changes: [change] },
    ]);
    expect(store.get(id, NOW)).toBe('2');
    const [one, other] = queueIn(store) as { delivery: string }[];
    expect(one?.delivery).not.toBe(other?.delivery);
  });

  it('has nothing without a team, of a commit that is refused, and of what comes from the server', () => {
    const store = open();
    count(store, alone, true);
    expect(store.get(cellId('user', '', 'test.count'), NOW)).toBe('1');
    const id = cellId('team', 'acme', 'test.count');
    const changes = [{ op: 'set', id, value: '5', expires: 0 }] as const;
    expect(store.commit({ reads: new Map([[id, '4']]), changes, now: NOW })).toBe(false);
    expect(store.commit({ reads: new Map(), changes, now: NOW, fromTeam: true })).toBe(true);
    expect(store.get(id, NOW)).toBe('5');
    expect(queueIn(store)).toEqual([]);
  });
});

it.each([
  [JSON.stringify(NOW - 5_000), 5_000],
  [JSON.stringify(NOW + 5_000), 0],
  [undefined, Number.POSITIVE_INFINITY],
  ['damaged', Number.POSITIVE_INFINITY],
])('the age of a copy that was seen at %s', (seen, age) => {
  expect(copyAge(seen, NOW)).toBe(age);
});
