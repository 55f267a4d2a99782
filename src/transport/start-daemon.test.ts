import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { nodeFiles } from '../platform/files.ts';
import { pathsOf } from '../platform/paths.ts';
import type { HomePaths } from '../platform/paths.ts';
import { pause } from '../platform/timers.ts';
import { openMeetingPlace } from './meeting-place.ts';
import type { MeetingPlace } from './meeting-place.ts';
import { startDaemon, startingMark } from './start-daemon.ts';
import { removeTree } from '../platform/remove-tree.fixture.ts';

/** Stands for the daemon: writes down how it was started, and how often. */
const PROGRAM = `
const fs = require('node:fs');
const path = require('node:path');
const about = { args: process.argv.slice(2), env: process.env, cwd: process.cwd(), tty: process.stdin.isTTY === true };
fs.appendFileSync(path.join(__dirname, 'starts'), JSON.stringify(about) + '\\n');
console.log('said by the daemon');`;

let dir: string;
let paths: HomePaths;
let place: MeetingPlace;
let program: string;

beforeEach(() => {
  dir = realpathSync(mkdtempSync(join(tmpdir(), 'fl-start-')));
  paths = pathsOf(join(dir, 'home'));
  place = openMeetingPlace(paths);
  program = join(dir, 'daemon.cjs');
  writeFileSync(program, PROGRAM);
});
afterEach(() => removeTree(dir));

const start = (more: Partial<Parameters<typeof startDaemon>[0]> = {}) =>
  startDaemon({
    files: nodeFiles,
    paths,
    place,
    userHome: dir,
    node: process.execPath,
    program,
    now: Date.now(),
    ...more,
  });

interface Start {
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  readonly tty: boolean;
}

async function starts(count: number): Promise<Start[]> {
  const path = join(dir, 'starts');
  const read = () => (existsSync(path) ? readFileSync(path, 'utf8').split('\n').slice(0, -1) : []);
  while (read().length < count) await pause(20);
  await pause(50);
  return read().map((line) => JSON.parse(line) as Start);
}

it('starts it for this home, with nothing of the caller’s environment', async () => {
  process.env['ANTHROPIC_API_KEY'] = 'sk-secret';
  try {
    expect(start()).toBe(true);
  } finally {
    delete process.env['ANTHROPIC_API_KEY'];
  }
  const [started] = await starts(1);
  expect(started?.args).toEqual(['--config', paths.config, '--state', paths.state]);
  expect(started?.env).toEqual({
    HOME: dir,
    PATH: `${dirname(process.execPath)}:/usr/local/bin:/usr/bin:/bin`,
    MALLOC_ARENA_MAX: '1',
    MALLOC_MMAP_THRESHOLD_: '131072',
    MALLOC_TRIM_THRESHOLD_: '131072',
  });
  expect([started?.cwd, started?.tty]).toEqual(['/', false]);
  const log = join(place.run, 'daemon.log');
  expect([readFileSync(log, 'utf8'), statSync(log).mode & 0o777]).toEqual(['said by the daemon\n', 0o600]);
});

it('a person who starts it may switch a pack off, and brings nothing else along', async () => {
  start({ env: { SPECWEAVE_DISABLE_HOOKS: '1', ANTHROPIC_API_KEY: 'sk-secret' } });
  const [started] = await starts(1);
  expect(started?.env['SPECWEAVE_DISABLE_HOOKS']).toBe('1');
  expect(started?.env).not.toHaveProperty('ANTHROPIC_API_KEY');
});

it.each([
  ['Asia/Tokyo', 'Asia/Tokyo'],
  ['America/Argentina/Buenos_Aires', 'America/Argentina/Buenos_Aires'],
  ['Etc/GMT+5', 'Etc/GMT+5'],
  ['UTC', 'UTC'],
  [':/etc/passwd', undefined],
  ['../../etc/passwd', undefined],
  ['', undefined],
])('its days are those of the time zone %j', async (given, kept) => {
  start({ env: { TZ: given } });
  const [started] = await starts(1);
  expect(started?.env['TZ']).toBe(kept);
});

describe('a start that is under way', () => {
  it('is not begun again, until it came to nothing', async () => {
    const began = Date.now();
    expect([start(), start(), start()]).toEqual([true, false, false]);
    expect(start({ now: began + 9_000 })).toBe(false);
    expect(start({ now: Date.now() + 11_000 })).toBe(true);
    expect(await starts(2)).toHaveLength(2);
  });

  it('marked in the future is none: the clock was set back', async () => {
    const mark = startingMark(place);
    writeFileSync(mark, '');
    utimesSync(mark, new Date(), new Date(Date.now() + 3_600_000));
    expect(start()).toBe(true);
    expect(start()).toBe(false);
    await starts(1);
  });
});

it('starts none where it could not hold its lock, since every event would start one more', async () => {
  rmSync(place.run, { recursive: true });
  mkdirSync(join(dir, 'elsewhere'));
  symlinkSync(join(dir, 'elsewhere'), place.run);
  const other = openMeetingPlace(paths);
  try {
    expect(start({ place: other })).toBe(false);
    await pause(100);
    expect(existsSync(join(dir, 'starts'))).toBe(false);
  } finally {
    rmSync(other.marks, { recursive: true, force: true });
  }
});

it('does not fail when the program cannot be started', async () => {
  expect(start({ node: '/no/such/node' })).toBe(true);
  await pause(50);
});
