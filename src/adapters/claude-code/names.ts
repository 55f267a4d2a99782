import type { EventName, ToolKind } from '../../event/event.ts';
import type { AgentEvent, Wiring } from '../adapter.ts';

function row(name: string, canonical: EventName, wiring: Wiring = 'any'): AgentEvent {
  return { name, canonical, wiring };
}

/** Every event the client has. The canonical names are distinct, so the table reads both ways. */
export const EVENTS: readonly AgentEvent[] = [
  // The client skips HTTP hooks on these two.
  row('SessionStart', 'session.start', 'command'),
  row('Setup', 'session.setup', 'command'),
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
  row('TeammateIdle', 'teammate.idle'),
  row('TaskCreated', 'task.created'),
  row('TaskCompleted', 'task.completed'),
  // Both take plain text, and plain text over HTTP is an error.
  row('PreCompact', 'compact.before', 'command'),
  row('PostCompact', 'compact.after', 'command'),
  row('PreModelSwitch', 'model.before'),
  row('PostModelSwitch', 'model.after'),
  row('Notification', 'notification'),
  row('Elicitation', 'elicitation'),
  row('ElicitationResult', 'elicitation.result'),
  row('ConfigChange', 'config.changed'),
  row('InstructionsLoaded', 'instructions.loaded'),
  // A hook here takes over the creation of the work tree, which fails without a path from it.
  row('WorktreeCreate', 'worktree.create', 'never'),
  row('WorktreeRemove', 'worktree.remove'),
  row('CwdChanged', 'cwd.changed'),
  row('FileChanged', 'file.changed'),
  row('DirectoryAdded', 'directory.added'),
  row('MessageDisplay', 'message.display'),
];

const CANONICAL: ReadonlyMap<string, EventName> = new Map(EVENTS.map((event) => [event.name, event.canonical]));
const OWN: ReadonlyMap<EventName, string> = new Map(EVENTS.map((event) => [event.canonical, event.name]));

/**
 * Old and new spellings side by side: sessions of older clients and their transcripts use the old ones. Planning is what
 * begins with a tool of its kind, so the one that ends it is none.
 */
export const TOOL_KINDS: Readonly<Record<string, ToolKind>> = {
  Bash: 'shell',
  PowerShell: 'shell',
  Monitor: 'shell',
  Read: 'read',
  NotebookRead: 'read',
  Write: 'write',
  Edit: 'edit',
  MultiEdit: 'edit',
  NotebookEdit: 'edit',
  Grep: 'search',
  Glob: 'glob',
  LS: 'list',
  Agent: 'agent',
  Task: 'agent',
  Skill: 'skill',
  SlashCommand: 'skill',
  EnterPlanMode: 'plan',
  WebFetch: 'fetch',
  WebSearch: 'web',
};

const TOOLS: ReadonlyMap<string, ToolKind> = new Map(Object.entries(TOOL_KINDS));

export function canonicalName(name: string): EventName {
  return CANONICAL.get(name) ?? 'unknown';
}

export function ownName(event: EventName): string {
  return OWN.get(event) ?? '';
}

export function toolKind(name: string): ToolKind {
  return TOOLS.get(name) ?? 'other';
}
