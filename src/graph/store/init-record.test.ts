import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { nodeFiles } from '../../platform/files.ts';
import { readActiveRoot, writeActiveRoot } from '../resident/active-root.ts';
import { readInitRecord, writeInitRecord } from './init-record.ts';
import type { InitRecord } from './init-record.ts';
import { graphPaths } from './graph-paths.ts';

const ROOT = '/code/app';
const RECORD: InitRecord = { version: 1, root: ROOT, state: 'stable', reason: 'path', startedAt: 5, failures: 0 };

let state: string;
beforeEach(() => {
  state = mkdtempSync(join(tmpdir(), 'fairlead-init-'));
});
afterEach(() => rmSync(state, { recursive: true }));

const location = () => graphPaths(state, ROOT);

describe('what is written down about a root', () => {
  it.each<[string, InitRecord]>([
    ['the least', RECORD],
    ['all of it', { ...RECORD, state: 'failed', endedAt: 9, files: 3, failures: 2, error: 'x', settings: '[{},null]' }],
  ])('is read as it was written: %s', (_what, record) => {
    writeInitRecord(nodeFiles, location(), record);
    expect(readInitRecord(nodeFiles, location(), ROOT)).toEqual(record);
  });

  it.each<[string, string]>([
    ['nothing', ''],
    ['a part', JSON.stringify(RECORD).slice(0, 40)],
    ['no object', '7'],
    ['null', 'null'],
    ['of another version', JSON.stringify({ ...RECORD, version: 2 })],
    ['of another root', JSON.stringify({ ...RECORD, root: '/code/other' })],
    ['a state that is none', JSON.stringify({ ...RECORD, state: 'happy' })],
    ['a reason that is none', JSON.stringify({ ...RECORD, reason: ['path'] })],
    ['no time', JSON.stringify({ ...RECORD, startedAt: 'now' })],
  ])('counts as nothing when it is damaged: %s', (_what, text) => {
    mkdirSync(location().workspace, { recursive: true });
    writeFileSync(location().init, text);
    expect(readInitRecord(nodeFiles, location(), ROOT)).toBeUndefined();
  });

  it('leaves out what is of a wrong type', () => {
    mkdirSync(location().workspace, { recursive: true });
    writeFileSync(
      location().init,
      JSON.stringify({ ...RECORD, endedAt: '9', files: null, failures: 'many', error: 3 }),
    );
    expect(readInitRecord(nodeFiles, location(), ROOT)).toEqual(RECORD);
  });
});

describe('where a session works', () => {
  const ACTIVE = { root: '/code/app/repo', reason: 'single-child', at: 7 } as const;

  it('is found under where it was started, until it is back', () => {
    writeActiveRoot(nodeFiles, state, ROOT, ACTIVE);
    expect(readActiveRoot(nodeFiles, state, ROOT)).toEqual({ version: 1, ...ACTIVE });
    expect(readActiveRoot(nodeFiles, state, '/code')).toBeUndefined();
    writeActiveRoot(nodeFiles, state, ROOT, undefined);
    writeActiveRoot(nodeFiles, state, ROOT, undefined);
    expect(readActiveRoot(nodeFiles, state, ROOT)).toBeUndefined();
  });

  it.each(['', '{"version":1', 'null', '{"version":2,"root":"/x","reason":"cwd","at":1}', '{"version":1,"root":3}'])(
    '%j says nothing',
    (text) => {
      mkdirSync(location().workspace, { recursive: true });
      writeFileSync(location().active, text);
      expect(readActiveRoot(nodeFiles, state, ROOT)).toBeUndefined();
    },
  );
});
