import { own } from '../api/message-values.ts';
import { describe, expect, it } from 'vitest';
import { activeRule, NOW, plainEvent, ROOT, send, testEngine, toolEvent } from '../engine.fixture.ts';
import type { TestEngine } from '../engine.fixture.ts';
import { sha256 } from '../../platform/hash.ts';
import { readExceptions, sealOf, writeExceptions } from './exceptions.ts';
import type { Exception } from './exceptions.ts';
import { cellId } from '../../state/cells.ts';
import { Draft } from '../../state/draft.ts';
import type { ToolCall } from '../../event/event.ts';

const denies = activeRule('a', (_, context) => context.deny('said', { text: own('no') }));
const asks = activeRule('b', (_, context) => context.ask('said', { text: own('sure?') }));
const shell = (command: string, more: Partial<ToolCall> = {}) => toolEvent({ command, input: { command }, ...more });

function allow(engine: TestEngine, more: Partial<Exception>, root = ROOT): void {
  const draft = new Draft(engine.store, NOW);
  const exception: Exception = { id: 'e1', rules: ['a'], since: NOW, until: NOW + 1_000, ...more };
  writeExceptions(draft, root, [...readExceptions(draft, root), exception]);
  engine.store.commit({ reads: draft.reads, changes: draft.changes, now: NOW });
}

/** As `allow-once` makes it: bound to what the trace of the decision names. */
async function allowOnce(engine: TestEngine, command: string): Promise<void> {
  await send(engine, shell(command, { id: 'stopped' }));
  const { trace } = engine.recorded.at(-1)?.detail ?? { trace: [] };
  const stopped = trace.filter((entry) => entry.call !== undefined);
  allow(engine, { rules: stopped.map(({ rule }) => rule), call: stopped[0]?.call ?? '', decision: 'd1' });
}

const inForce = (engine: TestEngine, now = NOW) => readExceptions(new Draft(engine.store, now), ROOT);

describe('an exception for one use', () => {
  it('lets the same call through once, for every rule that stopped it, and leaves no word', async () => {
    const engine = testEngine([denies, asks]);
    await allowOnce(engine, 'rm -rf x');
    expect(await send(engine, shell('rm -rf x', { id: 'again' }))).toEqual({
      action: 'pass',
      by: [],
      notes: [],
      warns: [],
    });
    const { row, detail, committed } = engine.recorded.at(-1) ?? expect.fail();
    expect(detail.trace).toMatchObject([
      {
        rule: 'a',
        reason: 'allowed by exception e1, once, after decision d1',
        exception: 'e1',
        verdicts: [{ kind: 'deny' }],
      },
      { rule: 'b', exception: 'e1', verdicts: [{ kind: 'ask' }] },
    ]);
    expect({ action: row.action, changed: row.changed, committed }).toEqual({
      action: 'pass',
      changed: true,
      committed: true,
    });
    expect(inForce(engine)).toEqual([]);
    expect((await send(engine, shell('rm -rf x', { id: 'third' }))).action).toBe('deny');
  });

  it('holds for a second delivery of the call', async () => {
    const engine = testEngine([denies]);
    await allowOnce(engine, 'rm -rf x');
    await send(engine, shell('rm -rf x', { id: 'again' }));
    expect((await send(engine, shell('rm -rf x', { id: 'again' }))).action).toBe('pass');
  });

  it.each<[string, ReturnType<typeof shell>]>([
    ['another command', shell('rm -rf y')],
    ['one blank more', shell('rm  -rf x')],
    ['another tool', shell('rm -rf x', { name: 'other' })],
    ['a later time', { ...shell('rm -rf x'), receivedAt: NOW + 1_000 }],
  ])('does not hold for %s', async (_, event) => {
    const engine = testEngine([denies]);
    await allowOnce(engine, 'rm -rf x');
    expect((await send(engine, event)).action).toBe('deny');
  });

  it('does not hold for a rule that did not stop the call', async () => {
    const engine = testEngine([denies]);
    await allowOnce(engine, 'rm -rf x');
    const { rules } = testEngine([denies, activeRule('c', (_, context) => context.deny('said', { text: own('c') }))])
      .policy.index;
    engine.policy = testEngine([...rules]).policy;
    expect(await send(engine, shell('rm -rf x', { id: 'again' }))).toMatchObject({ action: 'deny', by: ['c'] });
  });

  it('does not hold for a rule that cannot look', async () => {
    let broken = false;
    const rule = activeRule(
      'a',
      (_, context) => (broken ? expect.fail('broken') : context.deny('said', { text: own('no') })),
      { onError: 'block' },
    );
    const engine = testEngine([rule]);
    await allowOnce(engine, 'rm -rf x');
    broken = true;
    expect((await send(engine, shell('rm -rf x', { id: 'again' }))).action).toBe('deny');
    expect(engine.recorded.at(-1)?.detail.trace[0]?.call).toBeUndefined();
  });

  it('is used by one of two events at once', async () => {
    const engine = testEngine([denies]);
    await allowOnce(engine, 'rm -rf x');
    const slow = activeRule('slow', async () => undefined);
    engine.policy = testEngine([denies, slow]).policy;
    const both = await Promise.all(['x', 'y'].map((id) => send(engine, shell('rm -rf x', { id }))));
    expect(both.map(({ action }) => action).sort()).toEqual(['deny', 'pass']);
  });
});

