import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { mkdirSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { countOf, isLong } from '../cases.ts';
import { recorded } from '../fixtures/claude-code.ts';
import { createFailureLog } from '../../src/ledger/failures.ts';
import { cellId } from '../../src/state/cells.ts';
import { openMemory } from '../../src/ledger/open.ts';
import { nodeFiles } from '../../src/platform/files.ts';
import { pathsOf } from '../../src/platform/paths.ts';
import { removeTree } from '../../src/platform/remove-tree.fixture.ts';

const WORKERS = countOf(50);
const EVENTS = isLong ? 40 : 20;
const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const payload = recorded('PreToolUse/bash.json');
const session = String(payload['session_id']);
const homes: string[] = [];
let built = '';

beforeAll(async () => {
  // Inside the repository, so that the worker finds the packages that are not bundled.
  mkdirSync(join(ROOT, '.build'), { recursive: true });
  built = mkdtempSync(join(ROOT, '.build', 'worker-'));
  await build({
    absWorkingDir: ROOT,
    entryPoints: ['test/process/counting-worker.ts'],
    outdir: built,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    packages: 'external',
    logLevel: 'error',
  });
});

afterAll(() => removeTree(...homes, built));

interface Outcome {
  /** Ids of the calls that were answered, with what the answer was. */
  readonly answered: Map<string, string>;
  readonly codes: (number | null)[];
  readonly errors: string;
}

/** Starts all workers, lets them go at once, and calls `onAnswer` for each event that was answered. */
async function runWorkers(
  home: string,
  onAnswer: (worker: ChildProcess, count: number) => void = () => {},
): Promise<Outcome> {
  const answered = new Map<string, string>();
  const codes: (number | null)[] = [];
  let errors = '';
  let ready = 0;
  const workers = Array.from({ length: WORKERS }, (_, at) =>
    spawn(process.execPath, [join(built, 'counting-worker.js'), home, String(at), String(EVENTS)], { stdio: 'pipe' }),
  );
  await Promise.all(
    workers.map(
      (worker) =>
        new Promise<void>((resolve) => {
          worker.stderr.setEncoding('utf8').on('data', (text: string) => (errors += text));
          worker.stdin.on('error', () => {});
          createInterface({ input: worker.stdout }).on('line', (line) => {
            if (line === 'ready') {
              ready += 1;
              if (ready === WORKERS) for (const each of workers) each.stdin.write(`${JSON.stringify(payload)}\n`);
              return;
            }
            const [id = '', action = ''] = line.split(' ');
            answered.set(id, action);
            onAnswer(worker, answered.size);
          });
          worker.on('close', (code) => {
            codes.push(code);
            resolve();
          });
        }),
    ),
  );
  return { answered, codes, errors };
}

function look(home: string) {
  const { state } = pathsOf(home);
  const problems: string[] = [];
  const memory = openMemory({
    path: join(state, 'state.db'),
    busyMs: 1_000,
    resident: false,
    now: () => Date.now(),
    random: () => 0,
    onFailure: (what, error) => void problems.push(`${what}: ${String(error)}`),
  });
  const count = (name: string) => Number(memory.store.get(cellId('session', session, name), Date.now()) ?? 0);
  const rows = (memory.db
    ?.prepare('SELECT seq, root, action, changed FROM events WHERE session = ? ORDER BY seq')
    .all(session) ?? []) as {
    seq: number;
    root: string;
    action: string;
    changed: number;
  }[];
  const integrity = memory.db?.prepare('PRAGMA integrity_check').get();
  const found = {
    exact: count('exact'),
    read: count('read'),
    rows,
    integrity,
    problems,
    failures: createFailureLog(state, nodeFiles, Date.now).read(),
  };
  memory.close();
  return found;
}

function newHome(): string {
  const home = mkdtempSync(join(tmpdir(), 'fairlead-many-'));
  homes.push(home);
  return home;
}

describe(`${WORKERS} processes with ${EVENTS} events each, all of one session`, () => {
  it('count exactly, without an error and without a torn state', async () => {
    const home = newHome();
    const { answered, codes, errors } = await runWorkers(home);
    expect(errors).toBe('');
    expect(codes.every((code) => code === 0)).toBe(true);
    expect(answered.size).toBe(WORKERS * EVENTS);
    const { exact, read, rows, integrity, problems, failures } = look(home);
    expect(failures).toEqual([]);
    expect(problems).toEqual([]);
    expect(integrity).toEqual({ integrity_check: 'ok' });
    expect({ exact, read }).toEqual({ exact: WORKERS * EVENTS, read: WORKERS * EVENTS });
    expect(rows.map(({ seq }) => seq)).toEqual(Array.from({ length: WORKERS * EVENTS }, (_, at) => at + 1));
    expect(new Map(rows.map(({ root, action }) => [root, action]))).toEqual(answered);
  });

  it('lose nothing that was answered when some of them are killed at any moment', async () => {
    const home = newHome();
    const killed = new Set<ChildProcess>();
    let next = 7;
    const { answered, errors } = await runWorkers(home, (worker, count) => {
      // A fixed sequence of chances; which process and moment it meets differs from run to run.
      next = (next * 48_271) % 2_147_483_647;
      if (count > 20 && next % 25 === 0 && killed.size < WORKERS * 0.9 && worker.kill('SIGKILL')) killed.add(worker);
    });
    expect(errors).toBe('');
    expect(killed.size).toBeGreaterThan(WORKERS / 10);
    expect(answered.size).toBeLessThan(WORKERS * EVENTS);
    const { exact, read, rows, integrity, problems, failures } = look(home);
    expect(failures).toEqual([]);
    expect(problems).toEqual([]);
    expect(integrity).toEqual({ integrity_check: 'ok' });
    expect(exact).toBeGreaterThanOrEqual(answered.size);
    expect(exact, 'at most the one event that each killed process had under way').toBeLessThanOrEqual(
      answered.size + killed.size,
    );
    expect(read).toBe(exact);
    expect(rows.length, 'a count and its row are one commit').toBe(exact);
    expect(rows.map(({ seq }) => seq)).toEqual(Array.from({ length: exact }, (_, at) => at + 1));
    const recordedActions = new Map(rows.map(({ root, action }) => [root, action]));
    for (const [id, action] of answered) expect(recordedActions.get(id), id).toBe(action);
  });
});
