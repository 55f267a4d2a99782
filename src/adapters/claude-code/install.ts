import type {
  Addition,
  Delivery,
  Installer,
  Kept,
  OwnEntry,
  Scope,
  SettingsReport,
  Promises,
  OneRun,
} from '../installer.ts';
import { stopsOnFailure } from '../hook-words.ts';
import { addHooks, handlersIn, itemsOf, removeHooks } from '../hook-groups.ts';
import type { Handler } from '../hook-groups.ts';
import { insertItems, memberOf, objectIn, removeItems, render, toValue } from '../json-edit.ts';
import type { Edit, JsonContainer, JsonItem, JsonNode, Layout } from '../json-edit.ts';
import { DISABLED } from '../forwarded.ts';
import { join } from '../../platform/paths.ts';
import { CANARIES } from './canary.ts';
import { isFields, textAt } from '../fields.ts';
import type { Fields } from '../fields.ts';
import { ADOPTING } from './adopt-edit.ts';
import { adoptedSet, converted, handlerFor, isAuthorization, readOwn } from './install-entry.ts';
import { isPosted, WIRED, wiredFor } from './install-events.ts';
import { validateSettings } from './install-validate.ts';
import { EVENTS } from './names.ts';
import { narrowingsOf } from './narrowing.ts';
import { AGENT } from './parse.ts';
import { pluginHooks } from './plugins.ts';
import { REHEARSAL } from './rehearsal.ts';
import { serverSettings } from './servers.ts';
import { settingsPath, SWITCHES } from './settings.ts';
import type { Env, SettingsLocation, SetupFiles } from '../adapter.ts';
import { fieldsAt, fieldsOf } from '../json-setup.ts';

const OPTION = '--settings';

/** The client adds the settings of this option to those of all files, hooks too, for one session. It takes one. */
export const ONE_RUN: OneRun = {
  given(words) {
    const at = optionIn(words);
    return at === undefined ? undefined : valueAt(words, at);
  },
  start(words, file) {
    const at = optionIn(words);
    const [program = '', ...args] = words;
    if (at === undefined) return [program, OPTION, file, ...args];
    const isJoined = words[at]?.includes('=') === true;
    return [...words.slice(0, at), OPTION, file, ...words.slice(at + (isJoined ? 1 : 2))];
  },
  // They stand above the files of the person and the project, of which one is enough to switch all hooks off.
  settings(given) {
    return { ...given, disableAllHooks: false, env: { ...fieldsAt(given, 'env'), [DISABLED]: '0' } };
  },
  without(words, env) {
    const options = words.slice(0, endOf(words)).filter((word) => OFF.includes(word));
    return [...options, ...OFF_VARIABLES.filter((name) => (env[name] ?? '') !== '')];
  },
};

/** The client runs no hooks with one of these. */
const OFF = ['--bare', '--safe-mode'];
const OFF_VARIABLES = ['CLAUDE_CODE_SIMPLE', 'CLAUDE_CODE_SAFE_MODE'];

function endOf(words: readonly string[]): number {
  return words.includes('--') ? words.indexOf('--') : words.length;
}

function optionIn(words: readonly string[]): number | undefined {
  const at = words.slice(0, endOf(words)).findLastIndex((word) => word === OPTION || word.startsWith(`${OPTION}=`));
  return at < 0 ? undefined : at;
}

function valueAt(words: readonly string[], at: number): string {
  const word = words[at] ?? '';
  return word === OPTION ? (words[at + 1] ?? '') : word.slice(OPTION.length + 1);
}

/** In these, `rm` inside the project runs without a prompt, in auto mode even when the classifier has flagged it. */
const UNASKED: ReadonlySet<string> = new Set(['auto', 'acceptEdits', 'plan', 'bypassPermissions']);

/** The mode that a session begins in, and what of our decisions holds there, as they were tried with client 2.1.325. */
export function modesAt(location: SettingsLocation, files: SetupFiles): readonly (readonly [string, string])[] {
  const set = (['local', 'project', 'user'] as const).flatMap((scope) => {
    const path = settingsPath(scope, location);
    const mode = textAt(fieldsAt(fieldsOf(files.readText(path)), 'permissions'), 'defaultMode');
    // A project does not switch that on for those who work in it.
    return mode === undefined || (mode === 'auto' && scope !== 'user') ? [] : [{ mode, path }];
  });
  const [first] = set;
  const [terminal, print] = first ? [first.mode, first.mode] : ['auto', 'default'];
  const copies = UNASKED.has(terminal)
    ? 'what is deleted inside the project goes without a prompt, so a copy for `fairlead undo` is all there is'
    : 'the agent asks by itself before most commands';
  return [
    [
      'starts in mode',
      `${terminal} in a terminal, ${print} with -p${first ? `, by ${first.path}` : ', as nothing is set'}`,
    ],
    [
      'holds there',
      `a denial in every mode; a question is a dialog in a terminal, in every mode but dontAsk, and else a denial, as with -p; ${copies}`,
    ],
  ];
}

/** As client 2.1.325 was seen to do it: the whole address, or its origin alone, in any case; `*` also stands for slashes. */
export function allowsUrl(pattern: string, url: string): boolean {
  const parts = pattern.split('*').map((part) => part.replaceAll(/[$()*+.?[\\\]^{|}]/g, String.raw`\$&`));
  const whole = new RegExp(`^${parts.join('.*')}$`, 'i');
  return whole.test(url) || whole.test(new URL(url).origin);
}

/** All of them count for loopback too, as that client was seen to do it; of the exceptions only these words do. */
const PROXIES = ['http_proxy', 'HTTP_PROXY', 'https_proxy', 'HTTPS_PROXY'];
const EXCEPT_US = ['127.0.0.1', '*'];

