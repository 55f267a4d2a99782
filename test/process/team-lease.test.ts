import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { mkdirSync, mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { countOf, isLong, startShare } from '../cases.ts';
import { lacks } from '../lacking.ts';
import { removeTree } from '../../src/platform/remove-tree.fixture.ts';
import { startRedis } from '../../src/team/state/redis.fixture.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const ROUNDS = countOf(10_000);
const WORKERS = isLong ? 10 : 3;
const EACH = 10;
const TTL_MS = 300;
const KILL_EVERY = 100;

interface Held {
  readonly fence: number;
  readonly holder: string;
  readonly from: number;
  /** Until it left, its time was over, or it was killed. */
  until: number;
}

let built = '';
beforeAll(async () => {
  mkdirSync(join(ROOT, '.build'), { recursive: true });
  built = mkdtempSync(join(ROOT, '.build', 'worker-'));
  await build({
    ...{ absWorkingDir: ROOT, entryPoints: ['test/process/team-lease-worker.ts'], outdir: built },
    ...{ bundle: true, format: 'esm', platform: 'node', target: 'node20', packages: 'external', logLevel: 'error' },
  });
});
afterAll(() => removeTree(built));

/** Lets them contend until so many rounds are over; kills a worker with all its contenders again and again. */
async function contend(port: number): Promise<{ held: Held[]; kills: number }> {
  const held = new Map<number, Held>();
  const workers: ChildProcess[] = [];
  let kills = 0;
  let started = 0;
  let isOver = false;
  const isShareOver = startShare();
  let whenOver = () => {};
  const over = new Promise<void>((resolve) => (whenOver = resolve));
  const start = (): ChildProcess => {
    const args = [join(built, 'team-lease-worker.js'), String(port), `w${++started}`, String(EACH), String(TTL_MS)];
    const worker = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
    if (worker.stdout) createInterface({ input: worker.stdout }).on('line', note);
    return worker;
  };
  function note(line: string): void {
    const [what, number, holder = '', from, until] = line.split(' ');
    const fence = Number(number);
    const known = held.get(fence);
    if (what === 'left') {
      if (known) known.until = Math.min(known.until, Number(from));
      return;
    }
    expect(known, `${holder} and ${known?.holder} have the number ${number}`).toBeUndefined();
    held.set(fence, { fence, holder, from: Number(from), until: Number(until) });
    // By then a holder was killed, too.
    if (held.size >= ROUNDS || (kills > 0 && isShareOver())) {
      isOver = true;
      whenOver();
    } else if (held.size % KILL_EVERY === 0 && !isOver) {
      kills += 1;
      const at = kills % workers.length;
      workers[at]?.kill('SIGKILL');
      workers[at] = start();
    }
  }
  for (let nth = 0; nth < WORKERS; nth += 1) workers.push(start());
  await over;
  const gone = workers.map((worker) => new Promise((resolve) => worker.once('close', resolve)));
  for (const worker of workers) worker.kill('SIGKILL');
  await Promise.all(gone);
  return { held: [...held.values()], kills };
}

describe.skipIf(lacks('redis-server'))('a lease', () => {
  it(`is held by one of ${WORKERS * EACH} at a time, over at most ${ROUNDS} rounds with kills, by numbers that rise`, async () => {
    const redis = await startRedis();
    try {
      const began = Date.now();
      const { held, kills } = await contend(redis.port);
      const byNumber = held.toSorted((one, other) => one.fence - other.fence);
      for (const [at, { fence, holder, from }] of byNumber.entries()) {
        const before = byNumber[at - 1];
        if (before && before.until > from)
          expect.fail(`${holder} has number ${fence} from ${from}, ${before.holder} its until ${before.until}`);
      }
      expect(held.length).toBeGreaterThanOrEqual(Math.min(ROUNDS, KILL_EVERY));
      expect(kills).toBeGreaterThan(0);
      const holders = new Set(held.map(({ holder }) => holder)).size;
      if (isLong)
        process.stdout.write(
          `leases: ${held.length} rounds, ${holders} holders, ${kills} kills, ${Date.now() - began} ms\n`,
        );
    } finally {
      await redis.close();
    }
  });
});
