import type { Event, HookCall } from '../../event/event.ts';
import type { Fields } from '../fields.ts';
import { isFields, textAt } from '../fields.ts';
import { eventReader } from '../read-event.ts';
import type { EventDraft } from '../read-event.ts';
import { AGENT, canonicalName } from './names.ts';
import { readTool } from './tool.ts';

const read = eventReader({ agent: AGENT, canonicalName, readTool, add });

/** The client has two spellings of its payloads, by that of the event's key in its settings; they are read as one. */
export function parse(call: HookCall): Event {
  return read({ ...call, payload: inOneSpelling(call.payload) });
}

/** What the fields that are read here are called in its other spelling, which most agents use. */
const SPELLINGS = Object.entries({
  hookName: 'hook_event_name',
  sessionId: 'session_id',
  transcriptPath: 'transcript_path',
  toolName: 'tool_name',
  toolArgs: 'tool_input',
  toolInput: 'tool_input',
  toolResult: 'tool_result',
  agentId: 'agent_id',
  agentType: 'agent_type',
  parentAgentId: 'parent_agent_id',
});

/** All else is found behind it, as it was sent. */
function inOneSpelling(payload: unknown): unknown {
  try {
    if (!isFields(payload)) return payload;
    const fields = Object.create(payload) as Record<string, unknown>;
    for (const [camel, snake] of SPELLINGS) if (payload[camel] !== undefined) fields[snake] ??= payload[camel];
    return fields;
  } catch {
    return undefined;
  }
}

/** Where the client keeps what happens in a session. */
const TRANSCRIPT = /[\\/]session-state[\\/]([^\\/]+)[\\/][^\\/]+$/;

function add(event: EventDraft, fields: Fields): void {
  addSubagent(event, fields);
  const said = textAt(fields, 'last_assistant_message') ?? textAt(fields, 'response');
  if (event.stop && said !== undefined) event.stop = { ...event.stop, lastMessage: said };
  if (event.name === 'tool.after' && event.tool?.failed === true) event.name = 'tool.failed';
  if (event.name === 'notification')
    event.notification = {
      kind: textAt(fields, 'notification_type') ?? '',
      message: textAt(fields, 'message') ?? '',
    };
  if (event.name === 'turn.failed') {
    const { error } = fields;
    event.error = (isFields(error) ? textAt(error, 'message') : undefined) ?? 'unknown';
  }
  // It comes also where the client would ask nobody, and whoever leaves it alone there lets the call run.
  if (event.name === 'permission.request') event.asksPerson = false;
}

/** On most events the session of a sub-agent is its own; whose it is, is told beside. */
function addSubagent(event: EventDraft, fields: Fields): void {
  const id = textAt(fields, 'agent_id');
  const root = TRANSCRIPT.exec(event.transcript ?? '')?.[1];
  if (root !== undefined) event.session = root;
  if (id === undefined) return;
  event.subagent = { id, type: textAt(fields, 'agent_type') ?? '' };
  if (root === undefined && event.session === id) event.session = textAt(fields, 'parent_agent_id') ?? id;
  if (event.prompt) event.prompt = { ...event.prompt, origin: 'system' };
  // Another event tells of the same end.
  if (event.name === 'turn.stop') event.name = 'unknown';
}

/** Payloads of these forms come from it alone: one names no event, the other tells the time as no other does. */
export function marks(payload: unknown): boolean {
  if (!isFields(payload)) return false;
  const { timestamp } = payload;
  if (typeof timestamp === 'number') return textAt(payload, 'sessionId') !== undefined;
  if (typeof timestamp !== 'string' || textAt(payload, 'session_id') === undefined) return false;
  const transcript = textAt(payload, 'transcript_path');
  const isNamed = canonicalName(textAt(payload, 'hook_event_name') ?? '') !== 'unknown';
  return isNamed && (transcript === undefined || TRANSCRIPT.test(transcript));
}

/** The same call with another input. */
export function withInput(event: Event, input: Readonly<Record<string, unknown>>, home: string): Event {
  const { tool, cwd } = event;
  return tool ? { ...event, tool: readTool({ tool_name: tool.name, tool_input: input }, { cwd, home }) } : event;
}
