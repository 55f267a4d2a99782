import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

export interface Spent {
  /** Seconds, user and system, of the command and all it started. */
  readonly cpu: number;
  readonly wall: number;
  /** Bytes that all its processes had in memory at once. */
  readonly peak: number;
}

export function runMeasured(root: string, argv: readonly string[], env: Readonly<Record<string, string>>): Spent {
  const { status, stdout, stderr, error } = spawnSync('python3', [join(root, 'bench/graph/measured.py'), ...argv], {
    encoding: 'utf8',
    env: { PATH: process.env['PATH'] ?? '', ...env },
    maxBuffer: 2 ** 28,
  });
  if (error ?? status !== 0) throw new Error(`python3 is needed to measure processes: ${error?.message ?? stderr}`);
  const spent = JSON.parse(stdout.trim().split('\n').at(-1) ?? '') as Spent & { status: number };
  if (spent.status !== 0) throw new Error(`${argv.join(' ')} ended with ${spent.status}: ${stderr.slice(-2_000)}`);
  return spent;
}
