import { nodeFiles } from '../../platform/files.ts';
import { parseValue } from '../../state/cells.ts';
import { copyAge, QUEUED, seenId } from '../../state/team-queue.ts';
import { connectionOptions } from '../../team/state/open-sync.ts';
import { placeText, readPlace, teamName } from '../../team/state/settings.ts';
import type { TeamStateSettings } from '../../team/state/settings.ts';
import { linkId } from '../../team/state/sync.ts';
import type { LinkState } from '../../team/state/sync.ts';
import type { DaemonStatus } from '../../transport/status.ts';
import type { CliWorld } from '../command.ts';
import type { KnownRules } from '../known-rules.ts';
import { counted, formatSpan } from '../table.ts';
import type { Finding, Section } from './report.ts';

const NEXT = 'look at the server, or at state.team in your config.yaml';

/** The state that a team shares; nothing where none is named. */
export function checkTeamState({ layers }: KnownRules, status: DaemonStatus | undefined, world: CliWorld): Section[] {
  const settings = layers.user.config.state?.team ?? layers.team?.config.state?.team;
  if (!settings) return [];
  const { store, clock } = world.engine();
  const now = clock.now();
  const team = teamName(settings);
  const waiting = store.list(QUEUED, now).length;
  const age = copyAge(store.get(seenId(team), now), now);
  const link = parseValue(store.get(linkId(team), now)) as LinkState | undefined;
  return [
    {
      title: 'State of the team',
      facts: [
        ['server', `${placeText(settings.url)}, team ${team}`],
        ['connected', isConnected(link, status) ? `for ${formatSpan(now - link.since)}` : 'no'],
        ['copy', Number.isFinite(age) ? `was whole ${formatSpan(age)} ago` : 'was never whole'],
        ['waiting', String(waiting)],
      ],
      findings: [
        ...unusable(settings, world),
        ...failing(link, waiting, now),
        ...(status || waiting === 0 ? [] : [idle(waiting)]),
      ],
    },
  ];
}

function isConnected(link: LinkState | undefined, status: DaemonStatus | undefined): link is LinkState {
  return status !== undefined && link !== undefined && link.problem === undefined;
}

function unusable(settings: TeamStateSettings, { userHome }: CliWorld): Finding[] {
  const place = readPlace(settings);
  const problem =
    'problem' in place
      ? place.problem
      : problemWith(() => connectionOptions(settings, place, { files: nodeFiles, userHome }));
  if (problem !== undefined)
    return [
      {
        level: 'attention',
        what: `The server cannot be used: ${problem}.`,
        why: 'Rules go by the copy on this machine, and what it changes waits.',
        next: 'mend state.team in your config.yaml',
      },
    ];
  if (settings.insecure !== true) return [];
  return [
    {
      level: 'note',
      what: `The state of the team goes to ${placeText(settings.url)} as plain text.`,
      why: 'state.team.insecure allows redis:// beyond this machine, so anybody on the way can read and change it.',
      next: 'give the server a rediss:// address',
    },
  ];
}

function problemWith(work: () => unknown): string | undefined {
  try {
    work();
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

function failing(link: LinkState | undefined, waiting: number, now: number): Finding[] {
  if (link?.problem === undefined) return [];
  return [
    {
      level: 'attention',
      what: `The server is away for ${formatSpan(now - link.since)}: ${link.problem}.`,
      why: `Rules go by the copy on this machine; ${counted(waiting, 'change')} wait. Replies to the agent do not wait for the server.`,
      next: NEXT,
    },
  ];
}

/** Processes for one event change the copy and do not send. */
function idle(waiting: number): Finding {
  return {
    level: 'note',
    what: `${counted(waiting, 'change')} wait, and no engine runs that could send them.`,
    why: 'The resident engine sends, and the next event starts it.',
    next: 'fairlead daemon start',
  };
}
