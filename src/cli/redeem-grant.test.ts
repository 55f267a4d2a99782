import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Grant } from '../engine/careful/book.ts';
import { readCareful, writeCareful } from '../engine/careful/book.ts';
import { lineage } from '../platform/process-tree.ts';
import type { Origin, ProcessFacts, ProcessTree } from '../platform/process-tree.ts';
import { changeState, draftOf } from './change-state.ts';
import type { Command } from './command.ts';
import { off } from './commands/careful.ts';
import { pause } from './commands/pause.ts';
import { parseArguments } from './dispatch.ts';
import { plantProject } from './project.fixture.ts';
import type { PlantedProject } from './project.fixture.ts';
import { redeemGrant } from './redeem-grant.ts';
import type { FakeWorld } from './world.fixture.ts';

let project: PlantedProject;
let world: FakeWorld;
beforeEach(() => {
  project = plantProject();
  world = project.world();
});
afterEach(() => project.remove());

describe('a grant is redeemed by', () => {
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

  const leave = (grant: Partial<Grant> = {}) => {
    const full = {
      ...{ verbs: ['careful off'], call: 't1', tool: 'shell', command, session: 's1', root: project.root, at: AT },
      ...grant,
    };
    changeState(world, (draft) => writeCareful(draft, { on: {}, grant: full }));
  };

  function treeOf(rows: readonly Row[]): ProcessTree {
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
    return tree;
  }

  const redeem = (verb: string, verbCommand: Command, rows: readonly Row[], ...argv: string[]) =>
    redeemGrant(verb, verbCommand, parseArguments(verbCommand, argv), world, treeOf(rows));
  const redeems = (rows: readonly Row[], grant: Partial<Grant> = {}, ...argv: string[]) => {
    leave(grant);
    return redeem('careful off', off, rows, ...argv);
  };

  it.each<[string, Row[], boolean, Partial<Grant>?]>([
    ['the call it was made for', usual, true],
    ['another session', changed(2, { env: { CLAUDE_CODE_SESSION_ID: 's2' } }), false],
    ['no session at all', changed(2, { env: {} }), false],
    ['another command', changed(2, { command: 'bash -c ls' }), false],
    ['a process that was there before', changed(2, { startedAt: AT - 1_000 }), false],
    ['another workspace', usual, false, { root: '/other' }],
    ['another verb', usual, false, { verbs: ['pause'] }],
    ['a verb among others', usual, true, { verbs: ['pause', 'careful off'] }],
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
    expect(readCareful(draftOf(world)).book.grant?.verbs.includes('careful off') === true).toBe(
      !expected && grant?.verbs === undefined,
    );
    expect(redeem('careful off', off, rows)).toBe(false);
  });

  it('reaches every workspace only when the approved command says so', () => {
    expect(redeems(usual, {}, '--all')).toBe(false);
    const all = command.replace("off'", "off --all'");
    expect(redeems(changed(2, { command: `bash -c ${all}` }), { command: all }, '--all')).toBe(true);
  });

  it('each verb once', () => {
    leave({ verbs: ['pause', 'careful off'] });
    world = project.world({ env: { CLAUDE_CODE_SESSION_ID: 's1' } });
    const took = ['pause', 'careful off', 'pause', 'careful off'].map((verb) =>
      redeem(verb, verb === 'pause' ? pause : off, usual),
    );
    expect(took).toEqual([true, true, false, false]);
  });

  it.each<[what: string, env: Readonly<Record<string, string>>, argv: string[], heard: string[], expected: boolean]>([
    ['its own session', session, [], ['s1', 's2'], true],
    ['its own session by name', session, ['--session', 's1'], ['s1', 's2'], true],
    ['the only session here', {}, [], ['s1'], true],
    ['another session by name', session, ['--session', 's2'], ['s1', 's2'], false],
    ['another session by the environment', { CLAUDE_CODE_SESSION_ID: 's2' }, [], ['s1', 's2'], false],
    ['another session that is the only one here', {}, [], ['s2'], false],
  ])('a pause of %s', (_, env, argv, heard, expected) => {
    world = project.world({ env });
    for (const one of heard) project.heard(world, one, 60_000, project.root);
    leave({ verbs: ['pause'] });
    expect(redeem('pause', pause, usual, ...argv)).toBe(expected);
  });

  it('no verb that nobody is asked about', () => {
    leave({ verbs: ['off'] });
    expect(redeem('off', { summary: '', gated: 'x', run: () => undefined }, usual)).toBe(false);
  });
});
