import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import {
  closeSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { row } from '../state/contract.ts';
import { openDatabase } from '../platform/database.ts';
import { openMemory } from './open.ts';
import type { Memory } from './open.ts';
import type { Store } from '../state/store.ts';
import { createFailureLog } from './failures.ts';
import { nodeFiles } from '../platform/files.ts';

const NOW = 1_800_000_000_000;
let folder = '';
let path = '';
const opened: Memory[] = [];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'fairlead-open-'));
  path = join(folder, 'state.db');
});
afterEach(() => {
  for (const memory of opened.splice(0)) memory.close();
  rmSync(folder, { recursive: true, force: true });
});

function open(at = path, resident = false): { memory: Memory; failures: string[] } {
  const failures: string[] = [];
  const memory = openMemory({
    path: at,
    busyMs: 50,
    resident,
    now: () => NOW,
    random: () => 0,
    onFailure: (what, error) =>
      void failures.push(`${what}: ${error instanceof Error ? error.message : String(error)}`),
  });
  opened.push(memory);
  return { memory, failures };
}

const put = (store: Store, id: string, value: string) =>
  store.commit({ reads: new Map(), changes: [{ op: 'set', id, value, expires: 0 }], row: row(id), now: NOW });
const works = (store: Store) => {
  expect(put(store, 'check', '1')).toBe(true);
  expect(store.get('check', NOW)).toBe('1');
};
const aside = () => readdirSync(folder).filter((name) => /\.damaged-(?!.*-(wal|shm)$)/.test(name));

it('lets no event of a process that stays wait for what others gathered beside the file', async () => {
  const { memory } = open(path, true);
  const bytes = () => statSync(path).size;
  const before = bytes();
  for (let at = 0; at < 400; at += 1) put(memory.store, `cell/${at}`, 'x'.repeat(8_000));
  await memory.store.stored();
  expect(bytes()).toBe(before);
  memory.gatherIn();
  expect(bytes(), 'it is moved in a rest').toBeGreaterThan(1_000_000);
});

/** Fills several pages, and makes sure that they lie in the file itself. */
function fill(memory: Memory): void {
  const changes = Array.from({ length: 500 }, (_, at) => ({
    op: 'set' as const,
    id: `filler/${at}`,
    value: 'x'.repeat(200),
    expires: 0,
  }));
  memory.store.commit({ reads: new Map(), changes, now: NOW });
  memory.db?.exec('PRAGMA wal_checkpoint(TRUNCATE)');
}

function overwrite(from: number, to: number): void {
  const file = openSync(path, 'r+');
  writeSync(file, Buffer.alloc(to - from, 0xa5), 0, to - from, from);
  closeSync(file);
}

it('what has gathered beside the file is moved into it, and stays there', () => {
  const { memory, failures } = open();
  put(memory.store, 'kept', '1');
  const before = statSync(path).size;
  memory.gatherIn();
  expect(statSync(path).size).toBeGreaterThan(before);
  works(memory.store);
  expect(memory.store.get('kept', NOW)).toBe('1');
  expect(failures).toEqual([]);
});

describe('the state file', () => {
  it('is kept from one process to the next', () => {
    const first = open();
    put(first.memory.store, 'a', '1');
    first.memory.close();
    const second = open();
    expect(second.memory.store.get('a', NOW)).toBe('1');
    expect([...first.failures, ...second.failures]).toEqual([]);
  });

  it.skipIf(process.platform === 'win32')('is readable by its owner only', () => {
    open(join(folder, 'deep', 'state.db'));
    expect(statSync(join(folder, 'deep')).mode & 0o777).toBe(0o700);
  });

  it.each([
    ['text', 'this is no database, and long enough to have a header '.repeat(20)],
    ['noise', Buffer.from(Array.from({ length: 5_000 }, (_, at) => (at * 7_919) % 251))],
  ])('that holds %s is set aside, with a message, and a new one is used', (_, content) => {
    writeFileSync(path, content);
    const { memory, failures } = open();
    works(memory.store);
    expect(failures).toHaveLength(1);
    expect(failures[0]).toMatch(/the state file could not be used \(.*\) and is kept as/);
    const [kept] = aside();
    expect(readFileSync(join(folder, kept ?? ''))).toEqual(Buffer.from(content));
    expect(open().memory.store.get('check', NOW)).toBe('1');
  });

  it('that is damaged in the middle of a session is set aside, and the session goes on', () => {
    const { memory, failures } = open();
    fill(memory);
    const other = open();
    put(other.memory.store, 'other', '1');
    other.memory.db?.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    overwrite(4_096, statSync(path).size);
    memory.store.refresh(NOW);
    expect(memory.store.get('filler/123', NOW)).toBeUndefined();
    works(memory.store);
    expect(failures.join('\n')).toMatch(/malformed/);
    expect(failures.join('\n')).toContain('is kept as');
    expect(aside()).toHaveLength(1);
    works(open().memory.store);
  });

  it('that turns into something else in the middle of a session does not end it', () => {
    const { memory, failures } = open();
    fill(memory);
    const other = open();
    put(other.memory.store, 'other', '1');
    other.memory.db?.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    overwrite(0, statSync(path).size);
    memory.store.refresh(NOW);
    memory.store.get('filler/77', NOW);
    works(memory.store);
    expect(failures.length).toBeGreaterThan(0);
  });

  it('that cannot be opened is told of by what is missing in it, once it is written down', () => {
    const told: unknown[] = [];
    const memory = openMemory({
      ...{ path: folder, busyMs: 50, resident: true, now: () => NOW, random: () => 0, onFailure() {} },
      onUnrecorded: (change) => told.push(change),
    });
    opened.push(memory);
    memory.ledger.record(row('a'), () => ({}) as never, false);
    memory.ledger.record({ ...row('b'), action: 'deny' }, () => ({}) as never, false);
    expect(told).toEqual([]);
    memory.ledger.flush();
    memory.ledger.flush();
    expect(told).toEqual([{ events: 2, decided: expect.any(Number) }]);
    memory.ledger.record(row('c'), () => ({}) as never, false);
    memory.close();
    expect(told).toHaveLength(2);
  });

  it('that cannot be read is as good as empty, and says so', () => {
    const { memory, failures } = open();
    memory.db?.close();
    expect(memory.store.get('a', NOW)).toBeUndefined();
    expect(() => memory.store.refresh(NOW)).not.toThrow();
    expect(failures.length).toBeGreaterThan(0);
    expect(failures.every((line) => line.startsWith('reading the state file'))).toBe(true);
  });

  it('below something that is no directory leaves the session with memory', () => {
    writeFileSync(join(folder, 'file'), '');
    const { memory, failures } = open(join(folder, 'file', 'state.db'));
    works(memory.store);
    expect(memory.db).toBeUndefined();
    expect(failures).toHaveLength(1);
    expect(failures[0]).toContain('this process keeps its state in memory');
    memory.ledger.record(row('r'), () => expect.fail('nobody keeps it'), false);
    memory.ledger.flush();
    memory.rotate(NOW);
    expect(memory.ledger.nextId(NOW)).not.toBe(memory.ledger.nextId(NOW));
  });

  it('of another version is left as it is, and the session has memory', () => {
    const { memory } = open();
    put(memory.store, 'kept', '1');
    memory.db?.exec('PRAGMA user_version = 99');
    memory.close();
    const later = open();
    expect(later.failures[0]).toContain('made by another version of fairlead (format 99');
    works(later.memory.store);
    expect(readdirSync(folder).filter((name) => name.includes('damaged'))).toEqual([]);
    const { db } = openDatabase(join(folder, 'copy.db'), '', 50);
    db.exec(`ATTACH '${path}' AS other`);
    expect(db.prepare("SELECT value FROM other.cells WHERE id = 'kept'").get()).toEqual({ value: '1' });
    db.close();
  });

  it('that is a directory leaves the session with memory', () => {
    mkdirSync(path);
    const { memory, failures } = open();
    works(memory.store);
    expect(failures[0]).toContain('this process keeps its state in memory');
  });
});

