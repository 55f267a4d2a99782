import type { Event, ToolCall } from '../../event/event.ts';
import { eventReader } from '../read-event.ts';
import { AGENT, canonicalName, TOOLS } from './names.ts';
import { blockText, isFields, textAt } from '../fields.ts';
import type { Fields } from '../fields.ts';
import type { PathBase } from '../paths.ts';
import { asServerCall, readCall } from '../read-call.ts';
import type { CallDraft } from '../read-call.ts';

/** How a command ended is told behind its output alone, among other lines of the client. */
const FAILED =
  /\n(?:Exit Code: [1-9]\d*|Signal: \w+)(?:\n(?:Exit Code|Signal|Error|Background PIDs|Process Group PGID): [^\n]*)*\s*(?:<\/untrusted_context>\s*)?$/;

function readTool(fields: Fields, base: PathBase): ToolCall {
  const call = readCall(textAt(fields, 'tool_name') ?? '', fields['tool_input'], { tools: TOOLS, spell }, base);
  const server = serverOf(call.name, fields['mcp_context']);
  if (server) asServerCall(call, server.server, server.tool, base);
  const output = fields['tool_response'];
  if (output !== undefined) addOutput(call, output);
  return call;
}

/** A server that the client knows is told apart; of any other its name is all there is, up to the first line below. */
function serverOf(name: string, told: unknown): ToolCall['mcp'] {
  if (isFields(told)) return { server: textAt(told, 'server_name') ?? '', tool: textAt(told, 'tool_name') ?? name };
  const [, server, tool] = /^mcp_([^_]+)_(.+)$/.exec(name) ?? [];
  return server === undefined || tool === undefined ? undefined : { server, tool };
}

function addOutput(call: CallDraft, output: unknown): void {
  call.output = output;
  const result = isFields(output) ? output : {};
  const text = blockText(result['llmContent']);
  if (text !== undefined) call.outputText = text;
  const { error } = result;
  const told = isFields(error) ? textAt(error, 'message') : undefined;
  const ended = call.kind === 'shell' && text !== undefined && FAILED.test(text);
  if (told === undefined && !ended) return;
  call.failed = true;
  call.error = told ?? text ?? '';
}

/** The client decodes names, and takes a sign off that its model puts before them; which file there is, it looks up. */
function spell(path: string): readonly string[] {
  const bare = path.replaceAll('\0', '');
  const named = bare.startsWith('@') ? [bare, bare.slice(1)] : [bare];
  return [...new Set(named.flatMap((name) => [decoded(name), name]))];
}

function decoded(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}

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
