import { escapedPath, flat, quoted } from '../../text/quoted.ts';
import { shorten } from '../../text/shorten.ts';
import type { Event } from '../../event/event.ts';
import type { Decision } from '../../event/verdict.ts';
import type { Draft } from '../../state/draft.ts';
import { isAttended } from '../session/attended.ts';

/** As much of a decision's id as tells it apart; `explain` and `allow-once` take an ending. */
const SHORT_ID = 6;
const LONGEST_LINE = 200;
/** What, instead, way out. */
const MOST_LINES = 3;

/**
 * Gives a decision that stops a call what agent and person need beside its reason: the agent the way out, the person one
 * line of their own. `isLiftable`: one call can be let through.
 */
export function address<Decided extends Decision>(
  decision: Decided,
  event: Event,
  draft: Draft,
  { id, isLiftable }: { readonly id: string; readonly isLiftable: boolean },
): Omit<Decided, 'person'> {
  const { action, by, reason = '', warns, person } = decision;
  if (action !== 'deny' && action !== 'ask') return decision;
  const short = id.slice(-SHORT_ID);
  const rule = by[0] ?? 'fairlead';
  const what = action === 'deny' ? firstLine(reason) : `[${rule}] asks about ${subjectOf(event)}.`;
  const line = { rule, variant: action, priority: 100, text: `${what} More: \`fairlead explain ${short}\`` };
  const once = isLiftable ? `\`fairlead allow-once ${short}\`` : undefined;
  const told = isForPerson(decision, event, draft) ? (person ?? reason) : withWayOut(decision, once);
  const { person: _, ...merged } = decision;
  return { ...merged, reason: told, warns: [line, ...warns] };
}

/** Where nobody attends the session, the agent itself reads what nobody answers, unless a program answers for the person. */
function isForPerson({ action }: Decision, event: Event, draft: Draft): boolean {
  return action === 'ask' && isAttended(event, draft);
}

function withWayOut({ action, reason = '', unasked }: Decision, once: string | undefined): string {
  const elsewhere = `A person can run it in a terminal${once === undefined ? '' : `, or let it through: ${once}`}.`;
  if (unasked || action === 'ask') return `${reason}\nNobody can be asked here. ${elsewhere}`;
  if (once === undefined || reason.split('\n').length >= MOST_LINES) return reason;
  return `${reason}\nA person can let it through: ${once}.`;
}

function firstLine(text: string): string {
  return shorten(flat(text.split('\n', 1)[0] ?? ''), LONGEST_LINE);
}

function subjectOf({ tool, name }: Event): string {
  if (!tool) return name;
  if (tool.command !== undefined) return `\`${quoted(tool.command, '`')}\``;
  if (tool.name === '') return 'a call without a name';
  return [flat(tool.name), ...tool.paths.slice(0, 1).map((path) => escapedPath(path, undefined))].join(' ');
}
