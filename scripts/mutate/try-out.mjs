// Copies of a checkout, and test runs in them.
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  statfsSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { breakAt } from './places.mjs';

/** What breaks before a test does: the machine had no room for the worker. */
const NOT_STARTED =
  /Failed to start \w+ worker|Timeout (starting|waiting for) .*worker|EAGAIN|ENOMEM|Cannot allocate memory/;
const RETRIES = 2;
/** Processes of their own number space: broken code ends no others, and leaves none behind. Bash takes in what is orphaned. */
const AS_ROOT = process.getuid?.() === 0 ? [] : ['--user', '--map-root-user'];
const ALONE = ['unshare', ...AS_ROOT, '--pid', '--fork', '--mount-proc', '--kill-child'];
const isolates = spawnSync(ALONE[0], [...ALONE.slice(1), 'bash', '-c', 'true'], { stdio: 'ignore' }).status === 0;

/** Ends each run that still goes on. */
const running = new Set();
process.once('exit', () => running.forEach((end) => end()));

/** Where the copies lie: in memory where the machine has room, since tests write much. */
export function makeScratch() {
  try {
    const { bavail, bsize } = statfsSync('/dev/shm');
    if (bavail * bsize > 2 ** 31) return mkdtempSync('/dev/shm/fairlead-mutate-');
  } catch {
    // Not on this system.
  }
  return mkdtempSync(join(tmpdir(), 'fairlead-mutate-'));
}

/** A copy of all that git knows or would take, in `dir`; what is installed is linked. */
export function copyCheckout(checkout, dir) {
  const copy = join(dir, 'checkout');
  const list = execFileSync('git', ['ls-files', '-coz', '--exclude-standard'], { cwd: checkout, maxBuffer: 2 ** 28 });
  for (const path of list.toString().split('\0').filter(Boolean)) {
    if (existsSync(join(checkout, path))) cpSync(join(checkout, path), join(copy, path), { recursive: true });
  }
  // Not one link to the folder: vite and others keep what they write in there.
  mkdirSync(join(copy, 'node_modules'));
  for (const name of readdirSync(join(checkout, 'node_modules'))) {
    if (!name.startsWith('.') || name === '.package-lock.json')
      symlinkSync(join(checkout, 'node_modules', name), join(copy, 'node_modules', name));
  }
  const shared = resolve(checkout, '../shared');
  if (existsSync(shared) && !existsSync(join(dir, 'shared'))) symlinkSync(shared, join(dir, 'shared'));
  for (const name of ['home', 'tmp']) mkdirSync(join(dir, name), { recursive: true });
  return copy;
}

/** Breaks the copy there while `work` runs; undefined where the place is gone. */
export async function whileBroken(copy, place, work) {
  const path = join(copy, place.file);
  const source = existsSync(path) ? readFileSync(path, 'utf8') : undefined;
  const broken = source && breakAt(source, place);
  if (!broken) return undefined;
  writeFileSync(path, broken);
  try {
    return await work();
  } finally {
    writeFileSync(path, source);
  }
}

/** `{ state: 'passed' | 'failed' | 'hung' | 'unrun', file, by }`: the first test that failed, and in which file. */
export async function runTests(copy, files, limitMs) {
  for (let tries = 0; ; tries += 1) {
    const result = await runOnce(copy, files, limitMs);
    if (result.state !== 'unrun' || tries === RETRIES) return result;
  }
}

async function runOnce(copy, files, limitMs) {
  const out = join(dirname(copy), 'result.json');
  rmSync(out, { force: true });
  const args = [
    ...['node_modules/vitest/vitest.mjs', 'run', ...files, '--bail=1', '--maxWorkers=1', '--no-cache'],
    ...['--reporter=json', `--outputFile=${out}`, '--experimental.fsModuleCache', `--testTimeout=${limitMs}`],
  ];
  const { code, text, isLate } = await spawnAlone(copy, args, limitMs);
  if (isLate) return { state: 'hung', by: `nothing came for ${limitMs / 1000} s` };
  const json = existsSync(out) ? JSON.parse(readFileSync(out, 'utf8')) : undefined;
  const failed = json?.testResults.find(({ status }) => status === 'failed');
  const said = `${text}\n${failed?.message ?? ''}`;
  if (NOT_STARTED.test(said)) return { state: 'unrun', by: said.trim().slice(-300) };
  if (failed) {
    const test = failed.assertionResults.find(({ status }) => status === 'failed');
    const file = files.find((each) => failed.name.endsWith(each)) ?? files[0];
    return { state: 'failed', file, by: test?.fullName ?? `does not load: ${failed.message.split('\n')[0]}` };
  }
  if (code === 0 && json.numPassedTests > 0) return { state: 'passed' };
  if (code === 0) return { state: 'unrun', by: 'no test ran' };
  return {
    state: 'failed',
    by:
      said
        .trim()
        .split('\n')
        .find((line) => /Error|exited/.test(line))
        ?.trim() ?? `exit code ${code}`,
  };
}

function spawnAlone(copy, args, limitMs) {
  const dir = dirname(copy);
  const command = [process.execPath, ...args];
  const whole = isolates ? [...ALONE, 'bash', '-c', '"$@" & wait $!', 'bash', ...command] : command;
  const env = {
    ...process.env,
    ...{ HOME: join(dir, 'home'), TMPDIR: join(dir, 'tmp'), FAIRLEAD_PREPARED: '1', CI: '1', NO_COLOR: '1' },
  };
  return new Promise((done) => {
    // A group of its own, so that all of it can be ended.
    const child = spawn(whole[0], whole.slice(1), {
      cwd: copy,
      env,
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let text = '';
    let isLate = false;
    const end = () => {
      try {
        process.kill(-child.pid, 'SIGKILL');
      } catch {
        // It has just ended by itself.
      }
    };
    running.add(end);
    const timer = setTimeout(() => {
      isLate = true;
      end();
    }, limitMs);
    for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (part) => (text += part));
    child.on('error', (error) => (text += error.message));
    child.on('close', (code) => {
      clearTimeout(timer);
      running.delete(end);
      done({ code: code ?? 1, text: stripVTControlCharacters(text), isLate });
    });
  });
}

/** Builds the copy as it is now; false where that fails. */
export async function buildCopy(copy, limitMs) {
  const { code } = await spawnAlone(copy, ['scripts/build.mjs'], limitMs);
  return code === 0;
}
