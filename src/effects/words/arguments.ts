import type { Effect } from '../../event/effect.ts';
import type { Options } from '../../shell/options.ts';

export const NONE: readonly Effect[] = Object.freeze([]);

/** The command only prints its help or version. */
export function asksOnly(options: Options): boolean {
  return options.has('--help', '--version');
}

export function baseName(path: string): string {
  let end = path.length;
  while (end > 1 && path[end - 1] === '/') end -= 1;
  return path.slice(path.lastIndexOf('/', end - 1) + 1, end);
}

/** `name` in the directory `dir`; both as typed. */
export function below(dir: string, name: string): string {
  return dir.endsWith('/') ? dir + name : `${dir}/${name}`;
}

/** A list that would take a page when written one to a line. */
export function listed(text: string): readonly string[] {
  return text.split(' ');
}
