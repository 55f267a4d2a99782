import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cases, isLong } from '../../../test/cases.ts';
import { DamagedBytes } from './byte-reader.ts';
import { decodeFacts, encodeFacts } from './facts-codec.ts';
import { UNKNOWN } from '../model/expression.ts';
import type { Expression } from '../model/expression.ts';
import { anyFacts } from './facts.fixture.ts';
import type { FileFacts } from '../model/facts.ts';
import { createParser } from '../parse/parse-file.ts';

const EMPTY: FileFacts = {
  path: 'a.ts',
  language: 'typescript',
  flags: [],
  lines: [0],
  definitions: [],
  references: [],
  imports: [],
  exports: [],
  bindings: [],
};

function sources(dir: string): string[] {
  const names = readdirSync(dir, { recursive: true }) as string[];
  return names.filter((name) => name.endsWith('.ts')).map((name) => join(dir, name));
}

/** Traits and flags are sets. */
function inAnyOrder(facts: FileFacts): FileFacts {
  const definitions = facts.definitions.map((each) => ({ ...each, traits: each.traits.toSorted() }));
  return { ...facts, flags: facts.flags.toSorted(), definitions };
}

describe('facts as bytes', () => {
  it('are the same after reading', () =>
    fc.assert(
      fc.property(anyFacts, (facts) => {
        expect(decodeFacts(encodeFacts(facts))).toStrictEqual(facts);
      }),
      cases(1_000),
    ));

  it('are the same bytes when written again', () =>
    fc.assert(
      fc.property(anyFacts, (facts) => {
        const bytes = encodeFacts(facts);
        expect(encodeFacts(decodeFacts(bytes))).toEqual(bytes);
      }),
      cases(1_000),
    ));

  it('of real files are the same after reading, and small', async () => {
    const parser = createParser({ budgetMs: 60_000 });
    const [source, stored] = [{ bytes: 0 }, { bytes: 0 }];
    for (const path of sources('src/graph').filter((_, at) => isLong || at % 8 === 0)) {
      const text = readFileSync(path);
      const facts = await parser.parse(path, 'typescript', text);
      const bytes = encodeFacts(facts);
      expect(inAnyOrder(decodeFacts(bytes))).toEqual(inAnyOrder(facts));
      source.bytes += text.length;
      stored.bytes += bytes.length;
    }
    expect(source.bytes).toBeGreaterThan(isLong ? 300_000 : 100_000);
    expect(stored.bytes).toBeLessThan(source.bytes * 0.8);
  });

  it('keep what is shared shared, and what is only equal apart', () => {
    const shared: Expression = { is: 'member', of: { is: 'name', name: 'a', at: 7 }, name: 'b' };
    const twin: Expression = { is: 'member', of: { is: 'name', name: 'a', at: 7 }, name: 'b' };
    const call: Expression = { is: 'call', of: shared, args: [shared, twin, UNKNOWN] };
    const facts: FileFacts = {
      ...EMPTY,
      bindings: [{ name: 'x', within: -1, from: 0, to: 9, at: 1, value: call }],
      references: [{ within: -1, name: 'c', kind: 'call', at: 3, receiver: shared }],
    };
    const read = decodeFacts(encodeFacts(facts));
    const value = read.bindings[0]?.value as Extract<Expression, { is: 'call' }>;
    expect(value.args[0]).toBe(value.of);
    expect(read.references[0]?.receiver).toBe(value.of);
    expect(value.args[1]).toEqual(value.of);
    expect(value.args[1]).not.toBe(value.of);
    expect(value.args[2]).toBe(UNKNOWN);
  });

  it('do not grow where the same part is used again and again', () => {
    let value: Expression = { is: 'name', name: 'a', at: 0 };
    for (let depth = 0; depth < 60; depth += 1) value = { is: 'both', of: [value, value] };
    const facts = { ...EMPTY, exports: [{ name: 'x', local: '', value, at: 0 }] };
    expect(encodeFacts(facts).length).toBeLessThan(400);
  });

  it('that are cut off are damage, wherever that is', () =>
    fc.assert(
      fc.property(anyFacts, fc.double({ min: 0, max: 0.999, noNaN: true }), (facts, share) => {
        const bytes = encodeFacts(facts);
        expect(() => decodeFacts(bytes.subarray(0, Math.floor(bytes.length * share)))).toThrow(DamagedBytes);
      }),
      cases(1_000),
    ));
});
