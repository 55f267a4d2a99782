import { describe, expect, it } from 'vitest';
import { readArguments } from './arguments.ts';
import type { Arguments } from './arguments.ts';
import { Refusal } from './refusal.ts';
import { ALIASES, CANVAS, EVERYWHERE, GRAPH } from './tools.ts';
import type { ToolTable } from './tools.ts';

const read = (given: unknown, table: ToolTable = GRAPH): Arguments =>
  readArguments(given, { ...table, everywhere: EVERYWHERE, aliases: ALIASES });

describe('what is refused, with the next step', () => {
  it.each<[unknown, RegExp]>([
    [undefined, /argument action is missing; it is one of search, callers/],
    [{}, /action is missing/],
    [{ action: '' }, /action is missing/],
    [{ action: 7 }, /action is missing/],
    ['search', /arguments must be an object/],
    [[], /arguments must be an object/],
    [{ action: 'caller' }, /no action "caller", perhaps callers; there is search,/],
    [{ action: 'toString' }, /no action "toString"; there is/],
    [{ action: 'claim' }, /no action "claim"; there is/],
    [{ action: 'search', words: 'x' }, /search knows no argument words; it takes query, kind, limit, root/],
    [{ action: 'search', constructor: 'x' }, /knows no argument constructor/],
    [{ action: 'status', a: 1, b: 2 }, /no argument a, b/],
    [{ action: 'search', query: {} }, /query wants a text, not \{\}/],
    [{ action: 'search', query: 'x', limit: 0 }, /limit wants a whole number from 1 on, not 0/],
    [{ action: 'search', query: 'x', limit: 1.5 }, /limit wants a whole number/],
    [{ action: 'search', query: 'x', limit: 'ten' }, /limit wants .* not "ten"/],
    [{ action: 'search', query: 'x', limit: '' }, /limit wants/],
    [{ action: 'search', query: 'x', limit: true }, /limit wants/],
    [{ action: 'impact', symbol: 'x', depth: 6 }, /depth wants a whole number from 1 to 5, not 6/],
    [{ action: 'impact', symbol: 'x', wait_s: 61 }, /wait_s wants a number from 0 to 60/],
    [{ action: 'impact', symbol: 'x', wait_s: -1 }, /wait_s/],
    [{ action: 'impact', symbol: 'x', wait_s: 'NaN' }, /wait_s/],
    [{ action: 'impact', symbol: 'x', draw: 'maybe' }, /draw is true or false/],
    [{ action: 'impact', symbol: 'x', pick: 'worst' }, /pick is best, not "worst"/],
    [{ action: 'files', format: 'list' }, /format is tree or flat/],
    [{ action: 'context', symbols: [1] }, /symbols wants texts/],
    [{ action: 'search', query: 'x', max_chars: 99 }, /max_chars wants a whole number from 100 on/],
    [{ action: 'search', query: ['a'.repeat(500)] }, /query wants a text, not .{1,64}…$/],
  ])('%j', (given, message) => {
    expect(() => read(given)).toThrow(Refusal);
    expect(() => read(given)).toThrow(message);
  });

  it.each(['claim', 'decide', 'mark', 'skip', 'retract', 'supersede', 'search'])('canvas %s', (action) => {
    expect(() => read({ action }, CANVAS)).toThrow(/there is impact, read, status, index/);
  });
});

describe('what is taken', () => {
  it.each<[unknown, (read: Arguments) => unknown, unknown]>([
    [{ action: 'init' }, ({ action }) => action, 'index'],
    [{ action: ' Callers ' }, ({ action }) => action, 'callers'],
    [{ action: 'impact', maxNodes: 3 }, (given) => given.number('max_nodes'), 3],
    [{ action: 'impact', max_nodes: '3' }, (given) => given.number('max_nodes'), 3],
    [{ action: 'impact', 'max-nodes': 3 }, (given) => given.number('max_nodes'), 3],
    [{ action: 'impact', waitS: 0.5 }, (given) => given.number('wait_s'), 0.5],
    [{ action: 'impact', draw: 'false' }, (given) => given.boolean('draw'), false],
    [{ action: 'impact', draw: null }, (given) => given.boolean('draw'), undefined],
    [{ action: 'context', symbols: 'a, b' }, (given) => given.texts('symbols'), ['a', 'b']],
    [{ action: 'context', symbols: ['a', ''] }, (given) => given.texts('symbols'), ['a']],
    [{ action: 'search', query: 404 }, (given) => given.text('query'), '404'],
    [{ action: 'callers', symbol: 'x', depth: 2, limit: 3 }, ({ unused }) => unused, ['depth']],
  ])('%j', (given, part, expected) => {
    expect(part(read(given))).toEqual(expected);
  });
});
