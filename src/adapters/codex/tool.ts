import type { ToolCall } from '../../event/event.ts';
import type { Fields } from '../fields.ts';
import { blockText, isFields, textAt } from '../fields.ts';
import { foreignPaths } from '../foreign-paths.ts';
import { addPatch } from '../patch-edits.ts';
import type { PathBase } from '../paths.ts';
import { resolvePath } from '../paths.ts';
import type { CallDraft } from '../read-call.ts';
import { TOOL_KINDS } from './names.ts';

const NO_INPUT: Fields = Object.freeze({});

export function readTool(fields: Fields, base: PathBase): ToolCall {
  const name = textAt(fields, 'tool_name') ?? '';
  const given = fields['tool_input'];
  const input = isFields(given) ? given : NO_INPUT;
  const call: CallDraft = { kind: 'other', name, input, hasInput: isFields(given), paths: [], edits: [] };
  const id = textAt(fields, 'tool_use_id');
  if (id !== undefined) call.id = id;
  addSubject(call, base);
  const output = fields['tool_response'];
  if (output !== undefined) {
    call.output = output;
    const text = isFields(output) ? blockText(output['content']) : blockText(output);
    if (text !== undefined) call.outputText = text;
  }
  return call;
}

/** What the call is about, and why that cannot be told where it cannot. */
function addSubject(call: CallDraft, base: PathBase): void {
  const { name, input } = call;
  const server = /^mcp__(.+?)__(.+)$/.exec(name);
  if (server) {
    call.kind = 'mcp';
    call.mcp = { server: server[1] ?? '', tool: server[2] ?? '' };
    const query = textAt(input, 'query');
    if (query !== undefined) call.query = query;
  } else if (Object.hasOwn(TOOL_KINDS, name)) call.kind = TOOL_KINDS[name] ?? 'other';
  const command = typeof input['command'] === 'string' ? input['command'] : undefined;
  if (name === '') call.unread = 'it names no tool';
  else if (call.kind === 'shell') {
    if (command === undefined) call.unread = 'its command is no text';
    else call.command = command;
  } else if (call.kind === 'edit' || call.kind === 'write')
    addPatch(call, command ?? '', (path) => resolvePath(path, base));
  else if (call.kind === 'read') {
    const path = textAt(input, 'path');
    if (path === undefined) call.unread = 'it names no file';
    else call.paths = [resolvePath(path, base)];
  } else if (call.kind !== 'agent') call.paths = foreignPaths(input, base);
}
