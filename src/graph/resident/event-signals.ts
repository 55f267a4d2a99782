import type { Event, ToolCall, ToolKind } from '../../event/event.ts';
import { basename } from '../../platform/paths.ts';
import { languageByName } from '../walk/known-languages.ts';

/** The files that an event tells of a change to; `any` when it may have changed whatever it liked. */
export function changeBy({ name, tool, prompt, place }: Event): readonly string[] | 'any' | undefined {
  if (name === 'session.start' || name === 'worktree.create') return 'any';
  if (name === 'prompt.submit') return prompt?.origin === 'human' ? 'any' : undefined;
  if (name === 'file.changed') return place && [place.path];
  if (name !== 'tool.after' && name !== 'tool.failed') return undefined;
  if (tool?.kind === 'shell') return 'any';
  return tool && tool.edits.length > 0 ? tool.edits.map(({ path }) => path) : undefined;
}

const LEADING: ReadonlySet<ToolKind> = new Set(['shell', 'read', 'write', 'edit', 'search', 'glob', 'list']);

/** Whether the event shows that work goes on at its place, so that an index of it is of use. */
export function showsWork({ name, tool }: Event): boolean {
  if (name === 'session.start' || name === 'cwd.changed' || name === 'worktree.create') return true;
  return (name === 'tool.after' || name === 'tool.failed') && tool !== undefined && LEADING.has(tool.kind);
}

/** The files that the agent has read with this event. */
export function readBy({ name, tool }: Event): readonly string[] {
  return name === 'tool.after' && tool?.kind === 'read' ? tool.paths : [];
}

/** The files that the agent has read or written with this event. */
export function touchedBy({ name, tool }: Event): readonly string[] {
  if (name !== 'tool.after' || tool === undefined) return [];
  return tool.kind === 'read' ? tool.paths : tool.edits.map(({ path }) => path);
}

/** Whether it names a file in a language that is known here. */
export function namesCode({ tool }: Event): boolean {
  return tool !== undefined && tool.kind !== 'shell' && pathsOf(tool).some(isCodeFile);
}

function pathsOf({ paths, edits }: ToolCall): readonly string[] {
  return edits.length === 0 ? paths : [...paths, ...edits.map(({ path }) => path)];
}

function isCodeFile(path: string): boolean {
  return languageByName(basename(path)) !== undefined;
}
