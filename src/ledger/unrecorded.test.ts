import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, expect, it } from 'vitest';
import { cases } from '../../test/cases.ts';
import { nodeFiles } from '../platform/files.ts';
import { createUnrecordedCount, prepareUnrecorded, readUnrecorded } from './unrecorded.ts';

const base = mkdtempSync(join(tmpdir(), 'fairlead-unrecorded-'));
afterAll(() => rmSync(base, { recursive: true }));
let made = 0;
function newDir(): string {
  made += 1;
  const dir = join(base, String(made));
  mkdirSync(dir);
  return dir;
}
const countIn = (dirs: readonly string[], random = Math.random) => createUnrecordedCount(nodeFiles, () => dirs, random);
const read = (...dirs: string[]) => {
  const { events, decided } = readUnrecorded(nodeFiles, dirs);
  return { events, decided };
};

it('is the sum of what all processes counted and uncounted, whatever slots they have, and never grows', () => {
  const change = fc.record({ who: fc.nat(5), events: fc.integer({ min: -50, max: 50 }), decided: fc.integer() });
  const slots = fc.array(fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }), {
    minLength: 6,
    maxLength: 6,
  });
  fc.assert(
    fc.property(fc.array(change, { maxLength: 40 }), slots, fc.boolean(), (changes, places, isPrepared) => {
      const dir = newDir();
      if (isPrepared) prepareUnrecorded(nodeFiles, [dir]);
      const processes = places.map((place) => countIn([dir], () => place));
      const sum = { events: 0, decided: 0 };
      for (const { who, events, decided: any } of changes) {
        const decided = any % 40;
        processes[who]?.add({ events, decided });
        sum.events += events;
        sum.decided += decided;
      }
      expect(read(dir)).toEqual(sum);
      if (isPrepared || changes.length > 0) expect(statSync(join(dir, 'unrecorded')).size).toBe(4_096);
    }),
    cases(50),
  );
});

it('keeps what was counted when it is prepared again, and lengthens a file that a full disk cut off', () => {
  const dir = newDir();
  countIn([dir], () => 0).add({ events: 3, decided: 1 });
  const cut = readFileSync(join(dir, 'unrecorded')).subarray(0, 12);
  writeFileSync(join(dir, 'unrecorded'), cut);
  expect(read(dir)).toEqual({ events: 3, decided: 1 });
  expect(prepareUnrecorded(nodeFiles, [dir])).toBe(true);
  expect(statSync(join(dir, 'unrecorded')).size).toBe(4_096);
  expect(read(dir)).toEqual({ events: 3, decided: 1 });
});

it('goes where it can be written, is read from everywhere, and never throws', () => {
  const [first, second] = [join(newDir(), 'missing'), newDir()];
  countIn([first, second]).add({ events: 2, decided: 2 });
  expect(read(first, second, second)).toEqual({ events: 2, decided: 2 });
  expect(readUnrecorded(nodeFiles, [first, second]).paths).toEqual([join(second, 'unrecorded')]);
  countIn([first]).add({ events: 2, decided: 2 });
  expect([prepareUnrecorded(nodeFiles, [first]), prepareUnrecorded(nodeFiles, [first, second])]).toEqual([false, true]);
});
