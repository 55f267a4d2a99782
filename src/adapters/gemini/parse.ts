import type { Event } from '../../event/event.ts';
import { eventReader } from '../read-event.ts';
import { AGENT, canonicalName } from './names.ts';
import { readTool } from './tool.ts';

export const parse = eventReader({
  agent: AGENT,
  canonicalName,
  readTool,
  lastMessage: 'prompt_response',
  add(event) {
    event.asksPerson = false;
    if (event.name === 'tool.after' && event.tool?.failed === true) event.name = 'tool.failed';
  },
});

/** The same call with another input. */
export function withInput(event: Event, input: Readonly<Record<string, unknown>>, home: string): Event {
  const { tool, cwd } = event;
  if (!tool) return event;
  const server = tool.mcp && { mcp_context: { server_name: tool.mcp.server, tool_name: tool.mcp.tool } };
  return { ...event, tool: readTool({ tool_name: tool.name, tool_input: input, ...server }, { cwd, home }) };
}
