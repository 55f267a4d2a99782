import { spawnSync } from 'node:child_process';
import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { effectsOfReading } from '../effects/effects.ts';
import type { Effect } from '../event/effect.ts';
import { plantRepository } from '../git/repository.fixture.ts';
import type { TestRepository } from '../git/repository.fixture.ts';
import { nodeEntries } from '../platform/entries.ts';
import { nodeFiles } from '../platform/files.ts';
import { feedGit, runGit } from '../platform/run-git.ts';
import { readShell } from '../shell/read.ts';
import { keep } from './keep.ts';
import type { KeepResult } from '../event/keeping.ts';
import type { KeepRequest } from './keeper.ts';
import { compare, restore } from './restore.ts';
import type { Restored, RestoreOptions } from './restore.ts';
import { openStore } from './store.ts';
import type { Store } from './store.ts';
import type { UndoWorld } from './world.ts';

export const WORLD: UndoWorld = {
  files: nodeFiles,
  entries: nodeEntries,
  git: runGit,
  feed: feedGit,
  now: Date.now,
  userHome: '/nowhere',
  env: {},
};

/** Kinds of which copies are made. */
const DESTROYING = new Set('delete overwrite truncate discard delete-branch rewrite-history destroy-data'.split(' '));

/** Ways to write that leave less than there was, or take it elsewhere. */
const WRITING = new Set<string | undefined>(['in-place', 'archive', 'moved-away']);

export interface Scratch extends TestRepository {
  readonly home: string;
  readonly store: Store;
  put(path: string, text: string, mode?: number): void;
  /** What a command would destroy, as the engine reads it. */
  effectsOf(command: string, cwd?: string): readonly Effect[];
  keep(
    command: string,
    more?: Partial<KeepRequest> & { readonly cwd?: string; readonly world?: UndoWorld },
  ): Promise<KeepResult>;
  /** Runs a command for real. */
  run(command: string, cwd?: string): void;
  undo(number: number, options?: RestoreOptions): Promise<Restored>;
  remove(): void;
}

export function openScratch(): Scratch {
  const home = realpathSync(mkdtempSync(join(tmpdir(), 'fairlead-undo-')));
  const planted = plantRepository(join(home, 'project'));
  const store = openStore(join(home, 'state/undo'), WORLD);
  const effectsOf = (command: string, cwd = planted.dir) => {
    const place = { cwd, home, root: planted.dir, agentSettings: [], ownDirs: [] };
    return effectsOfReading(readShell(command, place), place).filter(
      ({ kind, how }) => DESTROYING.has(kind) || WRITING.has(how),
    );
  };
  return {
    ...planted,
    home,
    store,
    effectsOf,
    put(path, text, mode = 0o644) {
      const at = join(planted.dir, path);
      mkdirSync(dirname(at), { recursive: true });
      writeFileSync(at, text, { mode });
    },
    keep: (command, { cwd, world = WORLD, ...more } = {}) =>
      keep(world === WORLD ? store : openStore(store.dir, world), world, {
        effects: effectsOf(command, cwd),
        about: { at: Date.now(), session: 's', root: planted.dir, agent: 'test', command },
        budget: { ms: 20_000, bytes: 200 << 20 },
        excluded: [],
        ...more,
      }),
    run(command, cwd = planted.dir) {
      const { status, stderr } = spawnSync('bash', ['-c', command], { cwd, encoding: 'utf8', env: gitEnv(home) });
      if (status !== 0) throw new Error(`${command}: ${stderr}`);
    },
    async undo(number, options) {
      const copy = store.read(number);
      if (!copy) throw new Error(`no copy ${number}`);
      return restore(copy, store, WORLD, await compare(copy, WORLD, options));
    },
    remove: () => rmSync(home, { recursive: true, force: true }),
  };
}

const gitEnv = (home: string) => ({
  PATH: process.env['PATH'],
  HOME: home,
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_EDITOR: 'true',
});

/** Every entry below a directory, git's own apart, in one line each. */
export function treeOf(dir: string, into: Map<string, string> = new Map(), at = ''): Map<string, string> {
  for (const name of readdirSync(join(dir, at)).sort()) {
    const path = at === '' ? name : `${at}/${name}`;
    if (name === '.git' && at === '') continue;
    const stat = lstatSync(join(dir, path));
    const mode = (stat.mode & 0o7777).toString(8);
    if (stat.isDirectory()) {
      into.set(`${path}/`, `dir ${mode}`);
      treeOf(dir, into, path);
    } else if (stat.isSymbolicLink()) into.set(path, `link ${readlinkSync(join(dir, path))}`);
    else
      into.set(
        path,
        `file ${mode} ${stat.nlink} ${Math.round(stat.mtimeMs)} ${readFileSync(join(dir, path), 'latin1')}`,
      );
  }
  return into;
}

