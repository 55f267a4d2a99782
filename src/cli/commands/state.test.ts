import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { cellId, PART } from '../../state/cells.ts';
import { seenId } from '../../state/team-queue.ts';
import { plantProject } from '../project.fixture.ts';
import type { PlantedProject } from '../project.fixture.ts';
import type { FakeWorld } from '../world.fixture.ts';
import { clear, get, list } from './state.ts';

let project: PlantedProject;
let world: FakeWorld;
beforeEach(() => {
  project = plantProject();
  world = project.world();
});
afterEach(() => project.remove());

const QUEUE = cellId('user', '', 'team.out');

function keep(id: string, value: unknown): void {
  const { store, clock } = world.engine();
  const now = clock.now();
  store.commit({ reads: new Map(), changes: [{ op: 'set', id, value: JSON.stringify(value), expires: 0 }], now });
}

const ids = () => {
  const { store, clock } = world.engine();
  return store.list('', clock.now()).map(({ id }) => id);
};

describe('the cells of a team', () => {
  const shared = cellId('team', 'acme', 'test.count', `alice${PART}x`);

  it('are listed with the age of the copy', async () => {
    keep(shared, 3);
    await world.run(list, '--scope', 'team');
    expect(world.printed.out).toContain('alice · x');
    expect(world.printed.out).toContain("The cells of acme are this machine's copy, never known to be whole.");
    keep(seenId('acme'), world.engine().clock.now() - 240_000);
    world.printed.out = '';
    await world.run(list, '--scope', 'team');
    expect(world.printed.out).toMatch(/copy, 4 ?m\w* old/);
    world.printed.out = '';
    await world.run(get, 'test.count');
    expect(world.printed.out).toMatch(/^team · acme · alice · x, a copy 4 ?m\w* old\n3\n$/);
  });

  it('go when they are named, and for the team then; else all but them goes', async () => {
    keep(shared, 3);
    keep(seenId('acme'), 1);
    keep(cellId('user', '', 'test.own'), 1);
    await world.run(clear, '--all', '--yes');
    expect(ids().filter((id) => id.endsWith('test.own\u001f'))).toEqual([]);
    expect(ids()).toEqual(expect.arrayContaining([shared, seenId('acme')]));
    const waiting = ids().filter((id) => id.startsWith(QUEUE)).length;
    await world.run(clear, '--scope', 'team', '--yes');
    expect(ids()).not.toContain(shared);
    expect(ids().filter((id) => id.startsWith(QUEUE))).toHaveLength(waiting + 1);
  });
});
