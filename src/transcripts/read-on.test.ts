import fc from 'fast-check';
import { appendFileSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { cases } from '../../test/cases.ts';
import { nodeFiles } from '../platform/files.ts';
import { nearEnd, readOn } from './read-on.ts';
import type { ReadPosition } from './read-on.ts';

const dir = mkdtempSync(join(tmpdir(), 'read-on-'));
afterAll(() => rmSync(dir, { recursive: true, force: true }));
const path = join(dir, 'lines.jsonl');
const LIMITS = { bytes: 1 << 20, longest: 1 << 16 };

/** Looks until nothing more is there, as the engine does turn by turn. */
function look(before: ReadPosition | undefined, limits = LIMITS) {
  const lines: string[] = [];
  let position = before;
  let restarted = false;
  for (let more = true; more;) {
    const offset = position?.offset;
    const read = readOn(nodeFiles, path, position, limits, (line) => lines.push(line));
    if (!read) throw new Error('no file');
    // A position is kept in the state file.
    position = JSON.parse(JSON.stringify(read.position)) as ReadPosition;
    restarted ||= read.restarted;
    more = read.more && position.offset !== offset;
  }
  return { lines, position, restarted };
}

describe('a file that grows', () => {
  it('gives every line once, however it is cut into writes and looks', () =>
    fc.assert(
      fc.property(
        fc.array(fc.string({ unit: 'grapheme', maxLength: 40 }).map((text) => text.replaceAll('\n', ' '))),
        fc.array(fc.nat(60), { maxLength: 12 }),
        fc.integer({ min: 50, max: 300 }),
        (lines, cuts, bytes) => {
          const all = Buffer.from(lines.map((line) => `${line}\n`).join(''));
          writeFileSync(path, '');
          const got: string[] = [];
          let position: ReadPosition | undefined;
          let at = 0;
          for (const cut of [...cuts, all.length]) {
            appendFileSync(path, all.subarray(at, (at += cut)));
            const seen = look(position, { bytes, longest: 1 << 16 });
            got.push(...seen.lines);
            position = seen.position;
          }
          expect(got).toEqual(lines.filter((line) => Buffer.byteLength(line) < bytes));
        },
      ),
      cases(200),
    ));

  it('passes over lines that are too long, also when several looks see them', () =>
    fc.assert(
      fc.property(
        fc.array(fc.nat(400), { minLength: 1, maxLength: 20 }),
        fc.integer({ min: 20, max: 90 }),
        (sizes, bytes) => {
          const lines = sizes.map((size, index) => `${index}:${'x'.repeat(size)}`);
          writeFileSync(path, lines.map((line) => `${line}\n`).join(''));
          const seen = look(undefined, { bytes: bytes + 20, longest: bytes });
          expect(seen.lines).toEqual(lines.filter((line) => line.length <= bytes));
        },
      ),
      cases(200),
    ));

  it('is read from its beginning when it was cut or is another one', () => {
    writeFileSync(path, 'one\ntwo\n');
    const { position } = look(undefined);
    truncateSync(path, 4);
    expect(look(position)).toMatchObject({ lines: ['one'], restarted: true });
    writeFileSync(path, 'ONE\nTWO\nthree\n');
    expect(look(position)).toMatchObject({ lines: ['ONE', 'TWO', 'three'], restarted: true });
    appendFileSync(path, 'four\n');
    expect(look(look(undefined).position)).toMatchObject({ lines: [], restarted: false });
  });

  it('leaves a line that has no end yet, and is nothing when it is no file', () => {
    writeFileSync(path, 'one\ntw');
    const { lines, position } = look(undefined);
    expect(lines).toEqual(['one']);
    appendFileSync(path, 'o\n');
    expect(look(position).lines).toEqual(['two']);
    expect(readOn(nodeFiles, dir, undefined, LIMITS, () => {})).toBeUndefined();
    expect(readOn(nodeFiles, join(dir, 'none'), undefined, LIMITS, () => {})).toBeUndefined();
  });

  it('may be read from near its end, from the next line on', () => {
    writeFileSync(path, 'one\ntwo\nthree\n');
    const from = (bytes: number) => look(nearEnd(nodeFiles, path, bytes)).lines;
    expect([0, 6, 7, 10, 99].map(from)).toEqual([[], ['three'], ['three'], ['two', 'three'], ['one', 'two', 'three']]);
  });
});
