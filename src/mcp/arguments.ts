import { nearestWord } from '../user-rules/nearest-word.ts';
import { Refusal } from './refusal.ts';

export type ArgumentType =
  | { readonly is: 'text'; readonly among?: readonly string[]; readonly about?: string }
  | { readonly is: 'texts' | 'boolean'; readonly about?: string }
  | {
      readonly is: 'number';
      readonly least: number;
      readonly most?: number;
      /** Not only whole ones. */
      readonly fraction?: true;
      readonly about?: string;
    };

export type ArgumentTypes = Readonly<Record<string, ArgumentType>>;

/** What a call was given, by the names of the table; what it was not given is undefined. */
export interface Arguments {
  readonly action: string;
  text(name: string): string | undefined;
  texts(name: string): readonly string[] | undefined;
  number(name: string): number | undefined;
  boolean(name: string): boolean | undefined;
  /** Given, and of no use to this action. */
  readonly unused: readonly string[];
}

interface Reading {
  readonly types: ArgumentTypes;
  readonly actions: Readonly<Record<string, readonly string[]>>;
  readonly everywhere: readonly string[];
  readonly aliases: Readonly<Record<string, string>>;
}

type Value = string | number | boolean | readonly string[];

/** Reads the arguments of a call; names may be in camel case, and values as text where another type is meant. */
export function readArguments(given: unknown, { types, actions, everywhere, aliases }: Reading): Arguments {
  const fields = fieldsOf(given);
  const action = actionOf(fields.get('action'), actions, aliases);
  const values = new Map<string, Value>();
  const unknown: string[] = [];
  for (const [name, value] of fields) {
    if (name === 'action' || value === null || value === undefined) continue;
    const type = Object.hasOwn(types, name) ? types[name] : undefined;
    if (type === undefined) unknown.push(name);
    else values.set(name, valueOf(name, value, type));
  }
  const known = [...(actions[action] ?? []), ...everywhere];
  if (unknown.length > 0)
    throw new Refusal(`${action} knows no argument ${unknown.join(', ')}; it takes ${known.join(', ')}`);
  const at = (name: string): never => values.get(name) as never;
  return {
    action,
    text: at,
    texts: at,
    number: at,
    boolean: at,
    unused: [...values.keys()].filter((name) => !known.includes(name)),
  };
}

function fieldsOf(given: unknown): Map<string, unknown> {
  if (given !== undefined && given !== null && (typeof given !== 'object' || Array.isArray(given)))
    throw new Refusal('the arguments must be an object, such as {"action":"status"}');
  return new Map(Object.entries(given ?? {}).map(([name, value]) => [inSnakeCase(name), value]));
}

function inSnakeCase(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`).replaceAll('-', '_');
}

function actionOf(given: unknown, actions: Reading['actions'], aliases: Reading['aliases']): string {
  const known = Object.keys(actions);
  if (typeof given !== 'string' || given.trim() === '')
    throw new Refusal(`the argument action is missing; it is one of ${known.join(', ')}`);
  const word = given.trim().toLowerCase();
  const action = Object.hasOwn(aliases, word) ? aliases[word] : word;
  if (action !== undefined && Object.hasOwn(actions, action)) return action;
  const near = nearestWord(word, known);
  throw new Refusal(
    `there is no action "${given}"${near === undefined ? '' : `, perhaps ${near}`}; there is ${known.join(', ')}`,
  );
}

function valueOf(name: string, value: unknown, type: ArgumentType): Value {
  switch (type.is) {
    case 'text':
      if (typeof value === 'string' || typeof value === 'number') return textOf(name, String(value), type.among);
      throw new Refusal(`${name} wants a text, not ${shown(value)}`);
    case 'texts':
      return textsOf(name, value);
    case 'boolean':
      if (typeof value === 'boolean') return value;
      if (value === 'true' || value === 'false') return value === 'true';
      throw new Refusal(`${name} is true or false, not ${shown(value)}`);
    case 'number':
      return numberOf(name, value, type);
  }
}

function textOf(name: string, text: string, among: readonly string[] | undefined): string {
  if (among && !among.includes(text)) throw new Refusal(`${name} is ${among.join(' or ')}, not ${shown(text)}`);
  return text;
}

/** A list, or one text with commas. */
function textsOf(name: string, value: unknown): readonly string[] {
  const list: unknown[] = typeof value === 'string' ? value.split(',') : Array.isArray(value) ? value : [undefined];
  if (!list.every((each) => typeof each === 'string')) throw new Refusal(`${name} wants texts, not ${shown(value)}`);
  return list.map((each) => each.trim()).filter((each) => each !== '');
}

function numberOf(name: string, value: unknown, type: Extract<ArgumentType, { is: 'number' }>): number {
  const { least, most = Infinity, fraction = false } = type;
  const isText = typeof value === 'string' && value.trim() !== '';
  const number = typeof value === 'number' || isText ? Number(value) : Number.NaN;
  if (number >= least && number <= most && (fraction ? Number.isFinite(number) : Number.isInteger(number)))
    return number;
  const range = most === Infinity ? `from ${least} on` : `from ${least} to ${most}`;
  throw new Refusal(`${name} wants a ${fraction ? '' : 'whole '}number ${range}, not ${shown(value)}`);
}

const MOST_SHOWN = 60;

function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing';
  return text.length > MOST_SHOWN ? `${text.slice(0, MOST_SHOWN)}…` : text;
}
