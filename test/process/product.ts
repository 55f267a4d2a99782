import {
  chmodSync,
  copyFileSync,
  cpSync,
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { fnv1a64 } from '../../src/transport/fnv.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const STAMP = /\d+\.\d+\.\d+\+\d{13}\.[0-9a-f]{12}/;

/** The product as installed somewhere: a build of the checkout in the middle of a test does not change it. */
export interface Product {
  readonly dist: string;
  readonly client: string;
  readonly launcher: string;
  readonly stamp: string;
}

const productAt = (root: string, stamp: string): Product => ({
  dist: join(root, 'dist'),
  client: join(root, 'dist/fairlead-client'),
  launcher: join(root, 'bin/fairlead'),
  stamp,
});
const filesIn = (root: string): string[] =>
  (JSON.parse(readFileSync(join(root, 'dist/build.json'), 'utf8')) as { files: string[] }).files;

function stampIn(root: string): string {
  for (const file of filesIn(root)) {
    const found = STAMP.exec(readFileSync(join(root, 'dist', file), 'latin1'))?.[0];
    if (found !== undefined) return found;
  }
  throw new Error('the build has no stamp');
}

/** One for all files of a run, below the directory of that run: whoever comes first makes it. Nobody changes it. */
export function sharedProduct(): Product {
  const build = readFileSync(join(ROOT, 'dist/build.json'), 'utf8');
  const root = join(realpathSync(tmpdir()), `product-${fnv1a64(build)}`);
  if (!existsSync(root)) {
    const mine = mkdtempSync(`${root}-`);
    // Some tests run a client as another user.
    chmodSync(mine, 0o755);
    mkdirSync(join(mine, 'dist'));
    for (const file of [...filesIn(ROOT), 'build.json'])
      copyFileSync(join(ROOT, 'dist', file), join(mine, 'dist', file));
    cpSync(join(ROOT, 'bin'), join(mine, 'bin'), { recursive: true });
    copyFileSync(join(ROOT, 'package.json'), join(mine, 'package.json'));
    symlinkSync(join(ROOT, 'node_modules'), join(mine, 'node_modules'));
    try {
      renameSync(mine, root);
    } catch (error) {
      if (!existsSync(root)) throw error;
      rmSync(mine, { recursive: true });
    }
  }
  return productAt(root, stampIn(root));
}

export interface CopyOptions {
  readonly builtAt?: number;
  readonly daemon?: string;
  /** Brings what it loads to answer an event, for users who may not read this checkout. */
  readonly ownModules?: true;
}

/** Another product in `root`, for a test that changes it; with `builtAt`, one that was built at another time. */
export function copyProductTo(root: string, from: Product, { builtAt, daemon, ownModules }: CopyOptions): Product {
  const shared = dirname(from.dist);
  linkTree(shared, root);
  const modules = join(root, 'node_modules');
  if (ownModules) {
    rmSync(modules);
    for (const name of ['@photostructure/sqlite', 'node-gyp-build'])
      cpSync(join(ROOT, 'node_modules', name), join(modules, name), { recursive: true });
  }
  const stamp = builtAt === undefined ? from.stamp : `${from.stamp.split('+')[0]}+${builtAt}.${'f'.repeat(12)}`;
  if (stamp !== from.stamp)
    for (const file of filesIn(shared)) {
      const text = readFileSync(join(shared, 'dist', file), 'latin1');
      if (text.includes(from.stamp)) replace(join(root, 'dist', file), text.replaceAll(from.stamp, stamp));
    }
  if (daemon !== undefined) replace(join(root, 'dist/daemon.js'), daemon);
  return productAt(root, stamp);
}

/** The same files under other names, but for the links among them. */
function linkTree(from: string, to: string): void {
  mkdirSync(to, { recursive: true });
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    if (entry.isDirectory()) linkTree(source, target);
    else if (entry.isSymbolicLink()) symlinkSync(readlinkSync(source), target);
    else linkSync(source, target);
  }
}

/** A new file, because the old one has the name in the shared product too. */
function replace(path: string, text: string): void {
  const { mode } = statSync(path);
  rmSync(path);
  writeFileSync(path, text, { encoding: 'latin1', mode });
}
