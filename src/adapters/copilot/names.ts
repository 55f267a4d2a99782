import type { EventName, ToolKind } from '../../event/event.ts';
import type { AgentEvent } from '../adapter.ts';
import type { ToolWords } from '../read-call.ts';
import { namesIn } from '../read-event.ts';

export const AGENT = 'copilot';

const row = (name: string, canonical: EventName, more: Partial<AgentEvent> = {}): AgentEvent => ({
  name,
  canonical,
  wiring: 'command',
  ...more,
});

/**
 * The events of client 1.0.102 that are about what happens, as they are wired. A command that ends with another code than
 * 0 comes as one that worked. What is said before a tool of a server is called can change nothing but what goes along.
 */
export const EVENTS: readonly AgentEvent[] = [
  row('sessionStart', 'session.start'),
  row('sessionEnd', 'session.end'),
  row('userPromptSubmitted', 'prompt.submit'),
  row('preToolUse', 'tool.before'),
  row('postToolUse', 'tool.after', { also: 'tool.failed' }),
  row('postToolUseFailure', 'tool.failed'),
  row('permissionRequest', 'permission.request'),
  row('agentStop', 'turn.stop'),
  row('errorOccurred', 'turn.failed'),
  row('subagentStart', 'subagent.start'),
  row('subagentStop', 'subagent.stop'),
  row('preCompact', 'compact.before'),
  row('notification', 'notification'),
];

/** Under keys with a capital the client sends other spellings; most of their names differ by that letter alone. */
const RENAMED: Readonly<Record<string, string>> = { UserPromptSubmit: 'userPromptSubmitted', Stop: 'agentStop' };

function wiredName(name: string): string {
  return RENAMED[name] ?? name.slice(0, 1).toLowerCase() + name.slice(1);
}

export const BOTH_SPELLINGS: readonly string[] = [
  ...EVENTS.map(({ name }) => name),
  ...EVENTS.map(({ name }) => name.slice(0, 1).toUpperCase() + name.slice(1)),
  ...Object.keys(RENAMED),
];

const nameOf = namesIn(EVENTS);

export function canonicalName(name: string): EventName {
  return nameOf(wiredName(name));
}

const SEARCH: ToolWords = { kind: 'search', path: 'paths', query: 'pattern' };
const WRITE: ToolWords = { kind: 'write', path: 'path', text: 'file_text' };
const EDIT: ToolWords = { kind: 'edit', path: 'path', old: 'old_str', new: 'new_str' };
const READ: ToolWords = { kind: 'read', path: 'path', range: 'view_range' };
const GLOB: ToolWords = { kind: 'glob', path: 'paths', query: 'pattern' };

/** The capitalised names are the client's own in its other spelling; the arguments are called the same there. */
export const TOOLS: Readonly<Record<string, ToolWords>> = {
  bash: { kind: 'shell' },
  Bash: { kind: 'shell' },
  view: READ,
  Read: READ,
  create: WRITE,
  Write: WRITE,
  edit: EDIT,
  Edit: EDIT,
  apply_patch: { kind: 'edit' },
  grep: SEARCH,
  rg: SEARCH,
  Grep: SEARCH,
  glob: GLOB,
  Glob: GLOB,
  web_fetch: { kind: 'fetch', query: 'url' },
  web_search: { kind: 'web', query: 'query' },
  task: { kind: 'agent' },
  Agent: { kind: 'agent' },
  skill: { kind: 'skill' },
  // A store of the session's own, in which the model keeps what is to do.
  sql: { kind: 'plan' },
  session_store_sql: { kind: 'plan' },
};

export const TOOL_KINDS: Readonly<Record<string, ToolKind>> = Object.fromEntries(
  Object.entries(TOOLS).map(([name, { kind }]) => [name, kind]),
);
