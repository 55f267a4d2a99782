import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { activeRule, plainEvent, ROOT, toolEvent } from '../engine.fixture.ts';
import { cases } from '../../../test/cases.ts';
import { createRuleIndex } from './rule-index.ts';
import type { ActiveRule } from './rule-index.ts';
import { effectsHeard, whyFiltered } from './why-filtered.ts';
import type { CallEffects } from './effect-filter.ts';
import type { Listen, RuleMeta } from '../rule.ts';
import type { Effect, EffectKind } from '../../event/effect.ts';
import type { Event, ToolKind } from '../../event/event.ts';
import { MODES } from '../../event/verdict.ts';

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
const effectKind = fc.constantFrom<EffectKind>('delete', 'write', 'overwrite', 'truncate', 'push');
const listen: fc.Arbitrary<Listen> = fc.record(
  {
    event: fc.oneof(eventName, fc.uniqueArray(eventName, { minLength: 1 })),
    tool: fc.uniqueArray(kind),
    name: fc.uniqueArray(toolName),
    effect: fc.uniqueArray(effectKind, { maxLength: 2 }),
    paths: fc.array(glob, { maxLength: 3 }),
    words: fc.array(word, { maxLength: 3 }),
  },
  { requiredKeys: ['event'] },
);
const mayBeBare = fc.tuple(listen, fc.nat(7)).map(([one, n]): Listen => (n === 0 ? { ...one, bare: true } : one));
const rules: fc.Arbitrary<ActiveRule[]> = fc
  .array(
    fc.record({
      on: fc.array(mayBeBare, { minLength: 1, maxLength: 3 }),
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

const effects: fc.Arbitrary<CallEffects> = fc.oneof(
  {
    weight: 9,
    arbitrary: fc.array(
      fc
        .record({ kind: effectKind, path: fc.option(path, { nil: undefined }), recursive: fc.boolean() })
        .map(({ kind: done, path: at, recursive }) => effectOf(done, at, recursive)),
      { maxLength: 3 },
    ),
  },
  { weight: 1, arbitrary: fc.constant(new Error('unreadable')) },
);

function effectOf(done: EffectKind, at: string | undefined, recursive = false): Effect {
  return { kind: done, target: at ?? 'main', ...(at !== undefined && { path: at }), recursive, seen: 'x', road: [] };
}

/** What the index must come to, rule by rule. */
function naive(all: readonly ActiveRule[], one: Event, told: CallEffects): string[] {
  return all
    .filter((rule) => rule.mode !== 'off' && whyFiltered(rule, one, rootOf, told) === undefined)
    .sort((a, b) => (b.meta.priority ?? 50) - (a.meta.priority ?? 50) || (a.meta.id < b.meta.id ? -1 : 1))
    .map(({ meta }) => meta.id);
}

describe('select', () => {
  it('finds the same rules as looking at each of them, for any rules and events', () => {
    let hits = 0;
    let byEffect = 0;
    fc.assert(
      fc.property(rules, fc.array(fc.tuple(event, effects), { minLength: 1, maxLength: 8 }), (all, events) => {
        const index = createRuleIndex(all);
        for (const [one, told] of events) {
          const expected = naive(all, one, told);
          hits += expected.length;
          expect(index.select(one, rootOf, told).map(({ meta }) => meta.id)).toEqual(expected);
          for (const rule of index.rules.filter(({ meta }) => expected.includes(meta.id)))
            byEffect += rule.meta.on.every((each) => each.effect) ? 1 : 0;
          if (!index.wantsEffects(one)) expect(index.select(one, rootOf).map(({ meta }) => meta.id)).toEqual(expected);
        }
      }),
      cases(4_000),
    );
    expect(hits).toBeGreaterThan(10);
    expect(byEffect).toBeGreaterThan(0);
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

describe('effects', () => {
  const hears = (on: Partial<Listen>, root?: string): ActiveRule => ({
    ...activeRule('a', () => undefined, { on: [{ event: 'tool.before', ...on }] }),
    ...(root === undefined ? {} : { root }),
  });
  const call = toolEvent({ command: 'x' });

  it.each<[string, Listen['effect'], Effect, boolean]>([
    ['the kind itself', ['delete'], effectOf('delete', `${ROOT}/a`), true],
    ['another kind', ['delete'], effectOf('write', `${ROOT}/a`), false],
    ['one of several', ['push', 'delete'], effectOf('delete', undefined), true],
    ['write means overwrite', ['write'], effectOf('overwrite', `${ROOT}/a`), true],
    ['write means truncate', ['write'], effectOf('truncate', `${ROOT}/a`), true],
    ['overwrite is no other write', ['overwrite'], effectOf('write', `${ROOT}/a`), false],
    ['write is no delete', ['write'], effectOf('delete', `${ROOT}/a`), false],
  ])('%s', (_, effect, one, expected) => {
    const rule = hears({ effect: effect ?? [] });
    expect(createRuleIndex([rule]).select(call, rootOf, [one]).length > 0).toBe(expected);
    expect(effectsHeard(rule, call, rootOf, [one, effectOf('kill', undefined)])).toEqual(expected ? [one] : []);
  });

  it.each<[glob: string, path: string | undefined, recursive: boolean, expected: boolean, root?: string]>([
    ['migrations/**', `${ROOT}/migrations/1.sql`, false, true],
    ['migrations/**', `${ROOT}/db/migrations/1.sql`, false, false],
    ['migrations/**', `${OTHER}/migrations/1.sql`, false, true],
    ['migrations/**', `${OTHER}/migrations/1.sql`, false, false, ROOT],
    ['migrations/**', undefined, true, false],
    ['*.sql', `${ROOT}/db/1.sql`, false, true],
    // A tree: its top, or a place that the glob's named parts lead to.
    ['migrations/**', `${ROOT}/migrations`, true, true],
    ['migrations/*.sql', `${ROOT}/migrations`, true, true],
    ['migrations/*.sql', `${ROOT}/migrations`, false, false],
    ['migrations/*.sql', `${ROOT}/migrations/old`, true, false],
    ['migrations/**/*.sql', `${ROOT}/migrations/old`, true, true],
    ['db/migrations/**', `${ROOT}/db`, true, true],
    ['db/migrations/**', `${ROOT}/database`, true, false],
    ['**/migrations/*.sql', `${ROOT}/db/migrations`, true, true],
    ['**/migrations/*.sql', '/elsewhere/migrations', true, true],
    ['**/migrations/*.sql', `${ROOT}/db`, true, false],
    ['*.sql', `${ROOT}/db`, true, false],
    ['db', `${ROOT}/db`, true, true],
    ['db', `${ROOT}/db/old`, true, false],
    // The whole workspace, or what it lies in.
    ['*.sql', ROOT, true, true],
    ['migrations/**', ROOT, true, true],
    ['migrations/**', '/home/dev', true, true],
    ['migrations/**', '/', true, true],
    ['migrations/**', `${ROOT}2`, true, false],
    ['migrations/**', OTHER, true, false],
    ['migrations/**', OTHER, true, true, OTHER],
    ['/etc/**', '/', true, true],
    ['/etc/ssh/*', '/etc', true, true],
    ['/etc/ssh/*', '/home', true, false],
    ['**', '/elsewhere', true, true],
  ])('%s and %s, a tree: %s → %s', (glob_, at, recursive, expected, root) => {
    const rule = hears({ effect: ['delete'], paths: [glob_] }, root);
    const one = effectOf('delete', at, recursive);
    expect(createRuleIndex([rule]).select(call, rootOf, [one]).length > 0).toBe(expected);
    expect(effectsHeard(rule, call, rootOf, [one])).toEqual(expected ? [one] : []);
  });

  it('are wanted only where a rule for such an event and tool names one', () => {
    const index = createRuleIndex([hears({ effect: ['delete'], tool: ['shell'] }), hears({ words: ['x'] })]);
    expect(index.wantsEffects(call)).toBe(true);
    expect(index.wantsEffects(toolEvent({ kind: 'read' }))).toBe(false);
    expect(index.wantsEffects(toolEvent({}, { name: 'tool.after' }))).toBe(false);
    expect(createRuleIndex([hears({ words: ['x'] })]).wantsEffects(call)).toBe(false);
    const worded = createRuleIndex([hears({ effect: ['delete'], words: ['completed'] })]);
    expect(worded.wantsEffects(toolEvent({ command: 'rm completed.txt' }))).toBe(true);
    expect(worded.wantsEffects(toolEvent({ command: 'rm other.txt' }))).toBe(false);
  });

  it('are not read for a rule that hears of them only where they are known', () => {
    const meek = hears({ effect: ['delete'], ifKnown: true });
    expect(createRuleIndex([meek]).wantsEffects(call)).toBe(false);
    const index = createRuleIndex([meek, hears({ effect: ['push'] })]);
    expect(index.wantsEffects(call)).toBe(true);
    expect(index.select(call, rootOf, [effectOf('delete', '/home/a', false)])).toHaveLength(1);
  });

  it('that could not be read are met by each rule that wants them, and by no other', () => {
    const error = new Error('unreadable');
    const rule = hears({ effect: ['delete'], paths: ['a/**'] });
    expect(createRuleIndex([rule]).select(call, rootOf, error)).toEqual([rule]);
    expect(() => effectsHeard(rule, call, rootOf, error)).toThrow(error);
    expect(effectsHeard(hears({ words: ['x'] }), call, rootOf, error)).toEqual([]);
    expect(effectsHeard(hears({ words: ['y'], effect: ['delete'] }), call, rootOf, error)).toEqual([]);
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
    [
      'other effects',
      { event: 'tool.before', effect: ['push', 'write'] },
      toolEvent(),
      1,
      'has none of the effects push, write',
    ],
    [
      'another target',
      { event: 'tool.before', effect: ['delete', 'write'], paths: ['migrations/**'] },
      toolEvent(),
      1,
      'no delete of migrations/**',
    ],
    ['nothing of its effect', { event: 'tool.before', effect: ['kill'] }, toolEvent(), undefined, ''],
    ['nothing', { event: 'tool.before', words: ['LS'] }, toolEvent({ command: 'ls' }), undefined, ''],
  ])('stops at %s', (_, on, one, tier, reason) => {
    const filtered = whyFiltered(rule(on), one, rootOf, [effectOf('delete', `${ROOT}/a`), effectOf('kill', undefined)]);
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

describe('a call without a path', () => {
  const bare = activeRule('bare', () => undefined, { on: [{ event: ['tool.before', 'file.changed'], bare: true }] });
  const index = createRuleIndex([bare]);
  it.each<[string, Event, boolean]>([
    ['a command', toolEvent({ command: 'cat a.ts' }), true],
    ['a tool with a path', toolEvent({ kind: 'read', paths: [`${ROOT}/a.ts`] }), false],
    ['an event of no place', plainEvent('file.changed'), true],
    ['an event of a place', plainEvent('file.changed', { place: { path: ROOT, change: 'change' } }), false],
  ])('is told from others: %s', (_, one, heard) => {
    expect(index.select(one, rootOf, []).length > 0).toBe(heard);
    expect(whyFiltered(bare, one, rootOf)).toEqual(
      heard ? undefined : { tier: 1, reason: 'hears calls that name no path' },
    );
  });
});
