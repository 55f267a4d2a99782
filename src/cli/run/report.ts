import { outcomeOf, readDetail, readRows } from '../../ledger/read.ts';
import type { OutcomeName, StoredRow } from '../../ledger/read.ts';
import type { Event } from '../../event/event.ts';
import type { Decision } from '../../event/verdict.ts';
import type { CliWorld } from '../command.ts';
import { counted, printableLine } from '../table.ts';
import { whatHappened } from '../what-happened.ts';

/** What was decided on one event, where something was said. */
export interface ReportedDecision {
  readonly at: string;
  readonly session: string;
  readonly event: string;
  readonly tool: string;
  /** The command, the file, the prompt. */
  readonly what: string;
  readonly outcome: OutcomeName;
  readonly rules: string;
  readonly reason?: string;
  readonly notes: readonly string[];
}

export interface RunReport {
  readonly agent: string;
  readonly command: readonly string[];
  readonly policy?: string;
  readonly exitCode: number;
  readonly startedAt: string;
  readonly endedAt: string;
  /** All events of the run; none says that no rule was asked. */
  readonly events: number;
  readonly stopped: number;
  readonly asked: number;
  readonly noted: number;
  readonly decisions: readonly ReportedDecision[];
  /** Of our own. */
  readonly failures: readonly string[];
}

type Run = Pick<RunReport, 'agent' | 'command' | 'policy' | 'exitCode' | 'startedAt' | 'endedAt'>;

/** What the ledger of a run tells, once its engine has ended. */
export function reportOf(run: Run, root: string, scratch: CliWorld): RunReport {
  const { memory, failures } = scratch.engine();
  const { db } = memory;
  const rows = db ? readRows(db).filter(({ copy }) => !copy) : [];
  const said = rows.filter((row) => outcomeOf(row) !== 'pass');
  const countOf = (...names: OutcomeName[]) => said.filter((row) => names.includes(outcomeOf(row))).length;
  return {
    ...run,
    events: rows.length,
    stopped: countOf('deny'),
    asked: countOf('ask'),
    noted: countOf('note', 'warn'),
    decisions: said.map((row) => decisionIn(row, root, scratch)),
    failures: failures.read().map(({ what, message }) => `${what}: ${message}`),
  };
}

function decisionIn(row: StoredRow, root: string, scratch: CliWorld): ReportedDecision {
  const { at, session, event, tool, rules } = row;
  const { db } = scratch.engine().memory;
  const detail = db && readDetail(db, row.n);
  const { reason, notes = [] } = (detail?.decision ?? {}) as Partial<Decision>;
  return {
    at: new Date(at).toISOString(),
    ...{ session, event, tool },
    what: detail ? whatHappened(detail.event as Event, { root, userHome: scratch.userHome }) : '',
    outcome: outcomeOf(row),
    rules,
    ...(reason !== undefined && { reason }),
    notes: notes.map(({ text }) => text),
  };
}

/** For people, beside what the agent prints. */
export function summaryOf({ events, stopped, asked, noted, decisions, failures }: RunReport): string {
  if (events === 0)
    return 'fairlead: no event of the agent arrived, so no rule was asked.\nIts settings may keep hooks from running, or the command started no session.\n';
  const lines = decisions
    .filter(({ outcome }) => outcome === 'deny' || outcome === 'ask')
    .map(({ outcome, rules, what }) => `  ${outcome}  ${rules}  ${printableLine(what)}\n`);
  const failed = failures.length === 0 ? '' : `, ${counted(failures.length, 'failure')} of its own`;
  return `fairlead: ${counted(events, 'event')}: ${stopped} stopped, ${asked} asked about, ${noted} noted${failed}\n${lines.join('')}`;
}
