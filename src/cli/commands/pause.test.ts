import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { pausedId } from '../../engine/session/pause.ts';
import { plantProject } from '../project.fixture.ts';
import type { PlantedProject } from '../project.fixture.ts';
import type { FakeWorld } from '../world.fixture.ts';
import { pause, resume } from './pause.ts';

let project: PlantedProject;
let world: FakeWorld;
beforeEach(() => {
  project = plantProject();
  world = project.world();
});
afterEach(() => project.remove());

const seen = (session: string, { ago = 60_000, root = project.root } = {}) => project.heard(world, session, ago, root);

function pausedNow(session: string): unknown {
  const value = world.engine().store.get(pausedId(session), Date.now());
  return value === undefined ? undefined : JSON.parse(value);
}

describe('pause', () => {
  it('pauses the only session that was active here, and no other', async () => {
    seen('here');
    seen('long-ago', { ago: 11 * 60_000 });
    seen('elsewhere', { root: '/elsewhere' });
    expect(await world.run(pause)).toBe(0);
    expect(pausedNow('here')).toEqual({ since: expect.any(Number), turns: 0 });
    expect(pausedNow('elsewhere')).toBeUndefined();
    expect(world.printed.out).toContain('fairlead resume --session here');
  });

  it('keeps the start of a pause that is on already', async () => {
    seen('here');
    await world.run(pause);
    const before = pausedNow('here');
    await world.run(pause);
    expect(pausedNow('here')).toEqual(before);
    expect(world.printed.out).toContain('already paused');
  });

  it('takes the session of the shell it runs in', async () => {
    seen('here');
    world = project.world({ env: { CLAUDE_CODE_SESSION_ID: 'mine' } });
    await world.run(pause);
    expect(pausedNow('mine')).toBeDefined();
    expect(pausedNow('here')).toBeUndefined();
  });

  it('takes the start of an id that fits one session', async () => {
    seen('abc-1', { ago: 3_600_000 });
    seen('abd-2');
    await world.run(pause, '--session', 'abc');
    expect(pausedNow('abc-1')).toBeDefined();
  });

  it.each([
    ['nobody', [], [], /no session was active in .*; name it with --session/],
    ['two', ['one', 'two'], [], /several sessions were active.*\n {2}two {2}some-agent, 60 s ago.*\n {2}one/],
    ['two of one start', ['ab1', 'ab2'], ['--session', 'ab'], /several sessions start with "ab"/],
    ['an unknown one', ['one'], ['--session', 'other'], /no session "other" in the record; active.*\n {2}one/],
  ])('asks which one when there is %s', async (_, sessions, argv, message) => {
    for (const [at, session] of sessions.entries()) seen(session, { ago: 60_000 - 10 * at });
    await expect(world.run(pause, ...argv)).rejects.toThrow(message);
  });
});

describe('pause and resume as data', () => {
  it('names the session and whether anything changed', async () => {
    seen('here');
    const told = async (command: typeof pause) => {
      world.printed.out = '';
      await world.run(command, '--json');
      return JSON.parse(world.printed.out) as object;
    };
    const paused = { paused: true, session: 'here', since: expect.any(Number), turns: 0 };
    expect(await told(resume)).toEqual({ paused: false, changed: false });
    expect(await told(pause)).toEqual({ ...paused, changed: true });
    expect(await told(pause)).toEqual({ ...paused, changed: false });
    expect(await told(resume)).toEqual({ ...paused, paused: false, changed: true });
  });
});

describe('resume', () => {
  it('ends the only pause, however long ago the session was active', async () => {
    seen('old', { ago: 3_600_000 });
    seen('here');
    await world.run(pause, '--session', 'old');
    expect(await world.run(resume)).toBe(0);
    expect(pausedNow('old')).toBeUndefined();
    expect(world.printed.out).toContain('Session old is heard again');
  });

  it('says when there is nothing to end, and asks when there is more than one', async () => {
    await world.run(resume);
    expect(world.printed.out).toContain('No session is paused.');
    seen('one');
    seen('two');
    await world.run(resume, '--session', 'one');
    expect(world.printed.out).toContain('Session one was not paused.');
    await world.run(pause, '--session', 'one');
    await world.run(pause, '--session', 'two');
    await expect(world.run(resume)).rejects.toThrow(/several sessions are paused.*\n {2}one\n {2}two/);
  });
});
