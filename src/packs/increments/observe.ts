import { callName, record } from '../../engine/rule.ts';
import type { Observe, Observing, Seen } from '../../telemetry/observer.ts';
import { COMPLETION_JOB, JOBS_OF, SPECWEAVE } from './layout.ts';
import { isFirstHeard, unnoticed } from './noticed.ts';
import { readOptions } from './options.ts';
import { nextSight } from './sight.ts';
import type { Sight } from './sight.ts';

const RULE = 'increments/detect';
const RING = record<Sight>('increments.ring', { scope: 'user' });

/** Milliseconds that an event may take, by the tier it left at; one that had to scan for changed files gets more. */
const BUDGETS = [1, 5, 10, 15] as const;
const SCAN_BUDGET = 20;

/** How long the first half of an edit took, by the id of the call; the oldest go. */
const halves = new Map<string, number>();
const MOST_HALVES = 500;

/** Counts where events leave, how long they take, and whether they bring what the rule needs. */
export const observe: Observe = (seen, to) => {
  const { event, place, micros } = seen;
  lookAround(seen, to);
  const kind = event.tool?.kind;
  const isEdit = kind === 'write' || kind === 'edit';
  if (event.name !== 'tool.before' && event.name !== 'tool.after') return;
  if (place.workspace.nearest(SPECWEAVE) === undefined) return;
  const moment = event.name === 'tool.before' ? 'before' : 'after';
  const told = exitOf(seen, moment);
  // Of other tools only those that the rule heard.
  if (!isEdit && kind !== 'shell' && told === undefined) return;
  const tier = told ?? leave(seen, moment, isEdit, to);
  const ms = micros / 1_000;
  const scanned = seen.followUps.some(
    (followUp) => followUp.kind === 'count' && followUp.name.startsWith('detect.mtime.'),
  );
  if (ms > (scanned ? SCAN_BUDGET : (BUDGETS[tier] ?? SCAN_BUDGET))) to.count('over_budget');
  if (!isEdit) return;
  to.time(moment, ms);
  const id = event.tool && callName(event.tool);
  if (id !== undefined) joinHalves(`${event.session} ${id}`, moment, ms, to);
  see(seen, to);
};

/** What changed without an edit that says so, by a script or another program, shows when the agent edits or names something else. */
function lookAround(seen: Seen, to: Observing): void {
  const { event, place } = seen;
  const root = place.workspace.nearest(SPECWEAVE);
  if (root === undefined) return;
  const isFirst = isFirstHeard(root);
  const isDue =
    endsEdit(event) ||
    (event.name === 'tool.after' && event.tool?.kind === 'shell' && exitOf(seen, 'after') !== undefined);
  if (!isDue && !isFirst) return;
  to.lookLater(root, ({ files, run }) => {
    const found = unnoticed(root, files, readOptions(to.options(RULE)), to.now);
    const jobsOf = ({ file, isClosed }: (typeof found)[number]) =>
      isClosed === true ? [...JOBS_OF[file], COMPLETION_JOB] : JOBS_OF[file];
    const marked = isDue ? found.flatMap((each) => jobsOf(each).map((job) => run(RULE, job, each.increment))) : [];
    if (marked.includes(true)) to.count('detect.mtime.hit');
  });
}

function endsEdit({ name, tool }: Seen['event']): boolean {
  return name === 'tool.after' && (tool?.kind === 'write' || tool?.kind === 'edit') && tool.paths.length > 0;
}

/** The tier that the rule itself has counted. */
function exitOf({ followUps }: Seen, moment: string): number | undefined {
  for (const followUp of followUps)
    if (followUp.kind === 'count' && followUp.pack === 'increments' && followUp.name.startsWith(`exit.${moment}.`))
      return Number(followUp.name.slice(-1));
  return undefined;
}

/** The rule did not run: by its filters, or for want of its turn. */
function leave({ event, trace }: Seen, moment: string, isEdit: boolean, to: Observing): number {
  const stopped = trace.find(({ rule }) => rule === RULE)?.tier;
  const tier = stopped ?? (isEdit && (event.tool?.paths.length ?? 0) > 0 ? 1 : 0);
  to.count(`exit.${moment}.${tier}`);
  return tier;
}

function joinHalves(call: string, moment: 'before' | 'after', ms: number, to: Observing): void {
  if (moment === 'before') {
    if (halves.size >= MOST_HALVES) halves.clear();
    halves.set(call, ms);
    return;
  }
  const first = halves.get(call);
  // Another process may have had the first half; without it the edit looks faster than it was.
  if (first === undefined) return;
  to.time('edit', first + ms);
  halves.delete(call);
}

function see({ event }: Seen, to: Observing): void {
  const limits = readOptions(to.options(RULE)).tuning;
  const source = `${event.agent}/${event.agentEvent}`;
  const hasArguments = (event.tool?.paths.length ?? 0) > 0;
  to.count(`args.${source}.${hasArguments ? 'with' : 'without'}`);
  const before = to.memory.get(RING, source)?.state ?? 'learning';
  const after = to.memory.change(RING, (known) => nextSight(known, hasArguments, to.now, limits), source);
  if (!after || after.state === before) return;
  to.memory.store();
  to.relay({
    rule: RULE,
    variant: after.state,
    text: `${source} is ${after.state}: most of its last ${after.bits.length} edits came ${after.state === 'blind' ? 'without' : 'with'} arguments`,
    variables: { source, state: after.state },
  });
}
