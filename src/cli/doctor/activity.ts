import type { Paused } from '../../engine/session/pause.ts';
import { isAdrift } from '../../engine/session/turn.ts';
import { findGaps } from '../../ledger/gaps.ts';
import { readUnrecorded } from '../../ledger/unrecorded.ts';
import { groupFailures } from '../../ledger/stats.ts';
import { nodeFiles } from '../../platform/files.ts';
import { parseCellId, parseValue } from '../../state/cells.ts';
import type { StoredCell } from '../../state/store.ts';
import { shortDir } from '../../transport/meeting-place.ts';
import type { DaemonStatus } from '../../transport/status.ts';
import { settingsOf } from '../../workspace/policy.ts';
import type { CliWorld } from '../command.ts';
import type { KnownRules } from '../known-rules.ts';
import { counted, formatSpan, formatTime } from '../table.ts';
import type { Finding, Section } from './report.ts';

const DAY_MS = 86_400_000;
const MAX_SHOWN = 8;

export function checkSessions(world: CliWorld): Section {
  const { store, clock } = world.engine();
  const now = clock.now();
  const cells = store.list('session', now);
  const named = (name: string) => cells.filter(({ id }) => parseCellId(id).name === name);
  const paused = named('paused');
  return {
    title: 'Sessions',
    facts: [['paused', String(paused.length)]],
    findings: [...paused.map(ofPause), ...ofDrift(named('turn').filter(({ value }) => isAdrift(value)))],
  };

  function ofPause({ id, value }: StoredCell): Finding {
    const { since = now, turns = 0, all } = (parseValue(value) ?? {}) as Partial<Paused>;
    const session = parseCellId(id).owner;
    if (all === true)
      return {
        level: 'attention',
        what: `Every rule is off in session ${session}, for ${formatSpan(now - since)} so far.`,
        why: 'Nothing is stopped or asked about there, not even what would destroy work.',
        next: 'fairlead on',
      };
    return {
      level: 'note',
      what: `Session ${session} is paused, for ${formatSpan(now - since)} and ${counted(turns, 'turn')} so far.`,
      why: 'It gets no advice; rules that protect stay active.',
      next: `fairlead resume --session ${session}`,
    };
  }
}

/** Sessions without prompt events whose transcript is not understood either. */
function ofDrift(cells: readonly StoredCell[]): Finding[] {
  if (cells.length === 0) return [];
  const [last] = cells.toSorted((a, b) => b.updated - a.updated).map(({ id }) => parseCellId(id).owner);
  return [
    {
      level: 'attention',
      what: `The turns of ${counted(cells.length, 'session')} are unknown, last of ${last}: no prompt reached the engine, and none was recognised in the transcript.`,
      why: 'A rule that may speak once per turn speaks once in such a session.',
      next: 'fairlead init wires the event that tells of prompts; new sessions have it',
    },
  ];
}

export function checkLedger({ layers }: KnownRules, status: DaemonStatus | undefined, world: CliWorld): Section {
  const { memory } = world.engine();
  const { days, rows, bodies } = settingsOf(layers).ledger;
  const keeps = `${counted(days, 'day')}, at most ${counted(rows, 'event')}, ${bodies === 0 ? 'no texts' : `${counted(bodies, 'character')} of each text`}`;
  const missed = unrecordedIn(world);
  if (!memory.db) return { title: 'Ledger', facts: [['keeps', keeps]], findings: missed };
  const { count, oldest } = memory.db.prepare('SELECT count(*) AS count, min(at) AS oldest FROM events').get() as {
    count: number;
    oldest: number | null;
  };
  return {
    title: 'Ledger',
    facts: [
      ['events', `${count}${oldest === null ? '' : `, the oldest of ${formatTime(oldest)}`}`],
      ['keeps', keeps],
    ],
    findings: [...missed, ...gapsOf(status, missed.length > 0, world)],
  };
}

/** What a full disk has kept out of the ledger; it is counted apart, because such an event has no number. */
function unrecordedIn({ engine, paths }: CliWorld): Finding[] {
  const places = [paths.run, shortDir(paths.state)];
  const { events, decided, lastAt, paths: counts } = readUnrecorded(nodeFiles, places);
  if (events <= 0) return [];
  const age = engine().clock.now() - lastAt;
  return [
    {
      level: age < DAY_MS ? 'attention' : 'note',
      what: `${counted(events, 'event')} could not be recorded; rules had decided on ${decided} of them.`,
      why: `Last ${formatSpan(age)} ago. The disk was full, or the state file could not be used. The agent got its answers, but the ledger does not have them, and what rules had to remember is lost.`,
      next: `see that the disk of ${paths.state} has room; then rm ${counts.map((path) => `'${path}'`).join(' ')} to count anew`,
    },
  ];
}

function gapsOf(status: DaemonStatus | undefined, hasUnrecorded: boolean, world: CliWorld): Finding[] {
  const { memory, clock } = world.engine();
  const gaps = memory.db ? findGaps(memory.db, status?.held) : [];
  const recent = gaps.filter(({ lastAt }) => clock.now() - lastAt < DAY_MS);
  return recent.slice(-MAX_SHOWN).map(({ session, ranges, missing }) => ({
    level: 'attention',
    what: `Session ${session} lacks the numbers ${ranges
      .slice(0, 4)
      .map(([from, to]) => (from === to ? String(from) : `${from}–${to}`))
      .join(', ')}${ranges.length > 4 ? ', …' : ''} of its events.`,
    why: hasUnrecorded
      ? `An engine ended before it wrote them: up to ${missing} events are not in the ledger. Those that could not be recorded, see above, may be among them.`
      : `An engine was killed before it wrote them: up to ${missing} neutral events are not in the ledger. What rules decided or changed is not lost.`,
    next: `fairlead log --session ${session} --all`,
  }));
}

export function checkFailures(world: CliWorld): Section {
  const { failures, clock } = world.engine();
  const groups = groupFailures(failures.read(), clock.now() - DAY_MS);
  return {
    title: 'Failures of the last 24 hours',
    facts:
      groups.length > MAX_SHOWN
        ? [['kinds', `${groups.length}, the most frequent ${MAX_SHOWN} are shown`]]
        : groups.length === 0
          ? [['none', 'the engine answered everything it was asked']]
          : [],
    findings: groups.slice(0, MAX_SHOWN).map(({ what, count, last }) => ({
      level: 'attention',
      what: `${count}× ${what}`,
      why: `Last ${formatSpan(clock.now() - last)} ago. The agent got an answer, but possibly without what rules had to say.`,
      next: `fairlead log --since ${Math.ceil((clock.now() - last) / 60_000) + 1}m shows the events around it`,
    })),
  };
}
