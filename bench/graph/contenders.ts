import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runMeasured } from './measured.ts';
import type { Spent } from './measured.ts';
import { filesBelow, unpackNpm } from './trees.ts';

export interface Indexed extends Spent {
  /** Bytes of what it keeps. */
  readonly store: number;
}

export interface Contender {
  readonly name: string;
  /** What a reader must know to compare. */
  readonly remark: string;
  index(tree: string): Indexed;
}

const CODEGRAPH = '1.6.1';
const QUIET = {
  CODEGRAPH_TELEMETRY: '0',
  CODEGRAPH_NO_UPDATE_CHECK: '1',
  CODEGRAPH_NO_DAEMON: '1',
  CODEGRAPH_NO_WATCH: '1',
  DO_NOT_TRACK: '1',
};

export function fairlead(root: string, scratch: string): Contender {
  return {
    name: 'Fairlead',
    remark: 'the whole command `fairlead graph index`: command line and indexing process together',
    index(tree) {
      const home = join(scratch, 'home');
      rmSync(home, { recursive: true, force: true });
      mkdirSync(home, { recursive: true });
      const argv = [process.execPath, join(root, 'dist/cli.js'), 'graph', 'index', '--root', tree];
      const spent = runMeasured(root, argv, { HOME: home });
      return { ...spent, store: sizeOf(join(home, '.local/state/fairlead/workspaces')) };
    },
  };
}

/**
 * Its npm package is a door to one package per platform. Where that package cannot be had, as for Linux on ARM, the same
 * program runs from the x64 package by a Node of this platform: without its native parser, which is built for x64 alone.
 */
export function codegraph(root: string, scratch: string): Contender {
  const home = join(scratch, 'codegraph-home');
  mkdirSync(home, { recursive: true });
  const { argv, remark } = process.arch === 'x64' ? installed(scratch) : borrowed(scratch);
  return {
    name: `CodeGraph ${CODEGRAPH}`,
    remark,
    index(tree) {
      const store = join(tree, '.codegraph');
      rmSync(store, { recursive: true, force: true });
      const spent = runMeasured(root, [...argv, 'init', tree], { HOME: home, ...QUIET });
      const indexed = { ...spent, store: sizeOf(store) };
      rmSync(store, { recursive: true, force: true });
      return indexed;
    },
  };
}

function installed(scratch: string): { argv: string[]; remark: string } {
  const dir = join(scratch, 'codegraph');
  if (!existsSync(join(dir, 'node_modules'))) {
    install(dir, [`@colbymchenry/codegraph@${CODEGRAPH}`]);
  }
  return { argv: [join(dir, 'node_modules/.bin/codegraph')], remark: 'its own launcher, with its native parser' };
}

function borrowed(scratch: string): { argv: string[]; remark: string } {
  const dir = join(scratch, 'codegraph-node');
  if (!existsSync(join(dir, 'node_modules'))) install(dir, [`node-linux-${process.arch}@24`]);
  const program = unpackNpm(`@colbymchenry/codegraph-linux-x64@${CODEGRAPH}`, scratch);
  return {
    argv: [
      join(dir, `node_modules/node-linux-${process.arch}/bin/node`),
      '--liftoff-only',
      '--disable-warning=ExperimentalWarning',
      join(program, 'package/lib/dist/bin/codegraph.js'),
    ],
    remark: `no package for ${process.arch}: its x64 program by Node 24, parsing with WebAssembly instead of its native parser, which would take about half the CPU`,
  };
}

/** Definitions only: a floor, not a peer. Undefined where it is not installed and cannot be. */
export function ctags(root: string, scratch: string): Contender | undefined {
  if (spawnSync('ctags', ['--version']).error) {
    const { status } = spawnSync('apt-get', ['install', '-y', '-qq', '--no-install-recommends', 'universal-ctags']);
    if (status !== 0) return undefined;
  }
  const version = execFileSync('ctags', ['--version'], { encoding: 'utf8' }).split(/[,(]/)[0] ?? '';
  return {
    name: 'universal-ctags',
    remark: `${version.trim()}: definitions only, no references, no edges`,
    index(tree) {
      const tags = join(scratch, 'tags');
      const spent = runMeasured(root, ['ctags', '-R', '-f', tags, tree], {});
      return { ...spent, store: statSync(tags).size };
    },
  };
}

function install(dir: string, packages: readonly string[]): void {
  mkdirSync(dir, { recursive: true });
  writeFileSync(join(dir, 'package.json'), '{ "private": true }\n');
  execFileSync('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--silent', ...packages], {
    cwd: dir,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
}

function sizeOf(dir: string): number {
  return existsSync(dir) ? filesBelow(dir).reduce((sum, file) => sum + statSync(file).size, 0) : 0;
}
