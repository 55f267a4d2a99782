import { describe, expect, it } from 'vitest';
import type { World } from '../world.fixture.ts';
import { contextWorld, nextIn } from './context.fixture.ts';
import { cellOf, pauseSession, relaysOf } from './session.fixture.ts';

const CELL = 'context.plan_entry';
const only = ['specs-nudge'];

type Fields = Readonly<Record<string, unknown>>;

const enter = (world: World, promptId: string, more: Fields = {}) =>
  world.before('EnterPlanMode', {}, { prompt_id: promptId, ...more });
const prompt = (world: World, mode: string, promptId: string, more: Fields = {}) =>
  world.prompt('Go on.', { permission_mode: mode, prompt_id: promptId, ...more });

describe('rows of the specification', () => {
  it('the agent enters: told, in the agent’s channel alone', async () => {
    const world = contextWorld({ only });
    const { note, warn, action } = await enter(world, 'p1');
    expect(note).toContain('in specs/;');
    expect(nextIn(note)).toBe('specs/<feature>.md');
    expect(note.endsWith(`${world.root}/.context`)).toBe(true);
    expect([warn, action]).toEqual(['', 'pass']);
    expect(relaysOf(world)).toMatchObject([{ event: 'relay', variant: 'nudge', variables: { by: 'agent' } }]);
  });

  it('told in an earlier prompt: told', async () => {
    const world = contextWorld({ only });
    await enter(world, 'p1');
    await prompt(world, 'default', 'p2');
    expect((await enter(world, 'p2')).note).not.toBe('');
  });

  it('last mode default, a prompt in plan mode: told', async () => {
    const world = contextWorld({ only });
    expect((await prompt(world, 'default', 'p1')).note).toBe('');
    const { note, warn } = await prompt(world, 'plan', 'p2');
    expect(note).toContain('in specs/;');
    expect(warn).toBe('');
    expect(cellOf(world, CELL)).toEqual({ lastMode: 'plan', promptId: 'p2' });
  });

  it('told by that prompt: the agent’s entry in the same prompt passes', async () => {
    const world = contextWorld({ only });
    await prompt(world, 'default', 'p1');
    await prompt(world, 'plan', 'p2');
    expect((await enter(world, 'p2')).stdout).toBe('');
  });

  it('last mode plan: passes', async () => {
    const world = contextWorld({ only });
    await prompt(world, 'plan', 'p1');
    expect((await prompt(world, 'plan', 'p2')).note).toBe('');
  });

  it('paused: passes, and nothing is remembered', async () => {
    const world = contextWorld({ only });
    pauseSession(world);
    expect((await enter(world, 'p1')).stdout).toBe('');
    expect((await prompt(world, 'plan', 'p2')).note).toBe('');
    expect(world.cells(CELL)).toEqual({});
  });

  it('another tool: passes', async () => {
    const world = contextWorld({ only });
    expect((await world.before('Read', { file_path: `${world.root}/a` })).stdout).toBe('');
  });
});

describe('around them', () => {
  it('a session that starts with planning', async () => {
    expect((await prompt(contextWorld({ only }), 'plan', 'p1')).note).not.toBe('');
  });

  it('an entry of the agent that lasts into the next prompt is one entry', async () => {
    const world = contextWorld({ only });
    await prompt(world, 'default', 'p1');
    expect((await enter(world, 'p1')).note).not.toBe('');
    expect((await enter(world, 'p1')).note).toBe('');
    expect((await prompt(world, 'plan', 'p2')).note).toBe('');
    expect((await prompt(world, 'default', 'p3')).note).toBe('');
    expect((await prompt(world, 'plan', 'p4')).note).not.toBe('');
  });

  it('leaving is no entry', async () => {
    const world = contextWorld({ only });
    expect((await world.before('ExitPlanMode', { plan: '1. Go on.' }, { permission_mode: 'plan' })).stdout).toBe('');
  });

  it('prompts of machines do not count', async () => {
    const world = contextWorld({ only });
    await prompt(world, 'default', 'p1');
    const text = '<task-notification>done</task-notification>';
    expect((await world.prompt(text, { permission_mode: 'plan', prompt_id: 'p1' })).note).toBe('');
    expect((await prompt(world, 'plan', 'p2', { source: 'system' })).note).toBe('');
    expect(cellOf(world, CELL)).toEqual({ lastMode: 'default' });
  });

  it('prompts without ids are told apart by the turn', async () => {
    const world = contextWorld({ only });
    const none = { prompt_id: undefined };
    await world.prompt('Go on.', none);
    expect((await world.before('EnterPlanMode', {}, none)).note).not.toBe('');
    expect((await world.before('EnterPlanMode', {}, none)).note).toBe('');
    await world.prompt('Go on.', none);
    expect((await world.before('EnterPlanMode', {}, none)).note).not.toBe('');
  });

  it('a sub-agent is not told', async () => {
    const world = contextWorld({ only });
    expect((await enter(world, 'p1', { agent_id: 'a1', agent_type: 'Plan' })).stdout).toBe('');
    expect(world.cells(CELL)).toEqual({});
  });

  it('a project that is not initialised is left alone', async () => {
    const world = contextWorld({ only, uninitialised: true });
    expect((await enter(world, 'p1')).stdout).toBe('');
    expect((await prompt(world, 'plan', 'p2')).note).toBe('');
  });

  it('two sessions, interleaved', async () => {
    const world = contextWorld({ only });
    const other = { session_id: 'session-2' };
    await prompt(world, 'default', 'p1');
    await prompt(world, 'plan', 'q1', other);
    expect((await prompt(world, 'plan', 'p2')).note).not.toBe('');
    expect((await prompt(world, 'plan', 'q2', other)).note).toBe('');
    expect((await enter(world, 'p2')).note).toBe('');
    expect((await enter(world, 'q2', other)).note).not.toBe('');
  });

  it.each<[string, string]>([
    ['specs: { dir: docs/plans }', 'docs/plans/<feature>.md'],
    ['specs: { dir: docs/plans// }', 'docs/plans/<feature>.md'],
    ['specs: { dir: 7 }', 'specs/<feature>.md'],
    ['specs: plans', 'specs/<feature>.md'],
  ])('%s', async (options, next) => {
    expect(nextIn((await enter(contextWorld({ only, options }), 'p1')).note)).toBe(next);
  });

  it.each<[string, boolean]>([
    ['specs: { on_mode_switch: false }', false],
    ['specs: { on_mode_switch: perhaps }', true],
  ])('%s', async (options, isTold) => {
    const world = contextWorld({ only, options });
    expect((await prompt(world, 'plan', 'p1')).note !== '').toBe(isTold);
    expect((await enter(world, 'p2')).note).not.toBe('');
  });
});
