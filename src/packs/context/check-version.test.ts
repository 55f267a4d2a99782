import { chmodSync } from 'node:fs';
import { expect, it } from 'vitest';
import type { Releases } from '../../engine/rule.ts';
import type { World } from '../world.fixture.ts';
import { contextWorld, DAY, nextIn, NOW } from './context.fixture.ts';
import type { ContextWorldOptions } from './context.fixture.ts';
import { pauseSession } from './session.fixture.ts';

const RELEASE: Releases = { engine: '1.4.2', installed: '1.4.2', registered: '1.4.2' };

function versionWorld(releases: Releases | undefined, more: ContextWorldOptions = {}): World {
  return contextWorld({ only: ['check-version'], sources: { releases: async () => releases }, ...more });
}

function putKey(world: World, days: number, path = `${world.paths.config}/notify.key`): void {
  chmodSync(world.put(path, 'k'.repeat(32), NOW - days * DAY), 0o600);
}

interface Row {
  readonly releases: Releases;
  readonly options?: string;
  readonly keyDays?: number;
  readonly says?: readonly string[];
  readonly next?: string;
  /** Where the agent may not do it. */
  readonly nextOfPerson?: string;
}

it.each<[string, Row]>([
  [
    'hooks of an older release',
    {
      releases: { engine: '1.4.2', registered: '1.3.9' },
      says: ['Running engine: 1.4.2', 'Other parts: hooks 1.3.9', 'Oldest: hooks'],
      next: 'fairlead init',
    },
  ],
  ['another patch', { releases: { engine: '1.4.2', registered: '1.4.0' } }],
  [
    'another patch, when that counts',
    {
      releases: { engine: '1.4.2', registered: '1.4.0' },
      options: 'version: { compare: patch }',
      says: ['hooks 1.4.0'],
      next: 'fairlead init',
    },
  ],
  ['a development build', { releases: { engine: 'dev', installed: '1.5.0', registered: '1.3.0' } }],
  ['a version that cannot be read', { releases: { engine: '1.4.2', registered: 'unreadable' } }],
  ['nothing found', { releases: { engine: '1.4.2' } }],
  [
    'an old key',
    {
      releases: RELEASE,
      keyDays: 95,
      says: ['Age: 95 days; it is called old at 90'],
      next: 'fairlead notify rotate-key',
    },
  ],
  ['a key of 89 days', { releases: RELEASE, keyDays: 89 }],
  ['a key of 90 days', { releases: RELEASE, keyDays: 90, says: ['Age: 90 days'] }],
  ['keys never get old', { releases: RELEASE, keyDays: 900, options: 'notify: { key_rotation_days: 0 }' }],
  [
    'keys get old sooner',
    { releases: RELEASE, keyDays: 31, options: 'notify: { key_rotation_days: 30 }', says: ['Age: 31 days'] },
  ],
  ['a span of the wrong kind', { releases: RELEASE, keyDays: 89, options: 'notify: { key_rotation_days: x }' }],
  ['a span below zero', { releases: RELEASE, keyDays: 89, options: 'notify: { key_rotation_days: -1 }' }],
  [
    'an old key of a development build',
    { releases: { engine: 'dev' }, keyDays: 95, says: ['Age: 95 days'], next: 'fairlead notify rotate-key' },
  ],
  [
    'a mismatch and an old key',
    {
      releases: { engine: '1.4.2', registered: '1.3.9' },
      keyDays: 95,
      says: ['Other parts: hooks 1.3.9', 'Age: 95 days'],
    },
  ],
  [
    'a newer command on disk',
    {
      releases: { engine: '1.4.2', installed: '1.5.0' },
      says: ['Other parts: command on disk 1.5.0', 'Oldest: engine'],
      next: 'the person can run fairlead daemon stop',
      nextOfPerson: 'fairlead daemon stop',
    },
  ],
  [
    'a newer command that the hooks start as well',
    {
      releases: { engine: '1.4.2', installed: '1.5.0', registered: '1.5.0' },
      says: ['Other parts: command on disk 1.5.0, hooks 1.5.0', 'Oldest: engine'],
      next: 'the person can run fairlead daemon stop',
      nextOfPerson: 'fairlead daemon stop',
    },
  ],
  [
    'a newer command, and hooks that start the old one',
    {
      releases: { engine: '1.4.2', installed: '1.5.0', registered: '1.4.2' },
      says: ['Oldest: engine, hooks'],
      next: 'fairlead init',
    },
  ],
  [
    'numbers, not letters, are compared',
    {
      releases: { engine: '1.9.0', installed: '1.10.0' },
      says: ['Oldest: engine'],
      next: 'the person can run fairlead daemon stop',
      nextOfPerson: 'fairlead daemon stop',
    },
  ],
  [
    'a comparison of the wrong kind',
    { releases: { engine: '1.4.2', registered: '1.4.0' }, options: 'version: { compare: major }' },
  ],
])('%s; the day is marked', async (_, { releases, options, keyDays, says = [], next, nextOfPerson = next }) => {
  const world = versionWorld(releases, options === undefined ? {} : { options });
  if (keyDays !== undefined) putKey(world, keyDays);
  const { note, warn } = await world.prompt('Go on.');
  for (const each of says) {
    expect(note).toContain(each);
    expect(warn).toContain(each);
  }
  if (says.length === 0) expect(note + warn).toBe('');
  if (next !== undefined) expect(nextIn(note)).toBe(next);
  if (nextOfPerson !== undefined) expect(warn).toContain(`Next: ${nextOfPerson}`);
  expect(Object.keys(world.cells('context.day.version'))).toHaveLength(1);
});

it('once a day, whatever the session', async () => {
  const world = versionWorld({ engine: '1.4.2', registered: '1.3.9' });
  expect((await world.prompt('Go on.', { agent_id: 'inner' })).note).toBe('');
  expect((await world.prompt('Go on.')).note).toContain('different releases');
  expect((await world.prompt('Go on.')).note).toBe('');
  expect((await world.prompt('Go on.', { session_id: 'session-2' })).note).toBe('');
  world.now += DAY;
  expect((await world.prompt('Go on.')).note).toContain('different releases');
});

it('what is not known yet is no finding: no marker, and a word at the next prompt', async () => {
  const world = versionWorld({ engine: '1.4.2', registered: '1.3.9' }, { factWaitMs: 0 });
  expect((await world.prompt('Go on.')).note).toBe('');
  expect(world.cells('context.day.version')).toEqual({});
  await world.pass(0);
  expect((await world.prompt('Go on.')).note).toContain('different releases');
});

it('a key at a place of the person’s choice', async () => {
  const world = versionWorld(RELEASE, { options: 'notify: { key_path: "~/keys/mine" }' });
  putKey(world, 95, `${world.home}/keys/mine`);
  expect((await world.prompt('Go on.')).note).toContain('Age: 95 days');
});

it('the engine of these tests is a development build: nothing is said', async () => {
  const world = contextWorld({ only: ['check-version'] });
  expect((await world.prompt('Go on.')).note).toBe('');
  expect(Object.keys(world.cells('context.day.version'))).toHaveLength(1);
});

it('is silent in a paused session, and in a project that is not initialised', async () => {
  const paused = versionWorld({ engine: '1.4.2', registered: '1.3.9' });
  pauseSession(paused);
  expect((await paused.prompt('Go on.')).note).toBe('');
  expect((await paused.prompt('Go on.', { session_id: 'session-2' })).note).not.toBe('');
  const bare = versionWorld({ engine: '1.4.2', registered: '1.3.9' }, { uninitialised: true });
  expect((await bare.prompt('Go on.')).note).toBe('');
});
