import { readCareful, writeCareful } from './book.ts';
import type { Grant } from './book.ts';
import type { Draft } from '../../state/draft.ts';
import type { Event } from '../../event/event.ts';

/** A longer command is not kept; the person can still run the verb. */
const MAX_COMMAND = 4_000;

/** They tell of the dialog, or of what is on the screen, and not of another step of the agent. */
const BESIDE: ReadonlySet<string> = new Set(['notification', 'message.display']);

/** Any other step of the session ends it. */
export function voidsGrant({ session, tool, command }: Grant, event: Event): boolean {
  if (event.session !== session || BESIDE.has(event.name)) return false;
  return !(event.name === 'permission.request' && event.tool?.name === tool && event.tool.command === command);
}

/** Whether the person says yes is not told to the engine; it shows in the command being run at all. */
export function grantOff(event: Event, root: string, draft: Draft): void {
  const { tool, session, hasSession } = event;
  if (event.name !== 'tool.before' || tool?.id === undefined || tool.command === undefined || !hasSession) return;
  const { name, id: call, command } = tool;
  if (command.length > MAX_COMMAND) return;
  writeCareful(draft, {
    ...readCareful(draft).book,
    grant: { call, tool: name, command, session, root, at: draft.now },
  });
}

/** Gives the grant out, once: whoever commits the draft has it. */
export function takeGrant(draft: Draft): Grant | undefined {
  const { book, intact } = readCareful(draft);
  const { grant, ...rest } = book;
  if (!intact || !grant) return undefined;
  writeCareful(draft, rest);
  return grant;
}
