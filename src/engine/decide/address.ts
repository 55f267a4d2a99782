import { escapedPath, flat, quoted } from '../../text/quoted.ts';
import { shorten } from '../../text/shorten.ts';
import type { Event } from '../../event/event.ts';
import type { Decision } from '../../event/verdict.ts';

/** As much of a decision's id as tells it apart; `explain` and `allow-once` take an ending. */
const SHORT_ID = 6;
const LONGEST_LINE = 200;
/** What, instead, way out. */
const MOST_LINES = 3;

/**
 * Gives a decision that stops a call what agent and person need beside its reason: the agent the way out, the person one
 * line of their own. `isLiftable`: one call can be let through.
 */
export function address(decision: Decision, event: Event, id: string, isLiftable: boolean): Decision {
  const { action, by, reason = '', warns } = decision;
  if (action !== 'deny' && action !== 'ask') return decision;
  const short = id.slice(-SHORT_ID);
  const rule = by[0] ?? 'fairlead';
  const told = action === 'deny' ? [reason, wayOut(decision, isLiftable, short)] : [reason];
  const what = action === 'deny' ? firstLine(reason) : `[${rule}] asks about ${subjectOf(event)}.`;
  const line = { rule, variant: action, priority: 100, text: `${what} More: \`fairlead explain ${short}\`` };
  return { ...decision, reason: told.filter(Boolean).join('\n'), warns: [line, ...warns] };
}

function wayOut({ reason = '', unasked }: Decision, isLiftable: boolean, id: string): string {
  const once = isLiftable ? `\`fairlead allow-once ${id}\`` : '';
  if (unasked)
    return `Nobody can be asked here. A person can run it in a terminal${once && `, or let it through: ${once}`}.`;
  if (!isLiftable || reason.split('\n').length >= MOST_LINES) return '';
  return `A person can let it through: ${once}.`;
}

function firstLine(text: string): string {
  return shorten(flat(text.split('\n', 1)[0] ?? ''), LONGEST_LINE);
}

function subjectOf({ tool, name }: Event): string {
  if (!tool) return name;
  if (tool.command !== undefined) return `\`${quoted(tool.command, '`')}\``;
  return [flat(tool.name), ...tool.paths.slice(0, 1).map((path) => escapedPath(path, undefined))].join(' ');
}
