import type { Event } from '../../event/event.ts';
import type { Fields } from '../fields.ts';
import { isFields, textAt } from '../fields.ts';
import { eventReader } from '../read-event.ts';
import type { EventDraft } from '../read-event.ts';
import { AGENT, canonicalName } from './names.ts';
import { readTool } from './tool.ts';

/** In this mode it runs every call without a question. */
const SELF_APPROVING = 'bypassPermissions';

export const parse = eventReader({ agent: AGENT, canonicalName, readTool, lastMessage: 'last_assistant_message', add });

function add(event: EventDraft, fields: Fields): void {
  const agentId = textAt(fields, 'agent_id');
  if (agentId !== undefined) event.subagent = { id: agentId, type: textAt(fields, 'agent_type') ?? '' };
  const id = textAt(fields, 'turn_id');
  if (id !== undefined) event.promptId = id;
  const mode = textAt(fields, 'permission_mode');
  if (mode !== undefined) event.permissionMode = mode;
  if (mode === SELF_APPROVING) event.approvesItself = true;
  // A hook that asks lets the call run. Only where the client asks by itself a person is there.
  if (event.name !== 'permission.request') event.asksPerson = false;
  if (event.name === 'turn.failed') event.error = 'interrupted';
  // What a sub-agent is asked is written by the agent that started it.
  if (event.prompt)
    event.prompt = {
      ...event.prompt,
      origin: event.subagent ? 'system' : 'human',
      ...(id !== undefined && { id }),
    };
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
