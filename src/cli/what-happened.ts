import type { Event, ToolCall } from '../event/event.ts';
import { contains, relative } from '../platform/paths.ts';

/** Where paths are seen from. */
export interface Viewpoint {
  readonly root: string;
  readonly userHome: string;
}

/** What an event was about, as one phrase: the command, the file, the prompt. Empty where its name says all. */
export function whatHappened(event: Partial<Event>, from: Viewpoint): string {
  const { tool, batch, prompt, subagent, start, end, compact, model, notification, place } = event;
  if (tool) return whatWasCalled(tool, from);
  if (batch) return batch.map((call) => whatWasCalled(call, from)).join('; ');
  return (
    prompt?.text ??
    notification?.message ??
    (place && seenFrom(from, place.path)) ??
    subagent?.type ??
    start?.source ??
    end?.reason ??
    compact?.trigger ??
    model?.to ??
    ''
  );
}

/** A command speaks for itself; of other tools the name is told too. */
function whatWasCalled(tool: ToolCall, from: Viewpoint): string {
  if (tool.command !== undefined) return tool.command;
  const paths = tool.paths.map((path) => seenFrom(from, path));
  const about = [tool.query, ...paths].filter((text) => text !== undefined && text !== '');
  const first = Object.values(tool.input).find((value) => typeof value === 'string') ?? '';
  return `${tool.name} ${about.length > 0 ? about.join(' ') : first}`.trimEnd();
}

function seenFrom({ root, userHome }: Viewpoint, path: string): string {
  if (contains(root, path)) return relative(root, path) || '.';
  return contains(userHome, path) ? `~${path.slice(userHome.length)}` : path;
}
