import { describe, expect, test } from 'vitest';
import { exampleEvent } from './example-event.ts';
import { createRuleIndex } from '../match/rule-index.ts';
import type { ActiveRule } from '../match/rule-index.ts';
import type { Example, RuleMeta } from '../rule.ts';
import { NEUTRAL } from '../../event/verdict.ts';
import type { Decision, Mode } from '../../event/verdict.ts';
import { redactValue } from '../../ledger/redact.ts';
import type { LedgerDetail, LedgerRow, RuleTrace } from '../../event/ledger-row.ts';
import { explain } from './explain.ts';
import type { Fate, Today } from './explain.ts';

const ROOT = '/p';

function rule(id: string, on: RuleMeta['on'], mode: Mode = 'enforce'): ActiveRule {
  const meta = { id, pack: 'test', summary: id, on, messages: {} };
  return { meta, mode, options: {}, source: 'built in', load: () => ({ check: () => undefined }) };
}

const TIMES = { parse: 1, workspace: 1, select: 1, rules: 1, commit: 1, render: 1 };

interface Given {
  readonly rules: readonly ActiveRule[];
  readonly example: Example;
  readonly trace?: readonly RuleTrace[];
  readonly decision?: Decision;
  readonly digest?: string;
  readonly bodies?: number;
  readonly fate?: Fate;
  readonly unread?: boolean;
}

/** The explanation of an event as the ledger keeps it: redacted and shortened. */
function explained({
  rules,
  example,
  trace = [],
  decision = NEUTRAL,
  digest,
  bodies = 2_000,
  fate = { kind: 'dropped' },
  unread = false,
}: Given) {
  const meta = (rules[0] as ActiveRule).meta;
  const event = exampleEvent(example, meta, { root: ROOT, session: 's', now: 1_000 });
  const index = createRuleIndex(rules);
  const row = { id: 'x', event: event.name, digest: digest ?? index.digest } as LedgerRow;
  const detail: LedgerDetail = {
    event: redactValue(event, bodies),
    trace,
    decision,
    times: TIMES,
    attempts: 1,
    unread,
  };
  const today: Today = { rules: index.rules, digest: index.digest, rootOf: () => ROOT, fateOf: () => fate };
  return explain({ row, detail }, today);
}

describe('where a rule stopped', () => {
  const edits = rule('edits', [{ event: 'tool.before', tool: ['edit'] }]);
  const markdown = rule('markdown', [{ event: 'tool.before', tool: ['edit'], paths: ['docs/**/*.md'] }]);
  const words = rule('words', [
    { event: 'tool.before', tool: ['shell'], words: ['--force'] },
    { event: 'tool.before', tool: ['edit'], words: ['TODO'] },
  ]);
  const prompts = rule('prompts', [{ event: 'prompt.submit' }]);
  const edit: Example = { event: 'tool.before', tool: 'edit', path: 'src/a.ts', new: 'x' };
  const shell: Example = { event: 'tool.before', tool: 'shell', command: 'ls' };
  const cases: [string, ActiveRule, Example, RuleTrace | undefined, number, string][] = [
    ['another tool', edits, shell, undefined, 0, 'listens to other tools than shell'],
    ['no path', markdown, edit, undefined, 1, 'no path matches docs/**/*.md'],
    ['no word, of the entry that heard it', words, edit, undefined, 1, 'has none of the words TODO'],
    [
      'a guard',
      edits,
      edit,
      { rule: 'edits', tier: 2, reason: 'the session is paused', mode: 'enforce' },
      2,
      'the session is paused',
    ],
    [
      'its check',
      edits,
      edit,
      { rule: 'edits', tier: 3, reason: 'nothing to say', mode: 'enforce', micros: 7 },
      3,
      'nothing to say',
    ],
    [
      'a failure',
      edits,
      edit,
      { rule: 'edits', tier: 3, reason: 'boom', mode: 'enforce', micros: 7, failed: true },
      3,
      'boom',
    ],
  ];
  test.each(cases)('%s', (_name, listening, example, entry, tier, reason) => {
    const { rules, notListening } = explained({ rules: [listening, prompts], example, trace: entry ? [entry] : [] });
    expect(rules).toMatchObject([{ rule: listening.meta.id, tier, reason }]);
    expect(notListening).toBe(1);
  });

  test('an event too big to read stopped there for every rule that listens', () => {
    const { rules, notListening } = explained({ rules: [edits, words, prompts], example: shell, unread: true });
    const stopped = { tier: 0, reason: 'the payload was too big to read' };
    expect(rules).toMatchObject([
      { rule: 'edits', ...stopped },
      { rule: 'words', ...stopped },
    ]);
    expect(notListening).toBe(1);
  });

  test('words are not looked for in what the record shortened', () => {
    const late = rule('late', [{ event: 'tool.before', tool: ['edit'], words: ['needle'] }]);
    const example = { ...edit, new: `${'x'.repeat(3_000)} needle` };
    const entry: RuleTrace = { rule: 'late', tier: 3, reason: 'note', mode: 'enforce' };
    expect(explained({ rules: [late], example, trace: [entry] }).rules).toMatchObject([{ tier: 3, reason: 'note' }]);
  });

  test('words that only the record put there do not count', () => {
    const secretive = rule('secretive', [{ event: 'tool.before', tool: ['shell'], words: ['redacted'] }]);
    const { rules } = explained({
      rules: [secretive],
      example: { ...shell, command: 'login password=hunter2hunter2' },
    });
    expect(rules).toMatchObject([{ tier: 1, reason: 'has none of the words redacted' }]);
  });

  test('a rule that is new since then is said to be', () => {
    const { rules, rulesChanged } = explained({ rules: [edits, markdown], example: edit, digest: 'other' });
    expect(rulesChanged).toBe(true);
    expect(rules).toMatchObject([
      { rule: 'edits', tier: 1, reason: 'would be looked at today; the rules were others then' },
      { rule: 'markdown', tier: 1, reason: 'no path matches docs/**/*.md' },
    ]);
  });

  test('a rule that is gone is still in the record', () => {
    const gone: RuleTrace = {
      rule: 'gone',
      tier: 3,
      reason: 'deny',
      mode: 'enforce',
      verdicts: [{ kind: 'deny', text: 'no' }],
    };
    expect(
      explained({ rules: [edits], example: edit, trace: [gone], digest: 'other' }).rules.map((one) => one.rule),
    ).toEqual(['gone', 'edits']);
  });
});

