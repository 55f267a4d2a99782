import type * as ChildProcess from 'node:child_process';

/** Loaded when it is needed: most hooks are answered before that. */
const childProcess = (): typeof ChildProcess => process.getBuiltinModule('node:child_process');

interface FedSetting {
  readonly input: Uint8Array;
  /** Milliseconds since the epoch. */
  readonly until: number;
  /** What its output ends with once it is whole. */
  readonly end: string;
  /** Gets the output without its end. */
  onWhole(output: Uint8Array): Promise<void>;
}

/** A reply that was begun before the deadline may still come. */
const GRACE_MS = 500;

/**
 * Runs a program with this input and waits for the end of its output, then for its own end until its time is up. False when
 * there was no whole output; then it is ended by force.
 */
export function runFed(program: string, args: readonly string[], setting: FedSetting): Promise<boolean> {
  const { input, until, end, onWhole } = setting;
  return new Promise((resolve) => {
    const child = childProcess().spawn(program, args, { stdio: ['pipe', 'pipe', 'ignore'] });
    const chunks: Buffer[] = [];
    let isWhole = false;
    const settle = (): void => {
      clearTimeout(limit);
      if (!isWhole) child.kill('SIGKILL');
      resolve(isWhole);
    };
    let limit = setTimeout(settle, Math.max(0, until + GRACE_MS - Date.now()));
    child.stdout.on('data', (chunk: Buffer) => {
      if (isWhole) return;
      chunks.push(chunk);
      if (!chunk.toString('latin1').endsWith(end)) return;
      isWhole = true;
      clearTimeout(limit);
      limit = setTimeout(settle, Math.max(0, until - Date.now()));
      void onWhole(Buffer.concat(chunks).subarray(0, -end.length));
    });
    child.stdout.on('close', settle);
    child.on('error', settle);
    // It may have its answer before it has read all.
    child.stdin.on('error', () => {});
    child.stdin.end(input);
  });
}
