import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { haveSameTypes, methodTypes } from './method-types.ts';

describe('types of a Go method', () => {
  it.each([
    ['()', '->'],
    ['(int)', 'int ->'],
    ['(at, to int, s fmt.Stringer) error', 'int int Stringer -> error'],
    ['(context.Context, *http.Request) (*http.Response, []byte, error)', 'Context *Request -> *Response []uint8 error'],
    ['(f func(a, b int) error, rest ...interface{}) (n int, err error)', 'func(int int -> error) ...any -> int error'],
    ['(c <-chan T) <-chan struct{}', '<-chan T -> ?'],
    ['(m map[string][]plumbing.Hash)', 'map[string][]Hash ->'],
    ['(s struct{ a int }) []func(int)', '? -> ?'],
  ])('%s', (behind, types) => {
    expect(methodTypes(behind)?.join(' ')).toBe(types);
  });

  it('knows nothing of what was cut off', () => {
    expect(methodTypes('(a int, b str')).toBeUndefined();
  });

  it('does not see names of parameters, packages and the other spelling of a type', () => {
    const type = fc.constantFrom('int', '*a.B', '[]byte', 'interface{}', 'func(x int) error', 'map[k.K]V', 'chan int');
    fc.assert(
      fc.property(fc.array(type, { maxLength: 5 }), fc.array(type, { maxLength: 3 }), (parameters, results) => {
        const named = `(${parameters.map((one, n) => `p${n} ${one}`).join(', ')}) (${results.map((one, n) => `r${n} ${one}`).join(', ')})`;
        const bare = `(${parameters.join(', ')}) (${results.join(', ')})`
          .replaceAll('interface{}', 'any')
          .replaceAll('byte', 'uint8')
          .replaceAll(/\b[ak]\./g, '');
        expect(methodTypes(bare)).toEqual(methodTypes(named));
      }),
    );
  });

  it('tells types apart, unless one may be another name', () => {
    const [own, wanted] = ['() (*Commit, error)', '() (*plumbing.Reference, error)'];
    expect(haveSameTypes(own, wanted, () => false)).toBe(false);
    expect(haveSameTypes(own, wanted, (name) => name === 'Commit')).toBe(true);
    expect(haveSameTypes('(a int', wanted, () => false)).toBe(true);
  });
});
