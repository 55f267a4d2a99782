import type { Event, ToolCall } from '../../event/event.ts';
import type { Fields } from '../fields.ts';
import { textAt, blockText, isFields, stringAt } from '../fields.ts';
import { fieldsAt, listOf } from '../json-setup.ts';
import type { EventDraft } from '../read-event.ts';
import { eventReader } from '../read-event.ts';
import { AGENT, canonicalName, PATCH_TOOL, TOOLS } from './names.ts';
import { addPatch } from '../patch-edits.ts';
import type { PathBase } from '../paths.ts';
import { resolvePath } from '../paths.ts';
import { asServerCall, readCall } from '../read-call.ts';
import type { CallDraft } from '../read-call.ts';

/** The call that a callback is about, before it or after it, or that a part of a message tells of. */
function readTool(fields: Fields, base: PathBase): ToolCall {
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

/**
 * What our plugin sends is what the client gave it, `input` and `output` of a callback or `properties` of an event, and beside it
 * what it knows of the session, under the names that most agents have for that.
 */
export const parse = eventReader({ agent: AGENT, canonicalName, readTool, lastMessage: 'last_message', add });

function add(event: EventDraft, fields: Fields): void {
  const properties = fieldsAt(fields, 'properties');
  event.asksPerson = false;
  addSession(event, fields, properties);
  switch (event.name) {
    case 'tool.after':
      if (event.tool?.failed === true) event.name = 'tool.failed';
      return;
    case 'prompt.submit': {
      // What a sub-agent is asked is written by the agent that started it, and what holds a turn back by us.
      const origin = event.subagent || fields['own'] === true ? 'system' : 'human';
      event.prompt = { text: promptIn(fieldsAt(fields, 'output')['parts']), origin };
      return;
    }
    case 'session.start':
      if (event.subagent) event.name = 'subagent.start';
      return;
    case 'turn.stop':
      if (event.subagent) event.name = 'subagent.stop';
      return;
    case 'turn.failed': {
      const error = fieldsAt(properties, 'error');
      event.error = textAt(fieldsAt(error, 'data'), 'message') ?? textAt(error, 'name') ?? '';
      return;
    }
    case 'notification': {
      const patterns: unknown = properties['patterns'];
      const about = Array.isArray(patterns) ? patterns.filter((each) => typeof each === 'string').join(', ') : '';
      const message = `${textAt(properties, 'permission') ?? ''}: ${about}`;
      event.notification = { kind: 'permission_prompt', message };
      return;
    }
    default:
  }
}

/** A sub-agent works in a session of its own for another one, and counts as a part of that. */
function addSession(event: EventDraft, fields: Fields, properties: Fields): void {
  const info = fieldsAt(properties, 'info');
  const told = textAt(fieldsAt(fields, 'input'), 'sessionID') ?? textAt(properties, 'sessionID');
  const parent = textAt(info, 'parentID');
  const own = parent ?? told;
  if (!event.hasSession && own !== undefined) Object.assign(event, { session: own, hasSession: true });
  const id = textAt(fields, 'agent_id') ?? (parent === undefined ? undefined : told);
  const type = textAt(fields, 'agent_type') ?? textAt(info, 'agent') ?? '';
  if (id !== undefined) event.subagent = { id, type };
}

/** What a person wrote, without what the client adds to it. */
function promptIn(parts: unknown): string {
  const written = listOf(parts).filter((part) => part['synthetic'] !== true);
  return written.flatMap((part) => textAt(part, 'text') ?? []).join('\n');
}

/** The same call with another input. */
export function withInput(event: Event, input: Readonly<Record<string, unknown>>, home: string): Event {
  const { tool, cwd } = event;
  if (!tool) return event;
  const asked = { tool: tool.name, ...(tool.id !== undefined && { callID: tool.id }) };
  const fields = { input: asked, output: { args: input }, ...(tool.mcp && { mcp: tool.mcp }) };
  return { ...event, tool: readTool(fields, { cwd, home }) };
}
