import type { EventName, ToolKind } from '../../event/event.ts';
import type { AgentEvent } from '../adapter.ts';
import type { ToolWords } from '../read-call.ts';
import { namesIn } from '../read-event.ts';

export const AGENT = 'gemini';

const row = (name: string, canonical: EventName, more: Partial<AgentEvent> = {}): AgentEvent => ({
  name,
  canonical,
  wiring: 'command',
  ...more,
});

/**
 * The events of client 0.61.0 that are about what happens. It starts programs and posts nothing. A tool that failed comes
 * as `AfterTool` too. `PreCompress` comes before every request to the model, also where nothing is made shorter.
 */
export const EVENTS: readonly AgentEvent[] = [
  row('SessionStart', 'session.start'),
  row('SessionEnd', 'session.end'),
  row('BeforeAgent', 'prompt.submit'),
  row('BeforeTool', 'tool.before'),
  row('AfterTool', 'tool.after', { also: 'tool.failed' }),
  row('AfterAgent', 'turn.stop'),
  row('Notification', 'notification'),
  row('PreCompress', 'compact.before', { wiring: 'never' }),
];

export const TOOLS: Readonly<Record<string, ToolWords>> = {
  run_shell_command: { kind: 'shell', dir: 'dir_path' },
  read_file: { kind: 'read', path: 'file_path', first: 'start_line', last: 'end_line' },
  read_many_files: { kind: 'read', path: 'include' },
  write_file: { kind: 'write', path: 'file_path', text: 'content' },
  replace: { kind: 'edit', path: 'file_path', old: 'old_string', new: 'new_string', all: 'allow_multiple' },
  grep_search: { kind: 'search', path: 'dir_path', query: 'pattern' },
  // What the client called it before; it still takes the name, and tells it to hooks.
  search_file_content: { kind: 'search', path: 'dir_path', query: 'pattern' },
  glob: { kind: 'glob', path: 'dir_path', query: 'pattern' },
  list_directory: { kind: 'list', path: 'dir_path' },
  web_fetch: { kind: 'fetch', query: 'prompt' },
  google_web_search: { kind: 'web', query: 'query' },
  invoke_agent: { kind: 'agent' },
  activate_skill: { kind: 'skill' },
  write_todos: { kind: 'plan' },
};

export const TOOL_KINDS: Readonly<Record<string, ToolKind>> = Object.fromEntries(
  Object.entries(TOOLS).map(([name, { kind }]) => [name, kind]),
);

export const canonicalName = namesIn(EVENTS);
