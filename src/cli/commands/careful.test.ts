import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readCareful, writeCareful } from '../../engine/careful/book.ts';
import type { Grant } from '../../engine/careful/book.ts';
import { lineage } from '../../platform/process-tree.ts';
import type { Origin, ProcessFacts, ProcessTree } from '../../platform/process-tree.ts';
import { changeState, draftOf } from '../change-state.ts';
import { UsageError } from '../command.ts';
import type { Command } from '../command.ts';
import { checkCareful } from '../doctor/careful.ts';
import { parseArguments } from '../parse-arguments.ts';
import { plantProject } from '../project.fixture.ts';
import type { PlantedProject } from '../project.fixture.ts';
import type { FakeWorld } from '../world.fixture.ts';
import { off, on, status } from './careful.ts';

const HOUR = 3_600_000;
let project: PlantedProject;
let world: FakeWorld;
beforeEach(() => {
  project = plantProject();
  world = project.world();
});
afterEach(() => project.remove());

const book = () => readCareful(draftOf(world)).book.on;
async function told(command: Command, ...argv: string[]): Promise<Record<string, unknown>> {
  world.printed.out = '';
  await world.run(command, ...argv, '--json');
  return JSON.parse(world.printed.out) as Record<string, unknown>;
}

describe('careful on, status and off', () => {
  it('is on for four hours, and off again', async () => {
    await world.run(on, '--reason', 'a  release\nnow');
    expect(world.printed.out).toMatch(/Careful mode is on in .*project, until \d{4}-/);
    const { since, until, ...rest } = await told(status);
    expect(rest).toEqual({ active: true, where: project.root, by: 'user', reason: 'a release now' });
    expect(Number(until) - Number(since)).toBe(4 * HOUR);
    expect(await told(off)).toEqual({ active: false, changed: true });
    expect(await told(status)).toEqual({ active: false, where: project.root });
    expect(await told(off)).toEqual({ active: false, changed: false });
    expect(book()).toEqual({});
  });

  it('lasts as long as it is told to', async () => {
    const length = async (...argv: string[]) => {
      await told(off);
      const { since, until } = await told(on, ...argv);
      return until === undefined ? undefined : Number(until) - Number(since);
    };
    expect(await length('--for', '30m')).toBe(HOUR / 2);
    expect(await length('--until-off')).toBeUndefined();
    project.putUser('config.yaml', 'packs:\n  guard:\n    careful:\n      defaultFor: 2h\n');
    world = project.world();
    expect(await length()).toBe(2 * HOUR);
  });

  it.each([
    ['no time', ['--for', 'soon']],
    ['too long a time', ['--for', '9999d']],
    ['two ends', ['--for', '1h', '--until-off']],
  ])('refuses %s', async (_, argv) => {
    await expect(async () => world.run(on, ...argv)).rejects.toThrow(UsageError);
    expect(book()).toEqual({});
  });

  it('is ended everywhere by --all, and named where only that helps', async () => {
    await world.run(on, '--all');
    await world.run(on);
    expect(await told(off)).toMatchObject({ active: true, where: '*', changed: true });
    world.printed.out = '';
    await world.run(off);
    expect(world.printed.out).toMatch(/was not on in .*\n.*still on in every workspace/);
    await world.run(on);
    expect(await told(off, '--all')).toEqual({ active: false, changed: true });
    expect(book()).toEqual({});
  });
});

describe('careful on, called by an agent', () => {
  it('is noted, and to be told to the person', async () => {
    await project.world({ byAgent: true }).run(on);
    expect(book()[project.root]).toMatchObject({ by: 'agent', unsaid: true });
  });

  it('makes what is on longer, never shorter', async () => {
    await world.run(on, '--for', '2h', '--reason', 'mine');
    const before = book();
    const agent = project.world({ byAgent: true });
    await agent.run(on, '--for', '1s');
    expect(book()).toEqual(before);
    await agent.run(on, '--until-off');
    expect(book()[project.root]).toMatchObject({ by: 'agent', reason: 'mine', unsaid: true });
    expect(book()[project.root]?.until).toBeUndefined();
    await agent.run(on, '--for', '1s');
    expect(book()[project.root]?.until).toBeUndefined();
  });

  it('is made shorter by a person', async () => {
    await world.run(on, '--until-off');
    await world.run(on, '--for', '1h');
    expect(book()[project.root]?.until).toBeDefined();
  });
});

