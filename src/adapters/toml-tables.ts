import { parse, TomlError } from 'smol-toml';
import type { Fields } from './fields.ts';
import type { SettingsProblem } from './installer.ts';
import type { Edit } from './json-edit.ts';
import { applyEdits } from './json-edit.ts';

export interface Span {
  readonly start: number;
  readonly end: number;
}

export function readToml(text: string): { readonly root: Fields } | { readonly problem: SettingsProblem } {
  try {
    return { root: parse(text) };
  } catch (error) {
    const place = error instanceof TomlError ? { line: error.line, column: error.column } : {};
    const why = String(error instanceof Error ? error.message : error).split('\n', 1)[0] ?? '';
    const message = `not valid TOML: ${why.replace(/^Invalid TOML document: /, '')}`;
    return { problem: { path: '', message, ...place, disables: 'file' } };
  }
}

const TOKEN =
  /#[^\n]*|"""(?:[^\\]|\\[^])*?"""(?!")|'''[^]*?'''(?!')|"(?:[^"\\\n]|\\.)*"|'[^'\n]*'|[[\]{}\n]|[^#"'[\]{}\n]+/g;

/** What stands in a TOML text that can be read: headers, and keys with their values, each with whole lines. */
function statementsIn(text: string): readonly Span[] {
  const found: Span[] = [];
  let depth = 0;
  let line = 0;
  let start: number | undefined;
  for (const { 0: token, index } of text.matchAll(TOKEN)) {
    if (token === '\n' && depth === 0) {
      if (start !== undefined) found.push({ start, end: index + 1 });
      start = undefined;
      line = index + 1;
    } else if (token === '[' || token === '{') depth += 1;
    else if (token === ']' || token === '}') depth -= 1;
    if (start === undefined && !token.startsWith('#') && token.trim() !== '') start = line;
  }
  return start === undefined ? found : [...found, { start, end: text.length }];
}

const named = (name: string): string => `(?:${name}|"${name}"|'${name}')`;

/** The tables of a list, `[[name]]`, in order, each up to the last of its own lines. */
export function tablesNamed(text: string, name: string): readonly Span[] {
  const own = new RegExp(String.raw`^\s*\[\[\s*${named(name)}\s*\]\]`);
  const tables: Span[] = [];
  let isInside = false;
  for (const { start, end } of statementsIn(text)) {
    const statement = text.slice(start, end);
    if (/^\s*\[/.test(statement)) {
      isInside = own.test(statement);
      if (isInside) tables.push({ start, end });
    } else if (isInside) tables.push({ start: tables.pop()?.start ?? start, end });
  }
  return tables;
}

/** The list, where it is written as a value. */
export function listNamed(text: string, name: string): Span | undefined {
  const own = new RegExp(String.raw`^\s*${named(name)}\s*=`);
  const statements = statementsIn(text);
  const table = statements.findIndex(({ start }) => /^\s*\[/.test(text.slice(start)));
  const before = table < 0 ? statements : statements.slice(0, table);
  return before.find(({ start, end }) => own.test(text.slice(start, end)));
}

/** Where the text of a key stands in a table. */
export function textSpan(text: string, table: Span, key: string): Span | undefined {
  const pattern = new RegExp(String.raw`^(\s*${named(key)}\s*=\s*)("(?:[^"\\\n]|\\.)*"|'[^'\n]*')`);
  for (const statement of statementsIn(text.slice(table.start, table.end))) {
    const [, lead = '', value] = pattern.exec(text.slice(table.start + statement.start, table.end)) ?? [];
    if (value === undefined) continue;
    const start = table.start + statement.start + lead.length;
    return { start, end: start + value.length };
  }
  return undefined;
}

/** A table goes with the empty line that sets it off. */
export function cutTable(text: string, { start, end }: Span): Edit {
  const blank = /(?:^|(?<=\n))\r?\n$/.exec(text.slice(0, start))?.[0].length ?? 0;
  return { at: start - blank, removed: text.slice(start - blank, end), inserted: '' };
}

/** What is added as tables behind all others, where tables may come. */
export function addTables(text: string, name: string, tables: readonly Fields[]): Edit {
  const newline = text.includes('\r\n') ? '\r\n' : '\n';
  const blocks = tables.map((table) => {
    const lines = Object.entries(table).map(([key, value]) => `${key} = ${JSON.stringify(value)}`);
    return [`[[${name}]]`, ...lines, ''].join(newline);
  });
  const lead = text === '' ? '' : text.endsWith('\n') ? newline : newline + newline;
  return { at: text.length, removed: '', inserted: lead + blocks.join(newline) };
}

/** Whether the edits make of a text what is wanted of the list, and leave all else as it was. */
export function makes(text: string, edits: readonly Edit[], name: string, wanted: readonly unknown[]): boolean {
  const before = readToml(text);
  const after = readToml(applyEdits(text, edits));
  if ('problem' in before || 'problem' in after) return false;
  const { [name]: _, ...rest } = before.root;
  const { [name]: list = [], ...others } = after.root;
  return JSON.stringify([others, list]) === JSON.stringify([rest, wanted]);
}
