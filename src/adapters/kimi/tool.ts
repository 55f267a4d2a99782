import type { ToolCall } from '../../event/event.ts';
import type { Fields } from '../fields.ts';
import { isFields, stringAt, textAt } from '../fields.ts';
import type { PathBase } from '../paths.ts';
import { asServerCall, readCall } from '../read-call.ts';
import type { CallDraft } from '../read-call.ts';
import { TOOLS } from './names.ts';

export function readTool(fields: Fields, base: PathBase): ToolCall {
  const call = readCall(textAt(fields, 'tool_name') ?? '', fields['tool_input'], { tools: TOOLS }, base);
  const id = textAt(fields, 'tool_call_id');
  if (id !== undefined) call.id = id;
  const [, server, tool] = /^mcp__(.+?)__(.+)$/.exec(call.name) ?? [];
  if (server !== undefined && tool !== undefined) asServerCall(call, server, tool, base);
  if (call.kind === 'write' && call.input['mode'] === 'append') asAppended(call);
  addResult(call, fields);
  return call;
}

/** What comes behind the end of a file replaces nothing of it. */
function asAppended(call: CallDraft): void {
  call.kind = 'edit';
  call.edits = call.edits.map((edit) => ({ ...edit, operation: 'insert' }));
}

function addResult(call: CallDraft, fields: Fields): void {
  const output = stringAt(fields, 'tool_output');
  if (output !== undefined) {
    call.output = output;
    call.outputText = output;
    if (call.kind === 'shell' && call.input['run_in_background'] === true) call.background = true;
  }
  const { error } = fields;
  if (error === undefined) return;
  call.failed = true;
  call.error = isFields(error) ? (stringAt(error, 'message') ?? '') : '';
}
