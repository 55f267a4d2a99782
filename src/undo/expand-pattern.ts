import type { UndoWorld } from './world.ts';

const WILD = /[*?[]/;

/**
 * The paths that a shell makes of a pattern: names that begin with a dot only where the pattern says so. What this does not
 * read, as `!(a)`, stands for every name. `**` ends the search: all below that directory may be meant.
 */
export function expandPattern({ files }: Pick<UndoWorld, 'files'>, pattern: string): readonly string[] {
  // Quoted, it is the name of one file.
  const literal = files.lstat(pattern) ? [pattern] : [];
  if (!WILD.test(pattern)) return literal;
  let found: readonly string[] = [''];
  for (const part of pattern.split('/').slice(1)) {
    if (part === '**') break;
    if (part === '') continue;
    const matches = WILD.test(part) ? nameTest(part) : undefined;
    found = found.flatMap((dir) =>
      matches
        ? files.list(dir === '' ? '/' : dir).flatMap((name) => (matches(name) ? [`${dir}/${name}`] : []))
        : files.lstat(`${dir}/${part}`)
          ? [`${dir}/${part}`]
          : [],
    );
  }
  return [...new Set([...literal, ...found.filter((path) => path !== '')])];
}

/** Whether a name is one that a pattern without slashes stands for, or may be: upper and lower case are the same. */
function nameTest(pattern: string): (name: string) => boolean {
  const dots = pattern.startsWith('.');
  const isPlain = !/[()|\\^~#]/.test(pattern);
  const expression = isPlain
    ? pattern
        .replaceAll(/\[[^\]]+\]/g, '\u0000')
        .replaceAll(/[.+${}[\]]/g, '\\$&')
        .replaceAll('*', '.*')
        .replaceAll('?', '.')
        .replaceAll('\u0000', '.')
    : '.*';
  const test = new RegExp(`^${expression}$`, 'isu');
  return (name) => (dots || !name.startsWith('.') || !isPlain) && test.test(name);
}
