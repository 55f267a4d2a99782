import type { ToolCall } from '../../event/event.ts';
import type { Fields } from '../fields.ts';
import { blockText, isFields, textAt } from '../fields.ts';
import type { PathBase } from '../paths.ts';
import { resolvePath } from '../paths.ts';
import { asServerCall, readCall } from '../read-call.ts';
import type { CallDraft } from '../read-call.ts';
import { TOOLS } from './names.ts';

/** How a command ended is told in its output alone. */
const EXIT_CODE = /^Exit Code: ([1-9]\d*)\s*$/m;
const SIGNAL = /^Signal: \S+\s*$/m;

export function readTool(fields: Fields, base: PathBase): ToolCall {
  const call = readCall(textAt(fields, 'tool_name') ?? '', fields['tool_input'], TOOLS, base);
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
  const ended = call.kind === 'shell' && text !== undefined && (EXIT_CODE.test(text) || SIGNAL.test(text));
  if (told === undefined && !ended) return;
  call.failed = true;
  call.error = told ?? text ?? '';
}

/** Where a command runs, which may be elsewhere than the session. */
export function placeOf(fields: Fields, base: PathBase): string {
  const input = fields['tool_input'];
  const isShell = TOOLS[textAt(fields, 'tool_name') ?? '']?.kind === 'shell';
  const dir = isShell && isFields(input) ? textAt(input, 'dir_path') : undefined;
  return dir === undefined ? base.cwd : resolvePath(dir, base);
}
