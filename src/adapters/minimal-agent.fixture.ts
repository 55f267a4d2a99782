import type { Event, HookCall } from '../event/event.ts';
import type { Decision } from '../event/verdict.ts';
import { join } from '../platform/paths.ts';
import type { Adapter, AgentEvent, Capabilities, Reply, SettingsLocation } from './adapter.ts';
import { EMPTY_REPLY } from './adapter.ts';
import type { Installer, OwnEntry, Scope } from './installer.ts';

const AGENT = 'minimal';

const EVENTS: readonly AgentEvent[] = [
  { name: 'began', canonical: 'session.start', wiring: 'command' },
  { name: 'calls', canonical: 'tool.before', wiring: 'command' },
  { name: 'ended', canonical: 'turn.stop', wiring: 'command' },
];

const NONE: Capabilities = { allow: 'none', rewrite: 'none', ask: 'none', deny: 'none', note: 'none', warn: 'none' };

/** An agent with no more than every agent has: what is optional is absent. */
export const minimal: Adapter = {
  name: AGENT,
  events: EVENTS,
  toolKinds: { run: 'shell' },
  parse,
  render,
  capabilities: (event) => (event === 'tool.before' ? { ...NONE, deny: 'enforced', note: 'advised' } : NONE),
  process: { names: [AGENT], variables: ['MINIMAL_CHILD'] },
  program: {
    names: [AGENT],
    off: [],
    choices: {},
    settings: [],
    grants: { options: [], all: [] },
    others: [],
    sources: [],
    variables: [],
    sets: [],
  },
  settings: {
    files: ['**/.minimal.json', '~/.minimal.json'],
    code: [],
    words: {
      switches: [],
      steering: [],
      entries: [],
      entry: { calls: [], own: [], narrowing: [], holding: [], seconds: [] },
    },
  },
};

/** `{ event, session, dir, command, transcript }`, each a text. */
function parse({ payload, eventHint = '', cwd, depth, receivedAt }: HookCall): Event {
  const agentEvent = textIn(payload, 'event') ?? eventHint;
  const session = textIn(payload, 'session') || undefined;
  const transcript = textIn(payload, 'transcript');
  const name = EVENTS.find((event) => event.name === agentEvent)?.canonical ?? 'unknown';
  const command = textIn(payload, 'command');
  const input = command === undefined ? {} : { command };
  const shell = { kind: 'shell', name: 'run', input, hasInput: true, paths: [], edits: [] } as const;
  return {
    name,
    agent: AGENT,
    agentEvent,
    session: session ?? 'unknown',
    hasSession: session !== undefined,
    cwd: textIn(payload, 'dir') ?? cwd,
    ...(transcript !== undefined && { transcript }),
    ...(name === 'tool.before' && { tool: { ...shell, ...input } }),
    depth,
    receivedAt,
  };
}

function textIn(payload: unknown, key: string): string | undefined {
  const fields = typeof payload === 'object' && payload !== null ? (payload as Record<string, unknown>) : {};
  const value = Object.hasOwn(fields, key) ? fields[key] : undefined;
  return typeof value === 'string' ? value : undefined;
}

/** `{ stop: reason }` or `{ note: text }`. */
function render({ action, reason, notes }: Decision, { name }: Event): Reply {
  if (name !== 'tool.before') return EMPTY_REPLY;
  const told = notes.map(({ text }) => text).join('\n');
  if (action === 'deny') return { stdout: JSON.stringify({ stop: reason ?? '', note: told }), exitCode: 0 };
  return told === '' ? EMPTY_REPLY : { stdout: JSON.stringify({ note: told }), exitCode: 0 };
}

interface Settings {
  readonly calls?: readonly { readonly on: string; readonly run: readonly string[] }[];
}

const settingsIn = (text: string): Settings => (text.trim() === '' ? {} : (JSON.parse(text) as Settings));
const isOwn = ({ run }: NonNullable<Settings['calls']>[number]): boolean => run.includes('--agent');
const whole = (text: string, settings: Settings) => [
  { at: 0, removed: text, inserted: `${JSON.stringify(settings, undefined, 2)}\n` },
];

/** One list of calls per file. There are no settings for one person in one project. */
export const minimalInstaller: Installer = {
  agent: AGENT,
  wired: EVENTS,
  settingsPath(scope: Scope, { root, home }: SettingsLocation) {
    return scope === 'local' ? undefined : join(scope === 'user' ? home : root, '.minimal.json');
  },
  reach: (scope) => (scope === 'user' ? 'all your sessions' : 'all sessions in this project'),
  policyPaths: () => [],
  read(text) {
    const { calls = [] } = settingsIn(text);
    const own = calls
      .filter(isOwn)
      .map(({ on, run }, at): OwnEntry => ({ event: on, path: `calls.${at}`, words: run, blocks: false }));
    return { problems: [], own, foreign: calls.length - own.length, others: [], switches: [] };
  },
  add(text, { launch: { command, args, homeArgs } }) {
    const before = settingsIn(text);
    const others = before.calls?.filter((each) => !isOwn(each)) ?? [];
    const own = EVENTS.map(({ name }) => ({
      on: name,
      run: [command, ...args, 'hook', '--agent', AGENT, '--event', name, ...homeArgs],
    }));
    return { edits: whole(text, { ...before, calls: [...others, ...own] }), kept: {} };
  },
  remove(text) {
    const before = settingsIn(text);
    if (!before.calls?.some(isOwn)) return [];
    return whole(text, { ...before, calls: before.calls.filter((each) => !isOwn(each)) });
  },
};
