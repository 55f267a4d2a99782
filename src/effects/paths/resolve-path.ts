import type { PathScope } from '../../event/effect.ts';
import type { ShellCommand, ShellWord } from '../../shell/command.ts';
import { UNKNOWN } from '../../shell/command.ts';
import { listed } from '../words/arguments.ts';
import { isMade } from './made.ts';
import { matchesAll, matchesName } from './pattern.ts';
import type { ResolvedPath, Surroundings } from '../scene.ts';

const SYSTEM: ReadonlySet<string> = new Set(
  listed(
    'etc usr bin sbin lib lib32 lib64 libx32 boot var opt root System Library Applications dev proc sys run srv home Users ' +
      'private nix snap Windows',
  ),
);
/** The last ones hold what a package manager loads again. */
const TEMP = listed(
  '/tmp /var/tmp /private/tmp /private/var/tmp /dev/shm /var/folders /private/var/folders ' +
    '/var/lib/apt/lists /var/cache/apt /var/cache/apk /var/cache/yum /var/cache/dnf',
);
/** Below a home: what is put aside only to save time. */
const CACHES =
  /^\/(?:\.cache\/.|Library\/Caches\/.|\.npm\/_(?:cacache|npx)(?:\/|$)|\.gradle\/caches(?:\/|$)|\.cargo\/registry(?:\/|$)|Library\/Developer\/Xcode\/DerivedData(?:\/|$))/;
/** Names under `/dev` that hold nothing. */
const HOLLOW: ReadonlySet<string> = new Set(
  listed('null zero full random urandom stdin stdout stderr tty console ptmx pts fd'),
);
/** Parts of a repository's own directory that people keep by hand, or that are left behind by an interrupted command. */
const OWN_GIT_PARTS: ReadonlySet<string> = new Set(
  listed(
    'hooks info COMMIT_EDITMSG MERGE_MSG MERGE_HEAD SQUASH_MSG REBASE_HEAD CHERRY_PICK_HEAD rebase-merge rebase-apply gc.log gc.pid',
  ),
);
const HOLDS_ALL: ReadonlySet<PathScope> = new Set(['root', 'home', 'workspace']);
const DRIVE = /^[A-Za-z]:(?=[\\/]|$)/;
const REMOTE = /^(?:[a-z][a-z0-9+.-]*:\/\/|(?:[\w.-]+@)?[\w.-]{2,}:|\[[0-9a-f:]+\]:)/i;

/** Where a path lies, by its text alone. `dir` is undefined when the command's directory is not known. */
export function resolvePath(
  word: ShellWord | string,
  dir: ShellCommand['dir'],
  surroundings: Surroundings,
): ResolvedPath {
  const typed = typeof word === 'string' ? word : word.text;
  const value = expandHome(typeof word === 'string' ? word : word.value, typed, surroundings.home);
  if (value === '') return { name: '', scope: 'unknown' };
  if (DRIVE.test(value)) return placeOnDrive(value, surroundings.root);
  if (value.startsWith(UNKNOWN)) return { name: shown(typed, value), scope: madeOr('unknown', value) };
  const rooted = value.startsWith('/');
  if (!rooted && dir === undefined) return { name: shown(typed, value), scope: madeOr('unknown', value) };
  const whole = rooted ? value : `${dir as string}/${value}`;
  const segments = segmentsOf(whole);
  const glob = typeof word !== 'string' && word.glob;
  if (glob) while (segments.length > 0 && matchesAll(segments.at(-1) as string)) segments.pop();
  if (segments[0]?.includes(UNKNOWN) === true) return { name: shown(typed, value), scope: 'unknown' };
  const wild = glob && segments.some(hasWildcard);
  const scope = scopeOf(wild ? nearest(segments, surroundings) : segments, surroundings);
  const path = `/${segments.join('/')}`;
  const name = nameOf(path, surroundings.root).replaceAll(UNKNOWN, '…');
  if (!isTold(segments, surroundings)) return { name, scope };
  const placed = { name, path: path.replaceAll(UNKNOWN, '*'), scope };
  return value.includes('..') && GOES_UP.test(value) ? { ...placed, winding: whole } : placed;
}

const GOES_UP = /(?:^|\/)\.\.(?:\/|$)/;

/** `host:path`, `user@host:path` or a URL, as `scp` and `rsync` read it. */
export function isRemote(value: string): boolean {
  return REMOTE.test(value) && !DRIVE.test(value) && !value.startsWith('file://');
}

/** True when the path is a device that holds nothing, such as `/dev/null`. */
export function isHollow(path: string): boolean {
  return path.startsWith('/dev/') && HOLLOW.has(path.split('/', 3)[2] as string);
}

/** The directory itself, or a directory above it. */
export function holds(dir: string, path: string): boolean {
  return dir === '/' || path === dir || (path.startsWith(dir) && path[dir.length] === '/');
}

/** A name that cannot be told in a directory that holds everything could be anything. */
function isTold(segments: readonly string[], surroundings: Surroundings): boolean {
  const at = segments.indexOf(UNKNOWN);
  return at < 0 || !HOLDS_ALL.has(scopeOf(segments.slice(0, at), surroundings));
}

