import { isFields } from '../fields.ts';
import type { Fields } from '../fields.ts';
import type { SettingsProblem } from '../installer.ts';
import { checkFields, CHECKS, readFields, validateHooks } from '../validate-hooks.ts';
import type { Checks, HandlerTypes } from '../validate-hooks.ts';
import { EVENTS } from './names.ts';

const { text, flag, texts, fields, seconds, word } = CHECKS;

/** With an invalid entry on one of these, client 2.1.325 ignores the whole file; elsewhere only the entry. */
const STRICT = new Set(['PreToolUse', 'PermissionRequest']);

const ANY_TYPE: Checks = { if: text, timeout: seconds, statusMessage: text, once: flag };
const FAILS = word('continue', 'block');

/** Fields by type of handler; those in `needs` must be there. */
const TYPES: HandlerTypes = {
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
  return validateHooks(source, {
    events: EVENTS.map(({ name }) => name),
    types: TYPES,
    ofAll: ANY_TYPE,
    disables: (event) => (event !== undefined && STRICT.has(event) ? 'file' : 'entry'),
  });
}

const SERVER: Checks = { command: text, args: texts, env: fields, alwaysLoad: flag };

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