/** A proxy that agents started from here would send their posts to, with the token. */
export function proxyInTheWay(env: Env): string | undefined {
  const except = (env['no_proxy'] || env['NO_PROXY'] || '').split(/[\s,]+/);
  return except.some((host) => EXCEPT_US.includes(host)) ? undefined : PROXIES.find((name) => env[name]);
}

const PROMISES: Promises = {
  undo: 'What a call would destroy is copied before it runs, and the model is told with the call.',
  failure:
    'Where a rule in force must not be skipped, an entry for tool calls and permission requests stops the call when it cannot start or answer (`onFailure`), in a file of one person. After three denials in a session a person is asked. In a shared file entries fail open.',
  gaps: [
    'Started in a mode without hooks, or with settings from elsewhere, it calls nobody. `guard/circumvention` holds such a start by an agent.',
  ],
};

export const claudeCodeInstaller: Installer = {
  agent: AGENT,
  wired: WIRED,
  promises: PROMISES,
  settingsPath,
  reach: (scope) => REACH[scope],
  policyPaths,
  read,
  posting: {
    events: WIRED.filter(isPosted),
    proxyInTheWay,
  },
  mustBlock: (event, failsClosed) => EVENTS.some((known) => known.name === event && stopsOnFailure(known, failsClosed)),
  oneRun: ONE_RUN,
  canaries: CANARIES,
  modes: modesAt,
  rehearsal: REHEARSAL,
  add,
  remove,
  serverSettings,
  adopting: ADOPTING,
  pluginHooks,
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
  const handlers = handlersIn(root).filter(
    ({ effective, item }) => effective && adoptedSet(toValue(item.value)) === undefined,
  );
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
function statusLineBeside(text: string, root: JsonContainer, layout: Layout, command: string | undefined) {
  const item = memberOf(root, STATUS_LINE);
  if (command === undefined || !item)
    return { missing: command === undefined ? [] : [statusLineText(command, layout)], edits: [] };
  const now = memberOf(item.value, 'command')?.value;
  if (!isOwnLine(item) || !now || toValue(now) === command) return { missing: [], edits: [] };
  const edit = { at: now.start, removed: text.slice(now.start, now.end), inserted: JSON.stringify(command) };
  return { missing: [], edits: [edit] };
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

const isOwn = (handler: unknown): boolean => readOwn(handler) !== undefined;

/** An entry for an event that no installation writes is a person's own. */
function add(text: string, delivery: Delivery): Addition {
  const heard = wiredFor(delivery);
  return addHooks(text, {
    entries: heard.map((event) => ({ event: event.name, handler: handlerFor(event, delivery) })),
    unheard: new Set(WIRED.filter((event) => !heard.includes(event)).map(({ name }) => name)),
    isOwn,
    redirect: (handler, now, layout) => redirect(handler, now, delivery, layout),
    beside: (now, root, layout) => statusLineBeside(now, root, layout, delivery.statusLine),
  });
}

/** Brings an entry that is there to where the program is now, and to its transport. */
function redirect({ event, item }: Handler, text: string, delivery: Delivery, layout: Layout): Edit[] {
  const node = item.value;
  const known = EVENTS.find(({ name }) => name === event);
  const current = toValue(node);
  if (!known || !isFields(current) || node.kind !== 'object') return [];
  const followsRules = delivery.failsClosed !== undefined;
  const replace = ({ start, end }: JsonNode, value: unknown): Edit => ({
    at: start,
    removed: text.slice(start, end),
    inserted: render(value, layout),
  });
  const update = (field: JsonNode | undefined, value: unknown): Edit[] =>
    field === undefined || JSON.stringify(toValue(field)) === JSON.stringify(value) ? [] : [replace(field, value)];
  const { timeout } = current;
  const wanted = handlerFor(known, delivery, typeof timeout === 'number' ? timeout : undefined);
  const fieldOf = (name: string): JsonNode | undefined => memberOf(node, name)?.value;
  const isOtherForm =
    current['type'] !== wanted.type ||
    (wanted.type === 'command' && (!fieldOf('args') || current['bash'] !== wanted.bash));
  if (isOtherForm) return [replace(node, converted(current, wanted, followsRules))];
  if (wanted.type === 'command')
    return [
      ...update(fieldOf('command'), wanted.command),
      ...update(fieldOf('args'), wanted.args),
      ...setFailure(node, wanted.onFailure),
    ];
  const shown = itemsOf(fieldOf('headers'), 'object').findLast(({ key }) => isAuthorization(key))?.value;
  return [
    ...update(fieldOf('url'), wanted.url),
    ...update(shown, wanted.headers.Authorization),
    ...setFailure(node, wanted.onFailure),
  ];

  function setFailure(handler: JsonContainer, wantedFailure: 'block' | undefined): Edit[] {
    if (!followsRules) return [];
    const member = memberOf(handler, 'onFailure');
    if (wantedFailure !== undefined) {
      const added = (): string => `"onFailure":${layout.spaced ? ' ' : ''}${render(wantedFailure, layout)}`;
      return member ? update(member.value, wantedFailure) : [insertItems(text, handler, layout, [added])];
    }
    return member && toValue(member.value) === 'block' ? removeItems(text, handler, new Set([member])) : [];
  }
}

function remove(text: string, kept: Kept): readonly Edit[] {
  const isGoneMember = (item: JsonItem): boolean => item.key === STATUS_LINE && isOwnLine(item);
  return removeHooks(text, kept, isOwn, { isGoneMember });
}
