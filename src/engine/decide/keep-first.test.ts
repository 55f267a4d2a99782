import { expect, it } from 'vitest';
import { activeRule, callWith, plainAdapter, send, testEngine, toolEvent } from '../engine.fixture.ts';
import type { TestEngine } from '../engine.fixture.ts';
import { own } from '../api/message-values.ts';
import type { RuleContext } from '../rule.ts';
import type { Effect } from '../../event/effect.ts';
import type { Event } from '../../event/event.ts';
import type { KeepResult } from '../../event/keeping.ts';
import type { Mode, Verdict } from '../../event/verdict.ts';
import { handle } from '../../handle.ts';
import { createMemoryStore } from '../../state/memory.ts';

const KEPT = { kept: { number: 12, names: ['src/old'], files: 3, bytes: 40 } } satisfies KeepResult;
const LOST: Effect = { kind: 'delete', target: 'src/old', path: '/p/src/old', seen: 'rm -rf src/old', road: [] };

type Check = (context: RuleContext) => Verdict;
const asks: Check = (context) => ({ ...context.ask('said', { text: own('gone?\ninstead') }), keeps: [LOST] });
const saves: Check = (context) => context.save(['/p/src/old'], 'said', { text: own('gone?') });
const denies: Check = (context) => ({ ...context.deny('said', { text: own('no') }), keeps: [LOST] });

function engineOf(checks: readonly Check[], mode: Mode, result: KeepResult | Error) {
  const wanted: (readonly Effect[])[] = [];
  const rules = checks.map((check, at) => activeRule(`rule-${at}`, (_, context) => check(context), {}, mode));
  const engine: TestEngine = Object.assign(testEngine(rules), {
    async keep(effects: readonly Effect[]) {
      wanted.push(effects);
      if (result instanceof Error) throw result;
      return result;
    },
  });
  return { engine, wanted };
}

const person: Partial<Event> = { asksPerson: true };

it.each<[string, Check, Mode]>([
  ['an ask under the mode `save`', asks, 'save'],
  ['a save under the mode `save`', saves, 'save'],
  ['a save under a harder mode', saves, 'enforce'],
])('%s runs once a copy is there, and both are told', async (_, check, mode) => {
  const { engine, wanted } = engineOf([check], mode, KEPT);
  const decision = await send(engine, { ...toolEvent(), ...person });
  expect(decision).toMatchObject({
    action: 'pass',
    kept: { number: 12 },
    notes: [{ text: '[rule-0] `src/old` was kept as undo 12.' }],
    warns: [{ text: '[rule-0] `src/old` was kept as undo 12. Back: `fairlead undo 12`' }],
  });
  expect(decision.reason).toBeUndefined();
  expect(wanted).toHaveLength(1);
  expect(engine.recorded[0]?.row).toMatchObject({ action: 'save', rules: 'rule-0' });
});

it('what cannot be copied is asked about, with the reason', async () => {
  const { engine } = engineOf([asks], 'save', { unkept: 'it is too large' });
  const decision = await send(engine, { ...toolEvent(), ...person });
  expect(decision.action).toBe('ask');
  expect(decision.reason).toContain('Fairlead could not keep a copy first: it is too large.');
});

it('where nobody can be asked, it is denied', async () => {
  const { engine } = engineOf([asks], 'save', { unkept: 'it is too large' });
  expect(await send(engine, { ...toolEvent(), asksPerson: false })).toMatchObject({ action: 'deny', unasked: true });
});

it('a copy that fails is none', async () => {
  const { engine } = engineOf([saves], 'save', new Error('no room\nat all'));
  const decision = await send(engine, { ...toolEvent(), ...person });
  expect(decision).toMatchObject({ action: 'ask' });
  expect(decision.reason).toContain('no room at all');
  expect(engine.failures).toMatchObject([{ what: 'keeping a copy' }]);
});

it('without a keeper nothing is let run', async () => {
  const engine = testEngine([activeRule('a', (_, context) => saves(context), {}, 'save')]);
  expect(await send(engine, { ...toolEvent(), ...person })).toMatchObject({ action: 'ask' });
});

it('a save that names nothing is asked about', async () => {
  const { engine, wanted } = engineOf([(context) => context.save([], 'said', { text: own('x') })], 'save', KEPT);
  expect(await send(engine, { ...toolEvent(), ...person })).toMatchObject({ action: 'ask' });
  expect(wanted).toEqual([]);
});

it('where nothing is there to lose, the call passes without a word', async () => {
  const { engine } = engineOf([saves], 'save', { nothing: true });
  expect(await send(engine, { ...toolEvent(), ...person })).toMatchObject({ action: 'pass', notes: [], warns: [] });
});

