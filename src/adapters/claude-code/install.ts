import type { Addition, Delivery, Installer, Kept, OwnEntry, Scope, SettingsReport } from '../installer.ts';
import { applyEdits, insertItems, layoutOf, memberOf, objectIn, removeItems, render, toValue } from '../json-edit.ts';
import type { Edit, JsonContainer, JsonItem, JsonNode, Layout } from '../json-edit.ts';
import { DISABLED } from '../forwarded.ts';
import { join } from '../../platform/paths.ts';
import { CANARIES } from './canary.ts';
import { isFields } from './fields.ts';
import type { Fields } from './fields.ts';
import { converted, handlerFor, isAuthorization, readOwn } from './install-entry.ts';
import { isPosted, stopsOnFailure, WIRED, wiredFor } from './install-events.ts';
import { allowsUrl, proxyInTheWay } from './install-network.ts';
import { validateSettings } from './install-validate.ts';
import { EVENTS } from './names.ts';
import { narrowingsOf } from './narrowing.ts';
import { AGENT } from './parse.ts';
import { REHEARSAL } from './rehearsal.ts';
import { serverSettings } from './servers.ts';
import { settingsPath, SWITCHES } from './settings.ts';

export const claudeCodeInstaller: Installer = {
  agent: AGENT,
  wired: WIRED,
  settingsPath,
  reach: (scope) => REACH[scope],
  policyPaths,
  read,
  posting: {
    events: WIRED.filter(isPosted),
    proxyInTheWay,
  },
  mustBlock: (event, failsClosed) => EVENTS.some((known) => known.name === event && stopsOnFailure(known, failsClosed)),
  canaries: CANARIES,
  rehearsal: REHEARSAL,
  add,
  remove,
  serverSettings,
  otherRules: ({ root }) => [
    { kind: 'hookify', dir: join(root, '.claude'), isRule: (name) => /^hookify\..+\.local\.md$/.test(name) },
  ],
};

/** Client 2.1.325, started in a directory below the top of a repository, read the local file at the top but not the shared one. */
const REACH: Readonly<Record<Scope, string>> = {
  local: 'your sessions anywhere in this project',
  project: 'sessions that are started in this very directory, of everybody who has the file',
  user: 'all your sessions, in every project',
};

const POLICY_DIRS: Readonly<Record<string, string>> = {
  darwin: '/Library/Application Support/ClaudeCode',
  win32: 'C:\\Program Files\\ClaudeCode',
};

/** One file, and any number beside it in a directory of its own. */
function policyPaths(platform: string, list: (dir: string) => readonly string[]): readonly string[] {
  const dir = POLICY_DIRS[platform] ?? '/etc/claude-code';
  const beside = join(dir, 'managed-settings.d');
  const more = list(beside).filter((name) => name.endsWith('.json') && !name.startsWith('.'));
  return [join(dir, 'managed-settings.json'), ...more.toSorted().map((name) => join(beside, name))];
}

const ALLOWED_URLS = 'allowedHttpHookUrls';

function read(text: string): SettingsReport {
  const problems = validateSettings(text);
  const root = objectIn(text);
  const handlers = root ? handlersIn(root).filter(({ effective }) => effective) : [];
  const own = handlers.flatMap(({ event, path, item, group }): OwnEntry[] => {
    const handler = toValue(item.value);
    const found = readOwn(handler);
    if (!found) return [];
    const narrowed = narrowingsOf(event, toValue(group.value) as Fields, handler as Fields);
    return [{ event, path, ...found, ...(narrowed.length > 0 && { narrowed }) }];
  });
  const switches = SWITCHES.filter((name) => {
    const value = memberOf(root, name)?.value;
    return value?.kind === 'scalar' && value.value === true;
  });
  const env = envIn(root);
  const isDisabled = env?.[DISABLED] === '1';
  const allowed = memberOf(root, ALLOWED_URLS)?.value;
  const patterns = itemsOf(allowed, 'array').map(({ value }) => String(toValue(value)));
  const allows = (url: string): boolean => patterns.some((pattern) => allowsUrl(pattern, url));
  return {
    problems,
    own,
    foreign: handlers.length - own.length,
    others: [...commandsOf(handlers), ...pluginsIn(root)],
    switches: isDisabled ? [...switches, `env.${DISABLED}`] : switches,
    ...(env && { env }),
    ...(allowed?.kind === 'array' ? { limit: { setting: ALLOWED_URLS, allows } } : {}),
    ...statusLineIn(root),
  };
}

