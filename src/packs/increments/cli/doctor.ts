import { ADAPTERS } from '../../../adapters/registry.ts';
import { breakerId, readBreaker } from '../../../jobs/breaker.ts';
import { parseDirtyId, parseJobKey, readDirty } from '../../../state/due-work.ts';
import { incrementIds, readIncrement, readWhole } from '../increments.ts';
import type { Increment } from '../increments.ts';
import { incrementFile, incrementsDir, JOB_KINDS, statusFilePath } from '../layout.ts';
import { readOptions } from '../options.ts';
import { countOf, readSight } from '../sight.ts';
import { readStatus } from '../status-line.ts';
import { nodeFiles } from '../../../platform/files.ts';
import { cellId, parseCellId, parseValue } from '../../../state/cells.ts';
import type { DaemonStatus } from '../../../transport/status.ts';
import type { CliWorld } from '../../../cli/command.ts';
import { findIncrementsRoot, leadsOut } from './increments-root.ts';
import type { KnownRules } from '../../../cli/known-rules.ts';
import { counted, formatSpan, formatTime } from '../../../cli/table.ts';
import type { Finding, Section } from '../../../cli/doctor/report.ts';
import type { PackDoctor } from '../../../cli/pack-parts.ts';

const PACK = 'increments';
const RULE = 'increments/detect';
const MAX_SHOWN = 5;
/** An engine that runs takes up what is due within seconds. */
const OVERDUE_MS = 60_000;

export const doctor: PackDoctor = { order: 20, check: checkIncrements };

/** The state of the increments and of what keeps their files in step; nothing where there are none. */
export function checkIncrements({ rules }: KnownRules, status: DaemonStatus | undefined, world: CliWorld): Section[] {
  const rule = rules.find(({ meta }) => meta.id === RULE);
  const root = findIncrementsRoot(world.cwd, world.userHome);
  if (rule === undefined || rule.mode === 'off' || root === undefined) return [];
  const { activeStatuses } = readOptions(rule.options);
  const all = incrementIds(nodeFiles, root).map((id) => readIncrement(nodeFiles, root, id, activeStatuses));
  const resting = restingKinds(root, world);
  return [
    {
      title: 'Increments',
      facts: [
        [PACK, `${all.length}, ${all.filter(({ active }) => active).length} of them active`],
        ['status line', nodeFiles.exists(statusFilePath(root)) ? 'written' : 'not written yet'],
      ],
      findings: [
        ...linkedAway(root),
        ...disagreeing(all),
        ...unreadable(all, root),
        ...statusless(all),
        ...brokenStatusFile(root),
        ...blindSources(world),
        ...[...resting.values()],
        ...overdue(root, resting, status, world),
      ],
    },
  ];
}

function linkedAway(root: string): Finding[] {
  const real = leadsOut(root);
  if (real === undefined) return [];
  return [
    {
      level: 'attention',
      what: `${incrementsDir(root)} leads to ${real}, outside of ${root}.`,
      why: 'Nothing is written outside of a project, so criteria, status line and docs are not kept in step there.',
      next: 'keep .specweave in the project, or work where it really lies',
    },
  ];
}

function disagreeing(all: readonly Increment[]): Finding[] {
  const found = all.flatMap(({ id, standing: { status, otherwise } }) =>
    otherwise === undefined ? [] : [`${id} (metadata.json: ${status}, spec.md: ${otherwise})`],
  );
  if (found.length === 0) return [];
  return [
    {
      level: 'note',
      what: `${counted(found.length, 'increment')} with two statuses: ${listed(found)}.`,
      why: 'metadata.json counts, and the front matter of spec.md is left alone.',
      next: 'make the status in the front matter the one of metadata.json, or remove it there',
    },
  ];
}

function unreadable(all: readonly Increment[], root: string): Finding[] {
  const found = all.filter(
    ({ id, metadata }) => metadata === undefined && nodeFiles.exists(incrementFile(root, id, 'metadata.json')),
  );
  if (found.length === 0) return [];
  return [
    {
      level: 'attention',
      what: `metadata.json cannot be read in ${listed(found.map(({ id }) => id))}.`,
      why: 'It is no JSON object. The front matter of spec.md counts instead, and what is synced is not recorded.',
      next: `mend ${incrementFile(root, found[0]?.id ?? '', 'metadata.json')}`,
    },
  ];
}

