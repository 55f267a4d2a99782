import type { EventName, ToolKind } from '../../event/event.ts';
import type { AgentEvent } from '../adapter.ts';
import type { ToolWords } from '../read-call.ts';
import { namesIn } from '../read-event.ts';

export const AGENT = 'opencode';

const row = (name: string, canonical: EventName, also?: EventName): AgentEvent => ({
  name,
  canonical,
  ...(also !== undefined && { also }),
  wiring: 'command',
});

/**
 * What our plugin in client 1.18.18 tells of: its callbacks and events by their names. `dispose` is told for each session, and
 * `message.part.updated` only of a call that ended with an error, which has no callback.
 */
export const EVENTS: readonly AgentEvent[] = [
  row('session.created', 'session.start', 'subagent.start'),
  row('dispose', 'session.end'),
  row('chat.message', 'prompt.submit'),
  row('tool.execute.before', 'tool.before'),
  row('tool.execute.after', 'tool.after', 'tool.failed'),
  row('message.part.updated', 'tool.failed'),
  row('session.idle', 'turn.stop', 'subagent.stop'),
  row('session.error', 'turn.failed'),
  row('experimental.session.compacting', 'compact.before'),
  row('session.compacted', 'compact.after'),
  row('permission.asked', 'notification'),
];

export const PATCH_TOOL = 'apply_patch';

export const TOOLS: Readonly<Record<string, ToolWords>> = {
  bash: { kind: 'shell', dir: 'workdir' },
  read: { kind: 'read', path: 'filePath', first: 'offset', count: 'limit' },
  write: { kind: 'write', path: 'filePath', text: 'content' },
  edit: { kind: 'edit', path: 'filePath', old: 'oldString', new: 'newString', all: 'replaceAll' },
  grep: { kind: 'search', path: 'path', query: 'pattern' },
  glob: { kind: 'glob', path: 'path', query: 'pattern' },
  webfetch: { kind: 'fetch', query: 'url' },
  websearch: { kind: 'web', query: 'query' },
  task: { kind: 'agent' },
  skill: { kind: 'skill' },
  todowrite: { kind: 'plan' },
};

export const TOOL_KINDS: Readonly<Record<string, ToolKind>> = {
  ...Object.fromEntries(Object.entries(TOOLS).map(([name, { kind }]) => [name, kind])),
  [PATCH_TOOL]: 'edit',
};

export const canonicalName = namesIn(EVENTS);
