import type { Event, ToolKind } from '../event/event.ts';

export function event(cwd: string, more: Partial<Event> = {}): Event {
  return {
    name: 'tool.after',
    agent: 'test',
    agentEvent: 'x',
    session: 's',
    hasSession: true,
    depth: 0,
    receivedAt: 0,
    cwd,
    ...more,
  };
}

/** A finished tool call. */
export function call(cwd: string, kind: ToolKind, ...paths: string[]): Event {
  return event(cwd, { tool: { kind, name: kind, input: {}, hasInput: true, paths, edits: [] } });
}
