import { beforeAll, describe, expect, test } from 'vitest';
import { keysOf } from '../../model/facts.ts';
import { toPython } from './text.ts';
import { createExtractor } from './extractor.ts';
import type { Extracted, Extractor } from '../language.ts';

let cython: Extractor;
beforeAll(async () => {
  cython = await createExtractor();
});

const read = (text: string): Extracted => cython.extract({ path: 'a.pyx', language: 'cython', text, lines: [0] });
function place(text: string, at: number): string {
  const before = text.slice(0, at).split('\n');
  return `${before.length}:${(before.at(-1)?.length ?? 0) + 1}`;
}

const SOURCE = [
  '# cython: language_level=3',
  'cimport numpy as np',
  'from libc.math cimport sqrt, fabs as absolute',
  'include "common.pxi"',
  '',
  'DEF LIMIT = 10',
  'ctypedef unsigned int uint',
  '',
  'cdef extern from "point.h" nogil:',
  '    ctypedef struct point_t:',
  '        double x, y',
  '    double distance(const point_t *a, point_t *b)',
  '',
  'cdef enum Color:',
  '    RED = 1, GREEN',
  '',
  'cdef class Shape(Base):',
  '    """A shape."""',
  '    cdef public double[:, ::1] area',
  '    cdef Shape parent',
  '',
  '    def __cinit__(self, int n, Shape parent not None, str name=None, *args):',
  '        self.parent = <Shape>parent.copy(n)',
  '',
  '    cdef inline double size(self, double scale=1.0) except? -1:',
  '        cdef double result = sqrt(self.area[0, 0]), other',
  '        cdef Shape found',
  '        def nested(x): return absolute(x).real.check()',
  '        return nested(&other)',
  '',
  '    cpdef tuple both(self)',
  '',
  'def main(np.ndarray[double, ndim=2] data, Shape shape):',
  '    with nogil:',
  '        shape.size(<double>data.mean())',
  '',
].join('\n');

test('definitions, imports and call sites with line and column', () => {
  const found = read(SOURCE);
  const keys = keysOf(found);
  expect(found.damaged).toBe(false);
  expect(
    found.definitions.map(({ kind, at, traits }, n) =>
      `${kind} ${keys[n]} ${place(SOURCE, at)} ${traits.join(' ')}`.trim(),
    ),
  ).toEqual([
    'constant LIMIT 6:5',
    'type uint 7:23',
    'class point_t 10:21',
    'field point_t.x 11:16',
    'field point_t.y 11:19',
    'function distance 12:12 declared',
    'class Color 14:11',
    'constant Color.RED 15:5',
    'constant Color.GREEN 15:14',
    'class Shape 17:12',
    'field Shape.area 19:32',
    'field Shape.parent 20:16',
    'method Shape.__cinit__ 22:9',
    'method Shape.size 25:24',
    'function Shape.size.nested 28:13 local',
    'method Shape.both 31:17 declared',
    'function main 33:5',
  ]);
  expect(
    found.imports.map(
      ({ local, module, name, kind, at }) => `${local} = ${module} ${name} ${kind} ${place(SOURCE, at)}`,
    ),
  ).toEqual([
    'np = numpy * value 2:9',
    'sqrt = libc.math sqrt value 3:24',
    'absolute = libc.math fabs value 3:30',
    '* = common.pxi * star 4:10',
  ]);
  const calls = found.references.filter(({ kind }) => kind === 'call');
  expect(calls.map(({ name, at, within }) => `${keys[within] ?? ''}: ${name} ${place(SOURCE, at)}`)).toEqual([
    'Shape.__cinit__: copy 23:37',
    'Shape.size: sqrt 26:30',
    'Shape.size.nested: absolute 28:31',
    'Shape.size.nested: check 28:48',
    'Shape.size: nested 29:16',
    'main: size 35:15',
    'main: mean 35:33',
  ]);
  const byKey = (key: string) => found.definitions[keys.indexOf(key)];
  expect(byKey('Shape')).toMatchObject({
    signature: 'cdef class Shape(Base)',
    doc: 'A shape.',
    bases: [{ type: { name: 'Base' } }],
  });
  expect(byKey('Shape.size')?.signature).toBe('cdef inline double size(self, double scale=1.0) except? -1');
  expect(byKey('Shape.parent')?.type).toMatchObject({ is: 'name', name: 'Shape' });
  expect(byKey('Shape.__cinit__')?.parameters).toMatchObject([
    { name: 'n' },
    { name: 'parent', type: { name: 'Shape' } },
    { name: 'name', type: { name: 'str' }, optional: true },
    { name: 'args', rest: true },
  ]);
  const bound = (name: string) => found.bindings.filter((binding) => binding.name === name);
  expect(bound('shape')).toMatchObject([{ type: { name: 'Shape' }, within: keys.indexOf('main') }]);
  expect(bound('found')).toMatchObject([{ type: { name: 'Shape' }, within: keys.indexOf('Shape.size') }]);
  expect(bound('result')).toMatchObject([{ value: { is: 'call' } }]);
  expect(bound('other')).toHaveLength(1);
});

describe('as Python, everything in its place', () => {
  test.each([
    ['cdef int x = f(1)', 'pass;    x = f(1)'],
    ['cdef char *p, q', 'pass           '],
    ['cdef int f(int x, y) nogil: return x', 'def      f(    x, y)      : return x'],
    ['cdef int (*hook)(int)', 'pass                 '],
    ['x = <Foo?>y + (<int*>z)[0]', 'x =       y + (      z)[0]'],
    ['a < b > c', 'a < b > c'],
    ['f(&x, a & b)', 'f( x, a & b)'],
    ['v = new Vector[int](3)', 'v =     Vector[int](3)'],
    ["if a == c'x': pass", "if a ==  'x': pass"],
    ['n = malloc(4 * sizeof(unsigned int *))', 'n = malloc(4 * sizeof(         int  ))'],
    ['for i from 0 <= i < n: g(i)', 'for i in   0 <= i < n: g(i)'],
    ['IF UNAME == "x":\n    pass\nELSE:\n    pass', 'if UNAME == "x":\n    pass\nelse:\n    pass'],
    ['s = "cdef int <x>y"  # cdef class A:', 's = "cdef int <x>y"  # cdef class A:'],
    ['def f(x: int, np.ndarray[a, ndim=2] b, ...): pass', 'def f(x: int,                       b, *_ ): pass'],
    ['@final\ncdef f()', 'pass  \npass    '],
    ['cdef readonly:\n    int a', 'if 1         :\n    pass '],
  ])('%s', (source, expected) => {
    expect(toPython(source).text).toBe(expected);
  });
});

test('every beginning of a file keeps its length and never throws', () => {
  for (let end = 0; end <= SOURCE.length; end += 3) {
    const text = SOURCE.slice(0, end);
    const python = toPython(text).text;
    expect(python.length, text).toBe(text.length);
    expect(python.replace(/[^\n]/g, ' ')).toBe(text.replace(/[^\n]/g, ' '));
    expect(() => read(text), text).not.toThrow();
  }
});
