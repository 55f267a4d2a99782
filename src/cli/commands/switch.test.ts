import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { UsageError } from '../command.ts';
import { plantProject } from '../project.fixture.ts';
import type { PlantedProject } from '../project.fixture.ts';
import type { FakeWorld } from '../world.fixture.ts';
import { off, on } from './switch.ts';

let project: PlantedProject;
let world: FakeWorld;
beforeEach(() => {
  project = plantProject();
  world = project.world();
});
afterEach(() => project.remove());

function isOff(inMs = 0): boolean {
  return world.engine().isOff(Date.now() + inMs);
}

describe('off and on', () => {
  it('is off until it is on again', async () => {
    await world.run(off);
    expect(isOff(365 * 86_400_000)).toBe(true);
    expect(world.printed.out).toContain('`fairlead on` ends it');
    await world.run(on);
    expect(isOff()).toBe(false);
    expect(world.printed.out).toContain('on again');
    await world.run(on);
    expect(world.printed.out).toContain('Nothing was off');
  });

  it('ends by itself after its time', async () => {
    await world.run(off, '--for', '1h');
    expect(isOff(3_590_000)).toBe(true);
    expect(isOff(3_610_000)).toBe(false);
    expect(world.printed.out).toMatch(/off until \d{4}-\d\d-\d\d \d\d:\d\d:\d\d/);
  });

  it('tells as data what changed', async () => {
    const told = async (...[command, ...argv]: Parameters<FakeWorld['run']>) => {
      world.printed.out = '';
      await world.run(command, ...argv, '--json');
      return JSON.parse(world.printed.out) as { since: number; until: number };
    };
    const { since, until, ...rest } = await told(off, '--for', '1h');
    expect(rest).toEqual({ off: true });
    expect(until - since).toBe(3_600_000);
    expect(isOff()).toBe(true);
    expect(await told(on)).toEqual({ off: false, changed: true, since });
    expect(await told(on)).toEqual({ off: false, changed: false });
  });

  it.each(['', '5', 'soon', '0s', '-1h', '9999999d'])('refuses to be off for "%s"', async (text) => {
    await expect(async () => world.run(off, `--for=${text}`)).rejects.toThrow(UsageError);
    expect(isOff()).toBe(false);
  });
});
