import type { SettingsLocation, SetupFiles } from '../adapter.ts';
import type { Addition, Kept, Launch, OwnCall, Scope, ServerSettings } from '../installer.ts';
import { applyEdits, insertItems, layoutOf, memberOf, objectIn, removeItems, render, toValue } from '../json-edit.ts';
import type { Edit, JsonContainer, JsonItem, JsonNode, Layout } from '../json-edit.ts';
import { validateServers } from './install-validate.ts';
import { AGENT } from './parse.ts';
import { projectKey } from './project-key.ts';
import { readOwnServer, SERVER_NAME, serverEntry } from './server-entry.ts';
import { globalFile } from './settings.ts';
import { join } from '../../platform/paths.ts';

const LIST = 'mcpServers';

export function serverSettings(scope: Scope, location: SettingsLocation, files: SetupFiles): ServerSettings {
  const key = scope === 'local' ? projectKey(location.root, files) : undefined;
  const keys = key === undefined ? [LIST] : ['projects', key, LIST];
  return {
    agent: AGENT,
    part: keys.join('.'),
    path: scope === 'project' ? join(location.root, '.mcp.json') : globalFile(location, files),
    // As the client makes them: its own file may hold secrets.
    mode: scope === 'project' ? 0o644 : 0o600,
    reach: reachOf(scope, key),
    ...(scope === 'project' && {
      approval: 'the agent asks each person once, at the start of a session, before it starts a server of this file',
    }),
    read: (text) => ({ problems: validateServers(text, keys), own: ownIn(text, keys) }),
    isTaken: (text) => isTaken(listIn(objectIn(text), keys)),
    add: (text, launch) => add(text, keys, launch),
    remove: (text, kept) => remove(text, keys, kept),
  };
}

function reachOf(scope: Scope, key: string | undefined): string {
  if (scope === 'user') return 'all your sessions, in every project';
  if (scope === 'local') return `your sessions in ${key}`;
  return 'sessions that are started in this directory or below, of everybody who has the file';
}

function listIn(root: JsonNode | undefined, keys: readonly string[]): JsonContainer | undefined {
  const node = keys.reduce<JsonNode | undefined>((at, key) => memberOf(at, key)?.value, root);
  return node?.kind === 'object' ? node : undefined;
}

const isOwn = ({ value }: JsonItem): boolean => readOwnServer(toValue(value)) !== undefined;

function isTaken(list: JsonContainer | undefined): boolean {
  const named = memberOf(list, SERVER_NAME);
  return named !== undefined && !isOwn(named);
}

function ownIn(text: string, keys: readonly string[]): OwnCall[] {
  const items = listIn(objectIn(text), keys)?.items ?? [];
  return items.flatMap(({ key = '', value }) => {
    const words = readOwnServer(toValue(value));
    return words ? [{ path: [...keys, key].join('.'), words }] : [];
  });
}

function add(text: string, keys: readonly string[], launch: Launch): Addition {
  if (text.trim() === '') {
    const whole = add('{}', keys, launch);
    if ('refusal' in whole) return whole;
    return { edits: [{ at: text.length, removed: '', inserted: `${applyEdits('{}', whole.edits)}\n` }], kept: {} };
  }
  const root = objectIn(text);
  if (!root) return { refusal: 'it does not hold a JSON object' };
  const layout = layoutOf(text, root);
  const kept: Record<string, string> = {};
  let container = root;
  for (const [depth, key] of keys.entries()) {
    const path = keys.slice(0, depth + 1).join('.');
    const node = memberOf(container, key)?.value;
    if (node === undefined) return { edits: [insert(keys.slice(depth))], kept };
    if (node.kind !== 'object') return { refusal: `"${path}" in it is not an object` };
    if (node.items.length === 0) kept[path] = text.slice(node.start, node.end);
    container = node;
  }
  const own = container.items.filter(isOwn);
  if (own.length > 0) return { edits: own.flatMap(({ value }) => redirect(text, value, launch, layout)), kept };
  if (isTaken(container)) {
    return {
      refusal: `it has a server "${SERVER_NAME}" that is not this program's. Give that another name, or take it out`,
    };
  }
  return { edits: [insert([])], kept };

  function insert(missing: readonly string[]): Edit {
    const value = serverEntry(launch);
    return insertItems(text, container, layout, [(indent) => memberText([...missing, SERVER_NAME], value, indent)]);
  }

  /** The entry itself on one line, and a line for each object around it that has to be made. */
  function memberText([key = '', ...rest]: readonly string[], value: object, indent: string): string {
    const blank = layout.spaced ? ' ' : '';
    const name = `${JSON.stringify(key)}:${blank}`;
    if (rest.length === 0) return name + render(value, layout);
    if (layout.inline) return `${name}{${blank}${memberText(rest, value, indent)}${blank}}`;
    const inner = indent + layout.unit;
    return `${name}{${layout.newline}${inner}${memberText(rest, value, inner)}${layout.newline}${indent}}`;
  }
}

/** Points an entry that is there to where the program is now. What a person added to it stays. */
function redirect(text: string, entry: JsonNode, launch: Launch, layout: Layout): Edit[] {
  if (entry.kind !== 'object') return [];
  const { command, args } = serverEntry(launch);
  return Object.entries({ command, args }).flatMap(([name, value]): Edit[] => {
    const node = memberOf(entry, name)?.value;
    const inserted = render(value, layout);
    if (!node) return [insertItems(text, entry, layout, [() => `${JSON.stringify(name)}: ${inserted}`])];
    if (JSON.stringify(toValue(node)) === JSON.stringify(value)) return [];
    return [{ at: node.start, removed: text.slice(node.start, node.end), inserted }];
  });
}

/** Objects that were made for the entry go with it. */
function remove(text: string, keys: readonly string[], kept: Kept): readonly Edit[] {
  const root = objectIn(text);
  const list = listIn(root, keys);
  const own = new Set(list?.items.filter(isOwn));
  if (!root || !list || own.size === 0) return [];
  const holders = keys.map((_, depth) => listIn(root, keys.slice(0, depth)) as JsonContainer);
  let [container, gone]: [JsonContainer, ReadonlySet<JsonItem>] = [list, own];
  for (let depth = keys.length; depth > 0 && gone.size === container.items.length; depth -= 1) {
    const before = kept[keys.slice(0, depth).join('.')];
    if (before !== undefined)
      return [{ at: container.start, removed: text.slice(container.start, container.end), inserted: before }];
    const holder = holders[depth - 1] as JsonContainer;
    [container, gone] = [holder, new Set([memberOf(holder, keys[depth - 1] ?? '') as JsonItem])];
  }
  return removeItems(text, container, gone);
}
