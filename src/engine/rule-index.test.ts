import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { activeRule, plainEvent, ROOT, toolEvent } from './engine.fixture.ts';
import { createRuleIndex, whyFiltered } from './rule-index.ts';
import type { ActiveRule } from './rule-index.ts';
import type { Listen, RuleMeta } from './rule.ts';
import type { Event, ToolKind } from '../event/event.ts';
import { MODES } from '../event/verdict.ts';

const OTHER = '/home/dev/other';
const rootOf = (path: string) => [ROOT, OTHER].find((root) => path === root || path.startsWith(`${root}/`)) ?? '';

const kind = fc.constantFrom<ToolKind>('shell', 'write', 'edit', 'mcp');
const toolName = fc.constantFrom('Bash', 'Write', 'mcp__a__b');
const eventName = fc.constantFrom<Event['name']>('tool.before', 'tool.after', 'prompt.submit', 'file.changed');
const word = fc.constantFrom('a', 'ab', 'AB', 'b', 'é', 'É', 'ba', 'x');
const glob = fc.constantFrom(
  '*.ts',
  '*.test.ts',
  'a.ts',
  'src/**',
  'src/*.ts',
  '**/b/**',
  '**',
  'src',
  'src/',
  '/home/dev/other/**',
  '{src,b}/*.{ts,md}',
  '*',
  './a.ts',
  'b/?.ts',
  '**/*.m?',
  '/home/dev/project',
);
const listen: fc.Arbitrary<Listen> = fc.record(
  {
    event: fc.oneof(eventName, fc.uniqueArray(eventName, { minLength: 1 })),
    tool: fc.uniqueArray(kind),
    name: fc.uniqueArray(toolName),
    paths: fc.array(glob, { maxLength: 3 }),
    words: fc.array(word, { maxLength: 3 }),
  },
  { requiredKeys: ['event'] },
);
const rules: fc.Arbitrary<ActiveRule[]> = fc
  .array(
    fc.record({
      on: fc.array(listen, { minLength: 1, maxLength: 3 }),
      priority: fc.constantFrom(10, 50, 90),
      mode: fc.constantFrom(...MODES),
      root: fc.constantFrom(undefined, ROOT, OTHER),
    }),
    { maxLength: 12 },
  )
  .map((all) =>
    all.map(({ on, priority, mode, root }, at) => ({
      ...activeRule(`rule-${String(at).padStart(2, '0')}`, () => undefined, { on, priority }, mode),
      ...(root === undefined ? {} : { root }),
    })),
  );
const path = fc.constantFrom(
  `${ROOT}/a.ts`,
  `${ROOT}/src/a.ts`,
  `${ROOT}/src/x.test.ts`,
  `${ROOT}/src`,
  `${ROOT}/src/b/c.md`,
  `${ROOT}/b/a.ts`,
  ROOT,
  `${OTHER}/src/a.ts`,
  `${OTHER}/b`,
  '/elsewhere/src/a.ts',
  `${ROOT}2/src/a.ts`,
  '/',
);
const text = fc.string({ unit: fc.constantFrom('a', 'A', 'b', 'B', 'é', 'É', ' '), maxLength: 6 });
const event: fc.Arbitrary<Event> = fc
  .record({
    name: eventName,
    kind,
    toolName,
    paths: fc.array(path, { maxLength: 3 }),
    texts: fc.array(text, { maxLength: 2 }),
    command: fc.option(text, { nil: undefined }),
  })
  .map(({ name, kind: kindOf, toolName: named, paths, texts, command }) => {
    if (name === 'prompt.submit') return plainEvent(name, { prompt: { text: texts[0] ?? '', origin: 'human' } });
    if (name === 'file.changed')
      return plainEvent(name, paths[0] === undefined ? {} : { place: { path: paths[0], change: 'change' } });
    const edits = texts.map((added) => ({ path: ROOT, operation: 'replace' as const, new: added }));
    return toolEvent(
      {
        kind: kindOf,
        name: named,
        paths,
        edits,
        input: { note: texts[0] ?? '' },
        ...(command === undefined ? {} : { command }),
      },
      { name },
    );
  });

/** What the index must come to, rule by rule. */
function naive(all: readonly ActiveRule[], one: Event): string[] {
  return all
    .filter((rule) => rule.mode !== 'off' && whyFiltered(rule, one, rootOf) === undefined)
    .sort((a, b) => (b.meta.priority ?? 50) - (a.meta.priority ?? 50) || (a.meta.id < b.meta.id ? -1 : 1))
    .map(({ meta }) => meta.id);
}

