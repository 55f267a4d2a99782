import { accessSync, chmodSync, constants, mkdtempSync, readFileSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { removeTree } from '../src/platform/remove-tree.fixture.ts';

const MEMORY = '/dev/shm';
/** Each project of Vitest's asks once. */
const OWN = 'FAIRLEAD_TEST_TMPDIR';
const ENOUGH_BYTES = 2 ** 31;

/**
 * A directory for all that this run puts down, in memory where the machine has room: a file costs a twentieth there.
 * What tests leave behind goes with it, unless the run is killed. TMPDIR chooses another place.
 */
export function setup(): (() => Promise<void>) | undefined {
  const before = process.env['TMPDIR'];
  if (before !== undefined && before === process.env[OWN]) return undefined;
  const dir = mkdtempSync(join(before === undefined && holdsFiles() ? MEMORY : tmpdir(), 'fl-'));
  // Some tests act as another user. Sticky, as the usual one is, so that nobody takes it for a directory of its own.
  chmodSync(dir, 0o1755);
  process.env['TMPDIR'] = process.env[OWN] = dir;
  return () => {
    if (before === undefined) delete process.env['TMPDIR'];
    else process.env['TMPDIR'] = before;
    return removeTree(dir);
  };
}

function holdsFiles(): boolean {
  try {
    accessSync(MEMORY, constants.W_OK);
    const { bavail, bsize } = statfsSync(MEMORY);
    const mounted = readFileSync('/proc/mounts', 'utf8')
      .split('\n')
      .findLast((line) => line.split(' ')[1] === MEMORY);
    return bavail * bsize >= ENOUGH_BYTES && mounted !== undefined && !/\b(noexec|ro)\b/.test(mounted);
  } catch {
    return false;
  }
}
