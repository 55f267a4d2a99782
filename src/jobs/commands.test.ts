import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openStage } from './jobs.fixture.ts';
import type { JobStage } from './jobs.fixture.ts';
import { ownSessionId } from '../engine/limits/guards.ts';

let stage: JobStage;
beforeEach(() => {
  stage = openStage();
});
afterEach(() => stage.close());

describe('commands', () => {
  const script = `require('fs').appendFileSync('out', JSON.stringify([process.env.FAIRLEAD_DEPTH, process.env.FAIRLEAD_SESSION_ID, process.env.FAIRLEAD_SUBJECT]) + '\\n')`;
  const out = () =>
    readFileSync(join(stage.root, 'out'), 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as unknown);

  test('a configured command runs once the job is done, one at a time, as an agent of ours', async () => {
    stage.work.sync = () => ({ command: [process.execPath, '-e', script] });
    await stage.edit('one');
    await stage.edit('two');
    await stage.pass(1_000);
    expect(out()).toEqual([
      ['1', 'own-1', 'one'],
      ['1', 'own-2', 'two'],
    ]);
    expect(stage.counts['jobs.children']).toBe(2);
    expect(stage.memory.store.get(ownSessionId('own-1'), stage.engine.now)).toBeDefined();
    // What such an agent does is no work of ours again.
    await stage.edit('three', { session: 'own-1' });
    await stage.pass(1_000);
    expect(stage.ran).toEqual(['one:sync', 'two:sync']);
  });

  test('our own command line runs for the same home, beside what others are told', async () => {
    const told = `const { FAIRLEAD_HOME, FAIRLEAD_SUBJECT } = process.env; require('fs').appendFileSync('out', JSON.stringify([process.cwd(), FAIRLEAD_HOME, FAIRLEAD_SUBJECT, ...process.argv.slice(1)]) + '\\n')`;
    stage.work.sync = () => ({ own: [told, 'journal'] });
    await stage.edit('one');
    await stage.pass(1_000);
    expect(out()).toEqual([[stage.root, dirname(stage.root), 'one', 'journal']]);
    expect(stage.failures).toEqual([]);
  });

  test('one of our own that fails is told by its verb', async () => {
    stage.work.sync = () => ({ own: ['process.exit(2)', 'export', '--session', 'one'] });
    await stage.edit('one');
    await stage.pass(1_000);
    expect(stage.failures).toEqual(['running `fairlead process.exit(2) export` for test: exit code 2']);
  });

  test.each<[string, readonly unknown[], RegExp]>([
    ['that fails', [process.execPath, '-e', 'process.exit(2)'], /exit code 2/],
    ['that is not there', ['/nowhere/at-all'], /ENOENT/],
    ['that is no list of words', ['echo', 3], /not a list of words/],
    ['that is empty', [], /not a list of words/],
  ])('one %s is recorded, and the job counts as done', async (_, command, failure) => {
    stage.work.sync = () => ({ command: command as string[] });
    await stage.edit();
    await stage.pass(1_000);
    expect(stage.failures).toEqual([expect.stringMatching(failure)]);
    expect(stage.cells('test.dirty')).toEqual({});
  });
});
