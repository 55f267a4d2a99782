import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ATTENTION } from '../engine/advice/attention.ts';
import { Context } from '../engine/decide/context.ts';
import { hasNearMiss, holds, tryExamples } from '../engine/trial/try-rule.ts';
import { exampleEvent } from '../engine/trial/example-event.ts';
import { NO_FACTS } from '../event/facts.ts';
import { NO_RECORDS } from '../engine/session/agent-records.ts';
import { createRuleIndex } from '../engine/match/rule-index.ts';
import type { ActiveRule } from '../engine/match/rule-index.ts';
import { effectsHeard } from '../engine/match/why-filtered.ts';
import { effectsOfExample } from '../assembly/example-effects.ts';
import type { Example, ExampleVerdict, RuleMeta } from '../engine/rule.ts';
import type { Event } from '../event/event.ts';
import type { Verdict } from '../event/verdict.ts';
import { nodeFiles } from '../platform/files.ts';
import { Draft } from '../state/draft.ts';
import { createMemoryStore } from '../state/memory.ts';
import { userRuleBody } from './body.ts';
import { parseUserRule } from './parse.ts';
import type { UserRule } from './parse.ts';
import { scaffoldRule } from './scaffold.ts';

const root = '/home/ada/shop';
const place = { root, session: 's1', now: 1_000 };

function parse(text: string): UserRule {
  const { rule, problems } = parseUserRule(text, {
    file: 'rule.md',
    namespace: 'user',
    toolAliases: { Bash: 'shell', Edit: 'edit', Write: 'write' },
    eventAliases: {},
  });
  if (!rule) throw new Error(JSON.stringify(problems));
  // As it comes back from the engine's store.
  return JSON.parse(JSON.stringify(rule)) as UserRule;
}

function decide({ meta, match }: UserRule, event: Event): Verdict | undefined {
  const active: ActiveRule = {
    meta,
    mode: meta.mode ?? 'advise',
    options: {},
    source: 'rule.md',
    load: () => userRuleBody(match),
  };
  const effects = effectsOfExample(event, { root, home: '/home/ada' });
  const selected = createRuleIndex([active]).select(event, () => root, effects);
  if (!selected.includes(active)) return undefined;
  const draft = new Draft(createMemoryStore(), place.now);
  const standing = {
    ownerOf: () => 's1',
    workspace: {
      root,
      repository: root,
      home: '/home',
      markerBacked: true,
      isTrusted: false,
      nearest: () => undefined,
      relative: (path: string) => (path.startsWith(`${root}/`) ? path.slice(root.length + 1) : path),
      nameOf: () => undefined,
      isIgnored: () => false,
      hasProgram: () => false,
      variable: () => undefined,
    },
  };
  const parts = {
    ...standing,
    draft,
    decision: '',
    standingOf: () => standing,
    files: nodeFiles,
    overrides: undefined,
    effects,
    effectsFor: () => effectsHeard(active, event, () => root, effects),
    careful: false,
    turn: () => 1,
    setup: () => ({ servers: [], hooks: [] }),
    records: NO_RECORDS,
    today: () => '2026-03-10',
    pause: undefined,
    facts: NO_FACTS,
    attention: ATTENTION,
    isOwnWrite: () => false,
    who: undefined,
  };
  const context = new Context(active, parts, draft);
  return userRuleBody(match).check(event, context) as Verdict;
}

const kindOn = (rule: UserRule, example: Example | string) =>
  decide(rule, exampleEvent(example, rule.meta, place))?.kind ?? 'pass';

function everyExample(meta: RuleMeta): [ExampleVerdict, Example | string][] {
  return Object.entries(meta.examples ?? {}).flatMap(([verdict, list]) =>
    list.map((example): [ExampleVerdict, Example | string] => [verdict as ExampleVerdict, example]),
  );
}

const dir = new URL('../../examples/rules/', import.meta.url);
const shipped = readdirSync(dir).map((file): [string, string] => [file, readFileSync(new URL(file, dir), 'utf8')]);
const scaffolds = (['bash', 'file', 'prompt', 'stop'] as const).flatMap((event) =>
  (['note', 'ask', 'deny'] as const).map((action): [string, string] => [
    `new ${event} ${action}`,
    scaffoldRule('mine', { event, action }) ?? '',
  ]),
);
const oneLiners = [
  { event: 'bash', action: 'deny', command: 'npm run deploy*' },
  { event: 'bash', action: 'ask', command: 'git push', message: "Say {command}; it's theirs." },
  { event: 'bash', action: 'note', command: '*deploy*' },
  { event: 'bash', action: 'deny', command: 'terraform apply' },
  { event: 'bash', action: 'deny', command: './scripts/release.sh --all?' },
  { event: 'file', action: 'deny', path: 'db/**' },
  { event: 'file', action: 'ask', path: '**/*.{sql,psql}' },
  { event: 'file', action: 'ask', path: '*.lock' },
  { event: 'file', action: 'note', path: 'src/app.ts' },
] as const;

