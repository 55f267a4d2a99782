// Brings a checkout to the state "installed and built". Needs nothing but Node and npm, since it runs before the
// first install. Everything it says goes to stderr: stdout belongs to the verb that is about to run.
import { spawnSync } from 'node:child_process';
import { existsSync, linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { hashSources, newestSource } from './sources.mjs';

export const root = dirname(dirname(fileURLToPath(import.meta.url)));
export const scratch = join(root, '.build');
const stamp = join(root, 'dist', 'build.json');

const say = (line) => process.stderr.write(`fairlead: ${line}\n`);

/** Installs and, unless told not to, builds when needed; resolves to true when something was done. */
export async function prepare({ builds = true } = {}) {
  const isReady = () => !builds || isFresh();
  if (isInstalled() && isReady()) return false;
  return withLock(async () => {
    const installed = isInstalled();
    const fresh = isReady();
    if (installed && fresh) return false;
    if (builds && !existsSync(stamp)) say('first run in this clone: installing and building, this takes a moment');
    else if (!fresh) say('sources changed since the last build: building again');
    if (!installed) install();
    if (!fresh) await runBuild();
    return true;
  });
}

async function runBuild() {
  const { build } = await import('./build.mjs');
  await build();
}

/** Compares what is installed with the lock file by content, since git and npm set times in any order. */
function isInstalled() {
  const hidden = readJson(join(root, 'node_modules', '.package-lock.json'));
  const lock = readJson(join(root, 'package-lock.json'));
  if (!hidden) return false;
  if (!lock) return true;
  return Object.entries(lock.packages).every(
    ([path, entry]) => path === '' || entry.optional || hidden.packages[path]?.version === entry.version,
  );
}

function install() {
  const clean = !existsSync(join(root, 'node_modules'));
  const args = [clean ? 'ci' : 'install', '--ignore-scripts', '--include=dev', '--no-audit', '--no-fund'];
  say(`npm ${args[0]}`);
  const viaNpm = process.env['npm_execpath'];
  const [command, first] = viaNpm?.endsWith('.js') ? [process.execPath, [viaNpm]] : ['npm', []];
  const { status, error } = spawnSync(command, [...first, ...args, '--loglevel=error'], {
    cwd: root,
    stdio: ['ignore', 2, 2],
    shell: command === 'npm' && process.platform === 'win32',
  });
  if (error) throw new Error(`npm could not be started (${error.message}); it comes with Node`);
  if (status !== 0) throw new Error(`npm ${args[0]} failed; run it in ${root} to see why`);
}

function isFresh() {
  const built = readJson(stamp);
  if (!built || !built.files?.every((file) => existsSync(join(root, 'dist', file)))) return false;
  const seen = newestSource(root);
  if (seen <= built.newestSource) return true;
  if (hashSources(root) !== built.sources) return false;
  // Touched but not changed: remember it, so that the next start need not hash again.
  try {
    const mine = `${stamp}.${process.pid}`;
    writeFileSync(mine, JSON.stringify({ ...built, newestSource: seen }, null, 2));
    renameSync(mine, stamp);
  } catch {
    // A read-only clone hashes each time.
  }
  return true;
}

/** One installation or build per clone at a time. The lock file appears with its owner inside, or not at all. */
export async function withLock(work) {
  mkdirSync(scratch, { recursive: true });
  const lock = join(scratch, 'lock');
  const mine = join(scratch, `lock-${process.pid}`);
  writeFileSync(mine, String(process.pid));
  try {
    for (let told = false; !tryLink(mine, lock);) {
      const owner = Number(readText(lock));
      if (owner && !isAlive(owner)) {
        // Only the file of that dead owner is removed: a new owner has its own number in it.
        if (Number(readText(lock)) === owner) rmSync(lock, { force: true });
        continue;
      }
      if (!told) say('another process is building this clone: waiting for it');
      told = true;
      await sleep(100);
    }
  } finally {
    rmSync(mine, { force: true });
  }
  const release = () => {
    if (Number(readText(lock)) === process.pid) rmSync(lock, { force: true });
  };
  process.once('exit', release);
  try {
    return await work();
  } finally {
    process.off('exit', release);
    release();
  }
}

function tryLink(from, to) {
  try {
    linkSync(from, to);
    return true;
  } catch (error) {
    if (error.code === 'EEXIST') return false;
    throw error;
  }
}

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}

function readText(path) {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

function readJson(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    return undefined;
  }
}
