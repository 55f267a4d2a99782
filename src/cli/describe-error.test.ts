import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { spawnSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { nodeFiles } from '../platform/files.ts';
import { describeError } from './main.ts';

let dir: string;
beforeEach(() => void (dir = mkdtempSync(join(tmpdir(), 'fairlead-error-'))));
afterEach(() => rmSync(dir, { recursive: true, force: true }));

function caught(run: () => unknown): unknown {
  try {
    return run();
  } catch (error) {
    return error;
  }
}

test('a place that cannot be written', () => {
  const file = join(dir, 'file');
  writeFileSync(file, '');
  const path = join(file, 'rules');
  expect(describeError(caught(() => nodeFiles.makeDir(path, 0o700)))).toMatch(
    /^\S+file\/rules cannot be (made|used): a part of the path is no directory$/,
  );
});

test.each([
  ['EACCES', 'there is no permission for it'],
  ['EROFS', 'the file system is read-only'],
])('%s', (code, reason) => {
  const error = Object.assign(new Error(`${code}: raw`), { code, path: '/home/me', syscall: 'open' });
  expect(describeError(error)).toBe(`/home/me cannot be used: ${reason}`);
});

test('a directory that is gone', () => {
  const program = join(import.meta.dirname, '../../bin/fairlead');
  const run = (verb: string) =>
    spawnSync(
      'sh',
      [
        '-c',
        'mkdir -p "$1" && cd "$1" && rmdir "$1" && exec "$2" "$3" "$4"',
        'sh',
        dir,
        process.execPath,
        program,
        verb,
      ],
      {
        encoding: 'utf8',
        env: { ...process.env, FAIRLEAD_HOME: join(dir, 'home') },
      },
    );
  expect(run('doctor')).toMatchObject({
    status: 1,
    stderr: expect.stringMatching(/^fairlead: the directory this shell is in does not exist any more; .*\n$/),
  });
  expect(run('--version')).toMatchObject({ status: 0, stderr: '' });
});

test('other errors keep their words', () => {
  expect(describeError(new Error('boom'))).toBe('boom');
  expect(describeError('text')).toBe('text');
});
