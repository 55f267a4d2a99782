import { spawn, spawnSync } from 'node:child_process';
import { join } from 'node:path';

export interface HookRun {
  readonly ms: number;
  readonly ok: boolean;
  readonly output: string;
}

export interface Spawner {
  run(argv: readonly string[], payload: string | Uint8Array): Promise<HookRun>;
  close(): void;
}

export interface Surroundings {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
}

/** As an agent that is a Node program starts a hook: three pipes, and an event loop that hears of the end. */
export function createNodeSpawner({ cwd, env }: Surroundings): Spawner {
  return {
    run: ([command = '', ...args], payload) =>
      new Promise((resolve, reject) => {
        const started = performance.now();
        const child = spawn(command, args, { cwd, env, stdio: 'pipe' });
        let output = '';
        child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
        child.stderr.resume();
        child.stdin.on('error', () => {}); // `true` may be gone before its payload is written
        child.stdin.end(payload);
        child.on('error', reject);
        child.on('close', (code) => resolve({ ms: performance.now() - started, ok: code === 0, output }));
      }),
    close() {},
  };
}

/** The cheapest start that the system has, from a program in C; undefined without a compiler. */
export function createNativeSpawner({ cwd, env }: Surroundings, source: string, folder: string): Spawner | undefined {
  const program = join(folder, 'spawner');
  if (spawnSync('cc', ['-O2', '-o', program, source], { stdio: 'ignore' }).status !== 0) return undefined;
  const child = spawn(program, [], { cwd, env, stdio: ['pipe', 'pipe', 'inherit'] });
  let received = Buffer.alloc(0);
  let answered: ((run: HookRun) => void) | undefined;
  let failed: ((error: Error) => void) | undefined;
  child.stdout.on('data', (chunk: Buffer) => {
    received = Buffer.concat([received, chunk]);
    const end = received.indexOf(10);
    if (end < 0) return;
    const [nanoseconds = 0, status = 1, length = 0] = received.toString('latin1', 0, end).split(' ').map(Number);
    if (received.length < end + 1 + length) return;
    const output = received.toString('utf8', end + 1, end + 1 + length);
    received = Buffer.alloc(0);
    answered?.({ ms: nanoseconds / 1e6, ok: status === 0, output });
  });
  child.on('close', (code) => failed?.(new Error(`the spawner ended with ${code}`)));
  return {
    run: (argv, payload) =>
      new Promise((resolve, reject) => {
        answered = resolve;
        failed = reject;
        const body = Buffer.from(payload);
        const words = argv.map((word) => `${word}\0`).join('');
        child.stdin.write(Buffer.concat([Buffer.from(`${argv.length} ${body.length}\n${words}`), body]));
      }),
    close() {
      failed = undefined;
      child.stdin.end();
    },
  };
}
