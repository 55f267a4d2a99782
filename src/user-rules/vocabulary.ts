import { EVENT_NAMES, TOOL_KINDS } from '../event/event.ts';
import type { EventName, ToolKind } from '../event/event.ts';

/** What a rule can name: an event that no adapter knows has no name to listen to. */
const HEARABLE: readonly EventName[] = EVENT_NAMES.filter((name) => name !== 'unknown');

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
  if ((HEARABLE as readonly string[]).includes(word)) return { events: [word as EventName] };
  const event = Object.hasOwn(eventAliases, word) ? eventAliases[word] : undefined;
  return event && { events: [event] };
}

export function eventWords({ eventAliases }: Aliases): readonly string[] {
  return [...Object.keys(SHORT_WORDS), ...HEARABLE, ...Object.keys(eventAliases)];
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
