import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { fairlead, isLinux, newHome, product, put } from './daemon-home.ts';

/** What a process meets on a full disk, without one: it may write no byte to any file. */
const NO_ROOM = 'ulimit -f 0; trap "" XFSZ; exec "$@"';

describe.runIf(isLinux)('without room on the disk', () => {
  it('files of a context are made whole or not at all, and the error names the file', async () => {
    const home = newHome();
    const context = join(home.project, '.context');
    const inFull = (...args: readonly string[]) =>
      spawnSync('bash', ['-c', NO_ROOM, 'bash', process.execPath, product.launcher, ...args], {
        cwd: home.project,
        env: { PATH: process.env['PATH'], HOME: join(home.dir, 'person'), FAIRLEAD_HOME: home.dir },
        encoding: 'utf8',
      });
    // The state has to be there; a list wants no room.
    await fairlead(home, 'state', 'list');
    const { status, stderr } = inFull('context', 'init');
    expect({ status, stderr }).toEqual({
      status: 1,
      stderr: expect.stringContaining(join(context, 'CONSTITUTION.md')) as string,
    });
    expect(readdirSync(context).toSorted()).toEqual(['journal', 'memory']);
    expect((await fairlead(home, 'context', 'init')).code).toBe(0);

    put(join(context, 'reminders.json'), '[{"id":1,"message":"a","created":"","after":null}]');
    const before = readFileSync(join(context, 'reminders.json'), 'utf8');
    expect(inFull('remind', 'dismiss', '1').status).toBe(1);
    expect(readFileSync(join(context, 'reminders.json'), 'utf8')).toBe(before);
    expect(readdirSync(context).filter((name) => name.endsWith('.tmp'))).toEqual([]);
  });
});
