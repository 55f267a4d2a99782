import { stamp } from '../../text/stamp.ts';
import type { ToolCall } from '../../event/event.ts';

/** Joins the events of one call. For an agent that gives its calls no ids, what it calls names it. */
export function callName({ id, name, command, input }: ToolCall): string {
  return id ?? stamp([name, command ?? JSON.stringify(input)]);
}