describe('an exception for a time', () => {
  it.each<[string, Partial<Exception>, ReturnType<typeof shell>, string]>([
    ['the rule', {}, shell('rm x'), 'pass'],
    ['another rule', { rules: ['z'] }, shell('rm x'), 'deny'],
    ['the command', { command: 'rm x' }, shell(' rm x\n'), 'pass'],
    ['another command', { command: 'rm x' }, shell('rm x; rm y'), 'deny'],
    ['a path', { path: 'build/**' }, shell('', { kind: 'edit', paths: [`${ROOT}/build/a`] }), 'pass'],
    ['one path of two', { path: 'build/**' }, shell('', { paths: [`${ROOT}/build/a`, `${ROOT}/src/a`] }), 'deny'],
    ['a path elsewhere', { path: 'build/**' }, shell('', { paths: ['/other/build/a'] }), 'deny'],
    ['no path at all', { path: '**' }, shell('rm x'), 'deny'],
    ['a time that is over', { until: NOW }, shell('rm x'), 'deny'],
  ])('that names %s', async (_, exception, event, action) => {
    const engine = testEngine([denies]);
    allow(engine, exception);
    expect((await send(engine, event)).action).toBe(action);
    if (action === 'pass') expect((await send(engine, event)).action).toBe('pass');
  });

  it('belongs to its workspace', async () => {
    const engine = testEngine([denies]);
    allow(engine, {}, '/other');
    expect((await send(engine, shell('rm x'))).action).toBe('deny');
  });

  it('leaves what other rules say, and grants nothing', async () => {
    const engine = testEngine([
      denies,
      asks,
      activeRule('n', (_, context) => context.note('said', { text: own('note') })),
    ]);
    allow(engine, {});
    expect(await send(engine, shell('rm x'))).toMatchObject({
      action: 'ask',
      by: ['b'],
      notes: [{ text: '[n] note' }],
    });
  });
});

it('costs no more than a look for one that nobody added, unless something would be stopped', async () => {
  const engine = testEngine([activeRule('n', (_, context) => context.note('said', { text: own('note') }))]);
  const read: string[] = [];
  const { store } = engine;
  const watched = testEngine([...engine.policy.index.rules], {
    store: { ...store, get: (id, now) => (read.push(id), store.get(id, now)) },
  });
  await send(watched, shell('ls'), plainEvent('turn.stop'));
  expect(read.filter((id) => id.includes('exceptions'))).toEqual([cellId('workspace', ROOT, 'exceptions')]);
});

it('names a call by its input, whatever the order of its keys', () => {
  const call = (input: ToolCall['input']) =>
    sealOf({ kind: 'edit', name: 'edit', input, hasInput: true, paths: [], edits: [] }, '/', sha256);
  expect(call({ a: 1, b: { c: [1, 2], d: 2 } })).toBe(call({ b: { d: 2, c: [1, 2] }, a: 1 }));
  expect(call({ a: [1, 2] })).not.toBe(call({ a: [2, 1] }));
  expect(call({ a: 1 })).not.toBe(call({ a: '1' }));
});
