import { createHash } from 'node:crypto';
import { dirname, join } from '../../platform/paths.ts';
import type { SettingsLocation, SetupFiles } from '../adapter.ts';
import { isFields } from '../fields.ts';
import { handlersIn } from '../hook-groups.ts';
import type { IsOwn } from '../hook-groups.ts';
import type { Addition, HookFile, Scope, TrustSettings } from '../installer.ts';
import type { Edit } from '../json-edit.ts';
import { objectIn, toValue } from '../json-edit.ts';
import { AGENT, EVENTS } from './names.ts';
import { configDir, settingsPath } from './settings.ts';

/** Where the client keeps which hooks a person has agreed to: in the person's own file, also for those of a project. */
export function trustSettings(
  scope: Scope,
  location: SettingsLocation,
  files: SetupFiles,
  isOwn: IsOwn,
): TrustSettings {
  return {
    agent: AGENT,
    part: `hooks.state.${scope}`,
    path: join(configDir(location), 'config.toml'),
    mode: 0o600,
    byHand: 'start codex, type /hooks, and say yes to the entries of fairlead',
    read: (text) => ({ problems: [], own: statesIn(text).map(({ key }) => ({ path: key, words: [] })) }),
    add: (text, hooks) => add(text, entriesIn(hooks, isOwn)),
    remove(text) {
      const path = settingsPath(scope, location) ?? '';
      return remove(text, entriesIn({ path, text: files.readText(path) ?? '' }, isOwn));
    },
    objections: (text, hooks) => objections(text, hooks, scope, entriesIn(hooks, isOwn)),
  };
}

interface Entry {
  readonly key: string;
  readonly hash: string;
}

/** Events as its keys spell them. */
const snake = (event: string): string => event.replaceAll(/(?<=[a-z])[A-Z]/g, '_$&').toLowerCase();

/** Those that keep no matcher. */
const UNMATCHED: ReadonlySet<string> = new Set(['UserPromptSubmit', 'Stop']);

/** Our entries in a file of hooks. The hash is that of client 0.166.0: the event, the matcher and the entry, keys in order. */
function entriesIn({ path, text }: HookFile, isOwn: IsOwn): readonly Entry[] {
  return handlersIn(objectIn(text)).flatMap(({ event, at, item, group, effective }): Entry[] => {
    const handler = toValue(item.value);
    const around = toValue(group.value);
    if (!effective || !isFields(handler) || !isOwn(handler) || !EVENTS.some(({ name }) => name === event)) return [];
    const { command, timeout = 600, statusMessage, additionalContextLimit } = handler;
    const matcher = isFields(around) && !UNMATCHED.has(event) ? around['matcher'] : undefined;
    const entry = {
      additionalContextLimit,
      async: handler['async'] === true,
      command,
      statusMessage,
      timeout,
      type: 'command',
    };
    const identity = JSON.stringify({ event_name: snake(event), hooks: [entry], matcher });
    const hash = `sha256:${createHash('sha256').update(identity).digest('hex')}`;
    return [{ key: `${path}:${snake(event)}:${at.join(':')}`, hash }];
  });
}

interface State extends Entry {
  readonly start: number;
  readonly end: number;
  readonly isOff: boolean;
}

const STATE = /^\[hooks\.state\.("(?:[^"\\\n]|\\.)*"|'[^'\n]*')\][^\n]*\n?((?:(?!\[)[^\n]*(?:\n|$))*)/gm;

function statesIn(text: string): readonly State[] {
  return [...text.matchAll(STATE)].map(({ 0: whole, 1: name = '', 2: body = '', index }) => ({
    key: name.startsWith('"') ? fromToml(name) : name.slice(1, -1),
    hash: /^trusted_hash\s*=\s*["']([^"'\n]*)["']/m.exec(body)?.[1] ?? '',
    isOff: /^enabled\s*=\s*false/m.test(body),
    start: index,
    end: index + whole.length,
  }));
}

