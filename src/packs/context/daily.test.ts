import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { World } from '../world.fixture.ts';
import { contextWorld, DAY, NOW } from './context.fixture.ts';

const MINUTE = 60_000;
const only = ['check-knowledge'];

/** Whether a prompt had a daily check look at what it watches. */
async function looks(world: World): Promise<boolean> {
  world.work.open.length = 0;
  await world.prompt('Go on.');
  return world.work.open.some((path) => path.endsWith('/DECISIONS.md'));
}

it.each<[string, string | undefined, number]>([
  ['by default', undefined, 10],
  ['one minute', 'recheck_minutes: 1', 1],
  ['half a minute', 'recheck_minutes: 0.5', 0.5],
  ['an hour', 'recheck_minutes: 60', 60],
  ['a text', 'recheck_minutes: soon', 10],
  ['less than nothing', 'recheck_minutes: -5', 10],
  ['nothing', 'recheck_minutes: null', 10],
  ['a list', 'recheck_minutes: [1]', 10],
])('what found nothing is looked at again after %s', async (_, options, minutes) => {
  const world = contextWorld({ only, ...(options === undefined ? {} : { options }) });
  expect(await looks(world)).toBe(true);
  expect(await looks(world)).toBe(false);
  await world.pass(minutes * MINUTE - 1);
  expect(await looks(world)).toBe(false);
  await world.pass(1);
  expect(await looks(world)).toBe(true);
  await world.pass(minutes * MINUTE - 1);
  expect(await looks(world)).toBe(false);
});

it('without a wait it looks at every prompt', async () => {
  const world = contextWorld({ only, options: 'recheck_minutes: 0' });
  for (let at = 0; at < 3; at += 1) expect(await looks(world)).toBe(true);
});

it.each<[string, (world: World) => void]>([
  ['longer', (world) => void world.put('.context/LEARNINGS.md', 'more text\n', NOW - DAY)],
  ['newer', (world) => void world.put('.context/LEARNINGS.md', 'text\n', NOW)],
  ['older', (world) => void world.put('.context/LEARNINGS.md', 'text\n', NOW - 9 * DAY)],
  ['gone', (world) => rmSync(join(world.root, '.context/LEARNINGS.md'))],
])('looks at once when a file that it watches is %s', async (_, change) => {
  const world = contextWorld({ only });
  world.put('.context/LEARNINGS.md', 'text\n', NOW - DAY);
  expect(await looks(world)).toBe(true);
  change(world);
  expect(await looks(world)).toBe(true);
  expect(await looks(world)).toBe(false);
});

it('looks at once when such a file appears, and not for any other', async () => {
  const world = contextWorld({ only });
  await looks(world);
  world.put('.context/GLOSSARY.md', 'text\n');
  world.put('CONVENTIONS.md', 'text\n');
  expect(await looks(world)).toBe(false);
  world.put('.context/CONVENTIONS.md', 'text\n');
  expect(await looks(world)).toBe(true);
});

it('the look of one session counts for all, and outlives the process', async () => {
  const world = contextWorld({ only });
  await looks(world);
  world.restart();
  world.work.open.length = 0;
  await world.prompt('Go on.', { session_id: 'session-2' });
  expect(world.work.open.filter((path) => path.endsWith('/DECISIONS.md'))).toEqual([]);
});

it('a clock that was set back does not keep it from looking', async () => {
  const world = contextWorld({ only });
  await looks(world);
  world.now -= DAY;
  expect(await looks(world)).toBe(true);
});

it('checks look each for itself, and one that speaks remembers no look', async () => {
  const entries = Array.from({ length: 21 }, (_, at) => `## [2026-01-01-0000${10 + at}] Decision ${at}\n`).join('\n');
  const world = contextWorld({
    only: ['check-knowledge', 'check-ceremonies'],
    files: { '.context/DECISIONS.md': entries },
  });
  expect((await world.prompt('Go on.')).note).toContain('21 entries');
  expect(Object.keys(world.cells('context.looked')).map((id) => id.split(' ').at(-1))).toEqual(['ceremonies']);
});
