import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { World } from '../world.fixture.ts';
import { MADE_HERE } from './command-cells.ts';
import { contextWorld, DAY, NOW } from './context.fixture.ts';
import { setCell } from './session.fixture.ts';

const PARTS = ['packages/a', 'packages/b'];

/** A context with more decisions, and older facts, than it should have, and a journal without ceremonies or summaries. */
function fill(world: World, part: string): void {
  const put = (path: string, text: string, at = NOW - 7 * DAY) => world.put(join(part, path), text, at);
  const decisions = Array.from({ length: 21 }, (_, at) => `## [2026-01-01-${String(at).padStart(6, '0')}] Entry\n`);
  put('.context/CONSTITUTION.md', '# Constitution\n');
  put('.context/TASKS.md', '# Tasks\n');
  put('.context/DECISIONS.md', decisions.join('\n'));
  put('.context/journal/2026-03-09-0900-aaaaaaaa.md', '---\nenriched: false\n---\n');
  put('prices.md', 'facts', NOW - 200 * DAY);
}

it.each([
  ['check-knowledge', 'context.day.knowledge'],
  ['check-ceremonies', 'context.day.ceremonies'],
  ['check-freshness', 'context.day.freshness'],
  ['check-journal', 'context.day.journal'],
])('%s speaks once a day in each context of a workspace', async (rule, cell) => {
  const world = contextWorld({ only: [rule], options: 'freshness: { files: [{ path: prices.md, desc: prices }] }' });
  for (const part of PARTS) fill(world, part);
  const speaksIn = async (part: string) => (await world.prompt('Go on.', { cwd: join(world.root, part) })).note !== '';
  const said = [];
  for (const part of [...PARTS, ...PARTS]) said.push(await speaksIn(part));
  expect(said).toEqual([true, true, false, false]);
  expect(Object.keys(world.cells(cell))).toHaveLength(2);
});

it.each(['daily', 'changed'])('reminders of one number are of each context: %s', async (repeat) => {
  const world = contextWorld({ only: ['check-reminders'], options: `reminders: { repeat: ${repeat} }` });
  for (const part of PARTS) {
    fill(world, part);
    world.put(join(part, '.context/reminders.json'), `[{"id":1,"message":"of ${part}"}]`);
    setCell(world, MADE_HERE, { at: 1 }, { key: part });
  }
  const saidIn = async (part: string) => (await world.prompt('Go on.', { cwd: join(world.root, part) })).note;
  for (const part of PARTS) expect(await saidIn(part)).toContain(`[1] "of ${part}"`);
  for (const part of PARTS) expect(await saidIn(part)).toBe('');
});
