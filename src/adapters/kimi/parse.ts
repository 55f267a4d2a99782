import type { Fields } from '../fields.ts';
import { textAt } from '../fields.ts';
import { eventReader } from '../read-event.ts';
import type { EventDraft } from '../read-event.ts';
import { AGENT, canonicalName } from './names.ts';
import { readTool } from './tool.ts';

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
