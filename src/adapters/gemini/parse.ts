import type { Event, EventName, HookCall } from '../../event/event.ts';
import type { Fields } from '../fields.ts';
import { blockText, isFields, textAt } from '../fields.ts';
import { resolvePath } from '../paths.ts';
import type { PathBase } from '../paths.ts';
import { AGENT, canonicalName } from './names.ts';
import { readTool } from './tool.ts';

type Draft = { -readonly [K in keyof Event]: Event[K] };

/** The bucket that events without any session share. */
const NO_SESSION = 'unknown';
const NOTHING: Fields = Object.freeze({});

export function parse(call: HookCall): Event {
  try {
    return read(call, isFields(call.payload) ? call.payload : NOTHING);
  } catch {
    // Only a payload that did not come from JSON gets here: a getter or a proxy that throws.
    return read(call, NOTHING);
  }
}

/** As the payload says, unless nobody knows that name. An entry for calls that a guard may stop is for these alone. */
function eventNameIn(fields: Fields, { eventHint: hint = '', isGuess }: HookCall): string {
  if (!isGuess && canonicalName(hint) === 'tool.before') return hint;
  const told = textAt(fields, 'hook_event_name') ?? hint;
  return canonicalName(told) === 'unknown' && canonicalName(hint) !== 'unknown' ? hint : told;
}

function read(call: HookCall, fields: Fields): Event {
  const agentEvent = eventNameIn(fields, call);
  const name = canonicalName(agentEvent);
  const session = textAt(fields, 'session_id') ?? call.sessionId;
  const { home, depth, receivedAt } = call;
  const cwd = resolvePath(textAt(fields, 'cwd') ?? call.cwd, { cwd: call.cwd, home });
  const event: Draft = {
    ...{ name, agent: AGENT, agentEvent, session: session ?? NO_SESSION, hasSession: session !== undefined, cwd },
    ...{ depth, receivedAt, asksPerson: false },
  };
  const transcript = textAt(fields, 'transcript_path');
  if (transcript !== undefined) event.transcript = transcript;
  addOwnFields(event, name, fields, { cwd, home });
  return event;
}

function addOwnFields(event: Draft, name: EventName, fields: Fields, base: PathBase): void {
  switch (name) {
    case 'tool.before':
    case 'tool.after':
      event.tool = readTool(fields, base);
      if (name === 'tool.after' && event.tool.failed === true) event.name = 'tool.failed';
      return;
    case 'prompt.submit':
      event.prompt = { text: blockText(fields['prompt']) ?? '', origin: 'human' };
      return;
    case 'session.start':
      event.start = { source: textAt(fields, 'source') ?? '' };
      return;
    case 'session.end':
      event.end = { reason: textAt(fields, 'reason') ?? '' };
      return;
    case 'turn.stop': {
      const lastMessage = textAt(fields, 'prompt_response');
      const again = fields['stop_hook_active'] === true;
      event.stop = { again, background: [], ...(lastMessage !== undefined && { lastMessage }) };
      return;
    }
    case 'compact.before':
      event.compact = { trigger: textAt(fields, 'trigger') ?? '' };
      return;
    default:
      // An event of a newer client may still be about a tool.
      if (name === 'unknown' && textAt(fields, 'tool_name') !== undefined) event.tool = readTool(fields, base);
  }
}

/** The same call with another input. */
export function withInput(event: Event, input: Readonly<Record<string, unknown>>, home: string): Event {
  const { tool, cwd } = event;
  if (!tool) return event;
  const server = tool.mcp && { mcp_context: { server_name: tool.mcp.server, tool_name: tool.mcp.tool } };
  return { ...event, tool: readTool({ tool_name: tool.name, tool_input: input, ...server }, { cwd, home }) };
}
