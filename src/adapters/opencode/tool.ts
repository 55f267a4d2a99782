import type { ToolCall } from '../../event/event.ts';
import type { Fields } from '../fields.ts';
import { blockText, isFields, stringAt, textAt } from '../fields.ts';
import { fieldsAt } from '../json-setup.ts';
import { addPatch } from '../patch-edits.ts';
import type { PathBase } from '../paths.ts';
import { resolvePath } from '../paths.ts';
import { asServerCall, readCall } from '../read-call.ts';
import type { CallDraft } from '../read-call.ts';
import { PATCH_TOOL, TOOLS } from './names.ts';

/** The call that a callback is about, before it or after it, or that a part of a message tells of. */
export function readTool(fields: Fields, base: PathBase): ToolCall {
  const part = fieldsAt(fieldsAt(fields, 'properties'), 'part');
  const about = isFields(fields['input']) ? fields['input'] : part;
  const state = fieldsAt(part, 'state');
  const result = fieldsAt(fields, 'output');
  const args = about['args'] ?? state['input'] ?? result['args'];
  const call = readCall(textAt(about, 'tool') ?? '', args, { tools: TOOLS }, base);
  const id = textAt(about, 'callID');
  if (id !== undefined) call.id = id;
  if (call.name === PATCH_TOOL)
    addPatch(call, stringAt(call.input, 'patchText') ?? '', (path) => resolvePath(path, base));
  const told = fieldsAt(fields, 'mcp');
  const [server, tool] = [textAt(told, 'server'), textAt(told, 'tool')];
  if (server !== undefined && tool !== undefined) asServerCall(call, server, tool, base);
  if (about['args'] !== undefined) addOutput(call, result);
  const error = textAt(state, 'error');
  if (error !== undefined) Object.assign(call, { failed: true, error });
  return call;
}

/** A tool of a server returns blocks, any other a text. A command that failed is told by its exit code alone. */
function addOutput(call: CallDraft, result: Fields): void {
  call.output = result;
  const text = stringAt(result, 'output') ?? blockText(result['content']);
  if (text !== undefined) call.outputText = text;
  const exit = fieldsAt(result, 'metadata')['exit'];
  const isError = (typeof exit === 'number' && exit !== 0) || result['isError'] === true;
  if (isError) Object.assign(call, { failed: true, error: text ?? '' });
}
