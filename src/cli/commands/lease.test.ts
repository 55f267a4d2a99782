import { afterEach, beforeEach, expect, it } from 'vitest';
import { keepTaken, takeHere } from '../../engine/session/leases.ts';
import { toolEvent } from '../../engine/engine.fixture.ts';
import { changeState } from '../change-state.ts';
import { plantProject } from '../project.fixture.ts';
import type { PlantedProject } from '../project.fixture.ts';
import type { FakeWorld } from '../world.fixture.ts';
import { list, number, release } from './lease.ts';

let project: PlantedProject;
let world: FakeWorld;
beforeEach(() => {
  project = plantProject();
  world = project.world();
});
afterEach(() => project.remove());

const take = (session: string) =>
  changeState(world, (draft) => {
    const taken = takeHere(draft, 'deploy', session, 600_000);
    const { until } = taken;
    if (taken.taken)
      keepTaken(draft, toolEvent({ id: 'a' }, { session }), () => '', {
        ...{ name: 'deploy', holder: session, until },
        fence: taken.fence,
      });
    return taken;
  });

const printed = async (...[command, ...argv]: Parameters<FakeWorld['run']>) => {
  world.printed.out = '';
  await world.run(command, ...argv);
  return world.printed.out;
};

it('shows who holds what, prints the number alone, and ends it', async () => {
  expect(await printed(list)).toBe('No lease is held.\n');
  await expect(async () => world.run(number, 'deploy')).rejects.toThrow(/nobody holds a lease "deploy"/);
  take('session-one');
  expect(await printed(list)).toMatch(/deploy +1 +session session- +10/);
  expect(await printed(number, 'deploy')).toBe('1\n');
  expect(take('session-two').taken).toBe(false);
  expect(await printed(release, 'deploy')).toBe('deploy is free; session session- had it.\n');
  expect(await printed(list)).toBe('No lease is held.\n');
  expect(take('session-two')).toMatchObject({ taken: true, fence: 2 });
});