describe('select', () => {
  it('finds the same rules as looking at each of them, for any rules and events', () => {
    let hits = 0;
    fc.assert(
      fc.property(rules, fc.array(event, { minLength: 1, maxLength: 8 }), (all, events) => {
        const index = createRuleIndex(all);
        for (const one of events) {
          const expected = naive(all, one);
          hits += expected.length;
          expect(index.select(one, rootOf).map(({ meta }) => meta.id)).toEqual(expected);
        }
      }),
      { numRuns: 1_000 },
    );
    expect(hits).toBeGreaterThan(500);
  });

  it('does not load, sort or read anything for an event that nobody hears', () => {
    const index = createRuleIndex([activeRule('a', () => undefined, { on: [{ event: 'turn.stop' }] })]);
    expect(index.select(toolEvent(), () => expect.fail('asked for a root'))).toEqual([]);
  });

  it('compares a path only with globs that share its literal', () => {
    const asked: string[] = [];
    const all = Array.from({ length: 500 }, (_, at) =>
      activeRule(`r${at}`, () => undefined, { on: [{ event: 'tool.before', paths: [`src/module-${at}/**/*.ts`] }] }),
    );
    const watched = all.map((rule) =>
      Object.defineProperty({ ...rule }, 'root', { get: () => void asked.push(rule.meta.id) }),
    );
    const found = createRuleIndex(watched).select(toolEvent({ paths: [`${ROOT}/src/module-7/a.ts`] }), rootOf);
    expect(found.map(({ meta }) => meta.id)).toEqual(['r7']);
    expect(asked).toEqual(['r7']);
  });
});

describe('isGuarded', () => {
  it.each<[Partial<RuleMeta>, ActiveRule['mode'], boolean]>([
    [{ guard: true }, 'enforce', true],
    [{ guard: true }, 'ask', true],
    [{ guard: true }, 'advise', false],
    [{ guard: true }, 'shadow', false],
    [{ guard: true }, 'off', false],
    [{}, 'enforce', false],
    [{ guard: true, on: [{ event: 'turn.stop' }] }, 'enforce', false],
  ])('%o in mode %s: %s', (meta, mode, expected) => {
    expect(createRuleIndex([activeRule('a', () => undefined, meta, mode)]).isGuarded('tool.before')).toBe(expected);
  });
});

describe('whyFiltered', () => {
  const rule = (on: Listen) => activeRule('a', () => undefined, { on: [on] });
  it.each<[string, Listen, Event, number | undefined, string]>([
    ['another event', { event: 'turn.stop' }, toolEvent(), 0, 'other events than tool.before'],
    ['another tool', { event: 'tool.before', tool: ['write'] }, toolEvent(), 0, 'other tools than shell'],
    ['another tool name', { event: 'tool.before', name: ['x'] }, toolEvent(), 0, 'other tools than shell'],
    [
      'another path',
      { event: 'tool.before', paths: ['*.md'] },
      toolEvent({ paths: [`${ROOT}/a.ts`] }),
      1,
      'no path matches *.md',
    ],
    ['other words', { event: 'tool.before', words: ['rm'] }, toolEvent({ command: 'ls' }), 1, 'none of the words rm'],
    ['nothing', { event: 'tool.before', words: ['LS'] }, toolEvent({ command: 'ls' }), undefined, ''],
  ])('stops at %s', (_, on, one, tier, reason) => {
    const filtered = whyFiltered(rule(on), one, rootOf);
    expect(filtered?.tier).toBe(tier);
    expect(filtered?.reason ?? '').toContain(reason);
  });
});

describe('digest', () => {
  const rule = activeRule('a', () => undefined);
  it.each<[string, ActiveRule[], boolean]>([
    ['the same rules', [activeRule('a', () => undefined)], true],
    ['another mode', [{ ...rule, mode: 'ask' }], false],
    ['another option', [{ ...rule, options: { after: 1 } }], false],
    ['another message', [activeRule('a', () => undefined, { messages: { said: 'x' } })], false],
    ['a rule that is off', [rule, activeRule('b', () => undefined, {}, 'off')], true],
  ])('%s', (_, all, same) => {
    expect(createRuleIndex(all).digest === createRuleIndex([rule]).digest).toBe(same);
  });
});
