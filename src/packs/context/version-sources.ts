import { join } from 'node:path';
import { compileGlob, matchGlob } from '../../engine/rule.ts';
import { isMap } from './options.ts';

interface Reader {
  readText(path: string, maxBytes?: number): string | undefined;
  list(dir: string, max: number): readonly string[];
}

/** A version as one file of the project has it. */
export interface FoundVersion {
  readonly path: string;
  readonly version: string;
}

/** Anything else in such a file is not shown as a version. */
const VERSION = /^[\w.+-]{1,60}$/;
const MAX_BYTES = 1 << 20;
const MAX_LISTED = 2_000;

/**
 * The version that a source names: the first line of a file, or with `path#/json/pointer` the text at a place in it. A
 * part of the path with `*` stands for the first entry it matches. Undefined when there is none of either.
 */
export function readVersion(files: Reader, root: string, source: string): FoundVersion | undefined {
  const [pattern = '', pointer] = splitOnce(source, '#');
  const path = followPattern(files, root, pattern);
  const text = path === undefined ? undefined : files.readText(join(root, path), MAX_BYTES);
  if (path === undefined || text === undefined) return undefined;
  const version = pointer === undefined ? text.trim().split('\n', 1)[0]?.trim() : valueAt(text, pointer);
  return version === undefined || !VERSION.test(version) ? undefined : { path, version };
}

function splitOnce(text: string, mark: string): readonly string[] {
  const at = text.indexOf(mark);
  return at < 0 ? [text] : [text.slice(0, at), text.slice(at + mark.length)];
}

function followPattern(files: Reader, root: string, pattern: string): string | undefined {
  let path = '';
  for (const part of pattern.split('/')) {
    const name = part.includes('*') ? firstMatch(files.list(join(root, path), MAX_LISTED), part) : part;
    if (name === undefined) return undefined;
    path = join(path, name);
  }
  return path.startsWith('..') ? undefined : path;
}

function firstMatch(names: readonly string[], pattern: string): string | undefined {
  const glob = compileGlob(pattern);
  return names.find((name) => matchGlob(glob, [name], [name]));
}

/** RFC 6901; a version is a text. */
function valueAt(text: string, pointer: string): string | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  for (const part of pointer.split('/').slice(1)) {
    const key = part.replaceAll('~1', '/').replaceAll('~0', '~');
    value = Array.isArray(value)
      ? value[Number(key)]
      : isMap(value) && Object.hasOwn(value, key)
        ? value[key]
        : undefined;
  }
  return typeof value === 'string' ? value.trim() : undefined;
}
