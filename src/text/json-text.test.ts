import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { setMembers } from './json-text.ts';

describe('members of a JSON text', () => {
  it.each([
    ['a known one', '{"a":1,"b":2}', { a: 'x' }, '{"a":"x","b":2}'],
    ['a new one on one line', '{"a": 1}', { b: [1] }, '{"a": 1,"b":[1]}'],
    ['a new one by itself', '{}', { b: 1 }, '{\n  "b": 1\n}'],
    [
      'with the indent that is there',
      '{\n    "a": 1\n}\n',
      { b: { c: 1 } },
      '{\n    "a": 1,\n    "b": {\n        "c": 1\n    }\n}\n',
    ],
    ['not one of the same name further in', '{"x":{"a":1},"a":2}', { a: 3 }, '{"x":{"a":1},"a":3}'],
    ['not one in a text', '{"x":"\\"a\\":1}","a":2}', { a: 3 }, '{"x":"\\"a\\":1}","a":3}'],
    ['the last of two', '{"a":1,"a":2}', { a: 3 }, '{"a":1,"a":3}'],
    ['behind a byte order mark', '\ufeff{"a":1}', { a: 2 }, '\ufeff{"a":2}'],
    ['before what follows', '{ "a" : [ 1 ] , "b" : -1.50e3 }', { b: true }, '{ "a" : [ 1 ] , "b" : true }'],
  ])('%s', (_, text, changes, expected) => {
    expect(setMembers(text, changes)).toBe(expected);
  });

  it.each(['', '[1]', '"a"', '{', '{"a":1}x'])('there are none in %s', (text) => {
    expect(setMembers(text, { a: 1 })).toBeUndefined();
  });

  it('are set as an object would set them, and the others keep their text', () => {
    const key = fc.constantFrom('a', 'b', 'c"', '\\', 'é');
    fc.assert(
      fc.property(
        fc.dictionary(fc.oneof(key, fc.string()), fc.jsonValue()),
        key,
        fc.jsonValue(),
        fc.constantFrom(undefined, 2, '\t'),
        (object, name, value, indent) => {
          const text = JSON.stringify(object, null, indent);
          const after = setMembers(text, { [name]: value }) ?? '';
          expect(JSON.parse(after)).toEqual(JSON.parse(JSON.stringify({ ...object, [name]: value })));
          expect(setMembers(after, { [name]: value })).toBe(after);
        },
      ),
    );
  });
});
