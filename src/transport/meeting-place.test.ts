import { chmodSync, chownSync, mkdirSync, mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { pathsOf } from '../platform/paths.ts';
import type { HomePaths } from '../platform/paths.ts';
import { fnv1a64 } from './fnv.ts';
import { openMeetingPlace, shortDir } from './meeting-place.ts';

let dir: string;
const shorts: string[] = [];
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'fl-place-'));
});
afterEach(() => {
  rmSync(dir, { recursive: true });
  for (const short of shorts.splice(0)) rmSync(short, { recursive: true, force: true });
});

function home(name = 'home'): HomePaths & { short: string } {
  const paths = pathsOf(join(dir, name));
  const short = shortDir(paths.state);
  shorts.push(short);
  return { ...paths, short };
}

/** A home whose socket path has so many bytes, 12 more included. */
function homeOfLength(bytes: number, letter = 'x'): ReturnType<typeof home> {
  const fixed = join(dir, 'h', 'state/run/daemon.sock').length - 1 + 12;
  return home(letter.repeat((bytes - fixed) / Buffer.byteLength(letter)));
}

it.each([
  ['', 'cbf29ce484222325'],
  ['a', 'af63dc4c8601ec8c'],
  ['foobar', '85944171f73967e8'],
])('the short name of %j is the published FNV-1a value', (text, hash) => {
  expect(fnv1a64(text)).toBe(hash);
});

it('is the run directory, private to its owner', () => {
  const { run, ...paths } = home();
  expect(openMeetingPlace({ run, ...paths })).toEqual({ run, socket: join(run, 'daemon.sock'), marks: run });
  expect(statSync(run).mode & 0o777).toBe(0o700);
});

it('narrows a run directory that is open to others', () => {
  const paths = home();
  mkdirSync(paths.run, { recursive: true });
  chmodSync(paths.run, 0o755);
  expect(openMeetingPlace(paths).marks).toBe(paths.run);
  expect(statSync(paths.run).mode & 0o777).toBe(0o700);
});

describe('a socket path', () => {
  it('of 100 bytes stays, and one more leads to the short directory', () => {
    const [fits, over] = [homeOfLength(100), homeOfLength(101)];
    expect(openMeetingPlace(fits).socket).toBe(join(fits.run, 'daemon.sock'));
    expect(openMeetingPlace(over)).toEqual({ run: over.run, socket: join(over.short, 'daemon.sock'), marks: over.run });
    expect(join(over.short, 'daemon.sock').length).toBeLessThan(100);
  });

  it('is measured in bytes', () => {
    const wide = homeOfLength(102, 'ü');
    expect(wide.run.length).toBeLessThan(75);
    expect(openMeetingPlace(wide).socket).toBe(join(wide.short, 'daemon.sock'));
  });

  it('is the same whatever TMPDIR says', () => {
    const before = process.env['TMPDIR'];
    process.env['TMPDIR'] = dir;
    try {
      expect(shortDir('/s')).toBe(`/tmp/fairlead-${process.getuid?.() ?? 0}-${fnv1a64('/s')}`);
    } finally {
      if (before === undefined) delete process.env['TMPDIR'];
      else process.env['TMPDIR'] = before;
    }
  });
});

describe('a run directory that cannot be used', () => {
  const cases: readonly [string, (run: string) => void][] = [
    ['a file', (run) => writeFileSync(run, '')],
    ['a link', (run) => symlinkSync(dir, run)],
    ['below a file', (run) => writeFileSync(join(run, '..'), '')],
  ];

  it.each(cases)('leads to the short directory for the marks: it is %s', (name, spoil) => {
    const paths = home();
    mkdirSync(join(paths.run, name === 'below a file' ? '../..' : '..'), { recursive: true });
    spoil(paths.run);
    expect(openMeetingPlace(paths)).toMatchObject({ run: paths.run, marks: paths.short });
    expect(statSync(paths.short).mode & 0o777).toBe(0o700);
  });

  it.skipIf(process.getuid?.() !== 0)("leads to no short directory that is somebody else's", () => {
    const paths = home();
    for (const path of [paths.run, paths.short]) {
      mkdirSync(path, { recursive: true, mode: 0o700 });
      chownSync(path, 65_534, 65_534);
    }
    expect(openMeetingPlace(paths).marks).not.toBe(paths.short);
  });
});