it('an ask stays one, and says that a copy is there', async () => {
  const { engine, wanted } = engineOf([asks], 'ask', KEPT);
  const decision = await send(engine, { ...toolEvent(), ...person });
  expect(decision).toMatchObject({ action: 'ask', kept: { number: 12 } });
  expect(decision.reason).toContain('`src/old` was kept as undo 12');
  expect(wanted).toEqual([[LOST]]);
});

it.each<[string, readonly Check[]]>([
  ['a denial', [denies]],
  ['a denial of another rule', [saves, denies]],
])('nothing is copied for %s', async (_, checks) => {
  const { engine, wanted } = engineOf(checks, 'save', KEPT);
  expect(await send(engine, { ...toolEvent(), ...person })).toMatchObject({ action: 'deny' });
  expect(wanted).toEqual([]);
});

it('a second delivery gets the same answer and no second copy', async () => {
  const { engine, wanted } = engineOf([saves], 'save', KEPT);
  const event: Event = { ...toolEvent({ id: 'call-1' }), ...person };
  const first = await send(engine, event);
  expect(await send(engine, event)).toMatchObject({ action: 'pass', kept: first.kept });
  expect(wanted).toHaveLength(1);
});

it('rules that run again because something moved copy once', async () => {
  const store = createMemoryStore();
  let moved = 0;
  const moving = Object.assign(Object.create(store) as typeof store, {
    commit: (commit: Parameters<typeof store.commit>[0]) => ((moved += 1) <= 2 ? false : store.commit(commit)),
  });
  const { engine, wanted } = engineOf([saves], 'save', KEPT);
  const again: TestEngine = Object.assign(engine, { store: moving });
  expect(await send(again, { ...toolEvent(), ...person })).toMatchObject({ action: 'pass', kept: { number: 12 } });
  expect(wanted).toHaveLength(1);
});

it('the copy is of what the call destroys as another rule has changed it', async () => {
  const { engine, wanted } = engineOf([saves, (context) => context.rewrite({ command: 'rm b' })], 'save', KEPT);
  Object.assign(engine, {
    effectsOf: (event: Event) =>
      event.tool?.command === 'rm b'
        ? [
            { ...LOST, target: 'b' },
            { ...LOST, kind: 'push' },
          ]
        : [LOST],
  });
  const adapter = {
    ...plainAdapter,
    withInput: (event: Event, { command }: Readonly<Record<string, unknown>>): Event => ({
      ...event,
      ...(event.tool && { tool: { ...event.tool, command: String(command) } }),
    }),
  };
  const { stdout } = await handle(callWith({ ...toolEvent(), ...person }), adapter, engine);
  expect(JSON.parse(stdout)).toMatchObject({ action: 'rewrite', input: { command: 'rm b' }, kept: { number: 12 } });
  expect(wanted).toMatchObject([[{ target: 'b' }]]);
});

it('an agent whose changed calls cannot be read is asked', async () => {
  const { engine } = engineOf([saves, (context) => context.rewrite({ command: 'rm b' })], 'save', KEPT);
  const decision = await send(engine, { ...toolEvent(), ...person });
  expect(decision.action).toBe('ask');
  expect(decision.reason).toContain('another rule changes the call');
});

const quiet: Check = (context) => ({ ...saves(context), quiet: true });

it('a quiet copy is recorded, and nobody is told', async () => {
  const { engine } = engineOf([quiet], 'save', KEPT);
  expect(await send(engine, { ...toolEvent(), ...person })).toMatchObject({ action: 'pass', notes: [], warns: [] });
  expect(engine.recorded[0]).toMatchObject({ row: { action: 'save' }, detail: { decision: { kept: { number: 12 } } } });
});

it('a quiet copy that cannot be made is a question, with the reason', async () => {
  const { engine } = engineOf([quiet], 'save', { unkept: 'it is too large' });
  const decision = await send(engine, { ...toolEvent(), ...person });
  expect(decision).toMatchObject({ action: 'ask', uncopied: 'it is too large' });
  expect(decision.reason).toContain('it is too large');
});

it('who waited for a second is told of a quiet copy too', async () => {
  const { engine } = engineOf([quiet], 'save', { kept: { ...KEPT.kept, ms: 2_300 } });
  const { action, warns } = await send(engine, { ...toolEvent(), ...person });
  expect([action, warns[0]?.text]).toEqual([
    'pass',
    '[rule-0] `src/old` was kept as undo 12; copying took 2.3 s. Back: `fairlead undo 12`',
  ]);
});

it('a copy is of all that any rule names', async () => {
  const other: Effect = { ...LOST, target: 'b', path: '/p/b' };
  const quietOther: Check = (context) => ({ ...context.save([other], 'said', { text: own('x') }), quiet: true });
  const { engine, wanted } = engineOf([quietOther, asks], 'save', KEPT);
  expect(await send(engine, { ...toolEvent(), ...person })).toMatchObject({ notes: [{ rule: 'rule-1' }] });
  expect(wanted).toEqual([expect.arrayContaining([LOST, other])]);
});
