import type { EventName, ToolKind } from '../../event/event.ts';
import type { AgentEvent } from '../adapter.ts';
import type { ToolWords } from '../read-call.ts';
import { namesIn } from '../read-event.ts';

export const AGENT = 'kimi';

const row = (name: string, canonical: EventName, more: Partial<AgentEvent> = {}): AgentEvent => ({
  name,
  canonical,
  wiring: 'command',
  ...more,
});

/** The events of client 2.1.0 that are about what happens. It starts programs and posts nothing. A call that was denied comes as one that failed. */
export const EVENTS: readonly AgentEvent[] = [
  row('SessionStart', 'session.start'),
  row('SessionEnd', 'session.end'),
  row('UserPromptSubmit', 'prompt.submit'),
  row('PreToolUse', 'tool.before'),
  row('PostToolUse', 'tool.after'),
  row('PostToolUseFailure', 'tool.failed', { also: 'permission.denied' }),
  row('PermissionRequest', 'permission.request'),
  row('Stop', 'turn.stop'),
  row('StopFailure', 'turn.failed'),
  row('Interrupt', 'turn.failed'),
  row('SubagentStart', 'subagent.start'),
  row('SubagentStop', 'subagent.stop'),
  row('PreCompact', 'compact.before'),
  row('PostCompact', 'compact.after'),
  row('Notification', 'notification'),
];

/** Others that an entry of somebody may be for. */
export const OTHER_EVENTS: readonly string[] = [
  ...['PermissionResult', 'UserPromptQueued', 'TurnStarted', 'TaskStarted', 'SessionHeartbeat'],
];

export const TOOLS: Readonly<Record<string, ToolWords>> = {
  Bash: { kind: 'shell', dir: 'cwd' },
  Read: { kind: 'read', path: 'path', first: 'line_offset', count: 'n_lines' },
  ReadMediaFile: { kind: 'read', path: 'path' },
  Write: { kind: 'write', path: 'path', text: 'content' },
  Edit: { kind: 'edit', path: 'path', old: 'old_string', new: 'new_string', all: 'replace_all' },
  Grep: { kind: 'search', path: 'path', query: 'pattern' },
  Glob: { kind: 'glob', path: 'path', query: 'pattern' },
  FetchURL: { kind: 'fetch', query: 'url' },
  WebSearch: { kind: 'web', query: 'query' },
  Agent: { kind: 'agent' },
  AgentSwarm: { kind: 'agent' },
  Skill: { kind: 'skill' },
  TodoList: { kind: 'plan' },
};

export const TOOL_KINDS: Readonly<Record<string, ToolKind>> = Object.fromEntries(
  Object.entries(TOOLS).map(([name, { kind }]) => [name, kind]),
);

export const canonicalName = namesIn(EVENTS);
