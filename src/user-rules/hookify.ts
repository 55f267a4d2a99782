import { placeholdersOf } from '../engine/advice/messages.ts';
import { FIELDS } from './event-fields.ts';
import { compilePattern } from './pattern.ts';
import { PatternError } from './pattern-syntax.ts';

/** A rule file of hookify, as that program reads it. */
interface HookifyRule {
  readonly name: string;
  readonly enabled: boolean;
  readonly event: string;
  readonly action: string;
  readonly tools?: string;
  readonly conditions: readonly HookifyCondition[];
  readonly message: string;
}

interface HookifyCondition {
  /** Absent for a plain pattern, which looks at what the event brings. */
  readonly field?: string;
  readonly operator: string;
  readonly pattern: string;
}

export type Translation =
  | {
      readonly name: string;
      readonly event: string;
      readonly action: string;
      readonly enabled: boolean;
      /** The rule file. */
      readonly text: string;
      /** Where it does not do quite the same. */
      readonly remarks: readonly string[];
    }
  | { readonly name: string; readonly refusal: string };

const EVENTS = ['bash', 'file', 'stop', 'prompt', 'all'];
const PLAIN = ['contains', 'equals', 'not_contains', 'starts_with', 'ends_with'];
const ACTIONS: Readonly<Record<string, string>> = { warn: 'warn', block: 'block', ask: 'ask' };

/** Makes a rule of ours of one of hookify's, or says why none can be made. `free` finds a name that no other rule has. */
export function translateHookify(source: string, file: string, free = (name: string): string => name): Translation {
  const rule = readHookify(source, file);
  const { event, action } = rule;
  const name = free(rule.name);
  const refuse = (refusal: string): Translation => ({ name, refusal });
  if (!EVENTS.includes(event)) return refuse(`there is no event "${event}", so hookify hardly ever looks at it`);
  if (rule.conditions.length === 0) return refuse('it has neither a pattern nor conditions, so it never acts');
  const lines: string[] = [];
  const remarks: string[] = [];
  const conditions: string[] = [];
  for (const condition of rule.conditions) {
    const read = readCondition(condition);
    if ('refusal' in read) return refuse(read.refusal);
    if (condition.field === undefined) lines.push(`pattern: ${quote(read.pattern)}`);
    else conditions.push(...linesOf(condition.field, read));
    if (isRelative(condition))
      remarks.push(
        `\`${condition.pattern}\` is held against paths from the project root too, not only against whole ones`,
      );
  }
  if (rule.tools !== undefined && rule.tools !== '*') {
    lines.push(`tool: [${rule.tools.split('|').map(quote).join(', ')}]`);
    remarks.push('a tool name covers every tool of its kind');
  }
  const message = plainMessage(rule.message) || `The rule ${name} of this project fits here.`;
  const head = [
    `name: ${quote(name)}`,
    ...(rule.enabled ? [] : ['enabled: false']),
    `event: ${event}`,
    ...lines,
    ...(conditions.length === 0 ? [] : ['conditions:', ...conditions]),
    `action: ${ACTIONS[action] ?? 'warn'}`,
  ];
  const text = `---\n${head.join('\n')}\n---\n${message}\n`;
  return { name, event, action: ACTIONS[action] ?? 'warn', enabled: rule.enabled, text, remarks };
}

function linesOf(field: string, { operator, pattern }: ReadCondition): readonly string[] {
  return [
    `  - field: ${quote(OUR_FIELDS[field] ?? field)}`,
    `    operator: ${operator}`,
    `    pattern: ${quote(pattern)}`,
  ];
}

/** Names that hookify has beside ours. */
const OUR_FIELDS: Readonly<Record<string, string>> = { new_string: 'new_text', old_string: 'old_text' };

interface ReadCondition {
  readonly operator: string;
  readonly pattern: string;
}

function readCondition({ field, operator, pattern }: HookifyCondition): ReadCondition | { readonly refusal: string } {
  if (field === '') return { refusal: 'a condition names no field' };
  if (PLAIN.includes(operator)) return { operator, pattern };
  if (operator !== 'regex_match') return { refusal: `there is no operator "${operator}", so hookify never acts on it` };
  const ours = fromPython(pattern);
  try {
    compilePattern(ours, { ignoreCase: true });
    return { operator, pattern: ours };
  } catch (error) {
    if (error instanceof PatternError) return { refusal: `the pattern ${pattern}: ${error.message}` };
    throw error;
  }
}

