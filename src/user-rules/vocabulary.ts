import type { EventName, ToolKind } from '../event/event.ts';

const EVENTS: Readonly<Record<EventName, true>> = {
  'session.start': true,
  'session.end': true,
  'session.setup': true,
  'prompt.submit': true,
  'prompt.expand': true,
  'tool.before': true,
  'tool.after': true,
  'tool.failed': true,
  'tool.batch': true,
  'permission.request': true,
  'permission.denied': true,
  'turn.stop': true,
  'turn.failed': true,
  'subagent.start': true,
  'subagent.stop': true,
  'teammate.idle': true,
  'task.created': true,
  'task.completed': true,
  'compact.before': true,
  'compact.after': true,
  'model.before': true,
  'model.after': true,
  notification: true,
  elicitation: true,
  'elicitation.result': true,
  'config.changed': true,
  'instructions.loaded': true,
  'worktree.create': true,
  'worktree.remove': true,
  'cwd.changed': true,
  'file.changed': true,
  'directory.added': true,
  'message.display': true,
  unknown: true,
};

const KINDS: Readonly<Record<ToolKind, true>> = {
  shell: true,
  read: true,
  write: true,
  edit: true,
  search: true,
  glob: true,
  list: true,
  agent: true,
  skill: true,
  plan: true,
  fetch: true,
  web: true,
  mcp: true,
  other: true,
};

export const EVENT_NAMES = Object.keys(EVENTS).filter((name) => name !== 'unknown') as readonly EventName[];
export const TOOL_KINDS = Object.keys(KINDS) as readonly ToolKind[];

/** What one word under `event` stands for. */
export interface Heard {
  readonly events: readonly EventName[];
  readonly kinds?: readonly ToolKind[];
}

const SHORT_WORDS: Readonly<Record<string, Heard>> = {
  bash: { events: ['tool.before'], kinds: ['shell'] },
  file: { events: ['tool.before'], kinds: ['write', 'edit'] },
  prompt: { events: ['prompt.submit'] },
  stop: { events: ['turn.stop'] },
  all: { events: ['tool.before', 'prompt.submit', 'turn.stop'] },
};

/** The words an agent has for tools and events, given by its adapter. */
export interface Aliases {
  readonly toolAliases: Readonly<Record<string, ToolKind>>;
  readonly eventAliases: Readonly<Record<string, EventName>>;
}

export function hear(word: string, { eventAliases }: Aliases): Heard | undefined {
  if (Object.hasOwn(SHORT_WORDS, word)) return SHORT_WORDS[word];
  if ((EVENT_NAMES as readonly string[]).includes(word)) return { events: [word as EventName] };
  const event = Object.hasOwn(eventAliases, word) ? eventAliases[word] : undefined;
  return event && { events: [event] };
}

export function eventWords({ eventAliases }: Aliases): readonly string[] {
  return [...Object.keys(SHORT_WORDS), ...EVENT_NAMES, ...Object.keys(eventAliases)];
}

/** Kinds come first, then the agent's names; case does not matter, since people write `bash` and `Bash`. */
export function kindOf(word: string, { toolAliases }: Aliases): ToolKind | undefined {
  const lower = word.toLowerCase();
  const kind = TOOL_KINDS.find((name) => name === lower);
  if (kind) return kind;
  const name = Object.keys(toolAliases).find((alias) => alias.toLowerCase() === lower);
  return name === undefined ? undefined : toolAliases[name];
}

export function toolWords({ toolAliases }: Aliases): readonly string[] {
  return [...TOOL_KINDS, ...Object.keys(toolAliases)];
}

export function concernsTool(event: EventName): boolean {
  return event.startsWith('tool.') || event.startsWith('permission.');
}
