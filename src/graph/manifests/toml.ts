export type TomlValue = string | boolean | readonly TomlValue[] | { readonly [key: string]: TomlValue };

/**
 * The part of TOML that manifests use for names and paths: tables, strings, arrays, inline tables and dotted keys. Other
 * values are passed over, and a line that makes no sense loses itself alone.
 */
export function readToml(text: string): Readonly<Record<string, TomlValue>> {
  const root = emptyTable();
  let table = root;
  const reader: Reader = { text, at: 0 };
  while (reader.at < text.length) {
    skip(reader);
    const line = reader.at;
    if (text[reader.at] === '[') {
      const isList = text[reader.at + 1] === '[';
      reader.at += isList ? 2 : 1;
      table = readHeader(reader, root, isList) ?? emptyTable();
    } else {
      const pair = readPair(reader);
      if (pair !== undefined) put(table, pair.keys, pair.value);
    }
    const end = text.indexOf('\n', Math.max(line, reader.at));
    reader.at = end === -1 ? text.length : end + 1;
  }
  return root;
}

interface Reader {
  readonly text: string;
  at: number;
}
type Table = Record<string, TomlValue>;

const KEY = /[ \t]*(?:"([^"\n]*)"|'([^'\n]*)'|([\w-]+))[ \t]*/y;
const SPACE = /(?:\s|#[^\n]*)*/y;
const STRING = /"""([\s\S]*?)"""|'''([\s\S]*?)'''|"((?:[^"\\\n]|\\.)*)"|'([^'\n]*)'/y;
const BARE = /[^\s,\]}#]+/y;

function match(reader: Reader, pattern: RegExp): RegExpExecArray | null {
  pattern.lastIndex = reader.at;
  const found = pattern.exec(reader.text);
  if (found !== null) reader.at = pattern.lastIndex;
  return found;
}

function skip(reader: Reader): void {
  match(reader, SPACE);
}

function readKeys(reader: Reader): string[] {
  const keys: string[] = [];
  for (;;) {
    const found = match(reader, KEY);
    if (found === null) return keys;
    keys.push(found[1] ?? found[2] ?? found[3] ?? '');
    if (reader.text[reader.at] !== '.') return keys;
    reader.at++;
  }
}

function readHeader(reader: Reader, root: Table, isList: boolean): Table | undefined {
  const keys = readKeys(reader);
  if (keys.length === 0 || reader.text[reader.at] !== ']') return undefined;
  const table = emptyTable();
  const parent = open(root, keys.slice(0, -1));
  const last = keys.at(-1) ?? '';
  const known = parent[last];
  if (isList) parent[last] = [...(Array.isArray(known) ? known : []), table];
  else if (isTable(known)) return known;
  else parent[last] = table;
  return table;
}

function readPair(reader: Reader): { readonly keys: readonly string[]; readonly value: TomlValue } | undefined {
  const keys = readKeys(reader);
  if (keys.length === 0 || reader.text[reader.at] !== '=') return undefined;
  reader.at++;
  const value = readValue(reader);
  return value === undefined ? undefined : { keys, value };
}

function readValue(reader: Reader): TomlValue | undefined {
  skip(reader);
  const first = reader.text[reader.at];
  if (first === '[') return readArray(reader);
  if (first === '{') return readInline(reader);
  const found = match(reader, STRING);
  if (found !== null) return found[1] ?? found[2] ?? found[3]?.replace(/\\(.)/g, '$1') ?? found[4] ?? '';
  const bare = match(reader, BARE)?.[0];
  return bare === 'true' || bare === 'false' ? bare === 'true' : bare;
}

function readArray(reader: Reader): TomlValue {
  const values: TomlValue[] = [];
  reader.at++;
  for (;;) {
    skip(reader);
    if (reader.at >= reader.text.length) return values;
    if (reader.text[reader.at] === ']') break;
    const before = reader.at;
    const value = readValue(reader);
    if (value !== undefined) values.push(value);
    skip(reader);
    if (reader.text[reader.at] === ',' || reader.at === before) reader.at++;
  }
  reader.at++;
  return values;
}

function readInline(reader: Reader): TomlValue {
  const table = emptyTable();
  reader.at++;
  for (;;) {
    skip(reader);
    if (reader.at >= reader.text.length) return table;
    if (reader.text[reader.at] === '}') break;
    const before = reader.at;
    const pair = readPair(reader);
    if (pair !== undefined) put(table, pair.keys, pair.value);
    skip(reader);
    if (reader.text[reader.at] === ',' || reader.at === before) reader.at++;
  }
  reader.at++;
  return table;
}

function put(table: Table, keys: readonly string[], value: TomlValue): void {
  open(table, keys.slice(0, -1))[keys.at(-1) ?? ''] = value;
}

function open(table: Table, keys: readonly string[]): Table {
  let at = table;
  for (const key of keys) {
    const known = at[key];
    // Of a list of tables the last one is open.
    const inner: TomlValue | undefined = Array.isArray(known) ? (known.at(-1) as TomlValue | undefined) : known;
    if (isTable(inner)) at = inner;
    else at = at[key] = emptyTable();
  }
  return at;
}

function isTable(value: TomlValue | undefined): value is Table {
  return typeof value === 'object' && !Array.isArray(value);
}

/** Without a prototype, so that no key can reach one. */
function emptyTable(): Table {
  return Object.create(null) as Table;
}
