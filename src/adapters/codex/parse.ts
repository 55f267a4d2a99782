import type { Event } from '../../event/event.ts';
import { isFields, textAt } from '../fields.ts';
import { addTurn, eventReader } from '../read-event.ts';
import { AGENT, canonicalName } from './names.ts';
import { readTool } from './tool.ts';

export const parse = eventReader({
  agent: AGENT,
  canonicalName,
  readTool,
  lastMessage: 'last_assistant_message',
  add(event, fields) {
    addTurn(event, fields, { id: 'turn_id', selfApproving: ['bypassPermissions'] });
    // A hook that asks lets the call run. Only where the client asks by itself a person is there.
    if (event.name !== 'permission.request') event.asksPerson = false;
    if (event.name === 'turn.failed') event.error = 'interrupted';
  },
});

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
