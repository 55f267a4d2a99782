import { readCareful, writeCareful } from './book.ts';
import type { Grant } from './book.ts';
import type { Draft } from '../../state/draft.ts';
import type { Event } from '../../event/event.ts';
import type { Verdict } from '../../event/verdict.ts';

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
export function leaveGrant(verdicts: readonly Verdict[], event: Event, root: string, draft: Draft): void {
  const verbs = new Set(verdicts.flatMap(({ kind, grants = [] }) => (kind === 'ask' ? grants : [])));
  if (verbs.size === 0) return;
  const { tool, session, hasSession } = event;
  if (event.name !== 'tool.before' || tool?.id === undefined || tool.command === undefined || !hasSession) return;
  const { name, id: call, command } = tool;
  if (command.length > MAX_COMMAND) return;
  writeCareful(draft, {
    ...readCareful(draft).book,
    grant: { verbs: [...verbs], call, tool: name, command, session, root, at: draft.now },
  });
}

/** Gives the grant of a verb out, once: whoever commits the draft has it. */
export function takeGrant(draft: Draft, verb: string): Grant | undefined {
  const { book, intact } = readCareful(draft);
  const { grant, ...rest } = book;
  if (!intact || grant?.verbs?.includes(verb) !== true) return undefined;
  const verbs = grant.verbs.filter((other) => other !== verb);
  writeCareful(draft, verbs.length === 0 ? rest : { ...rest, grant: { ...grant, verbs } });
  return grant;
}
