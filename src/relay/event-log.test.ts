import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { nodeFiles } from '../platform/files.ts';
import { logEvent } from './delivery.ts';

let dir: string;
let root: string;
beforeEach(() => {
  dir = realpathSync(mkdtempSync(join(tmpdir(), 'fairlead-events-')));
  root = join(dir, 'project');
  mkdirSync(join(root, '.context'), { recursive: true });
});
afterEach(() => rmSync(dir, { recursive: true }));

const log = (text: string) =>
  logEvent(nodeFiles, { at: 0, event: 'relay', rule: 'a/b', variant: 'c', message: `a/b: ${text}`, root });
const file = (name: string) => join(root, '.context/state', name);
const lines = (name: string) => readFileSync(file(name), 'utf8').trimEnd().split('\n');

it('is moved aside before it grows beyond a mebibyte, and one older file is kept', () => {
  log('first');
  const first = statSync(file('events.jsonl')).size;
  writeFileSync(file('events.jsonl'), `${'x'.repeat(1024 * 1024 - first - 1)}\n`);
  log('fills');
  expect(existsSync(file('events.1.jsonl'))).toBe(false);
  log('turns');
  expect(lines('events.jsonl')).toEqual([expect.stringContaining('turns')]);
  expect(lines('events.1.jsonl').at(-1)).toContain('fills');
  writeFileSync(file('events.jsonl'), 'x'.repeat(1024 * 1024));
  log('again');
  expect(lines('events.1.jsonl')).toEqual(['x'.repeat(1024 * 1024)]);
  expect(lines('events.jsonl')).toHaveLength(1);
});

it('is not written where the project has no place for it', () => {
  rmSync(join(root, '.context'), { recursive: true });
  log('nowhere');
  expect(existsSync(join(root, '.context'))).toBe(false);
});

it.each(['state', 'state/events.jsonl'])('a link at %s that leads out of the project is not followed', (name) => {
  const target = join(dir, 'elsewhere');
  if (name === 'state') mkdirSync(target);
  else {
    mkdirSync(join(root, '.context/state'));
    writeFileSync(target, '');
  }
  symlinkSync(target, join(root, '.context', name));
  expect(() => log('out')).toThrow('leads out of the project');
  expect(existsSync(join(target, 'events.jsonl'))).toBe(false);
  if (name !== 'state') expect(readFileSync(target, 'utf8')).toBe('');
});
