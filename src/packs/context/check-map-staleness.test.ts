import { expect, it } from 'vitest';
import { plantRepository } from '../../git/repository.fixture.ts';
import { contextWorld, DAY, nextIn, NOW } from './context.fixture.ts';
import type { ContextWorldOptions } from './context.fixture.ts';
import { pauseSession } from './session.fixture.ts';

const tracking = (days: number, more: object = {}) =>
  JSON.stringify({ opted_out: false, last_run: new Date(NOW - days * DAY).toISOString(), ...more });

interface Setting extends ContextWorldOptions {
  readonly tracking?: string;
  /** Files that a commit each has touched, a day ago. */
  readonly commits?: readonly string[];
}

function mapWorld({ tracking: text, commits = [], ...more }: Setting) {
  const files = text === undefined ? {} : { '.context/map-tracking.json': text };
  const world = contextWorld({ only: ['check-map-staleness'], ...more, files });
  const repository = plantRepository(world.root);
  repository.commit('Begin', NOW - 100 * DAY, 'package.json');
  for (const path of commits) repository.commit(`Change ${path}`, NOW - DAY, path);
  return { world, repository };
}

const FOUR = ['src/a.ts', 'src/b.ts', 'src/a.ts', 'src/deep/c.ts'];

it.each<[string, Setting, number | undefined]>([
  ['31 days, 4 commits in src', { tracking: tracking(31), commits: FOUR }, 4],
  ['29 days', { tracking: tracking(29), commits: FOUR }, undefined],
  ['30 days to the minute', { tracking: tracking(30), commits: FOUR }, 4],
  ['commits only in docs', { tracking: tracking(31), commits: ['docs/a.md'] }, undefined],
  ['opted out', { tracking: tracking(31, { opted_out: true }), commits: FOUR }, undefined],
  ['no tracking', { commits: FOUR }, undefined],
  ['no JSON', { tracking: '{', commits: FOUR }, undefined],
  ['no time', { tracking: tracking(31, { last_run: 'soon' }), commits: FOUR }, undefined],
  ['a plain date', { tracking: tracking(31, { last_run: '2026-02-01' }), commits: FOUR }, 4],
  ['a time to come', { tracking: tracking(-400), commits: FOUR }, undefined],
  [
    'other paths, 1 commit there',
    { tracking: tracking(31), commits: ['server/a.ts', 'src/a.ts'], options: 'map: { paths: ["server/"] }' },
    1,
  ],
  [
    'paths that lead out are left out',
    { tracking: tracking(31), commits: ['server/a.ts'], options: 'map: { paths: ["../x", "/y", "server"] }' },
    1,
  ],
  [
    'settings of the wrong kind',
    { tracking: tracking(31), commits: FOUR, options: 'map: { paths: src, max_age_days: x }' },
    4,
  ],
  ['another age', { tracking: tracking(8), commits: FOUR, options: 'map: { max_age_days: 7 }' }, 4],
  ['no commits at all since', { tracking: tracking(31) }, undefined],
])('%s', async (_, setting, count) => {
  const { world } = mapWorld(setting);
  const { note, warn } = await world.prompt('Go on.');
  expect(/Commits since then: (\d+)/.exec(note)?.[1]).toBe(count?.toString());
  if (count !== undefined) {
    expect(warn).toContain(`Commits since then: ${count}`);
    expect(nextIn(note)).toBe('refresh .context/ARCHITECTURE.md, then `fairlead context map done`');
  }
  expect(Object.keys(world.cells('context.day.map'))).toHaveLength(count === undefined ? 0 : 1);
  expect((await world.prompt('And on.')).note).toBe('');
});

it('names the date of the last refresh and the places looked at', async () => {
  const { world } = mapWorld({ tracking: tracking(31), commits: ['src/a.ts', 'lib/b.ts'] });
  const { note } = await world.prompt('Go on.');
  expect(note).toContain('Last refreshed: 2026-02-07');
  expect(note).toContain('Places looked at: 2 (src, lib)');
});

it('git answers late: nothing now and no marker, then a nudge', async () => {
  const { world } = mapWorld({ tracking: tracking(31), commits: FOUR, factWaitMs: 0 });
  expect((await world.prompt('Go on.')).note).toBe('');
  expect(world.cells('context.day.map')).toEqual({});
  await world.pass(30 * 60_000);
  expect((await world.prompt('And on.')).note).toContain('Commits since then: 4');
  expect(Object.keys(world.cells('context.day.map'))).toHaveLength(1);
});

it('what was found to be fine is looked at again when there is a new commit', async () => {
  const { world, repository } = mapWorld({ tracking: tracking(31), commits: ['docs/a.md', 'src/a.ts'] });
  world.put('.context/map-tracking.json', tracking(31, { opted_out: true }), NOW - DAY);
  expect((await world.prompt('Go on.')).note).toBe('');
  world.put('.context/map-tracking.json', tracking(31), NOW);
  expect((await world.prompt('Go on.')).note).toContain('Commits since then: 1');
  repository.commit('More', NOW, 'src/b.ts');
  world.now += DAY;
  expect((await world.prompt('Go on.')).note).toContain('Commits since then: 2');
});

it('a commit right after a look that found nothing is seen', async () => {
  const { world, repository } = mapWorld({ tracking: tracking(31), commits: ['docs/a.md'] });
  world.put('src/a.ts', '');
  expect((await world.prompt('Go on.')).note).toBe('');
  repository.commit('Code', NOW, 'src/a.ts');
  expect((await world.prompt('Go on.')).note).toContain('Commits since then: 1');
});

it('one session speaks for the day, and agents within are left alone', async () => {
  const { world } = mapWorld({ tracking: tracking(31), commits: FOUR });
  expect((await world.prompt('Go on.', { agent_id: 'inner' })).note).toBe('');
  expect((await world.prompt('Go on.')).note).not.toBe('');
  expect((await world.prompt('Go on.', { session_id: 'session-2' })).note).toBe('');
});

it('without a repository it passes', async () => {
  const world = contextWorld({
    only: ['check-map-staleness'],
    files: { '.context/map-tracking.json': tracking(31), 'src/a.ts': '' },
  });
  expect((await world.prompt('Go on.')).note).toBe('');
});

it('is silent in a paused session, and in a project that is not initialised', async () => {
  const paused = mapWorld({ tracking: tracking(31), commits: FOUR }).world;
  pauseSession(paused);
  expect((await paused.prompt('Go on.')).note).toBe('');
  expect((await paused.prompt('Go on.', { session_id: 'session-2' })).note).not.toBe('');
  const bare = mapWorld({ tracking: tracking(31), commits: FOUR, uninitialised: true }).world;
  expect((await bare.prompt('Go on.')).note).toBe('');
});
