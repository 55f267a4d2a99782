import type { Language } from './languages.ts';
import type { Token } from './signs.ts';
import { fromEnvironment, givenBy } from './functions.ts';
import type { Call, Value } from './values.ts';
import { NOTHING, backwards, changed, eitherOf, knownTextOf } from './values.ts';

/** What is known while the tokens of one text are gone through. */
export interface Reader {
  readonly tokens: readonly Token[];
  readonly language: Language;
  at: number;
  depth: number;
  /** What names stand for here. */
  readonly names: Map<string, Value>;
  /** Names that were asked for before they stood for anything. */
  readonly missed: Set<string>;
  /** The parameters of functions that the code has, and what they may be given. */
  readonly functions: Map<string, readonly string[]>;
  readonly given: Map<string, Value>;
  readonly calls: Call[];
  /** Reads one statement; at least one token. */
  readonly statement: (reader: Reader) => void;
  /** Something was nested too deeply to be read. */
  cut: boolean;
  /** How much the line or block that is read is moved to the right: more than nothing may or may not run. */
  nested: number;
}

/** As deep as values may be nested in values, each in a bracket or behind an operator. */
const DEEPEST = 200;

/** Reads what is one level deeper; where that is too deep, nothing more is read. */
export function deeper<T>(reader: Reader, otherwise: T, read: () => T): T {
  if (reader.depth >= DEEPEST) {
    reader.cut = true;
    reader.at = reader.tokens.length;
    return otherwise;
  }
  reader.depth += 1;
  const result = read();
  reader.depth -= 1;
  return result;
}

export const tokenAt = (reader: Reader, ahead = 0): Token | undefined => reader.tokens[reader.at + ahead];

export function isMark(token: Token | undefined, text: string): boolean {
  return token?.kind === 'mark' && token.text === text;
}

export function isWord(token: Token | undefined, text: string): boolean {
  return token?.kind === 'name' && token.text === text;
}

export function nameValue(reader: Reader, name: string): Value {
  const known = reader.names.get(name);
  if (known) return known;
  reader.missed.add(name);
  return { name };
}

export interface Arguments {
  readonly values: readonly Value[];
  readonly named: ReadonlyMap<string, Value>;
}

/** Any of what a list holds. */
export function memberOf(list: Value): Value {
  if (!list.items) return list.texts && list.call ? list : NOTHING;
  return list.items.reduce<Value | undefined>((all, item) => eitherOf(all, item), undefined) ?? NOTHING;
}

/** From here on the name stands for the value; where it may not come to that, for what it was as well. */
export function bind(reader: Reader, name: string, value: Value): void {
  const before = reader.nested > 0 ? reader.names.get(name) : undefined;
  reader.names.set(name, before?.texts ? eitherOf(before, value) : value);
  if (value.texts && reader.missed.has(name)) reader.given.set(name, eitherOf(reader.given.get(name), value));
}

/** What a thing has by a name. */
export function memberNamed(reader: Reader, value: Value, member: string): Value {
  if (value.name === undefined) return NOTHING;
  if (
    value.name === 'process.mainModule' ||
    value.name === 'builtins' ||
    value.name === '__builtins__' ||
    value.name === 'globalThis' ||
    value.name === 'Kernel' ||
    value.name === 'base'
  )
    return nameValue(reader, member);
  const env = fromEnvironment(value.name, member);
  if (env?.texts) return env;
  const whole = `${value.name}.${member}`;
  return whole === 'Dir.home' ? { texts: ['~'], path: true, name: whole } : { name: whole };
}

/** What is under a key. */
export function indexed(value: Value, key: Value, reader: Reader): Value {
  if (key.name === '::-1') return changed(value, backwards);
  const text = knownTextOf(key);
  if (value.items)
    return text !== undefined && /^\d+$/.test(text) ? (value.items[Number(text)] ?? NOTHING) : memberOf(value);
  if (value.fields) return value.fields.get(text ?? '') ?? NOTHING;
  if (value.name !== undefined && text !== undefined)
    return fromEnvironment(value.name, text) ?? memberNamed(reader, value, text);
  return NOTHING;
}

/** Functions that give the module or the function that they are told the name of. */
const LOADS = /^(?:require|import|__import__|importlib\.import_module|importlib\.__import__)$/;
const PICKS = /^(?:getattr|Reflect\.get)$/;
/** Functions that call what their first argument names, by language. */
const PASSES_ON: Readonly<Record<string, RegExp>> = {
  python: /^(?:asyncio\.run|functools\.partial|partial)$/,
  node: /^(?:util\.)?promisify$/,
  php: /^call_user_func(?:_array)?$/,
  ruby: /(?:^|\.)(?:send|public_send|__send__|method)$/,
  r: /^(?:do\.call|match\.fun|get)$/,
  lua: /^x?pcall$/,
};

/** What a call gives; it is noted down. */
export function called(reader: Reader, value: Value, self: Value | undefined, given: Arguments, start: number): Value {
  const { name = '' } = value;
  const { values } = given;
  const [first, second] = values;
  const text = knownTextOf(first);
  if (LOADS.test(name) && text !== undefined) return { name: text.replace(/^node:/, '').replaceAll('/', '.') };
  if (PICKS.test(name) && first?.name !== undefined) return memberNamed(reader, first, knownTextOf(second) ?? '');
  const dot = name.lastIndexOf('.');
  const last = name.slice(dot + 1);
  const owner = dot < 0 || reader.language.name !== 'ruby' ? '' : `${name.slice(0, dot)}.`;
  const meant = PASSES_ON[reader.language.name]?.test(name)
    ? (first?.name ?? (text === undefined ? undefined : owner + text))
    : undefined;
  if (meant !== undefined) {
    const passed = values.slice(1).flatMap((one) => (/do\.call|_array$/.test(name) ? (one.items ?? [one]) : [one]));
    if (passed.length === 0) return { name: meant };
    return addCall(reader, meant, self, { values: passed, named: given.named }, start);
  }
  // `f.call(this, x)` is `f(x)`.
  if ((last === 'call' || last === 'apply') && dot > 0 && reader.language.name === 'node')
    return addCall(
      reader,
      name.slice(0, dot),
      undefined,
      { values: values.slice(1).flatMap((one) => one.items ?? [one]), named: given.named },
      start,
    );
  return addCall(reader, name, self, given, start);
}

export function addCall(
  reader: Reader,
  whole: string,
  self: Value | undefined,
  { values, named }: Arguments,
  start: number,
): Value {
  const dot = whole.lastIndexOf('.');
  const call: Call = {
    owner: dot < 0 ? '' : whole.slice(0, dot),
    name: whole.slice(dot + 1),
    on: self?.call,
    args: values,
    named,
    start,
    end: isMark(reader.tokens[reader.at - 1], ')') ? reader.at - 1 : reader.at,
    ...(self && { self }),
  };
  reader.calls.push(call);
  reader.functions.get(whole)?.forEach((parameter, at) => {
    const value = values[at] ?? named.get(parameter);
    const key = `${whole}(${parameter}`;
    if (value?.texts) reader.given.set(key, eitherOf(reader.given.get(key), value));
  });
  const result = givenBy(call);
  return { ...result, call };
}
