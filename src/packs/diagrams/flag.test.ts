import fc from 'fast-check';
import { expect, it } from 'vitest';
import { cases } from '../../../test/cases.ts';
import { consume, release, reserve } from './flag.ts';
import type { Flag } from './flag.ts';

const FRESH_MS = 30_000;

function cellOf(flag?: unknown) {
  let value = flag as Flag | undefined;
  return {
    get: () => value,
    set: (next: Flag) => void (value = next),
    say: (next: Flag) => void (value = next),
    clear: () => void (value = undefined),
  };
}

const FLAG: Flag = { tool: 'graph-easy', at: 1_000, command: 'c' };
const HELD: Flag = { ...FLAG, reserved: { by: 'a', since: 1_000, drawings: 'x' } };

it.each<[string, unknown, { by: string; drawings: string }, number, boolean, boolean]>([
  ['free and fresh', FLAG, { by: 'b', drawings: 'y' }, 30_999, true, true],
  ['as old as its time', FLAG, { by: 'b', drawings: 'y' }, 31_000, false, false],
  ['older than the clock', FLAG, { by: 'b', drawings: 'y' }, 999, false, false],
  ['none', undefined, { by: 'b', drawings: 'y' }, 1_000, false, false],
  ['a text', 'graph-easy', { by: 'b', drawings: 'y' }, 1_000, false, false],
  ['null', null, { by: 'b', drawings: 'y' }, 1_000, false, false],
  ['a broken reservation', { ...FLAG, reserved: {} }, { by: 'b', drawings: 'y' }, 1_000, false, false],
  ['held for other drawings', HELD, { by: 'b', drawings: 'y' }, 2_000, false, true],
  ['held for the same drawings', HELD, { by: 'b', drawings: 'x' }, 2_000, true, true],
  ['for a call without an id', FLAG, { by: '', drawings: 'y' }, 2_000, true, false],
])('a flag that is %s', (_, flag, call, now, taken, left) => {
  const cell = cellOf(flag);
  expect(reserve(cell, call, now, FRESH_MS)).toBe(taken);
  expect(cell.get() !== undefined && cell.get() !== null).toBe(left);
});

it('is used up or given back by its own call alone', () => {
  const cell = cellOf(HELD);
  consume(cell, 'b');
  release(cell, 'b', 2_000, FRESH_MS);
  expect(cell.get()).toEqual(HELD);
  release(cell, 'a', 2_000, FRESH_MS);
  expect(cell.get()).toEqual(FLAG);
  consume(cell, 'a');
  expect(cell.get()).toEqual(FLAG);
});

it('one run of a tool never lets two different drawings be written', () => {
  const step = fc.oneof(
    fc.record({ kind: fc.constant('wait' as const), ms: fc.nat(20_000) }),
    fc.record({ kind: fc.constant('ask' as const), drawings: fc.constantFrom('x', 'y', 'z') }),
    fc.record({ kind: fc.constantFrom('done' as const, 'failed' as const), pick: fc.nat() }),
  );
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
      const cell = cellOf(FLAG);
      let passed: { id: string; drawings: string }[] = [];
      const written = new Set<string>();
      let now = FLAG.at;
      for (const [at, each] of steps.entries()) {
        if (each.kind === 'wait') now += each.ms;
        else if (each.kind === 'ask') {
          const call = { by: `call ${at}`, drawings: each.drawings };
          if (!reserve(cell, call, now, FRESH_MS)) continue;
          // A second attempt is made when the first has ended, told or not.
          passed = passed.filter(({ drawings }) => drawings !== each.drawings);
          passed.push({ id: call.by, drawings: each.drawings });
        } else {
          const [call] = passed.splice(each.pick % Math.max(1, passed.length), 1);
          if (!call) continue;
          if (each.kind === 'failed') release(cell, call.id, now, FRESH_MS);
          else {
            consume(cell, call.id);
            written.add(call.drawings);
          }
        }
      }
      expect(written.size).toBeLessThanOrEqual(1);
    }),
    cases(2_000),
  );
});
