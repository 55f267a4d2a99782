import { expect, it } from 'vitest';
import { nextTurn } from '../../platform/timers.ts';
import { contextWorld, DAY, HOUR, nextIn, NOW } from './context.fixture.ts';
import type { ContextWorldOptions } from './context.fixture.ts';
import { pauseSession } from './session.fixture.ts';

const FAIRLEAD = '.local/state/fairlead/last-backup';
const CTX = '.local/state/ctx-last-backup';
const MOUNTED = ['/mnt/there', 'smb://nas/there'];

interface Row {
  /** Ages of markers in hours, by their path in the home. */
  readonly markers?: Readonly<Record<string, number>>;
  readonly options?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly says?: readonly string[];
  readonly next?: string;
}

function backupWorld({ markers = {}, options, env }: Row, more: ContextWorldOptions = {}) {
  const world = contextWorld({
    only: ['check-backup-age'],
    sources: { isMounted: async (place) => MOUNTED.includes(place) },
    ...(options === undefined ? {} : { options }),
    ...(env === undefined ? {} : { env }),
    ...more,
  });
  for (const [path, hours] of Object.entries(markers)) world.put(`${world.home}/${path}`, '', NOW - hours * HOUR);
  return world;
}

const NEVER = 'No backup has been recorded so far';
const FRESH = { [FAIRLEAD]: 1 };

it.each<[string, Row]>([
  [
    '2 days old',
    {
      markers: { [FAIRLEAD]: 48 },
      says: ['The last backup is 2 days old'],
      next: 'run the backup, then `fairlead context backup-done`',
    },
  ],
  ['1 day and 23 hours old', { markers: { [FAIRLEAD]: 47 } }],
  ['no marker', { says: [NEVER] }],
  [
    'the share is not mounted',
    { markers: FRESH, options: 'backup: { mount_path: /mnt/gone }', says: ['/mnt/gone is not mounted'] },
  ],
  ['the share is mounted', { markers: FRESH, options: 'backup: { mount_path: /mnt/there }' }],
  ['both', { options: 'backup: { mount_path: /mnt/gone }', says: [`/mnt/gone is not mounted\n${NEVER}`] }],
  ['the marker of ctx counts', { markers: { [CTX]: 1 } }],
  ['the newer marker counts', { markers: { [FAIRLEAD]: 400, [CTX]: 1 } }],
  [
    'a marker of the person’s choice',
    { markers: { mine: 72, ...FRESH }, options: 'backup: { marker: ~/mine }', says: ['3 days old'] },
  ],
  ['another age', { markers: { [FAIRLEAD]: 30 }, options: 'backup: { max_age_days: 1 }', says: ['1 day old'] }],
  ['a command', { options: 'backup: { command: make backup }', says: [NEVER], next: 'make backup' }],
  [
    'settings of the wrong kind',
    { markers: { [FAIRLEAD]: 47 }, options: 'backup: { max_age_days: soon, marker: 7, mount_path: 1, command: [] }' },
  ],
  ['a relative place is none', { markers: FRESH, options: 'backup: { mount_path: mnt/gone }' }],
  [
    'a share of the environment, without its password',
    {
      markers: FRESH,
      env: { FAIRLEAD_BACKUP_SMB_URL: 'smb://me:s3cret@nas/gone/dir', CTX_BACKUP_SMB_URL: 'smb://nas/there' },
      says: ['The share nas/gone is not mounted'],
    },
  ],
  [
    'a share in the name of ctx',
    { markers: FRESH, env: { CTX_BACKUP_SMB_URL: 'smb://nas/gone' }, says: ['The share nas/gone is not mounted'] },
  ],
  ['a share that is mounted', { markers: FRESH, env: { CTX_BACKUP_SMB_URL: 'smb://nas/there' } }],
  [
    'a place in the settings counts before the environment',
    {
      markers: FRESH,
      options: 'backup: { mount_path: /mnt/there }',
      env: { FAIRLEAD_BACKUP_SMB_URL: 'smb://nas/gone' },
    },
  ],
  ['no address of a share', { markers: FRESH, env: { FAIRLEAD_BACKUP_SMB_URL: 'nas:/gone' } }],
])('%s', async (_, row) => {
  const world = backupWorld(row);
  const { note, warn } = await world.prompt('Go on.');
  const { says = [], next } = row;
  for (const each of says) expect(note).toContain(each);
  for (const each of says) expect(warn).toContain(each.split('\n')[0]);
  expect(note).not.toContain('s3cret');
  expect(note === '').toBe(says.length === 0);
  if (next !== undefined) expect(nextIn(note)).toBe(next);
  expect(Object.keys(world.cells('context.day.backup'))).toHaveLength(says.length === 0 ? 0 : 1);
});

it('a check of mounts that hangs keeps nobody waiting; the marker is judged, and the share later', async () => {
  const answers: ((isMounted: boolean) => void)[] = [];
  const isMounted = () => new Promise<boolean>((resolve) => void answers.push(resolve));
  const options = { options: 'backup: { mount_path: /mnt/gone }' };
  const dead = backupWorld(options, { sources: { isMounted }, factWaitMs: 0 });
  expect((await dead.prompt('Go on.')).note).toContain(NEVER);

  const world = backupWorld({ ...options, markers: FRESH }, { sources: { isMounted }, factWaitMs: 0 });
  expect((await world.prompt('Go on.')).note).toBe('');
  expect(world.cells('context.day.backup')).toEqual({});
  await nextTurn();
  answers.at(-1)?.(false);
  await world.pass(0);
  expect((await world.prompt('Go on.')).note).toContain('/mnt/gone is not mounted');
});

it('once a day, whatever the session, and not in agents within', async () => {
  const world = backupWorld({});
  expect((await world.prompt('Go on.', { agent_id: 'inner' })).note).toBe('');
  expect((await world.prompt('Go on.')).note).toContain(NEVER);
  expect((await world.prompt('Go on.', { session_id: 'session-2' })).note).toBe('');
  world.now += DAY;
  expect((await world.prompt('Go on.')).note).toContain(NEVER);
});

it('is off until it is switched on', async () => {
  const world = contextWorld();
  const { note } = await world.prompt('Go on.');
  expect(note).not.toContain('Backups of the context');
});

it('is silent in a paused session, and in a project that is not initialised', async () => {
  const paused = backupWorld({});
  pauseSession(paused);
  expect((await paused.prompt('Go on.')).note).toBe('');
  expect((await paused.prompt('Go on.', { session_id: 'session-2' })).note).not.toBe('');
  const bare = backupWorld({}, { uninitialised: true });
  expect((await bare.prompt('Go on.')).note).toBe('');
});
