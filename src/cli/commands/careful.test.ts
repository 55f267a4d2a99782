import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readCareful } from '../../engine/careful/book.ts';
import { draftOf } from '../change-state.ts';
import { UsageError } from '../command.ts';
import type { Command } from '../command.ts';
import { checkCareful } from './doctor.ts';
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
    expect(world.printed.out).toMatch(/was not on in .*\n.*still on in every project/);
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
  const findings = async () => (await checkCareful(project.root, world)).findings;

  it('says since when and until when it is on', async () => {
    expect(await findings()).toEqual([]);
    await world.run(on, '--reason', 'why not');
    expect(await findings()).toMatchObject([
      { level: 'note', what: expect.stringMatching(/is on .*until .*: why not\./) },
    ]);
  });

  it('wants attention for a record that was changed', async () => {
    await world.run(on);
    world.engine().store.remove('user\u001f\u001fcareful-copy');
    expect((await findings()).filter(({ level }) => level === 'attention')).toHaveLength(1);
    expect(await told(status)).toMatchObject({ active: true, changedBehindUs: expect.any(Number) });
  });
});
