import { matchGlob } from '../../engine/rule.ts';
import type { Event, RuleContext } from '../../engine/rule.ts';
import type { Settings } from './settings.ts';

export type Here = Pick<RuleContext, 'files' | 'workspace' | 'now'>;

const TEMPORARY = [
  '/tmp',
  '/var/tmp',
  '/private/tmp',
  '/private/var/tmp',
  '/dev/shm',
  '/var/folders',
  '/private/var/folders',
];
const DEPENDENCIES: ReadonlySet<string> = new Set([
  'node_modules',
  'bower_components',
  'site-packages',
  'dist-packages',
  'vendor',
  'venv',
  '.venv',
]);

export function isMarkdown(path: string, { extensions }: Settings): boolean {
  const dot = path.lastIndexOf('.');
  return dot > path.lastIndexOf('/') && extensions.has(path.slice(dot).toLowerCase());
}

/** Why drawings in this file are nobody's business; undefined when they are. */
export function whyExempt(
  path: string,
  { permissionMode }: Pick<Event, 'permissionMode'>,
  { workspace }: Here,
  { exempt }: Settings,
): string | undefined {
  if (permissionMode === 'plan') return 'a plan is being made';
  const absolute = segmentsOf(path);
  if (absolute.slice(0, -1).includes('plans')) return 'a plan';
  const inside = isBelow(workspace.root, path);
  // A project may itself lie in a temporary directory; what is in it is not temporary for that.
  if (!inside && [...TEMPORARY, workspace.variable('TMPDIR') ?? ''].some((dir) => isBelow(dir, path)))
    return 'a temporary file';
  const relative = inside ? absolute.slice(segmentsOf(workspace.root).length) : undefined;
  if ((relative ?? absolute).slice(0, -1).some((name) => DEPENDENCIES.has(name))) return 'a dependency';
  const glob = exempt.find((each) => matchGlob(each, relative, absolute));
  return glob && `exempt by ${glob.source}`;
}

/** In the directory, or further down. */
export function isBelow(dir: string, path: string): boolean {
  const top = dir.replace(/\/+$/, '');
  return top !== '' && path.startsWith(top) && path[top.length] === '/';
}

/** A path as it is meant in a directory. */
export function resolvePath(path: string, dir: string): string {
  const parts: string[] = [];
  for (const part of (path.startsWith('/') ? path : `${dir}/${path}`).split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '' && part !== '.') parts.push(part);
  }
  return `/${parts.join('/')}`;
}

export function dirOf(path: string): string {
  return path.slice(0, Math.max(1, path.lastIndexOf('/')));
}

function segmentsOf(path: string): readonly string[] {
  return path.split('/').filter((segment) => segment !== '');
}
