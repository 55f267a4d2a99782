import type { EventName, ToolKind } from '../../event/event.ts';
import type { AgentEvent } from '../adapter.ts';
import type { ToolWords } from '../read-call.ts';
import { namesIn } from '../read-event.ts';

export const AGENT = 'qwen';

const row = (name: string, canonical: EventName, wiring: AgentEvent['wiring'] = 'command'): AgentEvent => ({
  name,
  canonical,
  wiring,
});

/** The events of client 0.24.4, but for those about its lists of tasks and deleted sessions. */
export const EVENTS: readonly AgentEvent[] = [
  row('SessionStart', 'session.start'),
  row('SessionEnd', 'session.end'),
  row('UserPromptSubmit', 'prompt.submit'),
  row('UserPromptExpansion', 'prompt.expand'),
  row('PreToolUse', 'tool.before'),
  row('PostToolUse', 'tool.after'),
  row('PostToolUseFailure', 'tool.failed'),
  row('PostToolBatch', 'tool.batch'),
  row('PermissionRequest', 'permission.request'),
  row('PermissionDenied', 'permission.denied'),
  row('Stop', 'turn.stop'),
  row('StopFailure', 'turn.failed'),
  row('SubagentStart', 'subagent.start'),
  row('SubagentStop', 'subagent.stop'),
  row('PreCompact', 'compact.before'),
  row('PostCompact', 'compact.after'),
  row('Notification', 'notification'),
  row('InstructionsLoaded', 'instructions.loaded'),
  // Comes again and again while an answer is shown.
  row('MessageDisplay', 'message.display', 'never'),
];

const FILE = 'file_path';

/** As hooks see them: the client tells older names by the new ones, and what is called through `tool_call` by its own. */
export const TOOLS: Readonly<Record<string, ToolWords>> = {
  run_shell_command: { kind: 'shell', dir: 'directory' },
  monitor: { kind: 'shell', dir: 'directory' },
  read_file: { kind: 'read', path: FILE, skipped: 'offset', count: 'limit' },
  write_file: { kind: 'write', path: FILE, text: 'content' },
  edit: { kind: 'edit', path: FILE, old: 'old_string', new: 'new_string', all: 'replace_all' },
  notebook_edit: { kind: 'edit', path: 'notebook_path', new: 'new_source' },
  grep_search: { kind: 'search', path: 'path', query: 'pattern' },
  glob: { kind: 'glob', path: 'path', query: 'pattern' },
  list_directory: { kind: 'list', path: 'path' },
  web_fetch: { kind: 'fetch', query: 'url' },
  web_search: { kind: 'web', query: 'query' },
  agent: { kind: 'agent' },
  skill: { kind: 'skill' },
  enter_plan_mode: { kind: 'plan' },
};

export const TOOL_KINDS: Readonly<Record<string, ToolKind>> = Object.fromEntries(
  Object.entries(TOOLS).map(([name, { kind }]) => [name, kind]),
);

export const canonicalName = namesIn(EVENTS);
