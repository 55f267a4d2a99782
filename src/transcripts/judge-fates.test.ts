import fc from 'fast-check';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { cases } from '../../test/cases.ts';
import { adapterNamed } from '../adapters/registry.ts';
import type { TranscriptRecord } from '../event/transcript.ts';
import type { OpenFate } from '../ledger/fates.ts';
import { judgeFates } from './judge-fates.ts';

const extras = new URL('../../test/fixtures/claude-code/extras/', import.meta.url);
const transcripts = adapterNamed('claude-code')?.transcripts;
const recorded = (name: string): readonly TranscriptRecord[] =>
  readFileSync(new URL(name, extras), 'utf8')
    .split('\n')
    .flatMap((line) => transcripts?.reader(() => '')(line) ?? []);

// In the recorded session the hooks were not ours: what they said stands for what a rule of that name said.
const asOurs = (records: readonly TranscriptRecord[]): readonly TranscriptRecord[] =>
  records.map((record) => (record.kind === 'hook' ? { ...record, own: true as const } : record));
const records = asOurs(recorded('transcript.hooks.jsonl'));
const callOf = (command: string): string => {
  for (const record of records)
    if (record.kind === 'call' && record.call.command === command) return record.call.id ?? '';
  throw new Error(`no call ${command}`);
};

/** The time of the first record that is so. */
const timeOf = (is: (record: TranscriptRecord) => boolean): number => records.find(is)?.at ?? NaN;
const promptAt = timeOf(({ kind }) => kind === 'prompt');
const stopAt = timeOf((record) => record.kind === 'hook' && record.event === 'turn.stop');

const ahead = (command: string, action: OpenFate['action'], chars = 10): OpenFate => ({
  n: 1,
  event: 'tool.before',
  at: timeOf((record) => record.kind === 'call' && record.call.command === command),
  action,
  rules: ['r'],
  chars,
  call: callOf(command),
  subagent: '',
  traces: [],
});

const fateOf = (open: OpenFate, from: readonly TranscriptRecord[] = records, isOver = false) => {
  const judge = judgeFates([open]);
  from.forEach(judge.take);
  return judge.settle(isOver)[0]?.fate;
};

const CASES: readonly [string, OpenFate, string][] = [
  ['a note', ahead('echo c-ctx', 'pass'), 'delivered'],
  ['a note that was too long', ahead('echo c-long', 'pass'), 'cut'],
  ['a reply that is no JSON', ahead('echo c-bad', 'pass'), 'misplaced'],
  ['a note in the wrong place', ahead('echo c-wrong', 'pass'), 'misplaced'],
  ['a reply for another event', ahead('echo c-otherevent', 'pass'), 'failed'],
  ['a denial', ahead('echo c-deny', 'deny'), 'denied'],
  ['a denial that came too late', ahead('echo c-time', 'deny'), 'late'],
  ['a denial whose hook failed', ahead('echo c-fail', 'deny'), 'failed'],
  ['a denial that left no trace', ahead('exit 3', 'deny'), 'unseen'],
  ['a question nobody was there for', ahead('echo c-ask', 'ask'), 'refused'],
  ['an approval', ahead('echo c-allow', 'allow', 0), 'delivered'],
  ['a line for the person', ahead('echo c-sys', 'pass', 0), 'delivered'],
  ['a changed call', ahead('echo c-rewrite', 'rewrite', 0), 'delivered'],
  ['a note after the call', { ...ahead('echo p-ctx', 'pass'), event: 'tool.after' }, 'delivered'],
  ['an objection after the call', { ...ahead('echo p-block', 'deny'), event: 'tool.after' }, 'denied'],
  ['a note after a failure', { ...ahead('exit 3', 'pass'), event: 'tool.failed' }, 'delivered'],
  ['a note with a prompt', { ...ahead('exit 3', 'pass'), event: 'prompt.submit', at: promptAt, call: '' }, 'delivered'],
  [
    'a note at the start',
    { ...ahead('exit 3', 'pass'), event: 'session.start', at: promptAt - 400, call: '' },
    'delivered',
  ],
  ['a stop that was held back', { ...ahead('exit 3', 'deny'), event: 'turn.stop', at: stopAt, call: '' }, 'denied'],
];

describe('a recorded session', () => {
  it.each(CASES)('tells the fate of %s', (_, open, fate) => {
    expect(fateOf(open)).toBe(fate);
  });

  it('tells the same wherever a look ends, and however often the engine is started again', () =>
    fc.assert(
      fc.property(
        fc.constantFrom(...CASES),
        fc.array(fc.nat(records.length), { maxLength: 4 }),
        ([, open, fate], ends) => {
          let kept = open;
          let got: string | undefined;
          for (const [from, to] of pairsOf(ends)) {
            if (got !== undefined) break;
            const judge = judgeFates([kept]);
            records.slice(from, to).forEach(judge.take);
            const settled = judge.settle(false)[0];
            got = settled?.fate;
            kept = { ...kept, traces: settled?.traces ?? [] };
          }
          expect(got).toBe(fate);
        },
      ),
      cases(1_000),
    ));

  it('leaves open what it has not come to yet, until the session is over', () => {
    const open = ahead('echo c-deny', 'deny');
    expect(fateOf(open, records.slice(0, 5))).toBeUndefined();
    expect(fateOf(open, records.slice(0, 5), true)).toBe('unseen');
  });

  it('takes no other hook for ours', () => {
    const others = recorded('transcript.hooks.jsonl');
    expect(fateOf(ahead('echo c-ctx', 'pass'), others)).toBe('unseen');
    expect(fateOf(ahead('echo c-fail', 'deny'), others)).toBe('unseen');
    expect(fateOf({ ...ahead('echo c-deny', 'deny'), rules: ['other'] }, others)).toBe('unseen');
  });

  it('tells who was asked', () => {
    const asked = asOurs(recorded('transcript.asked.jsonl'));
    const calls = asked.flatMap((record) => (record.kind === 'call' ? [record.call] : []));
    const open = { ...ahead('exit 3', 'ask'), at: asked[0]?.at ?? NaN };
    const of = (command: string) => calls.find((call) => call.command === command)?.id ?? '';
    expect(fateOf({ ...open, call: of('echo c-ask yes') }, asked)).toBe('allowed');
    expect(fateOf({ ...open, call: of('echo c-ask no') }, asked)).toBe('refused');
    expect(fateOf({ ...open, action: 'deny', event: 'prompt.submit', call: '' }, asked)).toBe('denied');
  });
});