describe('doctor', () => {
  const findings = () => checkCareful(project.root, world).findings;

  it('says since when and until when it is on', async () => {
    expect(findings()).toEqual([]);
    await world.run(on, '--reason', 'why not');
    expect(findings()).toMatchObject([{ level: 'note', what: expect.stringMatching(/is on .*until .*: why not\./) }]);
  });

  it('wants attention for a record that was changed', async () => {
    await world.run(on);
    world.engine().store.remove('user\u001f\u001fcareful-copy');
    expect(findings().filter(({ level }) => level === 'attention')).toHaveLength(1);
    expect(await told(status)).toMatchObject({ active: true, changedBehindUs: expect.any(Number) });
  });
});

describe('careful off with a grant', () => {
  const command = `env -u X sh -c 'fairlead careful off'`;
  const AT = Date.now();
  const session = { CLAUDE_CODE_SESSION_ID: 's1' };
  const facts = (pid: number, parent: number, name: string): ProcessFacts => ({
    pid,
    parent,
    name,
    names: [name],
    session: 1,
  });
  type Row = [facts: ProcessFacts, origin: Partial<Origin> | undefined];
  const QUOTED = `/bin/bash -c source snapshot && eval 'env -u X sh -c '"'"'fairlead careful off'"'"'' < /dev/null`;
  const usual: Row[] = [
    [facts(4, 3, 'node'), { env: {}, startedAt: AT + 300 }],
    [facts(3, 2, 'sh'), { env: {}, startedAt: AT + 200 }],
    [facts(2, 1, 'bash'), { env: session, startedAt: AT + 100, command: QUOTED }],
    [facts(1, 0, 'claude'), { env: {}, startedAt: AT - 9_000 }],
  ];
  const changed = (pid: number, origin: Partial<Origin>): Row[] =>
    usual.map(([one, known]): Row => [one, one.pid === pid ? { ...known, ...origin } : known]);

  function redeems(rows: readonly Row[], grant: Partial<Grant> = {}, ...argv: string[]): boolean {
    const full = { call: 't1', tool: 'shell', command, session: 's1', root: project.root, at: AT, ...grant };
    changeState(world, (draft) => writeCareful(draft, { on: {}, grant: full }));
    const find = (pid: number) => rows.find(([one]) => one.pid === pid)?.[0];
    const tree = {
      self: 4,
      find,
      origin(pid) {
        const origin = rows.find(([one]) => one.pid === pid)?.[1];
        return origin && { command: '', env: {}, startedAt: 0, ...origin };
      },
    } as Partial<ProcessTree> as ProcessTree;
    expect(lineage(tree, 4).length).toBeGreaterThan(1);
    return off.redeem?.(parseArguments(off, argv), world, tree) ?? false;
  }

  it.each<[string, Row[], boolean, Partial<Grant>?]>([
    ['the call it was made for', usual, true],
    ['another session', changed(2, { env: { CLAUDE_CODE_SESSION_ID: 's2' } }), false],
    ['no session at all', changed(2, { env: {} }), false],
    ['another command', changed(2, { command: 'bash -c ls' }), false],
    ['a process that was there before', changed(2, { startedAt: AT - 1_000 }), false],
    ['another workspace', usual, false, { root: '/other' }],
    [
      'a process that left the agent',
      usual.map(([one, known]) => [one.pid === 2 ? { ...one, parent: 9 } : one, known]),
      false,
    ],
    [
      'an old process that starts one like it',
      [
        ...changed(2, {}).map(([one, known]): Row => [one.pid === 2 ? { ...one, parent: 5 } : one, known]),
        [facts(5, 1, 'sh'), { env: session, startedAt: AT - 1_000, command: 'sh watch' }],
      ],
      false,
    ],
    [
      'an old process that hides its session',
      [
        ...changed(2, {}).map(([one, known]): Row => [one.pid === 2 ? { ...one, parent: 5 } : one, known]),
        [facts(5, 1, 'sh'), { env: {}, startedAt: AT - 1_000, command: 'sh watch' }],
      ],
      false,
    ],
    ['a system that does not tell', usual.map(([one]): Row => [one, undefined]), false],
  ])('%s', (_, rows, expected, grant) => {
    expect(redeems(rows, grant)).toBe(expected);
    expect(readCareful(draftOf(world)).book.grant === undefined).toBe(expected);
  });

  it('reaches every workspace only when the approved command says so', () => {
    expect(redeems(usual, {}, '--all')).toBe(false);
    const all = command.replace("off'", "off --all'");
    expect(redeems(changed(2, { command: `bash -c ${all}` }), { command: all }, '--all')).toBe(true);
  });
});
