import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { suits } from './resolution.ts';

const NAMES =
  'boolean byte char short int long float double String Integer Character Object CharSequence Number File []'.split(
    ' ',
  );

describe('how well an argument suits a parameter', () => {
  it.each([
    ['int', 'long', 'double'],
    ['int', 'int', 'Integer'],
    ['int', 'long', 'Integer'],
    ['char', 'char', 'int'],
    ['String', 'String', 'CharSequence'],
    ['String', 'CharSequence', 'Object'],
    ['Integer', 'Integer', 'int'],
    ['StringReader', 'Reader', 'File'],
    ['null', 'File', 'Object'],
  ])('%s is rather %s than %s', (given, better, worse) => {
    expect(suits(given, better)).toBeGreaterThan(suits(given, worse) ?? Number.NaN);
  });

  it.each([
    ['String', 'int'],
    ['int', 'String'],
    ['double', 'int'],
    ['boolean', 'int'],
    ['File', 'String'],
    ['String', 'File'],
    ['File', '[]'],
    ['', 'String'],
    ['', 'int'],
    ['null', 'int'],
  ])('%s cannot be meant for %s', (given, wanted) => {
    expect(suits(given, wanted)).toBeUndefined();
  });

  it('what a list holds is not converted', () => {
    expect(suits('float', 'double', true)).toBeUndefined();
    expect(suits('int', 'Object', true)).toBeUndefined();
    expect(suits('int', 'int', true)).toBe(1);
    expect(suits('String', 'Object', true)).toBeGreaterThan(0);
  });

  it('nothing suits better than the same type, and anything is an object', () => {
    fc.assert(
      fc.property(fc.constantFrom(...NAMES), fc.constantFrom(...NAMES), (given, wanted) => {
        expect(suits(given, given)).toBe(1);
        if (given !== wanted) expect(suits(given, wanted) ?? 0).toBeLessThan(1);
        expect(suits(given, 'Object')).toBeGreaterThan(0);
      }),
    );
  });
});
