import { beforeEach, expect, it } from 'vitest';
import type { Event } from '../../event/event.ts';
import { editOf, ON, planGraphs, readOf, ROOT, seenAt } from './graphs.fixture.ts';
import type { PlannedGraphs } from './graphs.fixture.ts';

let world: PlannedGraphs;
beforeEach(() => {
  world = planGraphs();
  setTouched('core');
});

function setTouched(...touched: string[]): void {
  world.scopes.set(ROOT, { version: 1, root: ROOT, files: 10, of: 12, touched, first: touched });
}

async function see(seen: Event): Promise<void> {
  world.graphs.see(seenAt(seen, ROOT, ON));
  await world.idle();
}

const touched = () => world.asked.flatMap((task) => task.touched ?? []);

it('a package that comes first already, and a file of the root itself, are not asked for', async () => {
  await see(readOf('core/a.ts'));
  await see(readOf('top.ts'));
  expect(touched()).toEqual([]);
  expect(world.graphs.at(ROOT)?.hasPartialScope).toBe(true);
});

it('another one is asked for once', async () => {
  await see(readOf('zeta/a.ts'));
  expect(world.asked).toMatchObject([{ do: 'sweep', root: ROOT, touched: ['zeta'], walk: {} }]);
  // No file came with it, so that nothing else tells of it.
  setTouched('zeta', 'core');
  await world.done();
  await see(readOf('zeta/b.ts'));
  expect(world.asked).toHaveLength(1);
});

it('one that is written to counts as well', async () => {
  await see(editOf('zeta/a.ts'));
  expect(touched()).toEqual(['zeta']);
});

it('and is asked for again when that failed', async () => {
  world.isHeld = true;
  await see(readOf('zeta/a.ts'));
  await world.done(new Error('another process writes'));
  world.isHeld = false;
  await see(readOf('core/a.ts'));
  expect(touched()).toEqual(['zeta', 'zeta']);
});

it('one that was touched before there was an index is asked for when there is', async () => {
  world.stamps.clear();
  await see(readOf('zeta/a.ts'));
  world.stamps.set(ROOT, '1');
  await world.done();
  expect(world.asked).toMatchObject([{ do: 'index' }, { do: 'sweep', touched: ['zeta'] }]);
});

it('a root that has grown beyond what is indexed is known as one, though nothing else has changed', async () => {
  world.scopes.clear();
  await see(editOf('core/a.ts'));
  setTouched();
  await world.done();
  expect(world.graphs.at(ROOT)?.hasPartialScope).toBe(true);
  await see(readOf('zeta/a.ts'));
  expect(touched()).toEqual(['zeta']);
});

it('where all files are indexed, none is asked for', async () => {
  world.scopes.clear();
  await see(readOf('zeta/a.ts'));
  expect(touched()).toEqual([]);
  expect(world.graphs.at(ROOT)?.hasPartialScope).toBe(false);
});
