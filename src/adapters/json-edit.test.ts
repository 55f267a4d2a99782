import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cases } from '../../test/cases.ts';
import { applyEdits, invertEdits, JsonProblem, parseJson, removeItems, toValue } from './json-edit.ts';
import type { JsonContainer } from './json-edit.ts';

function problemOf(text: string): JsonProblem | undefined {
  try {
    parseJson(text);
    return undefined;
  } catch (error) {
    if (error instanceof JsonProblem) return error;
    throw error;
  }
}

describe('parseJson', () => {
  it('reads what JSON.parse reads', () => {
    fc.assert(
      fc.property(fc.json(), fc.constantFrom(0, 2, '\t'), (text, indent) => {
        const laidOut = JSON.stringify(JSON.parse(text), null, indent);
        expect(toValue(parseJson(laidOut))).toEqual(JSON.parse(laidOut));
      }),
    );
  });

  it('rejects what JSON.parse rejects', () => {
    const almost = fc
      .tuple(fc.json(), fc.nat(), fc.constantFrom('', ',', '}', '"', ':', '/', '0', 'e', '\\', '\n'))
      .map(([text, at, extra]) => {
        const cut = at % (text.length + 1);
        return text.slice(0, cut) + extra + text.slice(cut + 1);
      });
    fc.assert(
      fc.property(almost, (text) => {
        let valid = true;
        try {
          JSON.parse(text);
        } catch {
          valid = false;
        }
        expect(problemOf(text) === undefined).toBe(valid);
      }),
      cases(1000),
    );
  });

  it.each([
    ['{"a": 1,\n  // why\n  "b": 2}', 2, 3, 'comment'],
    ['{"a": 1,}', 1, 9, 'comma with nothing after it'],
    ['{\r\n  "a" 1}', 2, 7, 'colon'],
    ['{"a": [1', 1, 9, 'ends too early'],
    ['{"a": tru}', 1, 7, 'tru'],
    ["{'a': 1}", 1, 2, 'double quotes'],
    ['{} {}', 1, 4, 'after the end'],
    ['', 1, 1, 'ends too early'],
    ['{"a": "b\n"}', 1, 7, 'not closed'],
  ])('says where and what is wrong: %j', (text, line, column, message) => {
    expect(problemOf(text)).toMatchObject({ line, column, message: expect.stringContaining(message) });
  });
});

describe('removeItems', () => {
  it.each([
    ['[1, 2, 3]', [0], '[2, 3]'],
    ['[1, 2, 3]', [1], '[1, 3]'],
    ['[1, 2, 3]', [2], '[1, 2]'],
    ['[1, 2, 3]', [0, 1], '[3]'],
    ['[1, 2, 3]', [1, 2], '[1]'],
    ['[1, 2, 3]', [0, 2], '[2]'],
    ['[1, 2, 3]', [0, 1, 2], '[]'],
    ['[\n  1,\n  2 ,\n  3\n]\n', [2], '[\n  1,\n  2 \n]\n'],
    ['[\n  1,\n\n  2,\n  3\n]', [0], '[\n\n  2,\n  3\n]'],
    ['{"a":1,"b":2}', [0], '{"b":2}'],
  ])('%j without %j', (text, gone, expected) => {
    const root = parseJson(text) as JsonContainer;
    const edits = removeItems(text, root, new Set(root.items.filter((_, at) => gone.includes(at))));
    const result = applyEdits(text, edits);
    expect(result).toBe(expected);
    expect(applyEdits(result, invertEdits(edits))).toBe(text);
  });
});
