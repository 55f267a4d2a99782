import ignore from 'ignore';
import type { Ignore } from 'ignore';
import { isMade } from '../effects/paths/made.ts';
import { isDatabaseFile } from '../effects/paths/scratch-names.ts';
import { isSecretPath } from '../effects/paths/secret-names.ts';
import type { IndexFile } from '../git/index-file.ts';
import type { Repository } from '../git/repository.ts';
import { repositoryAt, sharedDir } from '../git/repository.ts';
import type { Files } from '../platform/files.ts';
import { join } from '../platform/paths.ts';
import { patternsOf } from '../roots/ignored.ts';
import type { Tracked } from './tracked-files.ts';
import { listByGit } from './tracked-files.ts';
import { createPace, MOST_FILES, readPersonSettings, Unseen, WHY } from './world.ts';
import type { LossWorld } from './world.ts';

/** Files that no index has, by their path from the top; what a build made is left out. */
export interface NewFiles {
  readonly untracked: string[];
  /** Ignored, and nothing that can be made again. */
  readonly ignored: string[];
  /** Directories with a repository of their own, into which this does not look. */
  readonly nested: string[];
}

export interface NewFilesSought {
  /** What lies in directories without any tracked file does not count. */
  readonly flat?: boolean | undefined;
  /** What is ignored counts too, if nothing makes it again; or all of it. */
  readonly ignored: boolean | 'all';
}

/** Looks below `paths`; the empty one is the whole work tree. */
export async function findNew(
  world: LossWorld,
  repository: Repository,
  { index }: Tracked,
  paths: readonly string[],
  sought: NewFilesSought,
): Promise<NewFiles> {
  const tracked = index?.entriesBelow(paths, MOST_FILES);
  if (index && !tracked) return findByGit(world, repository, index, paths, sought);
  const known = new Set(tracked?.map(({ path }) => path));
  const dirs = new Set<string>();
  for (const path of known)
    for (let at = path.indexOf('/'); at > 0; at = path.indexOf('/', at + 1)) dirs.add(path.slice(0, at));
  const found: NewFiles = { untracked: [], ignored: [], nested: [] };
  const walk = createWalk(world.files, repository.top, { known, dirs, sought, found });
  const patterns = globalPatterns(world, repository);
  for (const path of paths) await walk(path, patterns);
  return found;
}

interface Walking {
  readonly known: ReadonlySet<string>;
  readonly dirs: ReadonlySet<string>;
  readonly sought: NewFilesSought;
  readonly found: NewFiles;
}

function createWalk(files: Files, top: string, { known, dirs, sought, found }: Walking) {
  const pace = createPace();
  const see = async (path: string, rules: Ignore, patterns: readonly string[], isInIgnored: boolean): Promise<void> => {
    const segments = path.split('/');
    await pace.step(segments.length);
    const stat = files.lstat(join(top, path));
    if (!stat || known.has(path)) return;
    if (stat.kind !== 'dir') {
      if (sought.ignored !== 'all' && isMade(segments)) return;
      const { ignored, rule } = isInIgnored ? { ignored: true, rule: undefined } : rules.test(path);
      if (!ignored) found.untracked.push(path);
      else if (sought.ignored === 'all' || (sought.ignored && isPrecious(path, segments, rule?.pattern)))
        found.ignored.push(path);
      return;
    }
    if (path !== '' && repositoryAt(files, join(top, path, '.git'), join(top, path)))
      return void found.nested.push(path);
    const hasTracked = path === '' || dirs.has(path);
    if (!hasTracked && (isMade(segments) || sought.flat === true)) return;
    const isIgnored = path !== '' && (isInIgnored || rules.ignores(`${path}/`));
    if (isIgnored && !sought.ignored && !hasTracked) return;
    await enter(path, patterns, isIgnored, rules);
  };
  const enter = async (path: string, patterns: readonly string[], isIgnored: boolean, above: Ignore): Promise<void> => {
    const names = files.list(join(top, path), pace.left + 1);
    const own = names.includes('.gitignore')
      ? patternsOf(files, join(top, path, '.gitignore'), path === '' ? [] : path.split('/'))
      : undefined;
    const all = own ? [...patterns, ...own] : patterns;
    const rules = own ? rulesOf(all) : above;
    for (const name of names)
      if (name !== '.git' || path !== '') await see(path === '' ? name : `${path}/${name}`, rules, all, isIgnored);
  };
  return async (path: string, global: readonly string[]): Promise<void> => {
    const segments = path === '' ? [] : path.split('/');
    const patterns = [...global];
    for (let depth = 0; depth < segments.length; depth += 1) {
      const above = segments.slice(0, depth);
      patterns.push(...patternsOf(files, join(top, ...above, '.gitignore'), above));
    }
    await see(path, rulesOf(patterns), patterns, false);
  };
}

function rulesOf(patterns: readonly string[]): Ignore {
  return ignore({ ignorecase: false }).add(patterns);
}

/** Directories whose content nobody makes again by a command. */
const DATA =
  /^(?:data|datasets?|db|databases?|pgdata|uploads?|media|backups?|storage|volumes?|secrets?|private|notes)$/i;
const LOCAL = /(?:^|[-_.])(?:local|private|secrets?)(?:[-_.]|$)/i;

/** A name that an ignore file spells out is most often a setting of this machine; patterns and directories are for output. */
function isPrecious(path: string, segments: readonly string[], pattern: string | undefined): boolean {
  const name = segments.at(-1) ?? '';
  if (isSecretPath(path) || isDatabaseFile(path) || LOCAL.test(name)) return true;
  if (segments.slice(0, -1).some((segment) => DATA.test(segment))) return true;
  return pattern !== undefined && !/[*?[]/.test(pattern.replaceAll('/**/', '/')) && pattern.endsWith(name);
}

/** What holds in every directory: the person's own ignore file, and the repository's. */
function globalPatterns(world: LossWorld, { gitDir }: Repository): readonly string[] {
  const { files, userHome } = world;
  const { dir, text } = readPersonSettings(world);
  const named = /^[ \t]*excludesfile[ \t]*=[ \t]*"?([^"\n]+?)"?[ \t]*$/im.exec(text)?.[1];
  const own = named?.replace(/^~(?=\/)/, userHome) ?? join(dir, 'ignore');
  return [
    ...patternsOf(files, own, []),
    ...patternsOf(files, join(sharedDir(files, gitDir) ?? gitDir, 'info/exclude'), []),
  ];
}

async function findByGit(
  world: LossWorld,
  repository: Repository,
  index: IndexFile,
  paths: readonly string[],
  sought: NewFilesSought,
): Promise<NewFiles> {
  if (sought.flat === true) throw new Unseen(WHY.tooMuch);
  const list = (...args: readonly string[]) =>
    listByGit(world, repository, index, ['ls-files', '--others', '--exclude-standard', '-z', ...args], paths);
  const [untracked, ignored] = await Promise.all([list(), sought.ignored ? list('--ignored') : []]);
  const isKept = (path: string) => !isMade(path.split('/'));
  return {
    untracked: untracked.filter((path) => isKept(path) && !path.endsWith('/')),
    ignored: ignored.filter(
      (path) => isKept(path) && (sought.ignored === 'all' || isPrecious(path, path.split('/'), undefined)),
    ),
    nested: untracked.filter((path) => path.endsWith('/')).map((path) => path.slice(0, -1)),
  };
}