function envIn(root: JsonContainer | undefined): Readonly<Record<string, string>> | undefined {
  const items = itemsOf(memberOf(root, 'env')?.value, 'object');
  if (items.length === 0) return undefined;
  return Object.fromEntries(items.map(({ key = '', value }) => [key, String(toValue(value))]));
}

const STATUS_LINE = 'statusLine';

function statusLineIn(root: JsonContainer | undefined): Pick<SettingsReport, 'statusLine'> {
  const item = memberOf(root, STATUS_LINE);
  return item ? { statusLine: isOwnLine(item) ? 'own' : 'foreign' } : {};
}

function isOwnLine({ value }: JsonItem): boolean {
  const line = toValue(value);
  return isFields(line) && typeof line['command'] === 'string' && /fairlead['"]?\s+statusline\b/.test(line['command']);
}

const statusLineText = (command: string, layout: Layout): string =>
  `"${STATUS_LINE}":${layout.spaced ? ' ' : ''}${render({ type: 'command', command }, layout)}`;

/** Ours is brought to where the program is now; one of somebody else's stays. */
function addStatusLine(text: string, root: JsonContainer, layout: Layout, command: string | undefined): Edit[] {
  if (command === undefined) return [];
  const item = memberOf(root, STATUS_LINE);
  if (!item) return [insertItems(text, root, layout, [() => statusLineText(command, layout)])];
  const now = memberOf(item.value, 'command')?.value;
  if (!isOwnLine(item) || !now || toValue(now) === command) return [];
  return [{ at: now.start, removed: text.slice(now.start, now.end), inserted: JSON.stringify(command) }];
}

function commandsOf(handlers: readonly Handler[]): string[] {
  return handlers.flatMap(({ item }) => {
    const entry = toValue(item.value) as { readonly command?: unknown } | null;
    return typeof entry?.command === 'string' && !readOwn(entry) ? [entry.command] : [];
  });
}

function pluginsIn(root: JsonContainer | undefined): string[] {
  const isOn = ({ value }: JsonItem) => value.kind === 'scalar' && value.value === true;
  return itemsOf(memberOf(root, 'enabledPlugins')?.value, 'object').flatMap((item) =>
    isOn(item) && item.key !== undefined ? [item.key] : [],
  );
}

interface Handler {
  readonly event: string;
  readonly path: string;
  readonly item: JsonItem;
  /** Around the list. */
  readonly group: JsonItem;
  readonly list: JsonContainer;
  /** False below a key that is written again later: the client sees the last one. */
  readonly effective: boolean;
}

function handlersIn(root: JsonContainer): Handler[] {
  const found: Handler[] = [];
  for (const hooks of root.items.filter(({ key }) => key === 'hooks')) {
    for (const event of itemsOf(hooks.value, 'object')) {
      for (const [index, group] of itemsOf(event.value, 'array').entries()) {
        const list = memberOf(group.value, 'hooks')?.value;
        for (const [position, item] of itemsOf(list, 'array').entries()) {
          const effective = memberOf(root, 'hooks') === hooks && memberOf(hooks.value, event.key ?? '') === event;
          const path = `hooks.${event.key}.${index}.hooks.${position}`;
          found.push({ event: event.key ?? '', path, item, group, list: list as JsonContainer, effective });
        }
      }
    }
  }
  return found;
}

function itemsOf(node: JsonNode | undefined, kind: JsonContainer['kind']): readonly JsonItem[] {
  return node?.kind === kind ? node.items : [];
}

function add(text: string, delivery: Delivery): Addition {
  const lean = applyEdits(text, unheardIn(text, delivery));
  const addition = addTo(lean, delivery);
  if (lean === text || 'refusal' in addition) return addition;
  return { ...addition, edits: [{ at: 0, removed: text, inserted: applyEdits(lean, addition.edits) }] };
}

/** What takes out the entries for events of which nobody hears any more. One that no installation writes is a person's own. */
function unheardIn(text: string, delivery: Delivery): readonly Edit[] {
  const heard = wiredFor(delivery);
  const unheard = new Set(WIRED.filter((event) => !heard.includes(event)).map(({ name }) => name));
  return unheard.size === 0 ? [] : removeWhere(text, {}, (event) => unheard.has(event));
}

function addTo(text: string, delivery: Delivery): Addition {
  if (text.trim() === '') {
    const whole = addTo('{}', delivery);
    if ('refusal' in whole) return whole;
    return { edits: [{ at: text.length, removed: '', inserted: `${applyEdits('{}', whole.edits)}\n` }], kept: {} };
  }
  const root = objectIn(text);
  if (!root) return { refusal: 'it does not hold a JSON object' };
  const layout = layoutOf(text, root);
  const wanted = wiredFor(delivery).map((event) => ({ event, handler: handlerFor(event, delivery) }));
  const hooks = memberOf(root, 'hooks')?.value;
  if (hooks === undefined) {
    const members = wanted.map(({ event, handler }) => memberText(event.name, handler, layout));
    const line = memberOf(root, STATUS_LINE) ? undefined : delivery.statusLine;
    const added = [
      (indent: string) => hooksText(members, indent, layout),
      ...(line === undefined ? [] : [() => statusLineText(line, layout)]),
    ];
    const moved = line === undefined ? addStatusLine(text, root, layout, delivery.statusLine) : [];
    return { edits: [insertItems(text, root, layout, added), ...moved], kept: {} };
  }
  if (hooks.kind !== 'object') return { refusal: '"hooks" in it is not an object' };

  const kept: Record<string, string> = {};
  if (hooks.items.length === 0) kept['hooks'] = text.slice(hooks.start, hooks.end);
  const edits = [...redirect(text, root, delivery, layout), ...addStatusLine(text, root, layout, delivery.statusLine)];
  const missing: string[] = [];
  for (const { event, handler } of wanted) {
    const groups = memberOf(hooks, event.name)?.value;
    if (groups === undefined) missing.push(memberText(event.name, handler, layout));
    else if (groups.kind !== 'array') return { refusal: `"hooks.${event.name}" in it is not a list` };
    else if (!holdsOwn(groups)) {
      if (groups.items.length === 0) kept[`hooks.${event.name}`] = text.slice(groups.start, groups.end);
      edits.push(insertItems(text, groups, layout, [() => render({ hooks: [handler] }, layout)]));
    }
  }
  if (missing.length > 0)
    edits.push(
      insertItems(
        text,
        hooks,
        layout,
        missing.map((member) => () => member),
      ),
    );
  return { edits, kept };
}

function holdsOwn(groups: JsonContainer): boolean {
  return groups.items.some((group) => itemsOf(memberOf(group.value, 'hooks')?.value, 'array').some(isOwn));
}

function isOwn(item: JsonItem): boolean {
  return readOwn(toValue(item.value)) !== undefined;
}

/** One line per event: a page of them can be read, and taken in by a diff. */
function memberText(event: string, handler: object, layout: Layout): string {
  return `${JSON.stringify(event)}:${layout.spaced ? ' ' : ''}${render([{ hooks: [handler] }], layout)}`;
}

function hooksText(members: readonly string[], indent: string, layout: Layout): string {
  const blank = layout.spaced ? ' ' : '';
  if (layout.inline) return `"hooks":${blank}{${blank}${members.join(`,${blank}`)}${blank}}`;
  const inner = layout.newline + indent + layout.unit;
  return `"hooks":${blank}{${inner}${members.join(`,${inner}`)}${layout.newline}${indent}}`;
}

/** Brings the entries that are there to where the program is now, and to its transport. What a person added to them stays. */
function redirect(text: string, root: JsonContainer, delivery: Delivery, layout: Layout): Edit[] {
  const replace = ({ start, end }: JsonNode, value: unknown): Edit => ({
    at: start,
    removed: text.slice(start, end),
    inserted: render(value, layout),
  });
  const followsRules = delivery.failsClosed !== undefined;
  const update = (node: JsonNode | undefined, value: unknown): Edit[] =>
    node === undefined || JSON.stringify(toValue(node)) === JSON.stringify(value) ? [] : [replace(node, value)];

  return handlersIn(root).flatMap(({ event, item: { value: node }, effective }) => {
    const known = EVENTS.find(({ name }) => name === event);
    const current = toValue(node);
    if (!effective || !known || !isFields(current) || !readOwn(current) || node.kind !== 'object') return [];
    const { timeout } = current;
    const wanted = handlerFor(known, delivery, typeof timeout === 'number' ? timeout : undefined);
    const fieldOf = (name: string): JsonNode | undefined => memberOf(node, name)?.value;
    if (current['type'] !== wanted.type) return [replace(node, converted(current, wanted, followsRules))];
    if (wanted.type === 'command') {
      if (!fieldOf('args')) return [replace(node, converted(current, wanted, followsRules))];
      return [
        ...update(fieldOf('command'), wanted.command),
        ...update(fieldOf('args'), wanted.args),
        ...setFailure(node, wanted.onFailure),
      ];
    }
    const shown = itemsOf(fieldOf('headers'), 'object').findLast(({ key }) => isAuthorization(key))?.value;
    return [
      ...update(fieldOf('url'), wanted.url),
      ...update(shown, wanted.headers.Authorization),
      ...setFailure(node, wanted.onFailure),
    ];
  });

  function setFailure(handler: JsonContainer, wanted: 'block' | undefined): Edit[] {
    if (!followsRules) return [];
    const member = memberOf(handler, 'onFailure');
    if (wanted !== undefined) {
      const added = (): string => `"onFailure":${layout.spaced ? ' ' : ''}${render(wanted, layout)}`;
      return member ? update(member.value, wanted) : [insertItems(text, handler, layout, [added])];
    }
    return member && toValue(member.value) === 'block' ? removeItems(text, handler, new Set([member])) : [];
  }
}

function remove(text: string, kept: Kept): readonly Edit[] {
  return removeWhere(text, kept, () => true, true);
}

function removeWhere(text: string, kept: Kept, isGone: (event: string) => boolean, withLine = false): readonly Edit[] {
  const root = objectIn(text);
  if (!root) return [];
  const edits: Edit[] = [];
  const isGoneLine = (item: JsonItem): boolean => withLine && item.key === STATUS_LINE && isOwnLine(item);
  const goneRoot = new Set<JsonItem>(root.items.filter(isGoneLine));
  for (const hooks of root.items.filter(({ key }) => key === 'hooks')) {
    if (hooks.value.kind !== 'object') continue;
    const goneEvents = new Set<JsonItem>();
    for (const event of hooks.value.items) {
      if (event.value.kind !== 'array' || !isGone(event.key ?? '')) continue;
      const { gone, inside } = ownGroups(text, event.value);
      edits.push(...inside);
      takeOut(event, gone, `hooks.${event.key}`, goneEvents);
    }
    takeOut(hooks, goneEvents, 'hooks', goneRoot);
  }
  edits.push(...removeItems(text, root, goneRoot));
  return edits;

  /** Takes what is gone out of a container, or the whole container out of the one around it. */
  function takeOut(holder: JsonItem, gone: ReadonlySet<JsonItem>, path: string, outer: Set<JsonItem>): void {
    const { value } = holder;
    if (value.kind === 'scalar' || gone.size === 0) return;
    if (gone.size < value.items.length) edits.push(...removeItems(text, value, gone));
    else if (kept[path] === undefined) outer.add(holder);
    else edits.push({ at: value.start, removed: text.slice(value.start, value.end), inserted: kept[path] });
  }
}

function ownGroups(text: string, groups: JsonContainer): { gone: ReadonlySet<JsonItem>; inside: readonly Edit[] } {
  const gone = new Set<JsonItem>();
  const inside: Edit[] = [];
  for (const group of groups.items) {
    const list = memberOf(group.value, 'hooks')?.value;
    const own = new Set(itemsOf(list, 'array').filter(isOwn));
    if (own.size === 0 || list?.kind !== 'array') continue;
    if (own.size === list.items.length) gone.add(group);
    else inside.push(...removeItems(text, list, own));
  }
  return { gone, inside };
}