function statusless(all: readonly Increment[]): Finding[] {
  const found = all.filter(({ standing }) => standing.source === 'nowhere');
  if (found.length === 0) return [];
  return [
    {
      level: 'note',
      what: `${counted(found.length, 'increment')} without a status: ${listed(found.map(({ id }) => id))}.`,
      why: 'Neither metadata.json nor the front matter of spec.md names one, so it counts as active.',
      next: 'add "status" to metadata.json',
    },
  ];
}

function brokenStatusFile(root: string): Finding[] {
  const path = statusFilePath(root);
  if (!nodeFiles.exists(path) || readStatus(readWhole(nodeFiles, path) ?? '')) return [];
  return [
    {
      level: 'attention',
      what: `${path} cannot be read.`,
      why: 'The status line shows nothing until it is written anew, which the next edit of an active increment does.',
      next: 'fairlead increment sync',
    },
  ];
}

/** Agents and events whose calls mostly come without arguments. */
function blindSources(world: CliWorld): Finding[] {
  const { store, clock } = world.engine();
  return store.list(cellId('user', '', 'increments.ring'), clock.now()).flatMap(({ id, value }): Finding[] => {
    const source = parseCellId(id).key;
    const sight = readSight(parseValue(value));
    if (sight?.state !== 'blind') return [];
    const precedes = isBeforeCalls(source);
    return [
      {
        level: 'note',
        what: `${source} is blind since ${formatTime(sight.since)}: of its last ${counted(sight.bits.length, 'edit')} ${countOf(sight.bits, '0')} came without arguments.`,
        why: precedes
          ? 'The pack gets nothing from this event; edits are noticed by the event that follows the call.'
          : 'Edits are noticed by the times of the files instead, which is sure only for what has just changed.',
        next: precedes
          ? 'if no other pack needs the event, its registration in the agent’s settings can be removed'
          : 'fairlead stats increments shows how edits are noticed',
      },
    ];
  });
}

function isBeforeCalls(source: string): boolean {
  return ADAPTERS.some(({ name, events }) =>
    events.some((event) => event.canonical === 'tool.before' && source === `${name}/${event.name}`),
  );
}

/** Kinds of jobs that failed too often to be trusted, with what to say of them. */
function restingKinds(root: string, world: CliWorld): ReadonlyMap<string, Finding> {
  const { store, clock } = world.engine();
  const found = new Map<string, Finding>();
  for (const kind of JOB_KINDS) {
    const breaker = readBreaker(store.get(breakerId(root, PACK, kind), clock.now()));
    if (!breaker || breaker.state === 'closed') continue;
    found.set(kind, {
      level: 'attention',
      what: `The breaker of the job ${kind} is ${breaker.state}, since ${formatSpan(clock.now() - (breaker.openedAt ?? clock.now()))}: ${breaker.error ?? 'it failed repeatedly'}`,
      why: 'Its work stays due and is tried again by itself; edits are answered and noticed as ever.',
      next: 'fairlead increment sync runs the jobs now and says what is in the way',
    });
  }
  return found;
}

function overdue(
  root: string,
  resting: ReadonlyMap<string, Finding>,
  status: DaemonStatus | undefined,
  world: CliWorld,
): Finding[] {
  const engine = world.engine();
  const now = engine.clock.now();
  // Without an engine work waits for the next one, and while all is off it is meant to.
  if (status === undefined || engine.isOff(now)) return [];
  const due = engine.store.list(cellId('workspace', root, `${PACK}.dirty`), now).flatMap(({ id, value }) => {
    const key = parseDirtyId(id)?.key ?? '';
    const marked = readDirty(value);
    const isLate = marked !== undefined && now - marked.last > OVERDUE_MS && !resting.has(parseJobKey(key).job);
    return isLate ? [{ key, since: marked.last }] : [];
  });
  if (due.length === 0) return [];
  return [
    {
      level: 'attention',
      what: `${counted(due.length, 'job')} due for ${formatSpan(now - Math.min(...due.map(({ since }) => since)))}: ${listed(due.map(({ key }) => key))}.`,
      why: 'The engine runs, and such work is usually done within seconds.',
      next: 'fairlead increment sync does it now; fairlead daemon stop lets the next event start a new engine',
    },
  ];
}

function listed(names: readonly string[]): string {
  return (
    names.slice(0, MAX_SHOWN).join(', ') + (names.length > MAX_SHOWN ? `, and ${names.length - MAX_SHOWN} more` : '')
  );
}
