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
/** In this mode it runs every call without a question. */
const SELF_APPROVING = 'bypassPermissions';

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
  const session = textAt(fields, 'session_id');
  const { home, depth, receivedAt } = call;
  const cwd = resolvePath(textAt(fields, 'cwd') ?? call.cwd, { cwd: call.cwd, home });
  const event: Draft = {
    ...{ name, agent: AGENT, agentEvent, session: session ?? NO_SESSION, hasSession: session !== undefined, cwd },
    ...{ depth, receivedAt },
  };
  const agentId = textAt(fields, 'agent_id');
  if (agentId !== undefined) event.subagent = { id: agentId, type: textAt(fields, 'agent_type') ?? '' };
  const transcript = textAt(fields, 'transcript_path');
  if (transcript !== undefined) event.transcript = transcript;
  const promptId = textAt(fields, 'turn_id');
  if (promptId !== undefined) event.promptId = promptId;
  const mode = textAt(fields, 'permission_mode');
  if (mode !== undefined) event.permissionMode = mode;
  if (mode === SELF_APPROVING) event.approvesItself = true;
  // A hook that asks lets the call run. Only where the client asks by itself a person is there.
  if (name !== 'permission.request') event.asksPerson = false;
  addOwnFields(event, name, fields, { cwd, home });
  return event;
}

function addOwnFields(event: Draft, name: EventName, fields: Fields, base: PathBase): void {
  switch (name) {
    case 'tool.before':
    case 'tool.after':
    case 'permission.request':
      event.tool = readTool(fields, base);
      return;
    case 'prompt.submit': {
      // What a sub-agent is asked is written by the agent that started it.
      const origin = event.subagent ? 'system' : 'human';
      const id = event.promptId;
      event.prompt = { text: blockText(fields['prompt']) ?? '', origin, ...(id !== undefined && { id }) };
      return;
    }
    case 'session.start': {
      const model = textAt(fields, 'model');
      event.start = { source: textAt(fields, 'source') ?? '', ...(model !== undefined && { model }) };
      return;
    }
    case 'session.end':
      event.end = { reason: textAt(fields, 'reason') ?? '' };
      return;
    case 'turn.stop':
    case 'subagent.stop': {
      const lastMessage = textAt(fields, 'last_assistant_message');
      const again = fields['stop_hook_active'] === true;
      event.stop = { again, background: [], ...(lastMessage !== undefined && { lastMessage }) };
      return;
    }
    case 'turn.failed':
      event.error = 'interrupted';
      return;
    case 'compact.before':
    case 'compact.after':
      event.compact = { trigger: textAt(fields, 'trigger') ?? '' };
      return;
    default:
      // An event of a newer client may still be about a tool.
      if (name === 'unknown' && textAt(fields, 'tool_name') !== undefined) event.tool = readTool(fields, base);
  }
}

/** Events of its names are others' too. On these it alone tells of turns, and it alone calls its transcripts so. */
export function marks(payload: unknown): boolean {
  if (!isFields(payload)) return false;
  const transcript = textAt(payload, 'transcript_path') ?? '';
  if (canonicalName(textAt(payload, 'hook_event_name') ?? '') === 'unknown') return false;
  return textAt(payload, 'turn_id') !== undefined || /[\\/]rollout-[^\\/]*\.jsonl$/.test(transcript);
}

/** The same call with another input. */
export function withInput(event: Event, input: Readonly<Record<string, unknown>>, home: string): Event {
  const { tool, cwd } = event;
  if (!tool) return event;
  const fields = { tool_name: tool.name, tool_input: input, ...(tool.id !== undefined && { tool_use_id: tool.id }) };
  return { ...event, tool: readTool(fields, { cwd, home }) };
}
