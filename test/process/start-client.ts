import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildClient } from '../../scripts/build-client.mjs';
import { shortDir } from '../../src/transport/meeting-place.ts';
import { removeTree } from '../../src/platform/remove-tree.fixture.ts';
import { afterEachFile } from './endings.ts';

export const ROOT = fileURLToPath(new URL('../..', import.meta.url));
export const STAMP = '1.2.3+1700000000000.0123456789ab';
/** Open to other users, because some tests run the client as one. */
export const base = realpathSync(mkdtempSync(join(tmpdir(), 'fl-')));
chmodSync(base, 0o755);
export const CLIENT = join(base, 'fairlead-client');
export const built = buildClient({ root: ROOT, out: CLIENT, stamp: STAMP });

const shorts: string[] = [];
afterEachFile.push(() => removeTree(...shorts.splice(0)));

/** Stands for Node: keeps the words and the input it was given, and answers. */
const STAND_IN = `#!/bin/sh
dir=$(dirname "$0")
printf '%s\\n' "$@" > "$dir/words"
cat > "$dir/input"
printf one-shot
case " $* " in *" --watched "*) printf '\\0' ;; esac
`;

export interface World {
  readonly dir: string;
  readonly state: string;
  readonly run: string;
  readonly socket: string;
  readonly short: string;
  /** The words of an installed entry. */
  readonly args: readonly string[];
  /** What the one-shot was started with, if it was. */
  oneShot(): { readonly words: readonly string[]; readonly input: Buffer } | undefined;
  /** How the events ended that nobody decided, a letter each. */
  turnedAway(): string;
}

let made = 0;

export function newWorld({
  script = STAND_IN,
  name = 'state',
  node,
}: { script?: string; name?: string; node?: string } = {}): World {
  made += 1;
  const dir = join(base, String(made));
  const state = join(dir, name);
  const run = join(state, 'run');
  const short = shortDir(state);
  shorts.push(short);
  mkdirSync(run, { recursive: true, mode: 0o700 });
  // An engine has been here, and found no rule that must not be skipped.
  put(join(run, 'closed/everywhere'), '/\n');
  writeFileSync(join(dir, 'node'), script, { mode: 0o755 });
  const paths = ['--config', join(dir, 'config'), '--state', state];
  const program = ['--node', node ?? join(dir, 'node'), '--launcher', '/the/launcher'];
  return {
    dir,
    state,
    run,
    socket: join(run, 'daemon.sock'),
    short,
    args: ['--agent', 'claude-code', '--event', 'PreToolUse', ...paths, ...program],
    oneShot() {
      if (!existsSync(join(dir, 'words'))) return undefined;
      const words = readFileSync(join(dir, 'words'), 'utf8').split('\n').slice(0, -1);
      return { words, input: readFileSync(join(dir, 'input')) };
    },
    turnedAway: () => [run, short].map((place) => endings(join(place, 'turned-away'))).join(''),
  };
}

export function endings(path: string): string {
  return readIfThere(path).replaceAll(/^([eda])[0-9a-f]{16}\n/gm, '$1');
}

export function readIfThere(path: string): string {
  return existsSync(path) ? readFileSync(path, 'utf8') : '';
}

export function put(path: string, text: string, mode = 0o600): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  writeFileSync(path, text, { mode });
}

export interface Ran {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
  readonly ms: number;
  /** Set when the client did not read its input to the end. */
  readonly unread?: string;
}

export interface Start {
  readonly input?: string | Uint8Array;
  readonly keepInputOpen?: boolean;
  readonly output?: 'closed' | 'unread';
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  readonly user?: number;
  /** Shell code around `"$@"`, the client and its words. */
  readonly around?: string;
  readonly onSpawn?: (child: ChildProcess) => void;
  /** The program in the native client's place. */
  readonly client?: readonly string[];
}

/** Starts the client with next to nothing in its environment. */
export function start(args: readonly string[], options: Start = {}): Promise<Ran> {
  const { input = '{}', user, around } = options;
  const words = [...(options.client ?? [CLIENT]), 'hook', ...args];
  const [program = '', ...rest] = around === undefined ? words : ['/bin/sh', '-c', around, 'sh', ...words];
  const began = performance.now();
  return new Promise((resolve, reject) => {
    const child = spawn(program, rest, {
      cwd: options.cwd ?? base,
      env: { PATH: process.env['PATH'], ...options.env },
      ...(user === undefined ? {} : { uid: user, gid: user }),
    });
    let out = '';
    let err = '';
    let unread: string | undefined;
    options.onSpawn?.(child);
    child.on('error', reject);
    if (options.output === 'closed') child.stdout.destroy();
    if (options.output === undefined) child.stdout.setEncoding('latin1').on('data', (text: string) => (out += text));
    child.stderr.setEncoding('utf8').on('data', (text: string) => (err += text));
    child.stdin.on('error', (error) => (unread = error.message));
    if (options.keepInputOpen) child.stdin.write(input);
    else child.stdin.end(input);
    child.on('exit', (code) => {
      const done = (): void =>
        resolve({ code, out, err, ms: performance.now() - began, ...(unread === undefined ? {} : { unread }) });
      if (options.output === 'unread') {
        child.stdout.destroy();
        done();
      } else child.on('close', done);
    });
  });
}
