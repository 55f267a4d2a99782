import { describe, expect, it } from 'vitest';
import { activate, activeRule, NOW, ROOT, send, testEngine, toolEvent } from '../../engine/engine.fixture.ts';
import type { TestEngine } from '../../engine/engine.fixture.ts';
import { teamCarefulId } from '../../engine/careful/team-careful.ts';
import { writeExceptions } from '../../engine/limits/exceptions.ts';
import type { ActiveRule } from '../../engine/match/rule-index.ts';
import { own } from '../../engine/rule.ts';
import type { Throttle } from '../../engine/rule.ts';
import changes from '../../packs/peers/changes.ts';
import overlap from '../../packs/peers/overlap.ts';
import { Draft } from '../../state/draft.ts';
import { createMemoryServer } from './server.fixture.ts';
import { createSync } from './sync.ts';

/** Machines of one team, each with a store of its own, and one server. */
function startMachines(rulesOf: () => readonly ActiveRule[], people: readonly string[] = ['alice', 'alice']) {
  const server = createMemoryServer(() => NOW);
  const machines = people.map((person, nth) => {
    const sharing = { team: 'acme', person, machine: `m${nth}` };
    const engine = testEngine(rulesOf(), { policy: { sharing } });
    const sync = createSync({
      ...{ team: 'acme', store: engine.store, server: { ...server, close: async () => {} }, now: () => NOW },
      random: () => 0,
      soon: (_, work) => queueMicrotask(work),
      onFailure: (_, error) => {
        throw error;
      },
    });
    return { engine, sync, session: `s${nth}` };
  });
  const settle = async () => {
    for (const { sync } of [...machines, ...machines]) await sync.look();
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { machines, settle };
}

type Machine = ReturnType<typeof startMachines>['machines'][number];
const change = ({ engine }: Machine, work: (draft: Draft) => void) => {
  const draft = new Draft(engine.store, NOW);
  work(draft);
  engine.store.commit({ reads: draft.reads, changes: draft.changes, now: NOW });
};

describe('a throttle that counts on all machines', () => {
  const nag = (throttle: Throttle) => () => [
    activeRule('nag', (_, { note }) => note('said', { text: own('again') }), { throttle }, 'advise'),
  ];
  const speaks = async ({ engine, session }: Machine) =>
    (await send(engine, toolEvent({ command: 'ls' }, { session }))).notes.length > 0;

  it.each<[Throttle, boolean[]]>([
    [{ once: 'day', shared: 'person' }, [true, false, true]],
    [{ once: 'day', shared: 'team' }, [true, false, false]],
    [{ cooldown: '1h', shared: 'team' }, [true, false, false]],
    [{ once: 'day' }, [true, true, true]],
  ])('%j: a person on two machines, and another one', async (throttle, wanted) => {
    const { machines, settle } = startMachines(nag(throttle), ['alice', 'alice', 'bob']);
    await settle();
    const said: boolean[] = [];
    for (const machine of machines) {
      said.push(await speaks(machine));
      await settle();
    }
    expect(said).toEqual(wanted);
  });
});

it('careful mode for the team holds on the other machine, until it is ended', async () => {
  const rules = () => [
    activeRule('test/push', (_, { deny }) => deny('said', { text: 'Not now' }), { careful: 'enforce' }, 'advise'),
  ];
  const { machines, settle } = startMachines(rules);
  const [here, there] = machines as [Machine, Machine];
  const push = (nth: number) => toolEvent({ command: 'git push', id: `call-${nth}` });
  await settle();
  expect((await send(there.engine, push(1))).action).toBe('pass');
  change(here, (draft) => draft.set(teamCarefulId('acme'), JSON.stringify({ since: NOW, by: 'user' }), 0));
  await settle();
  const held = await send(there.engine, push(2));
  expect(held.action).toBe('deny');
  expect(held.reason).toContain('a person ends it with `fairlead careful off --team`');
  change(there, (draft) => draft.delete(teamCarefulId('acme')));
  await settle();
  for (const { engine } of machines) expect((await send(engine, push(3))).action).toBe('pass');
});

it('an exception that a person grants to the team counts on the other machine', async () => {
  const rules = () => [activeRule('test/stop', (_, { deny }) => deny('said', { text: 'No' }))];
  const { machines, settle } = startMachines(rules);
  const [here, there] = machines as [Machine, Machine];
  const call = (nth: number) => toolEvent({ command: 'make', id: `call-${nth}` });
  await settle();
  expect((await send(there.engine, call(1))).action).toBe('deny');
  const granted = { id: 'x1', rules: ['test/stop'], since: NOW, until: NOW + 60_000 };
  change(here, (draft) => writeExceptions(draft, { team: 'acme' }, [granted]));
  await settle();
  expect((await send(there.engine, call(2))).action).toBe('pass');
  expect(there.engine.recorded.at(-1)?.detail.trace[0]?.exception).toBe('x1');
  const late = toolEvent({ command: 'make', id: 'call-3' }, { receivedAt: NOW + 60_001 });
  expect((await send(there.engine, late)).action).toBe('deny');
});

it('a rule that a policy holds has no exception from the team', async () => {
  const rules = () => [
    { ...activeRule('test/stop', (_, { deny }) => deny('said', { text: 'No' })), held: true as const },
  ];
  const { machines } = startMachines(rules);
  const [here] = machines as [Machine];
  const granted = { id: 'x1', rules: ['test/stop'], since: NOW, until: NOW + 60_000 };
  change(here, (draft) => writeExceptions(draft, { team: 'acme' }, [granted]));
  expect((await send(here.engine, toolEvent({ command: 'make' }))).action).toBe('deny');
});

describe('edits of a repository on two machines', () => {
  /** The same path on both machines, and another one. */
  const inRepository = (engine: TestEngine, remote: string | undefined): TestEngine => {
    const { locate } = engine;
    return Object.assign(engine, {
      locate: async (...given: Parameters<TestEngine['locate']>) => {
        const place = await locate(...given);
        const workspace = { ...place.workspace, remote };
        return { ...place, workspace, atCwd: () => workspace };
      },
    });
  };
  const edit = async ({ engine, session }: Machine, nth: number) => {
    const path = `${ROOT}/src/app.ts`;
    const edits = [{ path, operation: 'replace', old: 'const before = 1;', new: 'const after = 2;' }] as const;
    const tool = { kind: 'edit', paths: [path], edits, id: `e${nth}` } as const;
    const { notes } = await send(engine, toolEvent(tool, { session }));
    await send(engine, toolEvent(tool, { session, name: 'tool.after' }));
    return notes.map(({ text }) => text);
  };

  it.each([
    ['the same remote', ['r1', 'r1'], 1],
    ['another remote', ['r1', 'r2'], 0],
    ['no remote', [undefined, undefined], 0],
  ])('%s', async (_, remotes, count) => {
    const { machines, settle } = startMachines(() => [overlap, changes].map((rule) => activate(rule)));
    machines.forEach(({ engine }, nth) => inRepository(engine, remotes[nth]));
    const [here, there] = machines as [Machine, Machine];
    await settle();
    expect(await edit(here, 1)).toEqual([]);
    await settle();
    const told = await edit(there, 2);
    expect(told).toHaveLength(count);
    if (count > 0) {
      expect(told[0]).toMatch(
        /src\/app\.ts was changed less than a minute ago on "?m0"? by another session of the team/,
      );
      expect(await edit(there, 3), 'each change is told once').toEqual([]);
    }
  });
});