/** Paths come whole, so what has no slash at its start was never found there. */
function isRelative({ field, operator, pattern }: HookifyCondition): boolean {
  if (field !== FIELDS[1]) return false;
  return operator === 'regex_match'
    ? /^\^(?![\\.(]|\/)/.test(pattern)
    : /^(?:equals|starts_with)$/.test(operator) && !pattern.startsWith('/');
}

/**
 * A regular expression of Python in our syntax: there a dot stops at a line feed alone, `$` also stands before a last line
 * feed, and a count may lack its first number.
 */
export function fromPython(source: string): string {
  const hasFlag = (letter: string): boolean => new RegExp(`\\(\\?[a-z]*${letter}[a-z]*[:)]`).test(source);
  const [dotAll, multiline] = [hasFlag('s'), hasFlag('m')];
  let out = '';
  for (let at = 0, inSet = false; at < source.length; at += 1) {
    const char = source.charAt(at);
    if (char === '\\') {
      out += source.slice(at, at + 2);
      at += 1;
    } else if (inSet) {
      inSet = char !== ']';
      out += char;
    } else if (char === '[') {
      // A bracket that comes first in a set is one of its characters.
      const start = /^\[\^?\]?/.exec(source.slice(at))?.[0] ?? char;
      out += start;
      at += start.length - 1;
      inSet = true;
    } else if (char === '.' && !dotAll) out += '[^\\n]';
    else if (char === '$' && !multiline) out += '(?:\\n?$)';
    else if (char === '{' && /^\{,\d+\}/.test(source.slice(at))) out += '{0';
    else out += char;
  }
  return out;
}

/** Hookify fills nothing in: a name in braces is text. */
function plainMessage(message: string): string {
  return placeholdersOf(message).reduce((text, name) => text.replaceAll(`{${name}}`, `{ ${name} }`), message);
}

/** Its own little YAML: lines of keys, and a list of conditions, each on one line with commas or on several. */
function readHookify(source: string, file: string): HookifyRule {
  const lines = source
    .replace(/^\uFEFF/, '')
    .replaceAll(/\r\n?/g, '\n')
    .split('\n');
  const end =
    lines[0]?.startsWith('---') === true ? lines.findIndex((line, at) => at > 0 && line.trimEnd() === '---') : -1;
  const { fields, items } = readFields(end < 0 ? [] : lines.slice(1, end));
  const field = (name: string): string | undefined => fields.get(name);
  const pattern = field('pattern');
  const conditions = items.map((item) => ({
    field: item.get('field') ?? '',
    operator: item.get('operator') ?? 'regex_match',
    pattern: item.get('pattern') ?? '',
  }));
  const tools = field('tool_matcher');
  return {
    name: nameOf(field('name') ?? file),
    enabled: field('enabled')?.toLowerCase() !== 'false',
    event: field('event') ?? 'all',
    action: field('action') ?? 'warn',
    ...(tools === undefined ? {} : { tools }),
    conditions:
      conditions.length > 0 || pattern === undefined || pattern === ''
        ? conditions
        : [{ operator: 'regex_match', pattern }],
    message: lines
      .slice(end + 1)
      .join('\n')
      .trim(),
  };
}

type Pairs = Map<string, string>;

function readFields(lines: readonly string[]): { readonly fields: Pairs; readonly items: readonly Pairs[] } {
  const fields: Pairs = new Map();
  const items: Pairs[] = [];
  let list = '';
  for (const line of lines.filter((each) => !/^\s*(#|$)/.test(each))) {
    const item = /^\s*-\s*(.*)$/.exec(line)?.[1];
    const pair = pairIn(line);
    if (item !== undefined && list === 'conditions') {
      const parts = item.split(/,\s*(?=(?:field|operator|pattern)\s*:)/);
      items.push(new Map(parts.flatMap((part) => pairIn(part) ?? []).map(({ key, value }) => [key, value])));
    } else if (item === undefined && pair && /^\S/.test(line)) {
      list = pair.value === '' ? pair.key : '';
      if (pair.value !== '') fields.set(pair.key, pair.value);
    } else if (pair && list === 'conditions') items.at(-1)?.set(pair.key, pair.value);
  }
  return { fields, items };
}

function pairIn(text: string): { readonly key: string; readonly value: string } | undefined {
  const [, key, value = ''] = /^\s*([\w-]+)\s*:(.*)$/.exec(text) ?? [];
  return key === undefined ? undefined : { key, value: unquote(value.trim()) };
}

/** In double quotes backslashes are doubled, as its manual says; who wrote single ones meant those. */
function unquote(value: string): string {
  const [, mark, inside] = /^(["'])(.*)\1$/.exec(value) ?? [];
  if (inside === undefined) return value;
  const isDoubled = mark === '"' && !/(?<!\\)(?:\\\\)*\\(?!\\)/.test(inside);
  return isDoubled ? inside.replaceAll('\\\\', '\\') : inside;
}

/** It becomes the name of a file. */
const LONGEST_NAME = 80;

function nameOf(text: string): string {
  const base =
    text
      .split(/[/\\]/)
      .at(-1)
      ?.replace(/^hookify\./, '')
      .replace(/\.local\.md$/, '') ?? '';
  const name = base.replaceAll(/[^\w.-]+/g, '-').replace(/^[^A-Za-z0-9]+/, '');
  return name.slice(0, LONGEST_NAME).replace(/-+$/, '') || 'unnamed';
}

function quote(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}
