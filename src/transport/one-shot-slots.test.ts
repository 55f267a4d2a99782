import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { nodeFiles } from '../platform/files.ts';
import { takeSlot } from './node-client.ts';

let marks: string;
beforeEach(() => {
  marks = mkdtempSync(join(tmpdir(), 'fairlead-slots-'));
});
afterEach(() => rmSync(marks, { recursive: true }));

const living = new Set([1, 2, 3, 4, 5, 6]);
const take = (pid: number, files = nodeFiles) => takeSlot(files, marks, { pid, isAlive: (each) => living.has(each) });
const slot = (at: number) => join(marks, `slot-${at}.pid`);
const owners = () => readdirSync(marks).map((name) => readFileSync(join(marks, name), 'utf8'));

it('lets four in at a time, and the next when one is done', () => {
  const taken = [1, 2, 3, 4].map((pid) => take(pid));
  expect(owners()).toEqual(['1', '2', '3', '4']);
  expect(statSync(slot(0)).mode & 0o777).toBe(0o600);
  expect(take(5)).toBeUndefined();
  taken[2]?.free();
  expect(take(5)).toBeDefined();
  expect(owners()).toEqual(['1', '2', '5', '4']);
  expect(take(6)).toBeUndefined();
});

describe('a slot whose owner was killed', () => {
  const old = () => new Date(Date.now() - 180_000);
  const cases: readonly [string, string, Date | undefined, boolean][] = [
    ['is taken over at once', '99', undefined, true],
    ['before it wrote its number is not taken at once, for it may be about to', '', undefined, false],
    ['before it wrote its number is taken after a while', '', old(), true],
    ['and whose number another process has is taken after a while', '1', old(), true],
    ['with garbage in it is taken after a while', 'x'.repeat(100), old(), true],
  ];

  it.each(cases)('%s', (_, text, mtime, taken) => {
    for (let at = 0; at < 4; at += 1) writeFileSync(slot(at), at === 2 ? text : '1');
    if (mtime) utimesSync(slot(2), mtime, mtime);
    expect(take(5) !== undefined).toBe(taken);
    expect(readFileSync(slot(2), 'utf8')).toBe(taken ? '5' : text);
  });
});

it('is given where nothing can be written, since an event that nobody looks at would be worse', () => {
  rmSync(marks, { recursive: true });
  const slots = [1, 2, 3, 4, 5].map((pid) => take(pid));
  expect(slots.every((each) => each !== undefined)).toBe(true);
  mkdirSync(marks);
  expect(() => slots[0]?.free()).not.toThrow();
});

it('is given where a dead slot cannot be removed', () => {
  for (let at = 0; at < 4; at += 1) writeFileSync(slot(at), '99');
  const readOnly = {
    ...nodeFiles,
    remove() {
      throw new Error('read-only');
    },
  };
  expect(take(5, readOnly)).toBeDefined();
});
