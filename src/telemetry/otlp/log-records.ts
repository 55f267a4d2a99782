import type { Event } from '../../event/event.ts';
import type { Decision } from '../../event/verdict.ts';
import type { LeavingRow } from '../../ledger/outbox.ts';
import { outcomeOf } from '../../ledger/read.ts';
import { basename } from '../../platform/paths.ts';
import { nanosOf, writeAttributes, writeValue } from './requests.ts';
import type { Attributes } from './requests.ts';
import { encodeMessage } from './protobuf.ts';
import type { ProtoWriter } from './protobuf.ts';

const INFO = 9;
const WARN = 13;
const HELD: ReadonlySet<string> = new Set(['deny', 'ask']);

/** A decision as a log record. With `bodies` it has the texts of the ledger, which are redacted. */
export function logRecordOf(row: LeavingRow, bodies: boolean): Uint8Array {
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
  const isHeld = HELD.has(outcome);
  const said = bodies ? saidIn(decision) : '';
  return encodeMessage((record) => {
    record.fixed64(1, nanosOf(row.at));
    record.uint(2, isHeld ? WARN : INFO);
    record.text(3, isHeld ? 'WARN' : 'INFO');
    record.message(5, (body) => writeValue(body, said === '' ? lineOf(row, outcome) : said));
    writeAttributes(record, 6, { ...identityOf(row), ...factsOf(row, outcome), ...callOf(row, event, bodies) });
    writeTrace(record, traceparent);
    record.text(12, 'fairlead.decision');
  });
}

/** Names a decision for good: whoever gets it twice knows it by its id, and whoever misses one sees it in the sequence. */
function identityOf({ id, machine, sequence }: LeavingRow): Attributes {
  return { 'fairlead.decision.id': id, 'fairlead.machine.id': machine, 'fairlead.sequence': sequence };
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
function writeTrace(record: ProtoWriter, traceparent = ''): void {
  const [, trace, span, flags = '0'] = TRACEPARENT.exec(traceparent) ?? [];
  if (trace === undefined || span === undefined) return;
  record.fixed32(8, Number.parseInt(flags, 16));
  record.bytes(9, Buffer.from(trace, 'hex'));
  record.bytes(10, Buffer.from(span, 'hex'));
}

/** Tells the receiver of decisions that it will never get. */
export function lossRecordOf(machine: string, lost: number, told: number, now: number): Uint8Array {
  return encodeMessage((record) => {
    record.fixed64(1, nanosOf(now));
    record.uint(2, WARN);
    record.text(3, 'WARN');
    record.message(5, (body) => writeValue(body, `${lost - told} decisions were deleted before they could be sent`));
    writeAttributes(record, 6, {
      'fairlead.machine.id': machine,
      'fairlead.decisions.lost': lost - told,
      'fairlead.decisions.lost.total': lost,
    });
    record.text(12, 'fairlead.decisions.lost');
  });
}