describe('a state file that another process holds', () => {
  let holder: ChildProcess | undefined;
  afterEach(release);

  async function release(): Promise<void> {
    const held = holder;
    holder = undefined;
    if (held && held.exitCode === null && held.kill('SIGKILL')) await once(held, 'exit');
  }

  async function hold(sql: string): Promise<void> {
    const script = `
      const { DatabaseSync } = require('@photostructure/sqlite');
      const db = new DatabaseSync(process.argv[1]);
      db.exec(process.argv[2]);
      console.log('held');
      setInterval(() => {}, 1000);`;
    holder = spawn(process.execPath, ['-e', script, path, sql], { stdio: ['ignore', 'pipe', 'inherit'] });
    await once(holder.stdout as NodeJS.ReadableStream, 'data');
  }

  it('leaves the session with memory when it cannot be opened', async () => {
    await hold('BEGIN EXCLUSIVE');
    const { memory, failures } = open();
    works(memory.store);
    expect(memory.db).toBeUndefined();
    expect(failures).toHaveLength(1);
    expect(failures[0]).toMatch(/keeps its state in memory: .*locked/);
  });

  it('can still be read, and a commit that cannot wait any longer says so', async () => {
    const { memory } = open();
    put(memory.store, 'a', '1');
    await hold('BEGIN IMMEDIATE');
    expect(memory.store.get('a', NOW)).toBe('1');
    expect(() => put(memory.store, 'b', '1')).toThrow('locked');
    memory.ledger.record(
      row('waits'),
      () => ({
        event: {},
        trace: [],
        decision: {},
        times: { parse: 0, workspace: 0, select: 0, rules: 0, commit: 0, render: 0 },
        attempts: 1,
      }),
      false,
    );
    memory.ledger.flush();
    await release();
    expect(put(memory.store, 'b', '1')).toBe(true);
    memory.ledger.flush();
    const ids = memory.db?.prepare('SELECT id FROM events ORDER BY n').all() as { id: string }[];
    expect(
      ids.map(({ id }) => id),
      'a row that could not be written waits for the next time',
    ).toEqual(['a', 'b', 'waits']);
  });
});

describe('the list of failures', () => {
  const log = () => createFailureLog(folder, nodeFiles, () => NOW);

  it('is kept in a file of its own, without secrets', () => {
    log().add('doing this', new Error('password=hunter2hunter2'));
    log().add('doing that', 'a word');
    expect(log().read()).toEqual([
      { at: NOW, what: 'doing this', message: 'password=[redacted]' },
      { at: NOW, what: 'doing that', message: 'a word' },
    ]);
  });

  it('does not grow without end, and keeps the newest', () => {
    const failures = log();
    for (let at = 0; at < 900; at += 1) failures.add(`step ${at}`, 'x'.repeat(450));
    expect(statSync(join(folder, 'failures.jsonl')).size).toBeLessThan(270 * 1024);
    expect(failures.read().at(-1)?.what).toBe('step 899');
  });

  it('skips lines that are torn, and never throws', () => {
    writeFileSync(join(folder, 'failures.jsonl'), '{"at":1,"what":"a","message":"b"}\n{"at":2,"wh');
    expect(log().read()).toHaveLength(1);
    writeFileSync(join(folder, 'file'), '');
    expect(() => createFailureLog(join(folder, 'file'), nodeFiles, () => NOW).add('a', 'b')).not.toThrow();
  });
});