describe('examples', () => {
  it.each([
    ...shipped,
    ...scaffolds,
    ...oneLiners.map((sketch): [string, string] => [JSON.stringify(sketch), scaffoldRule('no-deploy', sketch) ?? '']),
  ])('%s does what its examples say, and holds back at a near miss', async (_, text) => {
    const rule = parse(text);
    const all = everyExample(rule.meta);
    expect(all.map(([, example]) => [kindOn(rule, example), example])).toEqual(all);
    expect(all.some(([verdict]) => verdict !== 'pass')).toBe(true);
    const tried = await tryExamples({ meta: rule.meta, load: () => userRuleBody(rule.match) }, effectsOfExample);
    expect(tried.filter((result) => !holds(result))).toEqual([]);
    expect(hasNearMiss(tried)).toBe(true);
  });
});

describe('a text too long for a pattern', () => {
  let seed = 1;
  const random = () => (seed = (seed * 48_271) % 2_147_483_647) / 2_147_483_647;
  const noise = Array.from({ length: 400_000 }, () => (random() < 0.5 ? 'a' : 'b')).join('');
  const rule = (action: string) => parse(`---\nevent: file\npattern: a[ab]{900}c\naction: ${action}\n---\nSay it.`);

  it('is for a person to decide when the rule guards', () => {
    expect(kindOn(rule('deny'), { path: 'a.ts', new: noise })).toBe('ask');
  });

  it('is a failure of a rule that advises', () => {
    expect(() => kindOn(rule('note'), { path: 'a.ts', new: noise })).toThrow(/too long/);
  });
});

const conditions = (event: string, ...list: readonly [field: string, operator: string, pattern: string][]) =>
  parse(
    `---\nevent: ${event}\nconditions:\n${list.map(([field, operator, pattern]) => `  - field: ${field}\n    operator: ${operator}\n    pattern: ${pattern}\n`).join('')}---\nSay it.`,
  );

