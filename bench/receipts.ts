// What receipts cost over a recorded session: the transcript grows as it was recorded, a decision waits for its fate at every
// call, and the engine looks after each turn. Processor time of all looks, beside the time that the session took.
import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { adapterNamed } from '../src/adapters/registry.ts';
import type { Event } from '../src/event/event.ts';
import type { LedgerRow } from '../src/event/ledger-row.ts';
import { openMemory } from '../src/ledger/open.ts';
import { nodeFiles } from '../src/platform/files.ts';
import { row } from '../src/state/contract.ts';
import { createReceipts } from '../src/transcripts/receipts.ts';
import { printTable } from './lib/measure.ts';

const AGENT = 'claude-code';
const extras = join(process.cwd(), 'test', 'fixtures', AGENT, 'extras');
const SESSIONS = ['transcript.hooks', 'transcript.compacted', 'transcript.asked', 'transcript.commands', 'transcript'];
const transcripts = adapterNamed(AGENT)?.transcripts;
if (!transcripts) throw new Error('no transcripts');

const dir = mkdtempSync(join(tmpdir(), 'fairlead-bench-receipts-'));

function play(name: string, number: number): readonly (string | number)[] {
  const lines = readFileSync(join(extras, `${name}.jsonl`), 'utf8')
    .trim()
    .split('\n');
  const transcript = join(dir, `${name}.jsonl`);
  const session = `bench-${number}`;
  writeFileSync(transcript, '');
  const fail = (what: string, error: unknown) => {
    throw new Error(what, { cause: error });
  };
  let now = 0;
  const memory = openMemory({
    ...{
      path: join(dir, `${session}.db`),
      busyMs: 50,
      resident: true,
      now: () => now,
      random: () => 0,
      onFailure: fail,
    },
  });
  let due: (() => void)[] = [];
  const receipts = createReceipts({
    ...{ files: nodeFiles, memory, now: () => now, isOff: () => false, onFailure: fail, adapterNamed },
    soon: (_, work) => void due.push(work),
  });
  const eventOf = (event: Event['name'], more: Partial<Event> = {}): Event => ({
    ...{ name: event, agent: AGENT, agentEvent: '', session, hasSession: true, cwd: '/', depth: 0, receivedAt: now },
    ...{ transcript, ...more },
  });
  let micros = 0;
  let looks = 0;
  let decisions = 0;
  const look = (event: Event['name']) => {
    const before = process.cpuUsage();
    receipts.see({ event: eventOf(event) });
    while (due.length > 0) {
      const works = due;
      due = [];
      for (const work of works) work();
    }
    const { user, system } = process.cpuUsage(before);
    micros += user + system;
    looks += 1;
  };
  const times: number[] = [];
  const recordsIn = transcripts?.reader(() => lines[0] ?? '');
  for (const line of lines) {
    appendFileSync(transcript, `${line}\n`);
    for (const record of recordsIn?.(line) ?? []) {
      now = record.at ?? now;
      times.push(now);
      if (record.kind === 'prompt') look('prompt.submit');
      if (record.kind === 'turn-end') look('turn.stop');
      if (record.kind !== 'call') continue;
      decisions += 1;
      const decided: LedgerRow = {
        ...{ ...row(`d${decisions}`), session, at: now, event: 'tool.before', action: 'pass', rules: 'r' },
        ...{ chars: 10, replyBytes: 80, copy: false },
      };
      memory.ledger.record(
        decided,
        () => ({
          ...{ event: eventOf('tool.before', { tool: record.call }), trace: [], attempts: 1 },
          decision: { action: 'pass', by: ['r'], notes: [], warns: [] },
          times: { parse: 0, workspace: 0, select: 0, rules: 0, render: 0, commit: 0 },
        }),
        false,
      );
    }
  }
  look('session.end');
  memory.close();
  const seconds = (Math.max(...times) - Math.min(...times)) / 1_000;
  return [
    name,
    lines.length,
    decisions,
    looks,
    seconds,
    micros / 1_000,
    micros / 1_000 / looks,
    micros / 1e4 / seconds,
  ];
}

try {
  printTable(
    ['session', 'lines', 'decisions', 'looks', 'seconds', 'CPU ms', 'CPU ms/look', '% of its time'],
    SESSIONS.map(play),
  );
} finally {
  rmSync(dir, { recursive: true, force: true });
}
