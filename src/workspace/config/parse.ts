import { isAlias, isMap, isScalar, isSeq, LineCounter, parseDocument, visit } from 'yaml';
import type { Document, YAMLError } from 'yaml';
import type { Problem } from '../../user-rules/problem.ts';
import { validateConfig } from './schema.ts';
import type { KeyPath } from './schema.ts';
import type { Config } from './settings.ts';

/** Aliases repeat a few lines for people; a file that repeats its repetitions is built to exhaust memory. */
const MAX_ALIASES = 50;
const MAX_PROBLEMS = 20;

export interface ParsedConfig {
  /** Absent when a problem of severity error was found. */
  readonly config?: Config;
  readonly problems: readonly Problem[];
}

export function parseConfig(text: string, file: string): ParsedConfig {
  return guarded(file, () => {
    const { value, document, problems: found } = parse(text, file);
    if (!document) return { problems: found };
    const { config, findings } = validateConfig(value);
    const invalid = findings.map(({ path, message, severity }): Problem => {
      return { file, line: document.lineOf(path), key: path.join('.'), message, severity };
    });
    const problems = [...found, ...invalid].slice(0, MAX_PROBLEMS);
    return config === undefined ? { problems } : { config, problems };
  });
}

export interface Yaml {
  readonly value?: unknown;
  /** Absent when the text is no YAML. */
  readonly document?: { lineOf(path: KeyPath): number };
  readonly problems: readonly Problem[];
}

export function readYaml(text: string, file: string): Yaml {
  return guarded(file, () => parse(text, file));
}

/** Whatever a file makes of the parser, it is a problem of that file. */
function guarded<Read>(file: string, read: () => Read): Read | { readonly problems: readonly Problem[] } {
  try {
    return read();
  } catch (error) {
    const why =
      error instanceof RangeError ? 'it is nested too deeply' : error instanceof Error ? error.message : String(error);
    return { problems: [{ file, line: 1, key: '', message: `cannot be read as YAML: ${why}`, severity: 'error' }] };
  }
}

function parse(text: string, file: string): Yaml {
  const lines = new LineCounter();
  const document = parseDocument(text.replace(/^\uFEFF/, ''), {
    lineCounter: lines,
    prettyErrors: false,
    logLevel: 'error',
  });
  const problems: Problem[] = [];
  const report = (line: number, key: string, message: string, severity: Problem['severity']) => {
    if (problems.length < MAX_PROBLEMS) problems.push({ file, line, key, message, severity });
  };

  for (const error of document.errors) {
    report(lines.linePos(error.pos[0]).line, keyAt(text, error), wordingOf(error), 'error');
  }
  if (document.errors.length > 0) return { problems };
  for (const warning of document.warnings)
    report(lines.linePos(warning.pos[0]).line, '', wordingOf(warning), 'warning');

  try {
    const value: unknown = document.toJS({ maxAliasCount: MAX_ALIASES });
    return { value, document: { lineOf: (path) => lineOf(document, lines, path) }, problems };
  } catch (error) {
    if (!(error instanceof ReferenceError)) throw error;
    report(firstAliasLine(document, lines), '', 'aliases (*name) repeat too much', 'error');
    return { problems };
  }
}

function wordingOf(error: YAMLError): string {
  if (error.code === 'DUPLICATE_KEY') return 'this key is written twice in one map';
  if (error.code === 'TAB_AS_INDENT') return 'a tab indents this line; YAML wants spaces';
  if (error.code === 'MULTIPLE_DOCS') return 'the file holds more than one document ("---")';
  return `not valid YAML: ${error.message.split('\n')[0] ?? error.code}`;
}

function keyAt(text: string, error: YAMLError): string {
  if (error.code !== 'DUPLICATE_KEY') return '';
  return /^[^\s:#,{}]+/.exec(text.replace(/^\uFEFF/, '').slice(error.pos[0]))?.[0] ?? '';
}

/** The line of the deepest key on the path that the file really has. */
function lineOf(document: Document, lines: LineCounter, path: KeyPath): number {
  let node: unknown = document.contents;
  let offset = document.contents?.range?.[0] ?? 0;
  for (const key of path) {
    if (isAlias(node)) node = node.resolve(document);
    let inner: unknown;
    if (isMap(node)) {
      const pair = node.items.find((item) => isScalar(item.key) && String(item.key.value) === key);
      if (!isScalar(pair?.key)) break;
      offset = pair.key.range?.[0] ?? offset;
      inner = pair.value;
    } else if (isSeq(node)) {
      inner = node.items[Number(key)];
      if (isScalar(inner) || isMap(inner) || isSeq(inner)) offset = inner.range?.[0] ?? offset;
    } else break;
    node = inner;
  }
  return lines.linePos(offset).line;
}

function firstAliasLine(document: Document, lines: LineCounter): number {
  let line = 1;
  visit(document, {
    Alias(_key, node) {
      line = lines.linePos(node.range?.[0] ?? 0).line;
      return visit.BREAK;
    },
  });
  return line;
}
