import { JsonProblem, parseJson } from '../json-edit.ts';
import type { SettingsProblem } from '../installer.ts';
import { isFields } from './fields.ts';
import type { Fields } from './fields.ts';
import { EVENTS } from './names.ts';

/** With an invalid entry on one of these, client 2.1.325 ignores the whole file; elsewhere only the entry. */
const STRICT = new Set(['PreToolUse', 'PermissionRequest']);

type Check = (value: unknown) => string | undefined;

const text: Check = (value) => (typeof value === 'string' ? undefined : 'must be a text');
const flag: Check = (value) => (typeof value === 'boolean' ? undefined : 'must be true or false');
const texts: Check = (value) =>
  Array.isArray(value) && value.every((each) => typeof each === 'string') ? undefined : 'must be a list of texts';
const fields: Check = (value) => (isFields(value) ? undefined : 'must be an object');
const seconds: Check = (value) =>
  typeof value === 'number' && value > 0 ? undefined : 'must be a number of seconds above 0';
const word =
  (...words: readonly string[]): Check =>
  (value) =>
    typeof value === 'string' && words.includes(value) ? undefined : `must be ${words.join(' or ')}`;

const ANY_TYPE: Readonly<Record<string, Check>> = { if: text, timeout: seconds, statusMessage: text, once: flag };
const FAILS = word('continue', 'block');

/** Fields by type of handler; those in `needs` must be there. */
const TYPES: Readonly<Record<string, { needs: readonly string[]; has: Readonly<Record<string, Check>> }>> = {
  command: {
    needs: ['command'],
    has: {
      command: text,
      args: texts,
      shell: word('bash', 'powershell'),
      onFailure: FAILS,
      async: flag,
      asyncRewake: flag,
    },
  },
  http: { needs: ['url'], has: { url: text, headers: fields, allowedEnvVars: texts, onFailure: FAILS } },
  mcp_tool: { needs: ['server', 'tool'], has: { server: text, tool: text, input: fields } },
  prompt: { needs: ['prompt'], has: { prompt: text, model: text, continueOnBlock: flag } },
  agent: { needs: ['prompt'], has: { prompt: text, model: text } },
};

/** What the client would object to in the hooks of a settings file, read without any of the code that writes them. */
export function validateSettings(source: string): readonly SettingsProblem[] {
  const value = readFields(source);
  if ('problem' in value) return [value.problem];
  const { hooks } = value.fields;
  if (hooks === undefined) return [];
  if (!isFields(hooks)) return [{ path: 'hooks', message: 'must be an object', disables: 'entry' }];
  return EVENTS.flatMap(({ name }) => {
    const disables = STRICT.has(name) ? 'file' : 'entry';
    return hooks[name] === undefined
      ? []
      : [...checkEvent(hooks[name], `hooks.${name}`)].map((found) => ({ ...found, disables }) as const);
  });
}

const SERVER: Readonly<Record<string, Check>> = { command: text, args: texts, env: fields, alwaysLoad: flag };

/** What it would object to in a list of servers: it leaves such an entry out and says nothing. */
export function validateServers(source: string, keys: readonly string[]): readonly SettingsProblem[] {
  const value = readFields(source);
  if ('problem' in value) return [value.problem];
  let servers: unknown = value.fields;
  for (const [depth, key] of keys.entries()) {
    servers = isFields(servers) && Object.hasOwn(servers, key) ? servers[key] : undefined;
    if (servers === undefined) return [];
    if (!isFields(servers))
      return [{ path: keys.slice(0, depth + 1).join('.'), message: 'must be an object', disables: 'entry' }];
  }
  return Object.entries(servers as Fields).flatMap(([name, server]) => {
    const path = [...keys, name].join('.');
    const found = isFields(server) ? checkFields(server, SERVER, path) : [{ path, message: 'must be an object' }];
    return [...found].map((each) => ({ ...each, disables: 'entry' }) as const);
  });
}

function readFields(source: string): { readonly fields: Fields } | { readonly problem: SettingsProblem } {
  let value: unknown;
  try {
    value = JSON.parse(source.replace(/^\uFEFF/, ''));
  } catch {
    return { problem: syntaxProblem(source) };
  }
  return isFields(value)
    ? { fields: value }
    : { problem: { path: '', message: 'must be an object', disables: 'file' } };
}

type Finding = Pick<SettingsProblem, 'path' | 'message'>;

function* checkEvent(groups: unknown, path: string): Generator<Finding> {
  if (!Array.isArray(groups)) return yield { path, message: 'must be a list of groups' };
  for (const [index, group] of (groups as readonly unknown[]).entries()) {
    const at = `${path}.${index}`;
    if (!isFields(group)) yield { path: at, message: 'must be an object' };
    else {
      if (group['matcher'] !== undefined && typeof group['matcher'] !== 'string')
        yield { path: `${at}.matcher`, message: 'must be a text' };
      const handlers = group['hooks'];
      if (!Array.isArray(handlers)) yield { path: `${at}.hooks`, message: 'must be a list of hooks' };
      else
        for (const [position, handler] of (handlers as readonly unknown[]).entries())
          yield* checkHandler(handler, `${at}.hooks.${position}`);
    }
  }
}

function* checkHandler(handler: unknown, path: string): Generator<Finding> {
  if (!isFields(handler)) return yield { path, message: 'must be an object' };
  const type = handler['type'];
  const known = typeof type === 'string' && Object.hasOwn(TYPES, type) ? TYPES[type] : undefined;
  if (!known) return yield { path: `${path}.type`, message: `must be one of ${Object.keys(TYPES).join(', ')}` };
  for (const name of known.needs)
    if (handler[name] === undefined) yield { path: `${path}.${name}`, message: 'is missing' };
  yield* checkFields(handler, { ...ANY_TYPE, ...known.has }, path);
}

function* checkFields(handler: Fields, checks: Readonly<Record<string, Check>>, path: string): Generator<Finding> {
  for (const [name, check] of Object.entries(checks)) {
    const message = handler[name] === undefined ? undefined : check(handler[name]);
    if (message !== undefined) yield { path: `${path}.${name}`, message };
  }
}

function syntaxProblem(source: string): SettingsProblem {
  try {
    parseJson(source);
  } catch (error) {
    if (error instanceof JsonProblem) {
      const { line, column, message } = error;
      return { path: '', message: `not valid JSON: ${message}`, line, column, disables: 'file' };
    }
  }
  return { path: '', message: 'not valid JSON', disables: 'file' };
}
