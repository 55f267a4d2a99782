import { isMap, isScalar, isSeq } from 'yaml';
import type { Pair, YAMLMap } from 'yaml';
import { suggest } from './nearest-word.ts';
import type { Report } from './problem.ts';

/** One field of a map in a rule file. */
export interface FieldNode {
  readonly key: string;
  readonly line: number;
  readonly node: unknown;
}

export interface FieldReader {
  get(key: string): FieldNode | undefined;
  text(key: string): string | undefined;
  /** A text, or a list of texts. */
  texts(key: string): readonly string[] | undefined;
  number(key: string, min: number, max: number): number | undefined;
  flag(key: string): boolean | undefined;
  oneOf<Word extends string>(key: string, words: readonly Word[]): Word | undefined;
  map(key: string, keys: readonly string[]): FieldReader | undefined;
  items(key: string): readonly FieldNode[] | undefined;
  line(key: string): number;
}

/** Reads a map whose fields are known; whatever is unknown or of another shape is reported with its line. */
export function readMap(
  map: YAMLMap,
  keys: readonly string[],
  path: string,
  lineOf: (node: unknown) => number,
  report: Report,
): FieldReader {
  const found = new Map<string, FieldNode>();
  for (const { key, value } of map.items as Pair<{ value: unknown }>[]) {
    const name = String(key.value);
    const at = path === '' ? name : `${path}.${name}`;
    if (keys.includes(name)) found.set(name, { key: at, line: lineOf(key), node: value });
    else
      report(
        lineOf(key),
        at,
        `there is no field \`${name}\`${suggest(name, keys) || `; the fields are ${keys.join(', ')}`}`,
      );
  }
  const read = <Value>(key: string, what: string, take: (node: unknown) => Value | undefined): Value | undefined => {
    const field = found.get(key);
    if (!field) return undefined;
    const value = take(field.node);
    if (value === undefined) report(field.line, field.key, `\`${key}\` must be ${what}`);
    return value;
  };
  const reader: FieldReader = {
    get: (key) => found.get(key),
    line: (key) => found.get(key)?.line ?? lineOf(map),
    text: (key) => read(key, 'a text', textOf),
    texts: (key) => read(key, 'a text or a list of texts', textsOf),
    number: (key, min, max) =>
      read(key, `a whole number from ${min} to ${max}`, (node) => {
        const value = isScalar(node) ? node.value : undefined;
        return Number.isInteger(value) && (value as number) >= min && (value as number) <= max
          ? (value as number)
          : undefined;
      }),
    flag: (key) =>
      read(key, '`true` or `false`', (node) =>
        isScalar(node) && typeof node.value === 'boolean' ? node.value : undefined,
      ),
    oneOf: (key, words) => {
      const given = reader.text(key);
      const word = words.find((one) => one === given);
      if (given !== undefined && word === undefined)
        report(
          reader.line(key),
          found.get(key)?.key ?? key,
          `\`${key}\` cannot be \`${given}\`${suggest(given, words) || `; it is one of ${words.join(', ')}`}`,
        );
      return word;
    },
    map: (key, inner) => {
      const value = read(key, 'a map of fields', (node) => (isMap(node) ? node : undefined));
      return value && readMap(value, inner, found.get(key)?.key ?? key, lineOf, report);
    },
    items: (key) =>
      read(key, 'a list', (node) =>
        isSeq(node)
          ? node.items.map((item, index) => ({
              key: `${found.get(key)?.key}[${index}]`,
              line: lineOf(item),
              node: item,
            }))
          : undefined,
      ),
  };
  return reader;
}

/** Texts as written: `777` and `true` are texts too where a text is asked for. */
export function textOf(node: unknown): string | undefined {
  if (!isScalar(node) || node.value === null) return undefined;
  return typeof node.value === 'string' ? node.value : node.source;
}

function textsOf(node: unknown): readonly string[] | undefined {
  const texts = isSeq(node) ? node.items.map(textOf) : [textOf(node)];
  return texts.length > 0 && texts.every((text) => text !== undefined && text !== '') ? (texts as string[]) : undefined;
}
