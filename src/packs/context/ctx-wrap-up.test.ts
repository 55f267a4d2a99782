import { mkdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { World } from '../world.fixture.ts';
import { counter } from '../../engine/rule.ts';
import { contextWorld, HOUR, NOW } from './context.fixture.ts';
import { answerLine, pauseSession, setCell, transcribe } from './session.fixture.ts';

const PROMPTS = counter('context.prompts');
const MARKER = '.context/state/ctx-wrapped-up';

/** The next prompt is one at which the rule speaks. */
function open(options?: string, only = ['check-context-size']): World {
  const world = contextWorld({ only, ...(options === undefined ? {} : { options }) });
  transcribe(world, answerLine(100_000));
  return world;
}
const twentieth = (world: World, more = {}) => {
  setCell(world, PROMPTS, 19);
  return world.prompt('Go on.', more);
};
const speaks = async (world: World, more = {}) => (await twentieth(world, more)).note.includes('Checkpoint');

describe('the prompt that wraps up in ctx', () => {
  it.each([
    ['/ctx-wrap-up', true],
    ['/ctx:ctx-wrap-up', true],
    ['/ctx-wrap-up and push', true],
    ['ctx-wrap-up', true],
    ['What does /ctx-wrap-up do?', false],
    ['/ctx-remember', false],
  ])('%s hushes: %s', async (text, isHushed) => {
    const world = open();
    await world.prompt(text);
    expect(await speaks(world)).toBe(!isHushed);
    world.now += 2 * HOUR;
    expect(await speaks(world)).toBe(true);
  });

  it('hushes the prompt itself', async () => {
    const world = open();
    setCell(world, PROMPTS, 19);
    expect((await world.prompt('/ctx-wrap-up')).note).toBe('');
  });

  it('that no person typed does not', async () => {
    const world = open();
    await world.prompt('/ctx-wrap-up', { source: 'schedule_wakeup' });
    expect(await speaks(world)).toBe(true);
  });

  it('counts for its session alone where that is asked for, and under another name', async () => {
    const world = open('wrap_up: { scope: session }, ceremonies: { end: [finish-up] }');
    await world.prompt('/finish-up');
    expect(await speaks(world)).toBe(false);
    setCell(world, PROMPTS, 19, { owner: 'session-2' });
    expect((await world.prompt('Go on.', { session_id: 'session-2' })).note).toContain('Checkpoint');
  });

  it('hushes what else is set, also where it alone is on', async () => {
    const world = open('wrap_up: { suppresses: [check-persistence] }', ['check-persistence']);
    for (let at = 1; at < 19; at += 1) await world.prompt('Go on.');
    await world.prompt('/ctx-wrap-up');
    expect((await world.prompt('Go on.')).note).toBe('');
  });

  it('is noted in a pause too', async () => {
    const world = open();
    pauseSession(world);
    await world.prompt('/ctx-wrap-up');
    expect(Object.keys(world.cells('context.wrapped_up'))).toHaveLength(1);
  });
});

describe('the marker that ctx leaves', () => {
  it.each([
    ['fresh', NOW - 1_000, false],
    ['almost two hours old', NOW - 2 * HOUR + 1_000, false],
    ['two hours old', NOW - 2 * HOUR, true],
    ['yet to come', NOW + HOUR, true],
  ])('%s', async (_, at, isSaid) => {
    const world = open();
    world.put(MARKER, '', at);
    expect(await speaks(world)).toBe(isSaid);
  });

  it('lasts as long as is set, and tells nothing of one session', async () => {
    const long = open('wrap_up: { hours: 5 }');
    long.put(MARKER, 'x', NOW - 4 * HOUR);
    expect(await speaks(long)).toBe(false);
    const own = open('wrap_up: { scope: session }');
    own.put(MARKER, 'x', NOW);
    expect(await speaks(own)).toBe(true);
  });

  it('is a file', async () => {
    const world = open();
    mkdirSync(`${world.root}/${MARKER}`, { recursive: true });
    expect(await speaks(world)).toBe(true);
  });
});
