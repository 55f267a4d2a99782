import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join, relative, sep } from 'node:path';

const INPUTS = [
  'src',
  'native',
  'scripts/build.mjs',
  'scripts/bundle-beside.mjs',
  'scripts/bundle-lazily.mjs',
  'scripts/build-client.mjs',
  'package.json',
  'package-lock.json',
];
const IGNORED = /(\.test\.ts|[/\\]fixtures)$/;

/** Everything a build depends on: files, and the directories that hold them, whose time tells of a removed file. */
function* walk(path) {
  if (IGNORED.test(path) || !existsSync(path)) return;
  const stat = statSync(path);
  yield { path, stat };
  if (stat.isDirectory()) for (const name of readdirSync(path).sort()) yield* walk(join(path, name));
}

function* inputs(root) {
  for (const input of INPUTS) yield* walk(join(root, input));
}

export function newestSource(root) {
  let newest = 0;
  for (const { stat } of inputs(root)) newest = Math.max(newest, stat.mtimeMs);
  return newest;
}

export function hashSources(root) {
  const hash = createHash('sha256');
  for (const { path, stat } of inputs(root)) {
    if (!stat.isFile()) continue;
    const name = relative(root, path).split(sep).join('/');
    hash.update(`${name}\0${stat.size}\0`).update(readFileSync(path));
  }
  return hash.digest('hex').slice(0, 16);
}