function expandHome(value: string, typed: string, home: string): string {
  if (value[0] !== '~' || typed[0] !== '~') return value;
  const slash = value.indexOf('/');
  const user = slash < 0 ? value.slice(1) : value.slice(1, slash);
  const rest = slash < 0 ? '' : value.slice(slash);
  if (user === '') return home + rest;
  return user === 'root' ? `/root${rest}` : `${home.slice(0, home.lastIndexOf('/'))}/${user}${rest}`;
}

function segmentsOf(path: string): string[] {
  const segments: string[] = [];
  for (const part of path.split('/')) {
    if (part === '..') segments.pop();
    else if (part !== '' && part !== '.') segments.push(part);
  }
  return segments;
}

/** What a build makes is known by its name, wherever the rest of the path leads. */
function madeOr(scope: PathScope, value: string): PathScope {
  const parts = value.split('/');
  return !parts.includes('..') && isMade(parts) ? 'made' : scope;
}

function placeOnDrive(value: string, root: string): ResolvedPath {
  const [, first, second] = value.split(/[\\/]+/);
  const path = value.replaceAll('\\', '/');
  if (path === root) return { name: '.', path, scope: 'workspace' };
  if (holds(root, path) && root !== '/') {
    const name = path.slice(root.length + 1);
    return { name, path, scope: isMade(name.split('/')) ? 'made' : 'inside' };
  }
  if (first === undefined || first === '' || matchesAll(first)) return { name: value, path, scope: 'root' };
  if (/^(?:windows|program files.*|programdata)$/i.test(first)) return { name: value, path, scope: 'system' };
  if (!/^users$/i.test(first)) return { name: value, path, scope: 'outside' };
  return { name: value, path, scope: second === undefined || second === '' ? 'system' : 'user' };
}

function scopeOf(segments: readonly string[], { root, home, cwd }: Surroundings): PathScope {
  const [first, second] = segments;
  if (first === undefined) return 'root';
  const path = `/${segments.join('/')}`;
  if (path === home) return 'home';
  if (root !== '/' && holds(path, root)) return segments.length === 1 && SYSTEM.has(first) ? 'system' : 'workspace';
  if (root !== '/' && holds(root, path)) return scopeInside(segments, depthOf(root), path, cwd);
  if (path === `${cwd}/.git`) return 'git';
  const isBelowHome = home !== '/' && holds(home, path);
  // A home below a directory for temporary files is a home all the same.
  if (!isBelowHome || TEMP.includes(home)) for (const temp of TEMP) if (holds(temp, path)) return 'temp';
  if (first === 'dev' && second !== 'shm') return scopeOfDevice(second);
  if (isBelowHome) return CACHES.test(path.slice(home.length)) ? 'temp' : 'user';
  if ((first === 'home' || first === 'Users') && second !== undefined) return segments.length === 2 ? 'home' : 'user';
  if (first === 'mnt' && second?.length === 1) return scopeOfMount(segments);
  return SYSTEM.has(first) ? 'system' : 'outside';
}

function scopeInside(segments: readonly string[], depth: number, path: string, cwd: string): PathScope {
  const git = segments.indexOf('.git', depth);
  const part = segments[git + 1];
  if (git >= 0) {
    const own = git === depth || cwd === `/${segments.slice(0, git).join('/')}`;
    return own && !(part !== undefined && (OWN_GIT_PARTS.has(part) || path.endsWith('.lock'))) ? 'git' : 'inside';
  }
  return isMade(segments.slice(depth)) ? 'made' : 'inside';
}

function scopeOfDevice(name: string | undefined): PathScope {
  if (name === undefined) return 'system';
  if (name === 'tcp' || name === 'udp') return 'remote';
  return HOLLOW.has(name) ? 'outside' : 'device';
}

/** A Windows drive as Linux sees it. */
function scopeOfMount(segments: readonly string[]): PathScope {
  const [, , folder, user] = segments;
  if (folder === undefined) return 'root';
  if (folder === 'Users') return user === undefined ? 'system' : segments.length === 4 ? 'home' : 'user';
  return folder === 'Windows' || folder.startsWith('Program') ? 'system' : 'outside';
}

/** A pattern that can match a place that matters stands for that place. */
function nearest(segments: readonly string[], { root, home, cwd }: Surroundings): readonly string[] {
  const [first] = segments;
  if (first !== undefined && hasWildcard(first)) {
    for (const name of SYSTEM) if (matchesName(first, name)) return [name, ...segments.slice(1)];
  }
  for (const place of [root, home, `${root}/.git`, `${cwd}/.git`]) {
    const parts = segmentsOf(place);
    const shared = Math.min(parts.length, segments.length);
    const matches = parts.slice(0, shared).every((part, at) => matchesName(segments[at] as string, part));
    if (matches && segments.slice(0, shared).some(hasWildcard))
      return [...parts.slice(0, shared), ...segments.slice(shared)];
  }
  return segments;
}

function hasWildcard(segment: string): boolean {
  return segment.includes('*') || segment.includes('?') || segment.includes('[');
}

function depthOf(path: string): number {
  return segmentsOf(path).length;
}

function nameOf(path: string, root: string): string {
  if (path === root) return '.';
  return holds(root, path) && root !== '/' ? path.slice(root.length + 1) : path;
}

function shown(typed: string, value: string): string {
  return (typed === '' ? value : typed).replaceAll(UNKNOWN, '…');
}
