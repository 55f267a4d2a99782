import { isFields } from './fields.ts';
import type { Fields } from './fields.ts';
import type { SettingsProblem } from './installer.ts';
import { JsonProblem, parseJson, toValue } from './json-edit.ts';

/** Says what is wrong with a value. */
type Check = (value: unknown) => string | undefined;

export type Checks = Readonly<Record<string, Check>>;

/** Fields by type of handler; those in `needs` must be there. */
export type HandlerTypes = Readonly<Record<string, { readonly needs: readonly string[]; readonly has: Checks }>>;

const text: Check = (value) => (typeof value === 'string' ? undefined : 'must be a text');
const flag: Check = (value) => (typeof value === 'boolean' ? undefined : 'must be true or false');
const texts: Check = (value) =>
  Array.isArray(value) && value.every((each) => typeof each === 'string') ? undefined : 'must be a list of texts';
const fields: Check = (value) => (isFields(value) ? undefined : 'must be an object');
const seconds: Check = (value) =>
  typeof value === 'number' && value > 0 ? undefined : 'must be a number of seconds above 0';
const milliseconds: Check = (value) =>
  typeof value === 'number' && value > 0 ? undefined : 'must be a number of milliseconds above 0';
const word =
  (...words: readonly string[]): Check =>
  (value) =>
    typeof value === 'string' && words.includes(value) ? undefined : `must be ${words.join(' or ')}`;

export const CHECKS = { text, flag, texts, fields, seconds, milliseconds, word };

/** What an agent takes in a file of hooks. */
export interface HookRules {
  readonly events: readonly string[];
  readonly types: HandlerTypes;
  /** Fields that handlers of every type may have. */
  readonly ofAll: Checks;
  /** The file may hold comments. */
  readonly comments?: boolean;
  /** An entry may stand in the list of its event without a group around it, and without its type, which is `command` then. */
  readonly flat?: boolean;
  /** All that may stand at the top; absent where anything may. */
  readonly top?: readonly string[];
  /** What goes with an entry for an event that is wrong, or with the list of hooks. */
  disables(event?: string): SettingsProblem['disables'];
}

/** What an agent would object to in a file of hooks. */
export function validateHooks(source: string, rules: HookRules): readonly SettingsProblem[] {
  const value = readFields(source, rules.comments);
  if ('problem' in value) return [value.problem];
  const { hooks } = value.fields;
  const { top, events, disables } = rules;
  const unknown = top === undefined ? [] : Object.keys(value.fields).filter((key) => !top.includes(key));
  const problems = unknown.map((path): SettingsProblem => ({ path, message: 'is not known here', disables: 'file' }));
  if (hooks === undefined) return problems;
  if (!isFields(hooks)) return [...problems, { path: 'hooks', message: 'must be an object', disables: disables() }];
  return events.reduce((found, name) => {
    if (hooks[name] === undefined) return found;
    const wrong = [...checkEvent(hooks[name], `hooks.${name}`, rules)];
    return [...found, ...wrong.map((each): SettingsProblem => ({ ...each, disables: disables(name) }))];
  }, problems);
}

export function readFields(
  source: string,
  comments = false,
): { readonly fields: Fields } | { readonly problem: SettingsProblem } {
  let value: unknown;
  try {
    value = comments ? toValue(parseJson(source, true)) : JSON.parse(source.replace(/^\uFEFF/, ''));
  } catch {
    return { problem: syntaxProblem(source, comments) };
  }
  return isFields(value)
    ? { fields: value }
    : { problem: { path: '', message: 'must be an object', disables: 'file' } };
}

type Finding = Pick<SettingsProblem, 'path' | 'message'>;

function* checkEvent(groups: unknown, path: string, rules: HookRules): Generator<Finding> {
  if (!Array.isArray(groups)) return yield { path, message: 'must be a list of groups' };
  for (const [index, group] of (groups as readonly unknown[]).entries()) {
    const at = `${path}.${index}`;
    if (!isFields(group)) yield { path: at, message: 'must be an object' };
    else {
      if (group['matcher'] !== undefined && typeof group['matcher'] !== 'string')
        yield { path: `${at}.matcher`, message: 'must be a text' };
      const handlers = group['hooks'];
      if (rules.flat && handlers === undefined) yield* checkHandler(group, at, rules);
      else if (!Array.isArray(handlers)) yield { path: `${at}.hooks`, message: 'must be a list of hooks' };
      else
        for (const [position, handler] of (handlers as readonly unknown[]).entries())
          yield* checkHandler(handler, `${at}.hooks.${position}`, rules);
    }
  }
}

function* checkHandler(handler: unknown, path: string, { types, ofAll, flat }: HookRules): Generator<Finding> {
  if (!isFields(handler)) return yield { path, message: 'must be an object' };
  const type = handler['type'] ?? (flat ? 'command' : undefined);
  const known = typeof type === 'string' && Object.hasOwn(types, type) ? types[type] : undefined;
  if (!known) return yield { path: `${path}.type`, message: `must be one of ${Object.keys(types).join(', ')}` };
  for (const name of known.needs)
    if (handler[name] === undefined) yield { path: `${path}.${name}`, message: 'is missing' };
  yield* checkFields(handler, { ...ofAll, ...known.has }, path);
}

export function* checkFields(handler: Fields, checks: Checks, path: string): Generator<Finding> {
  for (const [name, check] of Object.entries(checks)) {
    const message = handler[name] === undefined ? undefined : check(handler[name]);
    if (message !== undefined) yield { path: `${path}.${name}`, message };
  }
}

function syntaxProblem(source: string, comments: boolean): SettingsProblem {
  try {
    parseJson(source, comments);
  } catch (error) {
    if (error instanceof JsonProblem) {
      const { line, column, message } = error;
      return { path: '', message: `not valid JSON: ${message}`, line, column, disables: 'file' };
    }
  }
  return { path: '', message: 'not valid JSON', disables: 'file' };
}
