/** Where relative paths and `~` of a payload start. */
export interface PathBase {
  readonly cwd: string;
  readonly home: string;
}

const DRIVE = /^[A-Za-z]:[\\/]/;
const UNTIDY = /\/(?:\.{0,2}(?:\/|$))/;

/** True for `C:\x`, `C:/x` and `\\server\share`; only then is a backslash a separator. */
function isWindows(path: string): boolean {
  return DRIVE.test(path) || path.startsWith('\\\\');
}

export function isAbsolute(path: string): boolean {
  return path.startsWith('/') || isWindows(path);
}

/**
 * The absolute form of a path as an agent wrote it: file URLs and `~` expanded, relative ones joined to `cwd`,
 * dots removed, forward slashes also for Windows paths. Purely textual: links are not followed.
 */
export function resolvePath(path: string, base: PathBase): string {
  const local = path.startsWith('file://') ? fromFileUrl(path) : path;
  if (local.startsWith('/')) return UNTIDY.test(local) ? tidy(local) : local;
  if (isWindows(local)) return tidyWindows(local);
  if (base.home !== '' && /^~(?:[\\/]|$)/.test(local)) return join(base.home, local.slice(2));
  return join(base.cwd, local);
}

/** The last part of a path without its extension. */
export function stem(path: string): string {
  const name = path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1);
  const dot = name.lastIndexOf('.');
  return dot > 0 ? name.slice(0, dot) : name;
}

function join(folder: string, rest: string): string {
  if (folder === '') return tidy(rest);
  return isWindows(folder) ? tidyWindows(`${folder}/${rest}`) : tidy(`${folder}/${rest}`);
}

function fromFileUrl(url: string): string {
  const path = decode(url.slice('file://'.length));
  if (!path.startsWith('/')) return path.startsWith('localhost/') ? path.slice('localhost'.length) : `\\\\${path}`;
  return DRIVE.test(path.slice(1)) ? path.slice(1) : path;
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function tidyWindows(path: string): string {
  const slashed = path.replaceAll('\\', '/');
  return DRIVE.test(slashed) ? slashed.slice(0, 2) + tidy(slashed.slice(2)) : `/${tidy(slashed)}`;
}

/** Removes `.`, `..` and empty parts; `..` stops at the root. */
function tidy(path: string): string {
  const rooted = path.startsWith('/');
  const parts: string[] = [];
  for (const part of path.split('/')) {
    if (part === '' || part === '.') continue;
    if (part !== '..') parts.push(part);
    else if (parts.length > 0 && parts.at(-1) !== '..') parts.pop();
    else if (!rooted) parts.push('..');
  }
  return (rooted ? '/' : '') + parts.join('/');
}