describe('what became of a verdict', () => {
  const talker = rule('talker', [{ event: 'tool.before' }]);
  const example: Example = { event: 'tool.before', tool: 'shell', command: 'ls' };
  const traceOf = (kind: string, mode: Mode): RuleTrace => ({
    rule: 'talker',
    tier: 3,
    reason: kind,
    mode,
    verdicts: [{ kind, variant: 'v', text: 'Listen.' }],
  });
  const said: Decision = {
    ...NEUTRAL,
    notes: [{ rule: 'talker', variant: 'v', text: '[talker] Listen.', priority: 50 }],
  };

  test.each([
    ['deny', 'enforce', 'deny'],
    ['deny', 'ask', 'ask'],
    ['deny', 'advise', 'note'],
    ['ask', 'advise', 'note'],
    ['note', 'shadow', undefined],
    ['warn', 'advise', 'warn'],
  ] as const)('%s under mode %s', (kind, mode, became) => {
    const [first] = explained({ rules: [talker], example, trace: [traceOf(kind, mode)], decision: said }).rules;
    expect(first?.verdicts[0]?.became).toBe(became);
  });

  test('the facts behind it are kept', () => {
    const about = { symbol: 'a.ts#f', tests: ['a.test.ts:3'] };
    const trace = { ...traceOf('note', 'advise'), verdicts: [{ kind: 'note', text: 'Listen.', about }] };
    const [first] = explained({ rules: [talker], example, trace: [trace], decision: said }).rules;
    expect(first?.verdicts[0]?.about).toEqual(about);
  });

  const elsewhere: Decision = { ...NEUTRAL, notes: [{ rule: 'louder', text: '[louder] Listen.', priority: 90 }] };
  const waits: Fate = { kind: 'waits' };
  test.each<[string, RuleTrace, Decision, readonly unknown[]]>([
    ['a note that was said', traceOf('note', 'advise'), said, []],
    ['a note that was not', traceOf('note', 'advise'), NEUTRAL, [{ rule: 'talker', text: 'Listen.', fate: waits }]],
    [
      'a denial that became one',
      traceOf('deny', 'advise'),
      NEUTRAL,
      [{ rule: 'talker', text: 'Listen.', fate: waits }],
    ],
    [
      'the same text of another rule',
      traceOf('note', 'advise'),
      elsewhere,
      [{ rule: 'talker', text: 'Listen.', fate: { kind: 'same-text', rule: 'louder' } }],
    ],
    ['a shadow', traceOf('note', 'shadow'), NEUTRAL, []],
    ['a denial in force', traceOf('deny', 'enforce'), { ...NEUTRAL, action: 'deny', by: ['talker'] }, []],
  ])('%s', (_name, entry, decision, unsaid) => {
    expect(explained({ rules: [talker], example, trace: [entry], decision, fate: waits }).unsaid).toEqual(unsaid);
  });
});
