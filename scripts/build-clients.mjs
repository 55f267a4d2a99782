// Builds the native client for every kind of machine that a package brings one for, beside a finished build: static, so that it
// runs whatever the system has. `npm run pack` and a release do this; a clone builds the one for its own machine.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { LINKING, STANDARD } from './build-client.mjs';
import { root } from './prepare.mjs';

/** By the name that `src/cli/install/client.ts` looks for: Debian's compiler and its package, and the number in an ELF head. */
export const TARGETS = {
  'linux-x64': { compiler: 'x86_64-linux-gnu-gcc', debian: 'gcc-x86-64-linux-gnu libc6-dev-amd64-cross', machine: 62 },
  'linux-arm64': {
    compiler: 'aarch64-linux-gnu-gcc',
    debian: 'gcc-aarch64-linux-gnu libc6-dev-arm64-cross',
    machine: 183,
  },
};
const INTERPRETER = 3;

/** Writes the clients and their sums into `dist/clients`; throws where one cannot be built. */
export function buildClients({ root: from, targets = TARGETS }) {
  const dist = join(from, 'dist');
  const { stamp } = JSON.parse(readFileSync(join(dist, 'build.json'), 'utf8'));
  const out = join(dist, 'clients');
  rmSync(out, { recursive: true, force: true });
  mkdirSync(out);
  const sums = {};
  for (const [name, target] of Object.entries(targets)) {
    const path = join(out, name);
    compile(path, target, join(from, 'native', 'client.c'), stamp);
    const bytes = readFileSync(path);
    const problem = problemOf(bytes, target, stamp);
    if (problem !== undefined) throw new Error(`the client for ${name} ${problem}`);
    sums[name] = createHash('sha256').update(bytes).digest('hex');
  }
  writeFileSync(join(out, 'sha256.json'), `${JSON.stringify(sums, null, 2)}\n`);
  return sums;
}

function compile(out, { compiler, debian }, source, stamp) {
  const [{ flags }] = LINKING;
  const args = [...STANDARD, `-DFAIRLEAD_STAMP="${stamp}"`, ...flags, '-o', out, source];
  const { status, error, stderr } = spawnSync(compiler, args, { encoding: 'utf8' });
  if (error?.code === 'ENOENT') throw new Error(`${compiler} is missing; on Debian: apt-get install ${debian}`);
  if (error || status !== 0) throw new Error(`${compiler} failed: ${error?.message ?? stderr.trim()}`);
}

/** Most of these programs cannot be run here, so their bytes have to tell. */
export function problemOf(bytes, { machine }, stamp) {
  if (bytes.readUInt32BE(0) !== 0x7f454c46 || bytes[4] !== 2 || bytes[5] !== 1) return 'is no program of 64 bits';
  if (bytes.readUInt16LE(18) !== machine) return 'is for another machine';
  const [start, size, count] = [Number(bytes.readBigUInt64LE(32)), bytes.readUInt16LE(54), bytes.readUInt16LE(56)];
  for (let at = 0; at < count; at += 1)
    if (bytes.readUInt32LE(start + at * size) === INTERPRETER) return 'is not static';
  return bytes.includes(`${stamp}\n`) ? undefined : 'does not say its version';
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  try {
    for (const [name, sum] of Object.entries(buildClients({ root }))) console.log(`${sum}  ${name}`);
  } catch (error) {
    process.stderr.write(`fairlead: ${error.message}\n`);
    process.exitCode = 1;
  }
}
