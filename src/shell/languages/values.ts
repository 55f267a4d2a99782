import { UNKNOWN } from '../command.ts';
import { MAX_VALUE } from '../state.ts';

/** What an expression may stand for. */
export interface Value {
  /** The texts that it may be; parts that only running would tell are `UNKNOWN`. */
  readonly texts?: readonly string[];
  readonly items?: readonly Value[];
  readonly fields?: ReadonlyMap<string, Value>;
  /** A function, a module or a variable, by its whole name. */
  readonly name?: string;
  /** It is an object for a path, whose methods act on the file. */
  readonly path?: true;
  /** Came out of a decoder. */
  readonly decoded?: true;
  /** Where it is what a call gives. */
  readonly call?: Call;
}

/** A call in code, with what its arguments may be. */
export interface Call {
  /** What comes before the last dot: `os.path` of `os.path.join`; empty when there is nothing. */
  readonly owner: string;
  readonly name: string;
  /** What it is called on, where that is no name. */
  readonly self?: Value;
  /** The call whose result it is called on, as in `Path('x').unlink()`. */
  readonly on: Call | undefined;
  readonly args: readonly Value[];
  readonly named: ReadonlyMap<string, Value>;
  /** The tokens of its arguments. */
  readonly start: number;
  readonly end: number;
}

export const NOTHING: Value = {};
/** More members than this are unknown. */
const MOST = 8;

export function textValue(text: string): Value {
  return { texts: [text] };
}

/** Either of them. */
export function eitherOf(one: Value | undefined, other: Value): Value {
  if (!one) return other;
  const texts = [...new Set([...(one.texts ?? [UNKNOWN]), ...(other.texts ?? [UNKNOWN])])];
  const both = one.texts || other.texts ? { texts: texts.length > MOST ? [UNKNOWN] : texts } : {};
  const marks = { ...(one.path && { path: true as const }), ...(one.decoded && { decoded: true as const }) };
  return { ...other, ...marks, ...both };
}

/** Texts put one after the other, for all that they may be. */
export function joinedValue(parts: readonly Value[], mark = ''): Value {
  let texts: readonly string[] = [''];
  let decoded: true | undefined;
  let told = false;
  parts.forEach((part, at) => {
    const own = part.texts ?? [UNKNOWN];
    told ||= part.texts !== undefined;
    decoded ??= part.decoded;
    const between = at === 0 ? '' : mark;
    const all = texts.flatMap((text) =>
      own.map((more) => text + (text.endsWith('/') && between === '/' ? '' : between) + more),
    );
    texts = all.length > MOST || all.some(({ length }) => length > MAX_VALUE) ? [UNKNOWN] : all;
  });
  if (!told) return NOTHING;
  return decoded ? { texts, decoded } : { texts };
}

/** The same done to each text. */
export function changed(value: Value | undefined, change: (text: string) => string): Value {
  if (!value?.texts) return NOTHING;
  return { ...value, texts: value.texts.map((text) => (text === UNKNOWN ? text : bounded(change(text)))) };
}

function bounded(text: string): string {
  return text.length > MAX_VALUE ? UNKNOWN : text;
}

/** The first text that it may be, if all of them are known. */
export function knownTextOf(value: Value | undefined): string | undefined {
  const texts = value?.texts ?? [];
  return texts.some((text) => text.includes(UNKNOWN)) ? undefined : texts[0];
}

/** All that a list or a value may be as texts that are known. */
export function knownTexts(value: Value | undefined): readonly string[] {
  if (value?.items) return value.items.flatMap(knownTexts);
  return (value?.texts ?? []).filter((text) => !text.includes(UNKNOWN) && text !== '');
}

/** The text from its end to its start. */
export function backwards(text: string): string {
  return Array.from(text).toReversed().join('');
}
