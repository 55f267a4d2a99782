import { IMPORT, INSTRUCTION_DIRS, INSTRUCTION_NAMES, INSTRUCTION_PATHS } from '../../adapters/instruction-files.ts';
import type { Files } from '../../platform/files.ts';
import { contains, dirname, join, relative, resolve } from '../../platform/paths.ts';
import { readMarkdown } from '../../text/markdown.ts';

/** A file of instructions. */
export interface Instructions {
  readonly path: string;
  /** From the project's root, with slashes; the whole path of one that lies elsewhere. */
  readonly name: string;
  readonly text: string;
  /** The directory that it speaks for, from the root. */
  readonly base: string;
}

const MAX_BYTES = 1 << 20;
const MAX_DEPTH = 5;
const MAX_DIRS = 3_000;
const MAX_IMPORTS = 5;
const PASSED_OVER = /^(?:\..*|node_modules|vendor|third_party|dist|build|out|target|coverage|venv|__pycache__)$/;

/** The files of instructions that a project has, with those that they take in. */
export function findInstructions(root: string, files: Files): readonly Instructions[] {
  const paths = [
    ...namedIn(root, files),
    ...INSTRUCTION_PATHS.map((path) => join(root, path)),
    ...INSTRUCTION_DIRS.flatMap(([dir, ending]) =>
      files
        .list(join(root, dir))
        .filter((name) => ending.test(name))
        .map((name) => join(root, dir, name)),
    ),
  ];
  return readAll(paths, root, files);
}

/** These files, with those that they take in. */
export function readAll(paths: readonly string[], root: string, files: Files): readonly Instructions[] {
  const found = new Map<string, Instructions>();
  const add = (path: string, base: string | undefined, depth: number): void => {
    const real = files.realpath(path);
    if (real === undefined || found.has(real) || files.stat(real)?.kind !== 'file') return;
    const text = files.readText(real, MAX_BYTES);
    if (text === undefined) return;
    const isInside = contains(root, real);
    const name = isInside ? relative(root, real).replaceAll('\\', '/') : real;
    const own = base ?? (isInside ? baseOf(name) : '');
    found.set(real, { path: real, name, text, base: own });
    if (depth < MAX_IMPORTS && isInside)
      for (const next of importsIn(text, real)) if (isIn(next, root, files)) add(next, own, depth + 1);
  };
  for (const path of paths) add(path, undefined, 0);
  return [...found.values()];
}

/** Links may lead out of the project. */
function isIn(path: string, root: string, files: Files): boolean {
  const real = files.realpath(path);
  return real !== undefined && contains(root, real);
}

/** Files in a directory of an agent's own speak for the whole project. */
function baseOf(name: string): string {
  const dir = dirname(name);
  return dir === '.' || dir.split('/').some((part) => part.startsWith('.')) ? '' : dir;
}

function importsIn(text: string, path: string): readonly string[] {
  return readMarkdown(text).lines.flatMap((line) =>
    [...line.text.replaceAll(/`[^`]*`/g, '').matchAll(IMPORT)].map(([, named = '']) => resolve(dirname(path), named)),
  );
}

function namedIn(root: string, files: Files): readonly string[] {
  const found: string[] = [];
  let dirs = 0;
  const look = (dir: string, depth: number): void => {
    if ((dirs += 1) > MAX_DIRS) return;
    const names = files.list(dir);
    found.push(...INSTRUCTION_NAMES.filter((name) => names.includes(name)).map((name) => join(dir, name)));
    if (depth === MAX_DEPTH) return;
    for (const name of names)
      if (!PASSED_OVER.test(name) && files.lstat(join(dir, name))?.kind === 'dir') look(join(dir, name), depth + 1);
  };
  look(root, 0);
  return found;
}
