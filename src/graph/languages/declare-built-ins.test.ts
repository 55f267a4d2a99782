import { describe, expect, it } from 'vitest';
import { declareBuiltIns } from './declare-built-ins.ts';

const name = (called: string): object => ({ is: 'name', name: called, at: expect.any(Number) as number });

describe('declareBuiltIns', () => {
  it('reads classes with bases, members and what the language does with them', () => {
    const { definitions, path } = declareBuiltIns(
      'typescript',
      'Array',
      `
Box<T, U = T>: Iterable<T>
  @each: T
  map<V>((T, number?) => V, ...T[]): V[]
  static of(T | 'a'): this
  ()(T): [T, ?]
Alias<T> = await T & U
now(): number
`,
    );
    expect(path).toBe('');
    expect(definitions.map(({ name: called, kind, container }) => [called, kind, container])).toEqual([
      ['Box', 'class', -1],
      ['@each', 'field', 0],
      ['map', 'method', 0],
      ['of', 'method', 0],
      ['()', 'method', 0],
      ['Alias', 'type', -1],
      ['now', 'function', -1],
    ]);
    const [box, , map, of, call, alias] = definitions;
    expect(box?.generics).toEqual([{ name: 'T' }, { name: 'U', preset: name('T') }]);
    expect(box?.bases).toMatchObject([
      { how: 'extends', type: { is: 'apply', of: name('Iterable'), types: [name('T')] } },
    ]);
    expect(map?.parameters).toMatchObject([
      {
        type: {
          is: 'function',
          parameters: [{ type: name('T') }, { type: name('number'), optional: true }],
          type: name('V'),
        },
      },
      { type: { is: 'apply', of: name('Array'), types: [name('T')] }, rest: true },
    ]);
    expect(of).toMatchObject({
      traits: ['declared', 'static'],
      parameters: [{ type: { is: 'either', of: [name('T'), { is: 'literal', type: 'string', text: 'a' }] } }],
      type: { is: 'this' },
    });
    expect(call?.type).toMatchObject({ is: 'tuple', of: [name('T'), { is: 'unknown' }] });
    expect(alias?.type).toMatchObject({ is: 'both', of: [{ is: 'await', of: name('T') }, name('U')] });
  });

  it('gives members places inside their class, so that its type parameters are found', () => {
    const { definitions } = declareBuiltIns('python', 'list', '\nA<T>\n  x: T\nB\n  y: A<B>\n');
    const [a, x, b, y] = definitions;
    expect([x?.start, y?.start].every((start) => start !== undefined)).toBe(true);
    expect(a?.end).toBeGreaterThanOrEqual(x?.end ?? Infinity);
    expect(b?.start).toBeGreaterThanOrEqual(a?.end ?? Infinity);
  });

  it.each(['A<', '  x(', 'f(T)'])('refuses %s, which is no declaration', (line) => {
    expect(() => declareBuiltIns('go', '[]', line)).toThrow(line.trim());
  });
});