describe('conditions', () => {
  it.each([
    ['command', 'regex_match', 'RM\\s', { command: 'rm -rf' }, true],
    ['command', 'not_regex_match', 'RM\\s', { command: 'rm -rf' }, false],
    ['command', 'not_regex_match', '^ls', { command: 'rm -rf' }, true],
    ['command', 'contains', 'RM', { command: 'rm -rf' }, false],
    ['command', 'contains', 'rm', { command: 'rm -rf' }, true],
    ['command', 'equals', 'rm', { command: 'rm' }, true],
    ['command', 'equals', 'rm', { command: 'rm a' }, false],
    ['command', 'starts_with', 'git', { command: 'git push' }, true],
    ['command', 'starts_with', 'git', { command: 'a git' }, false],
    ['command', 'ends_with', '-f', { command: 'rm -f' }, true],
    ['command', 'not_contains', 'dry', { command: 'rm' }, true],
    ['command', 'not_contains', 'dry', { command: 'rm --dry' }, false],
    ['file_path', 'ends_with', '.env', { path: '.env', new: 'a' }, true],
    ['file_path', 'equals', 'src/a.ts', { path: 'src/a.ts', new: 'a' }, true],
    ['file_path', 'starts_with', root, { path: 'src/a.ts', new: 'a' }, true],
    ['file_path', 'not_contains', 'src', { path: 'src/a.ts', new: 'a' }, false],
    ['new_text', 'contains', 'eval', { path: 'a.ts', new: 'eval(1)' }, true],
    ['content', 'contains', 'eval', { path: 'a.ts', new: 'eval(1)' }, true],
    ['old_text', 'contains', 'eval', { path: 'a.ts', old: 'eval(1)', new: '1' }, true],
    ['user_prompt', 'contains', 'ship', { event: 'prompt.submit', prompt: 'ship it' }, true],
    ['last_message', 'contains', 'done', { event: 'turn.stop', new: 'done' }, true],
    ['query', 'contains', 'x', { tool: 'search', path: 'src' }, false],
    ['path', 'ends_with', 'a.ts', { tool: 'read', path: 'a.ts' }, true],
    // An event without the field holds no condition on it, not even a negative one.
    ['new_text', 'not_contains', 'eval', { command: 'ls' }, false],
    ['user_prompt', 'not_contains', 'x', { command: 'ls' }, false],
  ] as const)('%s %s %s on %j: %s', (field, operator, pattern, example, acts) => {
    expect(kindOn(conditions('all', [field, operator, pattern]), example)).toBe(acts ? 'note' : 'pass');
  });

  it('must all hold, together with the pattern', () => {
    const rule = parse(
      '---\nevent: bash\npattern: ^git\nconditions:\n  - field: command\n    operator: contains\n    pattern: push\n---\nSay it.',
    );
    expect(['git push', 'git pull', 'svn push'].map((command) => kindOn(rule, command))).toEqual([
      'note',
      'pass',
      'pass',
    ]);
  });

  it('look at every edit of a call', () => {
    const event = exampleEvent(
      { path: 'a.ts', new: 'one' },
      conditions('file', ['new_text', 'equals', 'two']).meta,
      place,
    );
    const edits = ['one', 'two'].map((text) => ({ path: `${root}/a.ts`, operation: 'replace' as const, new: text }));
    const many: Event = { ...event, tool: { ...(event.tool as NonNullable<Event['tool']>), edits } };
    expect(decide(conditions('file', ['new_text', 'equals', 'two']), many)?.kind).toBe('note');
    expect(decide(conditions('file', ['new_text', 'not_contains', 'two']), many)?.kind).toBe('pass');
  });

  it('read the transcript when they name it', () => {
    const home = mkdtempSync(join(tmpdir(), 'fairlead-transcript-'));
    const transcript = join(home, 't.jsonl');
    writeFileSync(transcript, '{"command":"npm test"}\n');
    const rule = conditions('stop', ['transcript', 'not_contains', 'npm test']);
    const event = exampleEvent('done', rule.meta, place);
    expect(decide(rule, { ...event, transcript })?.kind).toBe('pass');
    writeFileSync(transcript, '{}\n');
    expect(decide(rule, { ...event, transcript })?.kind).toBe('note');
    rmSync(home, { recursive: true });
    expect(decide(rule, { ...event, transcript })?.kind).toBe('pass');
  });
});

describe('stop', () => {
  const rule = parse('---\nevent: stop\npattern: .*\naction: block\n---\nNot yet.');
  const event = exampleEvent('done', rule.meta, place);

  it('is held back once, and not again', () => {
    expect(decide(rule, event)).toMatchObject({ kind: 'deny', text: 'Not yet.', variant: 'message' });
    expect(decide(rule, { ...event, stop: { again: true, background: [] } })).toMatchObject({ kind: 'pass' });
  });

  it('matches a turn without a last message', () => {
    expect(decide(rule, { ...event, stop: { again: false, background: [] } })?.kind).toBe('deny');
  });
});

describe('effects', () => {
  const rule = parse(
    '---\neffect: delete\npaths: [keep/**]\naction: deny\n---\n{effect} {target} [{seen}] {path} {file}',
  );
  const command = (text: string) => exampleEvent(text, rule.meta, place);

  it('are told of in the message, as far as the rule listens to them', () => {
    expect(decide(rule, command('touch a && sudo rm -r other keep/old'))?.text).toBe(
      'delete keep/old ["sudo rm -r other keep/old"] keep/old old',
    );
    expect(decide(rule, command('touch keep/a'))).toBeUndefined();
  });

  it('that could not be read make it fail, not act', () => {
    const unread = {
      get effects(): never {
        throw new Error('unreadable');
      },
    };
    expect(() => userRuleBody(rule.match).check(command('ls'), unread as never)).toThrow('unreadable');
  });
});

it('fills the placeholders of the message and shortens what is long', () => {
  const rule = parse(
    '---\nevent: file\npattern: eval\\(\\w+\n---\n{tool} {path} {file} {match} [{command}] [{prompt}]',
  );
  expect(decide(rule, exampleEvent({ path: 'src/a.ts', new: 'x = EVAL(code)' }, rule.meta, place))?.text).toBe(
    '"write" src/a.ts a.ts "EVAL(code" [] []',
  );
  const long = parse('---\nevent: bash\npattern: a+\n---\n{match}');
  expect(decide(long, exampleEvent('a'.repeat(900), long.meta, place))?.text).toBe(`"${'a'.repeat(79)}…"`);
});