describe('a hook without a name', () => {
  const open = { ...ahead('echo c-deny', 'deny'), call: 'toolu_9' };
  const failed: TranscriptRecord = {
    ...{
      kind: 'hook',
      event: 'tool.before',
      call: 'toolu_9',
      outcome: 'failed',
      texts: ['socket hang up'],
      at: open.at,
    },
  };
  const ran: TranscriptRecord = { ...failed, outcome: 'ran', texts: ['{}'], command: 'fairlead hook', own: true };
  const result: TranscriptRecord = { kind: 'result', call: 'toolu_9', outcome: 'ran', by: 'settings', text: '' };

  it('counts as ours where ours left no other trace', () => {
    expect(fateOf(open, [failed, result])).toBe('failed');
    expect(fateOf(open, [{ ...failed, outcome: 'late' }, result])).toBe('late');
    expect(fateOf(open, [failed, ran, result])).toBe('misplaced');
    expect(fateOf(open, [{ ...failed, command: 'other' }, result])).toBe('unseen');
    expect(fateOf({ ...open, event: 'tool.after' }, [failed, result], true)).toBe('unseen');
  });

  it('is not needed to see that nobody was asked', () => {
    const asked = { ...open, action: 'ask' as const };
    expect(fateOf(asked, [ran, result])).toBe('misplaced');
    expect(fateOf(asked, [ran, { ...result, by: 'person' }])).toBe('allowed');
    expect(fateOf(asked, [ran, { ...result, outcome: 'stopped' }])).toBe('refused');
  });
});

describe('a request for permission', () => {
  const at = Date.parse('2026-11-17T16:32:09.000Z');
  const open: OpenFate = { ...ahead('echo c-deny', 'deny'), event: 'permission.request', call: '', at };
  const result = (text: string, more: object = {}): TranscriptRecord => ({
    ...{ kind: 'result', call: 'toolu_3', outcome: 'stopped', by: 'hook', at: at + 9, text },
    ...more,
  });

  it('is denied as told where the result of the call says so in the words of the rule', () => {
    expect(fateOf(open, [result('[r] About requests.')])).toBe('denied');
    expect(fateOf(open, [result('[other] About requests.')], true)).toBe('unseen');
    expect(fateOf(open, [result('[r] About requests.', { subagent: 'a1' })], true)).toBe('unseen');
    expect(fateOf(open, [result('requested [r]', { outcome: 'ran', by: 'person' })], true)).toBe('unseen');
  });

  it('is told from the one before it', () => {
    const judge = judgeFates([open, { ...open, n: 2, at: at + 2_000 }]);
    judge.take(result('[r] About requests.'));
    expect(judge.settle(false).map(({ fate }) => fate)).toEqual(['denied', undefined]);
    judge.take(result('[r] About requests.', { call: 'toolu_4', at: at + 2_009 }));
    expect(judge.settle(false).map(({ fate }) => fate)).toEqual(['denied', 'denied']);
  });
});

/** The stretches between these ends. */
function pairsOf(ends: readonly number[]): [number, number][] {
  const sorted = [...ends, records.length].toSorted((a, b) => a - b);
  return sorted.map((end, index) => [sorted[index - 1] ?? 0, end]);
}

it('a text that names no event belongs to the decision of its rule that was last', () => {
  const fate = (n: number, at: number) => ({
    ...{ n, at, event: 'tool.before' as const, action: 'pass' as const, rules: ['user/tell'], call: `call-${n}` },
    ...{ subagent: '', chars: 20, traces: [] },
  });
  const judge = judgeFates([fate(1, 1000), fate(2, 2000), fate(3, 3000)]);
  const texts = ['[user/tell] About tell.'];
  judge.take({ kind: 'hook', outcome: 'told', texts, at: 1010 });
  judge.take({ kind: 'hook', outcome: 'told', texts: ['[user/other] Else.'], at: 2010 });
  judge.take({ kind: 'hook', outcome: 'told', texts, at: 3010 });
  judge.take({ kind: 'turn-end', hooks: 0, at: 4000 });
  expect(judge.settle(false).map(({ fate: found }) => found)).toEqual(['delivered', 'unseen', 'delivered']);
});

it('where a decision leaves no trace, none means nothing', () => {
  const open = [0, 20].map((chars, n) => ({
    ...{ n, at: 1000, event: 'tool.before' as const, action: 'pass' as const, rules: ['user/tell'], call: `call-${n}` },
    ...{ subagent: '', chars, traces: [] },
  }));
  const judge = judgeFates(open, ({ chars }) => chars > 0);
  judge.take({ kind: 'turn-end', hooks: 0, at: 4000 });
  expect(judge.settle(true).map(({ fate }) => fate)).toEqual([undefined, 'unseen']);
});
