import { spawnSync } from 'node:child_process';
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

/** In the shared product: what the build says of itself, for copies. */
const WHOLE = 'whole-build.json';

/**
 * One for all files of a run, below the directory of that run: whoever comes first makes it. Nobody changes it, so its daemons
 * need not have loaded what may be taken from them, which costs each as much as to start. Those of copies do that.
 */
export function sharedProduct(): Product {
  const build = readFileSync(join(ROOT, 'dist/build.json'), 'utf8');
  const root = join(realpathSync(tmpdir()), `product-${fnv1a64(build)}`);
  if (!existsSync(root)) {
    const mine = mkdtempSync(`${root}-`);
    // Some tests run a client as another user.
    chmodSync(mine, 0o755);
    mkdirSync(join(mine, 'dist'));
    for (const file of filesIn(ROOT)) copyFileSync(join(ROOT, 'dist', file), join(mine, 'dist', file));
    writeFileSync(join(mine, WHOLE), build);
    writeFileSync(join(mine, 'dist/build.json'), JSON.stringify({ ...(JSON.parse(build) as object), late: [] }));
    cpSync(join(ROOT, 'bin'), join(mine, 'bin'), { recursive: true });
    copyFileSync(join(ROOT, 'package.json'), join(mine, 'package.json'));
    symlinkSync(join(ROOT, 'node_modules'), join(mine, 'node_modules'));
    compileVerbs(mine);
    try {
      renameSync(mine, root);
    } catch (error) {
      if (!existsSync(root)) throw error;
      rmSync(mine, { recursive: true });
    }
  }
  return productAt(root, stampIn(root));
}

/** Most verbs need what `doctor` compiles, and to compile takes each of them longer than all else that it does. */
function compileVerbs(root: string): void {
  mkdirSync(join(root, 'dist/code'), { mode: 0o700 });
  const home = join(root, 'home');
  spawnSync(process.execPath, [join(root, 'bin/fairlead'), 'doctor'], {
    env: { HOME: home, FAIRLEAD_HOME: home },
    cwd: root,
  });
  rmSync(home, { recursive: true, force: true });
}

/**
 * The code that the first one-shot of the shared product compiles, and leaves to those after it. As with the product, whoever
 * comes first makes it for all files of a run.
 */
function compiledCode({ launcher, stamp }: Product): string {
  const code = join(realpathSync(tmpdir()), `code-${fnv1a64(`${stamp} ${process.version}`)}`);
  if (existsSync(code)) return code;
  const mine = mkdtempSync(`${code}-`);
  const payload = { hook_event_name: 'PreToolUse', session_id: 's', cwd: mine, tool_name: 'Bash', tool_input: {} };
  const { status, stderr } = spawnSync(
    process.execPath,
    [launcher, 'hook', '--agent', 'claude-code', '--direct', '--home', join(mine, 'home')],
    { cwd: mine, env: { HOME: mine }, input: JSON.stringify(payload), encoding: 'utf8' },
  );
  if (status !== 0) throw new Error(`the one-shot whose code tests begin with has failed: ${stderr}`);
  try {
    renameSync(join(mine, 'home', 'state', 'code'), code);
  } catch (error) {
    if (!existsSync(code)) throw error;
  }
  rmSync(mine, { recursive: true });
  return code;
}

/** For a home in which one-shots have been before: to compile takes the first one longer than all else that it does. */
export function plantCode(product: Product, state: string): void {
  const [from, to] = [compiledCode(product), join(state, 'code')];
  mkdirSync(to, { recursive: true, mode: 0o700 });
  for (const name of readdirSync(from)) linkSync(join(from, name), join(to, name));
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
  renameSync(join(root, WHOLE), join(root, 'dist/build.json'));
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

/** A daemon that finds its program changed makes room for another, and to link a file changes when that was. */
const WATCHED = 'daemon.js';

/** The same files under other names, but for the links among them, and what daemons of the other product look at. */
function linkTree(from: string, to: string): void {
  mkdirSync(to, { recursive: true });
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    if (entry.isDirectory()) linkTree(source, target);
    else if (entry.isSymbolicLink()) symlinkSync(readlinkSync(source), target);
    else if (entry.name === WATCHED) copyFileSync(source, target);
    else linkSync(source, target);
  }
}

/** A new file, because the old one has the name in the shared product too. */
function replace(path: string, text: string): void {
  const { mode } = statSync(path);
  rmSync(path);
  writeFileSync(path, text, { encoding: 'latin1', mode });
}