/** What a repository says of itself: but for what only git can tell, its files say it, since each question to git is a process. */
export function stateOf(dir: string): Record<string, string> {
  const ask = (...args: readonly string[]) =>
    spawnSync('git', ['--no-optional-locks', ...args], { cwd: dir, encoding: 'utf8', env: gitEnv(dir) }).stdout;
  const [own, common] = ownDirsOf(dir);
  return {
    refs: refsOf(own, common) ?? ask('for-each-ref', '--format=%(refname) %(objectname)'),
    index:
      stagedIn(join(own, 'index')) ?? ask('-c', 'core.quotePath=false', 'ls-files', '--stage', '--full-name', ':/'),
    status: ask('status', '--porcelain', '--ignored', '-uall'),
    head: textOf(join(own, 'HEAD')),
    config: textOf(join(common, 'config')),
    // Whose each entry was, and when, is about the command that made it.
    stash: textOf(join(common, 'logs/refs/stash')).replaceAll(/^\w+ (\w+) [^\t]*/gm, '$1'),
  };
}

const textOf = (path: string) => (existsSync(path) ? readFileSync(path, 'utf8') : '');

/** The directory of a work tree's own part of a repository, and that of what all its work trees share. */
function ownDirsOf(dir: string): readonly [string, string] {
  const at = join(dir, '.git');
  const isFile = existsSync(at) && lstatSync(at).isFile();
  const own = isFile ? resolve(dir, textOf(at).replace('gitdir: ', '').trim()) : existsSync(at) ? at : dir;
  const shared = textOf(join(own, 'commondir')).trim();
  return [own, shared === '' ? own : resolve(own, shared)];
}

/** What `git for-each-ref` says of refs and what they stand for; undefined where only git knows whether that is there. */
function refsOf(own: string, common: string): string | undefined {
  const refs = new Map<string, string>();
  for (const [, sha = '', name = ''] of textOf(join(common, 'packed-refs')).matchAll(/^(\w+) (\S+)$/gm))
    refs.set(name, sha);
  for (const top of new Set([common, own])) {
    if (!existsSync(join(top, 'refs'))) continue;
    for (const name of readdirSync(join(top, 'refs'), { recursive: true, encoding: 'utf8' })) {
      const path = join(top, 'refs', name);
      if (lstatSync(path).isFile()) refs.set(`refs/${name}`, textOf(path).trim());
    }
  }
  const isLoose = (sha: string) => existsSync(join(common, 'objects', sha.slice(0, 2), sha.slice(2)));
  if (![...refs.values()].every(isLoose)) return undefined;
  return [...refs]
    .map((each) => `${each.join(' ')}\n`)
    .sort()
    .join('');
}

/** What `git ls-files --stage` says; undefined for an index of another version than the usual one. */
function stagedIn(path: string): string | undefined {
  if (!existsSync(path)) return '';
  const bytes = readFileSync(path);
  if (bytes.readUInt32BE(4) !== 2) return undefined;
  const lines: string[] = [];
  let at = 12;
  for (let count = bytes.readUInt32BE(8); count > 0; count -= 1) {
    const end = bytes.indexOf(0, at + 62);
    const stage = (bytes.readUInt16BE(at + 60) >> 12) & 3;
    const [mode, sha] = [bytes.readUInt32BE(at + 24).toString(8), bytes.toString('hex', at + 40, at + 60)];
    lines.push(`${mode} ${sha} ${stage}\t${bytes.toString('utf8', at + 62, end)}\n`);
    at += (end - at + 8) & ~7;
  }
  return lines.join('');
}

/** Reflogs by name, line by line. */
export function logsOf(dir: string): Map<string, readonly string[]> {
  const logs = join(dir, '.git/logs');
  const found = new Map<string, readonly string[]>();
  if (!existsSync(logs)) return found;
  for (const name of readdirSync(logs, { recursive: true, encoding: 'utf8' }))
    if (lstatSync(join(logs, name)).isFile()) found.set(name, readFileSync(join(logs, name), 'utf8').split('\n'));
  return found;
}
