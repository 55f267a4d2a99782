import { countWaiting, readOutbox } from '../../ledger/outbox.ts';
import type { OutboxState } from '../../ledger/outbox.ts';
import { nodeFiles } from '../../platform/files.ts';
import { isLoopback } from '../../platform/loopback.ts';
import { keyPath, readMachineKey } from '../../telemetry/record/machine-key.ts';
import { readHeaders } from '../../telemetry/otlp/receiver.ts';
import { endpointProblem, placeOf } from '../../telemetry/otlp/settings.ts';
import type { OtlpSettings } from '../../telemetry/otlp/settings.ts';
import type { DaemonStatus } from '../../transport/status.ts';
import { mergeConfig } from '../../workspace/config/settings.ts';
import type { CliWorld } from '../command.ts';
import type { KnownRules } from '../known-rules.ts';
import { counted, formatSpan } from '../table.ts';
import type { Fact, Finding, Section } from './report.ts';

/** Where the record goes, and how far it got; nothing where nobody asked for it. */
export function checkTelemetry({ layers }: KnownRules, status: DaemonStatus | undefined, world: CliWorld): Section[] {
  // Only the person's own settings say so.
  const { otlp } = mergeConfig([layers.user.config]).telemetry;
  const { endpoint } = otlp;
  if (endpoint === undefined) return [];
  const { clock, memory } = world.engine();
  const state = memory.db && readOutbox(memory.db);
  const waiting = memory.db && state ? countWaiting(memory.db) : 0;
  const ago = (at: number) => `${formatSpan(clock.now() - at)} ago`;
  return [
    {
      title: 'Telemetry',
      facts: [
        ['receiver', placeOf(endpoint)],
        ['sends', `logs: ${otlp.logs}, metrics: ${otlp.metrics ? 'on' : 'off'}, texts: ${otlp.bodies ? 'on' : 'off'}`],
        ['arrived', `${state?.sent ?? 0}${state?.sentAt === undefined ? '' : `, the last ${ago(state.sentAt)}`}`],
        ['waiting', String(waiting)],
        ['lost', `${state?.lost ?? 0}, refused ${state?.refused ?? 0}`],
        ...(state ? signedBy(state, world) : []),
      ],
      findings: [
        ...unusable(endpoint, otlp, world),
        ...(state ? failing(state, waiting, ago) : []),
        ...(state ? missing(state) : []),
        ...idle(status, waiting),
      ],
    },
  ];
}

/** What an auditor needs to know from here. */
function signedBy({ machine, chain }: OutboxState, { paths }: CliWorld): Fact[] {
  const key = readMachineKey(keyPath(paths.state, machine), nodeFiles);
  return [
    ['machine', machine],
    ...(key ? [['key', 'problem' in key ? key.problem : key.public] as const] : []),
    ...(chain.head === '' ? [] : [['record', `${chain.sequence}:${chain.head}`] as const]),
  ];
}

function unusable(endpoint: string, otlp: OtlpSettings, world: CliWorld): Finding[] {
  const headers = readHeaders(otlp.headersFile, world.userHome);
  const problem = endpointProblem(endpoint, otlp.insecure) ?? ('problem' in headers ? headers.problem : undefined);
  const next = 'mend telemetry.otlp in your config.yaml';
  if (problem !== undefined)
    return [
      { level: 'attention', what: `Nothing can be sent: ${problem}.`, why: 'Decisions wait in the ledger.', next },
    ];
  const { protocol, hostname } = new URL(endpoint);
  if (protocol === 'https:' || isLoopback(hostname)) return [];
  return [
    {
      level: 'note',
      what: `The record goes to ${placeOf(endpoint)} as plain text.`,
      why: 'telemetry.otlp.insecure allows http beyond this machine, so anybody on the way can read and change it.',
      next: 'give the receiver an https address',
    },
  ];
}

function failing({ problem, failedAt = 0 }: OutboxState, waiting: number, ago: (at: number) => string): Finding[] {
  if (problem === undefined) return [];
  return [
    {
      level: 'attention',
      what: `The last attempt failed, ${ago(failedAt)}: ${problem}.`,
      why: `${counted(waiting, 'decision')} wait in the ledger and are sent when the receiver takes them. Replies to the agent do not wait for it.`,
      next: 'look at the receiver, or at telemetry.otlp in your config.yaml',
    },
  ];
}

function missing({ lost, refused }: OutboxState): Finding[] {
  if (lost + refused === 0) return [];
  return [
    {
      level: 'note',
      what: `The receiver lacks ${counted(lost + refused, 'decision')}: ${lost} deleted before they could be sent, ${refused} not taken by it.`,
      why: 'What waits is deleted with the rows of the ledger: after ledger.days, or when there are more than ledger.rows.',
      next: 'raise ledger.days and ledger.rows if outages last longer',
    },
  ];
}

/** Processes for one event record and do not send. */
function idle(status: DaemonStatus | undefined, waiting: number): Finding[] {
  if (status || waiting === 0) return [];
  return [
    {
      level: 'note',
      what: `${counted(waiting, 'decision')} wait, and no engine runs that could send them.`,
      why: 'The resident engine sends, and the next event starts it.',
      next: 'fairlead daemon start',
    },
  ];
}
