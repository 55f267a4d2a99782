import { describe, expect, it } from 'vitest';
import { callsOf, worldOf } from './world.fixture.ts';

const KINDS = `class Thing { use() {} }
class Other { use() {} }
class Special extends Thing { use() {} }
function isThing(one: unknown): one is Thing { return true; }
function isOf<T extends new () => object>(one: unknown, type: T): one is InstanceType<T> { return true; }
function isOld(one: unknown): boolean { return true; }
`;

describe('what a test says of a variable', () => {
  it.each<[string, string, string]>([
    ['where it holds', 'function go(one: unknown) { if (isThing(one)) one.use(); }', 'go -> a.ts#Thing.use receiver'],
    ['of several', 'function go(one: Thing | Other) { if (isThing(one)) one.use(); }', 'go -> a.ts#Thing.use receiver'],
    ['by a class', 'function go(one: unknown) { if (isOf(one, Other)) one.use(); }', 'go -> a.ts#Other.use receiver'],
    [
      'after a return',
      'function go(one: unknown) { if (!isThing(one)) return; one.use(); }',
      'go -> a.ts#Thing.use receiver',
    ],
    ['behind ||', 'function go(one: unknown) { return !isThing(one) || one.use(); }', 'go -> a.ts#Thing.use receiver'],
    [
      'what was known more exactly stays',
      'function go(one: Special) { if (isThing(one)) one.use(); }',
      'go -> a.ts#Special.use receiver',
    ],
    [
      'a test that says nothing',
      'function go(one: Other) { if (isOld(one)) one.use(); }',
      'go -> a.ts#Other.use receiver',
    ],
    [
      'behind instanceof and ||',
      'function go(one: unknown) { return !(one instanceof Thing) || one.use(); }',
      'go -> a.ts#Thing.use receiver',
    ],
    [
      'one that the other replaces',
      'function go(one: Special | Thing) { one.use(); }',
      'go -> a.ts#Thing.use receiver',
    ],
  ])('%s', async (_, text, edge) => {
    expect(callsOf(await worldOf({ 'a.ts': KINDS + text }), 'a.ts')).toContain(edge);
  });

  it('leaves open which of two classes is meant', async () => {
    const text = 'function go(one: unknown) { if (one instanceof Thing || one instanceof Other) one.use(); }';
    expect(callsOf(await worldOf({ 'a.ts': KINDS + text }), 'a.ts')).toEqual([]);
  });
});
