import type { Fields } from '../fields.ts';
import { textAt, isFields, stringAt } from '../fields.ts';
import { eventReader } from '../read-event.ts';
import type { EventDraft } from '../read-event.ts';
import { AGENT, canonicalName, TOOLS } from './names.ts';
import type { ToolCall } from '../../event/event.ts';
import type { PathBase } from '../paths.ts';
import { asServerCall, readCall } from '../read-call.ts';
import type { CallDraft } from '../read-call.ts';

function readTool(fields: Fields, base: PathBase): ToolCall {
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

export const parse = eventReader({ agent: AGENT, canonicalName, readTool, lastMessage: 'response', add });

/** How a reason of ours begins. A command that ran says behind its output how it ended. */
const DENIED = /^\[[\w-]+(?:\/[\w.-]+)?\] /;
const ENDED = /\bCommand (?:failed with exit code: \d+|killed by timeout \([^)]*\))\.?\s*$/;

function add(event: EventDraft, fields: Fields): void {
  // A hook that asks lets the call run.
  event.asksPerson = false;
  const error = event.tool?.error ?? '';
  if (event.name === 'tool.failed' && DENIED.test(error) && !ENDED.test(error)) {
    event.name = 'permission.denied';
    event.error = error;
  }
  if (event.start) event.start = { ...event.start, dir: event.cwd };
  if (event.name === 'turn.failed') event.error = textAt(fields, 'error_message') ?? 'interrupted';
  const message = textAt(fields, 'body') ?? textAt(fields, 'title') ?? '';
  if (event.name === 'notification') event.notification = { kind: textAt(fields, 'notification_type') ?? '', message };
}

/** Events of its names are others' too; it alone names what shows its sessions. */
export function marks(payload: unknown): boolean {
  const fields = typeof payload === 'object' && payload !== null ? (payload as Fields) : {};
  return (
    textAt(fields, 'client_type') !== undefined && canonicalName(textAt(fields, 'hook_event_name') ?? '') !== 'unknown'
  );
}
