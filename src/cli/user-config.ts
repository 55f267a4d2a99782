import { isDeepStrictEqual } from 'node:util';
import { isMap, isScalar, LineCounter, parseDocument, stringify } from 'yaml';
import type { Document, Pair, YAMLMap } from 'yaml';
import type { Files } from '../platform/files.ts';
import { dirname, join } from '../platform/paths.ts';
import { CommandError } from './command.ts';

export type ConfigValue = string | boolean | readonly string[];

/** One key to set, or to take out when `value` is absent. */
export interface ConfigEdit {
  readonly path: readonly string[];
  readonly value?: ConfigValue;
}

export function userConfigPath(config: string): string {
  return join(config, 'config.yaml');
}

export function projectConfigPath(root: string): string {
  return join(root, '.fairlead', 'config.yaml');
}

/** What the file says at a path; undefined when it does not say. */
export function readConfigAt(text: string, path: readonly string[], file = 'config.yaml'): unknown {
  return path.reduce<unknown>(
    (inner, key) =>
      typeof inner === 'object' && inner !== null ? (inner as Readonly<Record<string, unknown>>)[key] : undefined,
    parseOrRefuse(text, file).toJS(),
  );
}

/** Applies the edits to the file and says whether anything changed. A file that is not valid YAML is left alone. */
export function editConfigFile(file: string, edits: readonly ConfigEdit[], files: Files, dirMode = 0o700): boolean {
  const before = files.readText(file) ?? '';
  if (before === '' && files.exists(file) && files.stat(file)?.size !== 0)
    throw new CommandError(`${file} cannot be read`);
  const after = edits.reduce((text, edit) => editConfig(text, edit, file), before);
  if (after === before) return false;
  files.makeDir(dirname(file), dirMode);
  files.writeAtomic(file, after);
  return true;
}

/**
 * Changes one key and leaves every other byte as the person wrote it. Where the text cannot simply be cut open (a map in
 * braces, an alias) the whole document is written anew: comments stay, spacing may not.
 */
export function editConfig(text: string, { path, value }: ConfigEdit, file = 'config.yaml'): string {
  const document = parseOrRefuse(text, file);
  const wanted = expectedAfter(document.toJS() as unknown, path, value);
  if (isDeepStrictEqual(wanted, document.toJS() ?? {})) return text;
  const isWanted = (candidate: string | undefined): candidate is string => {
    if (candidate === undefined) return false;
    const read = parseDocument(candidate, { logLevel: 'silent' });
    return read.errors.length === 0 && isDeepStrictEqual(read.toJS() ?? {}, wanted);
  };
  const cut = value === undefined ? cutKey(text, document, path) : setKey(text, document, path, value);
  if (isWanted(cut)) return cut;
  const anew = writeAnew(document, path, value);
  if (isWanted(anew)) return anew;
  throw new CommandError(
    `${file} could not be changed without touching more than ${path.join('.')}; set it by hand: ${linesFor(
      path,
      value ?? '',
    )
      .join(' ')
      .replaceAll(/\s+/g, ' ')}`,
  );
}

function parseOrRefuse(text: string, file: string): Document {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false, logLevel: 'silent' });
  const [first] = document.errors;
  if (first)
    throw new CommandError(
      `${file}:${lines.linePos(first.pos[0]).line} is not valid YAML, so nothing was changed: ${first.message}`,
    );
  if (document.contents !== null && !isMap(document.contents) && document.toJS() !== null) {
    throw new CommandError(`${file} does not hold a map of settings, so nothing was changed`);
  }
  return document;
}

function expectedAfter(before: unknown, path: readonly string[], value: ConfigValue | undefined): unknown {
  const [key = '', ...rest] = path;
  const map = typeof before === 'object' && before !== null ? { ...(before as Record<string, unknown>) } : {};
  if (rest.length > 0) {
    if (value === undefined && !Object.hasOwn(map, key)) return map;
    map[key] = expectedAfter(map[key], rest, value);
  } else if (value === undefined) delete map[key];
  else map[key] = value;
  return map;
}

interface Found {
  /** The innermost pair of the path that the file has; absent when it has none. */
  readonly pair?: Pair;
  /** The map that pair lies in, or the whole file's. */
  readonly map?: YAMLMap;
  /** The keys that the file does not have. */
  readonly missing: readonly string[];
}

