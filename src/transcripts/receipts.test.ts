import { appendFileSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { adapterNamed } from '../adapters/registry.ts';
import type { Event } from '../event/event.ts';
import type { LedgerRow } from '../event/ledger-row.ts';
import { readFates } from '../ledger/fates.ts';
import { openMemory } from '../ledger/open.ts';
import type { Memory } from '../ledger/open.ts';
import { nodeFiles } from '../platform/files.ts';
import { row } from '../state/contract.ts';
import { createReceipts } from './receipts.ts';

const fixture = new URL('../../test/fixtures/claude-code/extras/transcript.hooks.jsonl', import.meta.url);
const lines = readFileSync(fixture, 'utf8').trimEnd().split('\n');
/** Of a transcript, and of no use. */
const LINE = `{"padding":"${'x'.repeat(1_009)}"}\n`;
// The denial is the only reply there that has a rule's tag.
const DENIED = 'toolu_mock000016';
const at = Date.parse('2026-11-17T09:13:01.000Z');
let folder = '';
let transcript = '';
let failures: string[] = [];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'fairlead-receipts-'));
  transcript = join(folder, 'one.jsonl');
  failures = [];
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function open() {
  const onFailure = (what: string, error: unknown) => void failures.push(`${what}: ${String(error)}`);
  const memory: Memory = openMemory({
    path: join(folder, 'state.db'),
    busyMs: 50,
    resident: true,
    now: () => at,
    random: () => 0,
    onFailure,
  });
  let planned: (() => void)[] = [];
  const receipts = createReceipts({
    files: nodeFiles,
    memory,
    now: () => at,
    soon: (_ms, work) => void planned.push(work),
    isOff: () => false,
    onFailure,
    adapterNamed,
  });
  return {
    memory,
    look(name: Event['name'] = 'turn.stop', path = transcript) {
      receipts.see({ event: eventOf(name, { transcript: path }) });
      while (planned.length > 0) {
        const due = planned;
        planned = [];
        for (const work of due) work();
      }
    },
    fate: () => [...(memory.db ? readFates(memory.db, [{ n: 1 }]).values() : [])][0],
  };
}

function eventOf(name: Event['name'], more: Partial<Event> = {}): Event {
  const about = { agent: 'claude-code', agentEvent: '', session: 's', hasSession: true, cwd: '/', depth: 0 };
  return { name, ...about, receivedAt: at, ...more };
}

function decide(memory: Memory): void {
  const decided: LedgerRow = {
    ...row('d'),
    session: 's',
    at,
    event: 'tool.before',
    action: 'deny',
    rules: 'r',
    chars: 6,
    replyBytes: 80,
    copy: false,
  };
  const tool = { kind: 'shell', name: 'Bash', id: DENIED, input: {}, hasInput: false, paths: [], edits: [] } as const;
  const times = { parse: 0, workspace: 0, select: 0, rules: 0, render: 0, commit: 0 };
  const decision = { action: 'deny', by: ['r'], notes: [], warns: [] };
  memory.ledger.record(
    decided,
    () => ({ event: eventOf('tool.before', { tool }), trace: [], decision, times, attempts: 1 }),
    false,
  );
  memory.ledger.flush();
}

it('goes on where it was, after a restart too', () => {
  const half = lines.findIndex((line) => line.includes(DENIED));
  let engine = open();
  decide(engine.memory);
  writeFileSync(transcript, `${lines.slice(0, half).join('\n')}\n${lines[half]?.slice(0, 40)}`);
  engine.look();
  expect(engine.fate()).toBe('open');
  engine.memory.close();
  engine = open();
  appendFileSync(transcript, `${lines[half]?.slice(40)}\n${lines.slice(half + 1).join('\n')}\n`);
  engine.look();
  expect(engine.fate()).toBe('denied');
  engine.memory.close();
  expect(failures).toEqual([]);
});

it.each<[string, (path: string) => void]>([
  ['is missing', () => {}],
  ['is a directory', (path) => mkdirSync(path)],
  ['holds no lines', (path) => writeFileSync(path, 'x'.repeat(3 << 20))],
  ['holds anything', (path) => writeFileSync(path, '{"type":"user"}\n[]\n{"type":"attachment"}\n\0\n')],
])('knows nothing of what became where the transcript %s', (_, make) => {
  const engine = open();
  decide(engine.memory);
  make(transcript);
  engine.look();
  expect(engine.fate()).toBe('open');
  engine.look('session.end');
  expect(engine.fate()).toBe('open');
  engine.memory.close();
  expect(failures).toEqual([]);
});

it('says that a decision was never seen only where the whole transcript was read', () => {
  const others = lines.filter((line) => !line.includes(DENIED));
  for (const [padding, fate] of [
    [0, 'unseen'],
    [9 << 20, 'open'],
  ] as const) {
    const engine = open();
    decide(engine.memory);
    writeFileSync(transcript, `${LINE.repeat(padding / LINE.length)}${others.join('\n')}\n`);
    engine.look('session.end');
    expect([padding, engine.fate()]).toEqual([padding, fate]);
    engine.memory.close();
    for (const name of ['', '-wal', '-shm']) rmSync(join(folder, `state.db${name}`), { force: true });
  }
});

it('finds what stands in a transcript that was replaced, and in that of a sub-agent', () => {
  const engine = open();
  decide(engine.memory);
  writeFileSync(transcript, '{"type":"other"}\n'.repeat(9_999));
  engine.look();
  mkdirSync(join(folder, 'one', 'subagents'), { recursive: true });
  cpSync(fixture, join(folder, 'one', 'subagents', 'agent-1.jsonl'));
  writeFileSync(transcript, '{"type":"another"}\n');
  engine.look();
  expect(engine.fate()).toBe('denied');
  engine.memory.close();
  expect(failures).toEqual([]);
});

it('reads nothing where no decision is looked for', () => {
  const engine = open();
  cpSync(fixture, transcript);
  engine.look();
  decide(engine.memory);
  engine.look();
  expect(engine.fate()).toBe('open');
  engine.memory.close();
});
