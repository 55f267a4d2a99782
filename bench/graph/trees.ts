import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** Sources that others wrote, in one language. */
export interface Tree {
  readonly name: string;
  readonly origin: string;
  readonly dir: string;
  readonly files: number;
  readonly lines: number;
  readonly bytes: number;
}

interface Recipe {
  readonly name: string;
  readonly origin: string;
  readonly ending: RegExp;
  /** Leaves the sources in `into`. */
  fetch(into: string, scratch: string): void;
}

const RECIPES: readonly Recipe[] = [
  {
    name: 'Python',
    origin: 'python3-django (Debian)',
    ending: /\.py$/,
    fetch: (into, scratch) =>
      copy(unpackDebian('python3-django', scratch), 'usr/lib/python3/dist-packages/django', into),
  },
  {
    name: 'Go',
    origin: 'golang-github-docker-docker-dev (Debian)',
    ending: /\.go$/,
    fetch: (into, scratch) =>
      copy(
        unpackDebian('golang-github-docker-docker-dev', scratch),
        'usr/share/gocode/src/github.com/docker/docker',
        into,
      ),
  },
  {
    name: 'TypeScript',
    origin: 'maplibre-gl 6.17.0 (npm)',
    ending: /\.ts$/,
    fetch: (into, scratch) => copy(unpackNpm('maplibre-gl@6.17.0', scratch), 'package/src', into),
  },
];

/** Fetched once and kept: only files of the tree's own language, so that all contenders read the same. */
export function prepareTrees(scratch: string, say: (line: string) => void): Tree[] {
  return RECIPES.map(({ name, origin, ending, fetch }) => {
    const dir = join(scratch, 'trees', name.toLowerCase(), 'project');
    if (!existsSync(dir)) {
      say(`fetching ${origin}`);
      const fresh = `${dir}.fresh`;
      rmSync(fresh, { recursive: true, force: true });
      mkdirSync(fresh, { recursive: true });
      fetch(fresh, scratch);
      for (const file of filesBelow(fresh)) if (!ending.test(file)) rmSync(file);
      // Contenders that look for a repository shall find this one and none above it.
      execFileSync('git', ['init', '-q', fresh]);
      renameSync(fresh, dir);
    }
    return describe(name, origin, dir, ending);
  });
}

/** All trees below one root: more symbols than most projects have. */
export function prepareUnion(scratch: string, trees: readonly Tree[]): string {
  const dir = join(scratch, 'trees', 'all', 'project');
  if (existsSync(dir)) return dir;
  const fresh = `${dir}.fresh`;
  rmSync(fresh, { recursive: true, force: true });
  mkdirSync(fresh, { recursive: true });
  for (const tree of trees)
    cpSync(tree.dir, join(fresh, tree.name.toLowerCase()), {
      recursive: true,
      filter: isNotGit,
    });
  execFileSync('git', ['init', '-q', fresh]);
  renameSync(fresh, dir);
  return dir;
}

export function filesBelow(dir: string): string[] {
  return readdirSync(dir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !`${entry.parentPath}/`.includes('/.git/'))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}

function describe(name: string, origin: string, dir: string, ending: RegExp): Tree {
  const files = filesBelow(dir).filter((file) => ending.test(file));
  let lines = 0;
  let bytes = 0;
  for (const file of files) {
    lines += readFileSync(file, 'latin1').split('\n').length - 1;
    bytes += statSync(file).size;
  }
  return { name, origin, dir, files: files.length, lines, bytes };
}

function isNotGit(path: string): boolean {
  return !path.endsWith('/.git');
}

function copy(from: string, below: string, into: string): void {
  cpSync(join(from, below), into, { recursive: true, dereference: false, filter: isNotGit });
}

export function unpackDebian(name: string, scratch: string): string {
  const dir = join(scratch, 'debian', name);
  if (existsSync(dir)) return dir;
  const fresh = `${dir}.fresh`;
  rmSync(fresh, { recursive: true, force: true });
  mkdirSync(fresh, { recursive: true });
  const downloads = join(scratch, 'debian', 'downloads', name);
  mkdirSync(downloads, { recursive: true });
  execFileSync('apt-get', ['download', '-qq', name], { cwd: downloads, stdio: ['ignore', 'ignore', 'inherit'] });
  const [archive] = readdirSync(downloads).filter((file) => file.endsWith('.deb'));
  if (archive === undefined) throw new Error(`apt-get download ${name} gave no package`);
  execFileSync('dpkg', ['-x', join(downloads, archive), fresh]);
  renameSync(fresh, dir);
  return dir;
}

export function unpackNpm(name: string, scratch: string): string {
  const dir = join(scratch, 'npm', name.replaceAll(/[@/]/g, '_'));
  if (existsSync(dir)) return dir;
  const fresh = `${dir}.fresh`;
  rmSync(fresh, { recursive: true, force: true });
  mkdirSync(fresh, { recursive: true });
  const out = execFileSync('npm', ['pack', name, '--silent'], { cwd: fresh, encoding: 'utf8' });
  execFileSync('tar', ['-xzf', out.trim().split('\n').at(-1) ?? ''], { cwd: fresh });
  renameSync(fresh, dir);
  return dir;
}
