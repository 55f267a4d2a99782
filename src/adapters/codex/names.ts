import type { EventName, ToolKind } from '../../event/event.ts';
import type { AgentEvent } from '../adapter.ts';
import { namesIn } from '../read-event.ts';

export const AGENT = 'codex';

const row = (name: string, canonical: EventName): AgentEvent => ({ name, canonical, wiring: 'command' });

/** Every event that client 0.166.0 has. It starts programs and posts nothing. */
export const EVENTS: readonly AgentEvent[] = [
  row('SessionStart', 'session.start'),
  row('SessionEnd', 'session.end'),
  row('UserPromptSubmit', 'prompt.submit'),
  row('PreToolUse', 'tool.before'),
  row('PostToolUse', 'tool.after'),
  row('PermissionRequest', 'permission.request'),
  row('Stop', 'turn.stop'),
  row('Interrupt', 'turn.failed'),
  row('SubagentStart', 'subagent.start'),
  row('SubagentStop', 'subagent.stop'),
  row('PreCompact', 'compact.before'),
  row('PostCompact', 'compact.after'),
];

/** As hooks see them. A patch that only adds files writes, any other edits; the capitalised names are the client's own for these. */
export const TOOL_KINDS: Readonly<Record<string, ToolKind>> = {
  Bash: 'shell',
  apply_patch: 'edit',
  Edit: 'edit',
  Write: 'write',
  view_image: 'read',
  spawn_agent: 'agent',
  Agent: 'agent',
};

export const canonicalName = namesIn(EVENTS);