/** TOML knows many ways to say the same; a second table of one name would spoil the file. */
function hasOtherForm(text: string): boolean {
  const tables = text.match(/^[ \t]*\[[ \t]*(?:hooks|"hooks"|'hooks')[ \t]*\.[ \t]*["']?state\b/gm)?.length ?? 0;
  const inTable = /^[ \t]*\[[ \t]*["']?hooks["']?[ \t]*\](?:(?!^[ \t]*\[)[^])*?^[ \t]*["']?state\b/m.test(text);
  return (
    tables !== statesIn(text).length || inTable || /^[ \t]*["']?hooks["']?[ \t]*(?:=|\.[ \t]*["']?state\b)/m.test(text)
  );
}

function fromToml(name: string): string {
  try {
    return JSON.parse(name) as string;
  } catch {
    return name;
  }
}

const blockOf = ({ key, hash }: Entry): string => `\n[hooks.state.${JSON.stringify(key)}]\ntrusted_hash = "${hash}"\n`;

/** What is known of an entry is brought to what it is now; the rest comes behind all others, where tables may come. */
function add(text: string, entries: readonly Entry[]): Addition {
  if (hasOtherForm(text))
    return { refusal: '"hooks" stands in it in a form that is not read here. Say yes in /hooks instead' };
  const known = new Map(statesIn(text).map((state) => [state.key, state]));
  const edits: Edit[] = [];
  const missing: Entry[] = [];
  for (const entry of entries) {
    const state = known.get(entry.key);
    const at = state?.hash ? text.indexOf(state.hash, state.start) : -1;
    if (!state) missing.push(entry);
    else if (at < 0) return { refusal: `"hooks.state" in it has no hash for ${entry.key}. Say yes in /hooks instead` };
    else if (state.hash !== entry.hash) edits.push({ at, removed: state.hash, inserted: entry.hash });
  }
  const start = text === '' || text.endsWith('\n') ? '' : '\n';
  const blocks = start + missing.map(blockOf).join('');
  return { edits: blocks === '' ? edits : [...edits, { at: text.length, removed: '', inserted: blocks }], kept: {} };
}

function remove(text: string, entries: readonly Entry[]): readonly Edit[] {
  return entries.flatMap((entry): Edit[] => {
    const block = blockOf(entry);
    const at = text.indexOf(block);
    return at < 0 ? [] : [{ at, removed: block, inserted: '' }];
  });
}

/** What keeps these entries from being called. */
function objections(text: string, { path }: HookFile, scope: Scope, entries: readonly Entry[]): readonly string[] {
  const known = new Map(statesIn(text).map((state) => [state.key, state]));
  const count = (is: (state: State | undefined, entry: Entry) => boolean): number =>
    entries.filter((entry) => is(known.get(entry.key), entry)).length;
  const project = dirname(dirname(path));
  const isTrusted = new RegExp(
    String.raw`^\[projects\.["']${escaped(project)}["']\][^[]*trust_level\s*=\s*"trusted"`,
    'm',
  );
  return [
    ...told(
      count((state) => state === undefined),
      'not agreed to by a person',
    ),
    ...told(
      count((state, { hash }) => state !== undefined && state.hash !== hash),
      'changed since a person agreed to them',
    ),
    ...told(
      count((state) => state?.isOff === true),
      'switched off in the list of hooks',
    ),
    ...(/^\[features\][^[]*^hooks\s*=\s*false/m.test(text)
      ? ['all entries are off, by `hooks = false` under [features]']
      : []),
    ...(scope === 'project' && !isTrusted.test(text) ? [`the project is not marked as trusted`] : []),
  ];
}

function told(count: number, what: string): readonly string[] {
  return count === 0 ? [] : [`${count} ${count === 1 ? 'entry is' : 'entries are'} ${what}`];
}

function escaped(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`);
}