function find(document: Document, path: readonly string[]): Found {
  let map = isMap(document.contents) ? document.contents : undefined;
  let pair: Pair | undefined;
  for (const [at, key] of path.entries()) {
    const next = map?.items.find((item) => isScalar(item.key) && item.key.value === key);
    if (!next || !map) return { ...(pair && { pair }), ...(map && { map }), missing: path.slice(at) };
    pair = next;
    if (at === path.length - 1) return { pair, map, missing: [] };
    if (!isMap(next.value)) return { pair, map, missing: path.slice(at + 1) };
    map = next.value;
  }
  return { missing: path };
}

function setKey(text: string, document: Document, path: readonly string[], value: ConfigValue): string | undefined {
  const eol = text.includes('\r\n') ? '\r\n' : '\n';
  const { pair, map, missing } = find(document, path);
  if (missing.length === 0) {
    const range = isScalar(pair?.value) ? pair.value.range : undefined;
    return range ? text.slice(0, range[0]) + spacing(text, range[0]) + render(value) + text.slice(range[1]) : undefined;
  }
  const insert = (at: number, indent: string) => {
    const gap = at > 0 && text[at - 1] !== '\n' ? eol : '';
    return (
      text.slice(0, at) +
      gap +
      linesFor(missing, value)
        .map((line) => indent + line + eol)
        .join('') +
      text.slice(at)
    );
  };
  if (!map) return insert(text.length, '');
  if (map.flow === true) return undefined;
  const isEmptyHeading = pair !== undefined && !isMap(pair.value);
  if (isEmptyHeading)
    return isScalar(pair.value) && pair.value.value !== null
      ? undefined
      : insert(lineEnd(text, startOf(pair)), `${indentOf(text, startOf(pair))}  `);
  const last = map.items.at(-1);
  return last && insert(endOf(text, last), indentOf(text, startOf(last)));
}

function cutKey(text: string, document: Document, path: readonly string[]): string | undefined {
  const { pair, map, missing } = find(document, path);
  if (missing.length > 0 || !pair || map?.flow === true || map?.items.length === 1) return undefined;
  const start = text.lastIndexOf('\n', startOf(pair) - 1) + 1;
  return text.slice(0, start) + text.slice(endOf(text, pair));
}

function writeAnew(document: Document, path: readonly string[], value: ConfigValue | undefined): string | undefined {
  try {
    if (value === undefined) document.deleteIn(path);
    else {
      for (let depth = 1; depth < path.length; depth += 1) {
        const parent = path.slice(0, depth);
        if (document.hasIn(parent) && document.getIn(parent) === null) document.deleteIn(parent);
      }
      document.setIn(path, value);
    }
    return document.toString({ lineWidth: 0 });
  } catch {
    return undefined;
  }
}

function startOf({ key }: Pair): number {
  return isScalar(key) ? (key.range?.[0] ?? 0) : 0;
}

/** Where the line after a pair's last content begins. */
function endOf(text: string, { key, value }: Pair): number {
  if (isMap(value) && value.flow !== true) {
    const last = value.items.at(-1);
    if (last) return endOf(text, last);
  }
  const range = (value as { range?: readonly number[] } | null)?.range ?? (key as { range?: readonly number[] }).range;
  const end = range?.[1] ?? text.length;
  return text[end - 1] === '\n' ? end : lineEnd(text, end);
}

function lineEnd(text: string, from: number): number {
  const newline = text.indexOf('\n', from);
  return newline < 0 ? text.length : newline + 1;
}

function indentOf(text: string, at: number): string {
  return /^[ \t]*/.exec(text.slice(text.lastIndexOf('\n', at - 1) + 1))?.[0] ?? '';
}

/** A key without a value ends in its colon. */
function spacing(text: string, at: number): string {
  return text[at - 1] === ':' ? ' ' : '';
}

function linesFor(keys: readonly string[], value: ConfigValue): string[] {
  return keys.map(
    (key, depth) => `${'  '.repeat(depth)}${render(key)}:${depth === keys.length - 1 ? ` ${render(value)}` : ''}`,
  );
}

function render(value: ConfigValue): string {
  if (typeof value === 'object') return `[${value.map(render).join(', ')}]`;
  return stringify(value, { lineWidth: 0 }).trimEnd();
}
