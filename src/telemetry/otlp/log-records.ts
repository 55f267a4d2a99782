import type { Event } from '../../event/event.ts';
import type { Opening } from '../../ledger/outbox-chain.ts';
import type { Decision } from '../../event/verdict.ts';
import type { LeavingRow } from '../../ledger/outbox.ts';
import { outcomeOf } from '../../ledger/read.ts';
import { basename } from '../../platform/paths.ts';
import { counted } from '../../text/counted.ts';
import {
  CHECKPOINT,
  FROM,
  HANDOVER,
  KEY,
  KEY_BEFORE,
  LOST,
  LOST_TOTAL,
  MACHINE,
  NAMES,
  REFUSED,
  SEQUENCE,
  TO,
} from '../record/chain.ts';
import type { Attributes, Content, LinkName } from '../record/chain.ts';
import type { MachineKey } from '../record/machine-key.ts';
import { nanosOf } from './requests.ts';

const INFO = 9;
const WARN = 13;
const HELD: ReadonlySet<string> = new Set(['deny', 'ask']);

/** Where a record stands: the same however often it is sent. */
export interface Standing {
  readonly machine: string;
  readonly sequence: number;
}

/** A decision as a log record. With `bodies` it has the texts of the ledger, which are redacted. */
export function decisionRecord(row: LeavingRow, bodies: boolean, { machine, sequence }: Standing): Content {
  const {
    event = {},
    decision = {},
    traceparent,
  } = (row.detail ?? {}) as {
    event?: Partial<Event>;
    decision?: Partial<Decision>;
    traceparent?: string;
  };
  const outcome = outcomeOf(row);
  const said = bodies ? saidIn(decision) : '';
  return {
    ...recordOf('decision', row.at, HELD.has(outcome), said === '' ? lineOf(row, outcome) : said, {
      'fairlead.decision.id': row.id,
      [MACHINE]: machine,
      [SEQUENCE]: sequence,
      ...factsOf(row, outcome),
      ...policyOf(row),
      ...callOf(row, event, bodies),
    }),
    ...traceIn(traceparent),
  };
}

function recordOf(name: LinkName, at: number, isWarning: boolean, body: string, attributes: Attributes): Content {
  return {
    at: String(nanosOf(at)),
    severity: isWarning ? WARN : INFO,
    severityText: isWarning ? 'WARN' : 'INFO',
    body,
    attributes: Object.entries(attributes).flatMap(([key, value]) =>
      value === undefined ? [] : [[key, value] as const],
    ),
    flags: 0,
    trace: '',
    span: '',
    name: NAMES[name],
  };
}

function factsOf(row: LeavingRow, outcome: string): Attributes {
  const { event, agent, session, root, seq, chars, micros, copy, replyBytes, digest } = row;
  // The one that decided comes first.
  const [rule = '', ...others] = row.rules.split(',');
  return {
    'fairlead.decision': outcome,
    'fairlead.rule.id': rule === '' ? undefined : rule,
    'fairlead.rule.others': others.length === 0 ? undefined : others,
    'fairlead.delivery': copy ? 'repeated' : replyBytes > 0 ? 'sent' : 'recorded',
    'fairlead.event': event,
    'fairlead.session.sequence': seq,
    'fairlead.attention.characters': chars,
    'fairlead.duration.microseconds': Math.round(micros),
    'fairlead.rules.version': digest,
    'fairlead.workspace.name': basename(root),
    'gen_ai.agent.name': agent,
    'gen_ai.conversation.id': session,
  };
}

/** As it counted for this event, and not as it is now. */
function policyOf({ detail }: LeavingRow): Attributes {
  const { name, version, stage, ring } = detail?.team ?? {};
  return {
    'fairlead.policy.name': name,
    'fairlead.policy.version': version,
    'fairlead.policy.stage': stage,
    'fairlead.policy.ring': ring,
  };
}

function callOf({ tool }: LeavingRow, { tool: call }: Partial<Event>, bodies: boolean): Attributes {
  if (tool === '') return {};
  return {
    'gen_ai.operation.name': 'execute_tool',
    'gen_ai.tool.name': tool,
    'gen_ai.tool.call.id': call?.id,
    'gen_ai.tool.call.arguments': bodies && call ? JSON.stringify(call.input) : undefined,
  };
}

function saidIn({ reason = '', notes = [], warns = [] }: Partial<Decision>): string {
  return [reason, ...notes.map(({ text }) => text), ...warns.map(({ text }) => text)].filter(Boolean).join('\n');
}

function lineOf({ rules, tool, event }: LeavingRow, outcome: string): string {
  return [outcome, rules, tool === '' ? event : `${event} ${tool}`].filter(Boolean).join(': ');
}

const TRACEPARENT = /^(?!ff)[\da-f]{2}-(?!0{32})([\da-f]{32})-(?!0{16})([\da-f]{16})-([\da-f]{2})/;

/** What an environment says may be anything. */
function traceIn(traceparent = ''): Pick<Content, 'flags' | 'trace' | 'span'> {
  const [, trace = '', span = '', flags = '0'] = TRACEPARENT.exec(traceparent) ?? [];
  return { flags: trace === '' ? 0 : Number.parseInt(flags, 16), trace, span };
}

/** What is to be known of the chain itself. */
export function openingRecord(opening: Opening, { machine, sequence }: Standing): Content {
  const where = { [MACHINE]: machine, [SEQUENCE]: sequence };
  const { kind, at } = opening;
  if (kind === 'lost')
    return recordOf(kind, at, true, `${counted(opening.count, 'decision')} deleted before they could be sent`, {
      ...where,
      [LOST]: opening.count,
      [LOST_TOTAL]: opening.total,
    });
  const { from, to } = opening;
  const range = { ...where, [FROM]: from, [TO]: to };
  if (kind === 'refused')
    return recordOf(
      kind,
      at,
      true,
      `the receiver did not take ${counted(opening.count, 'record')} of ${from} to ${to}`,
      {
        ...range,
        [REFUSED]: opening.count,
      },
    );
  return recordOf(kind, at, true, `${from} to ${to} may not have arrived; what they told follows`, range);
}

/** How far the chain goes at a time: no link of it, and signed as one. */
export function checkpointRecord({ machine, sequence }: Standing, key: MachineKey, at: number): Content {
  const { before, signature } = key.handover ?? {};
  return recordOf('checkpoint', at, false, `${sequence} records so far`, {
    ...{ [MACHINE]: machine, [CHECKPOINT]: sequence, [KEY]: key.public },
    ...{ [KEY_BEFORE]: before, [HANDOVER]: signature },
  });
}
