import type {
  HookOutcome,
  HookRecord,
  RecordPlace,
  ResultRecord,
  SentDecision,
  TranscriptRecord,
} from '../event/transcript.ts';
import { tagged } from '../event/verdict.ts';
import type { FateName, OpenFate } from '../ledger/fates.ts';

/** What a transcript has of a decision. */
type Trace = HookOutcome | 'told-cut' | Unnamed;
/** A hook of nobody knows whom: the agent names none where an answer over the network is lost. */
type Unnamed = 'unnamed-late' | 'unnamed-failed';

interface Watched extends OpenFate {
  readonly found: Set<string>;
  result?: ResultRecord;
  /** The agent went on: nothing more will be written of it. */
  isOver: boolean;
}

export interface FateJudge {
  take(record: TranscriptRecord): void;
  /** The fates that are certain by now, and what was found of the others; with `isOver` nothing more will come, with `isCut` something was passed over. */
  settle(
    isOver: boolean,
    isCut?: boolean,
  ): { readonly n: number; readonly traces: readonly string[]; readonly fate?: FateName }[];
}

const REQUEST = 'permission.request';
/** How much later than a decision something may be dated that came before it. */
const SLACK_MS = 500;
/** The line of a prompt is dated at about the time of the hooks that it is shown to; a later one ends what was before. */
const NEXT_PROMPT_MS = 2_000;

/** Holds the records of a session's transcripts against its decisions whose fate is open. */
export function judgeFates(
  open: readonly OpenFate[],
  leavesTrace: (decision: SentDecision) => boolean = () => true,
): FateJudge {
  const watched: Watched[] = open.map((one) => ({ ...one, found: new Set(one.traces), isOver: false }));
  const byCall = new Map<string, Watched[]>();
  for (const one of watched) byCall.set(one.call, [...(byCall.get(one.call) ?? []), one]);

  function takeHook(record: HookRecord & RecordPlace): void {
    const trace = traceOf(record);
    const { call = '', event, at = Infinity, subagent = '' } = record;
    if (event === undefined) {
      const before = watched.filter((one) => one.subagent === subagent && one.at <= at);
      before.findLast((one) => isOf(record, one) && !one.found.has(trace))?.found.add(trace);
      return;
    }
    const ofCall = byCall.get(call) ?? [];
    // Where it is about no call, the agent makes up an id.
    const among = ofCall.length > 0 ? ofCall : (byCall.get('') ?? []).filter((one) => one.subagent === subagent);
    const meant = among.filter((one) => one.event === event && one.at <= at + SLACK_MS);
    // Of two that could be meant it is the one that was decided last.
    meant.findLast((one) => (isUnnamed(trace) || isOf(record, one)) && !one.found.has(trace))?.found.add(trace);
  }

  function takeResult(record: ResultRecord & RecordPlace): void {
    for (const one of byCall.get(record.call) ?? []) one.result = record;
    const denied = record.by === 'hook' ? requestIn(record) : undefined;
    if (denied) denied.result = record;
    if (record.started)
      for (const one of watched) if (one.subagent === record.started.id) one.isOver ||= one.at <= (record.at ?? 0);
  }

  /** A request for permission comes without the id of its call: whose denial it was the result says in its words. */
  function requestIn({ text, at = Infinity, subagent = '' }: ResultRecord & RecordPlace): Watched | undefined {
    return (byCall.get('') ?? []).findLast(
      (one) =>
        one.event === REQUEST &&
        one.subagent === subagent &&
        one.at <= at + SLACK_MS &&
        !one.result &&
        namesOne(text, one.rules),
    );
  }

  function endBefore(at: number, subagent: string): void {
    for (const one of watched) if (one.subagent === subagent && one.at <= at) one.isOver = true;
  }

  return {
    take(record) {
      const { at = 0, subagent = '' } = record;
      if (record.kind === 'hook') takeHook(record);
      else if (record.kind === 'result') takeResult(record);
      else if (record.kind === 'turn-end') endBefore(at, subagent);
      else if (record.kind === 'prompt') endBefore(at - NEXT_PROMPT_MS, subagent);
    },
    settle: (isOver, isCut = false) =>
      watched.map(({ n, ...one }) => {
        const known = fateOf(one, !isCut && (isOver || one.isOver));
        const fate = known === 'unseen' && !leavesTrace(one) ? undefined : known;
        return { n, traces: [...one.found], ...(fate === undefined ? {} : { fate }) };
      }),
  };
}

function traceOf({ outcome, cut, command }: HookRecord): Trace {
  if (outcome === 'told') return cut ? 'told-cut' : 'told';
  if (outcome !== 'late' && outcome !== 'failed') return outcome;
  return command === undefined ? `unnamed-${outcome}` : outcome;
}

function isUnnamed(trace: Trace): trace is Unnamed {
  return trace.startsWith('unnamed-');
}

/** Whether a hook's record is of this decision: by what it said, or by whose command it is. */
function isOf(record: HookRecord, { rules }: OpenFate): boolean {
  return record.own === true || record.texts.some((text) => namesOne(text, rules));
}

function namesOne(text: string, rules: readonly string[]): boolean {
  return rules.some((rule) => text.includes(tagged(rule, '').trimEnd()));
}

function fateOf(one: Omit<Watched, 'n'>, isOver: boolean): FateName | undefined {
  const { event, action, found, result } = one;
  const isAhead = event === 'tool.before' || event === REQUEST;
  const stops = action === 'deny' || action === 'ask';
  // What cannot be held back any more is said instead; a note beside a denial is not the denial.
  const known =
    (stops && fateOfStop(one, isAhead ? result : undefined)) || (stops && isAhead ? undefined : fateOfSaying(one));
  if (known !== undefined) return known;
  // What stands of a call's hook stands before its result; of all others, before the agent goes on.
  if (!isOver && !(isAhead && result !== undefined)) return undefined;
  if (found.has('late')) return 'late';
  if (found.has('failed')) return 'failed';
  // An answer whose text the model never got; a denial or a question has its own line when it arrives.
  if (found.has('ran')) return one.chars > 0 ? 'misplaced' : 'unseen';
  // What arrives leaves a trace: where there is none but of a hook without a name, it was that one.
  if (found.has('unnamed-late')) return 'late';
  return found.has('unnamed-failed') ? 'failed' : 'unseen';
}

function fateOfStop({ action, found, rules }: Omit<Watched, 'n'>, result?: ResultRecord): FateName | undefined {
  if (found.has('blocked')) return 'denied';
  if (!result) return undefined;
  const isStopped = result.outcome === 'stopped';
  if (action === 'ask' && found.has('ran')) {
    if (isStopped) return 'refused';
    // Settings let it run: nobody was asked.
    return result.by === 'settings' ? undefined : 'allowed';
  }
  if (!isStopped || !namesOne(result.text, rules)) return undefined;
  return action === 'ask' ? 'refused' : 'denied';
}

function fateOfSaying({ found, chars }: Omit<Watched, 'n'>): FateName | undefined {
  if (found.has('told')) return 'delivered';
  if (found.has('told-cut')) return 'cut';
  // Nothing was for the model.
  return chars === 0 && (found.has('warned') || found.has('ran')) ? 'delivered' : undefined;
}
