import { describe, expect, it } from 'vitest';
import { callsOf, worldOf } from '../../resolve/world.fixture.ts';

const SOURCES = {
  'pkg/__init__.py': '',
  'pkg/shape.pxd':
    'cdef class Shape:\n    cdef double area(self)\ncdef extern from "math.h":\n    double root(double x)\n',
  'pkg/shape.pyx':
    'include "common.pxi"\ncdef class Shape:\n    cdef double area(self):\n        return root(clamp(2))\ndef make():\n    return Shape()\n',
  'pkg/common.pxi': 'cdef double clamp(double x):\n    return limit(x)\ncdef double limit(double x):\n    return x\n',
  'pkg/main.pyx':
    'from pkg.shape cimport Shape, root\ncimport pkg.shape as shape\ndef run():\n    cdef Shape one = Shape()\n    one.area()\n    root(1)\n    shape.make()\n',
};

describe('Cython', () => {
  it.each([
    [
      'names of what is included, and of the declarations beside',
      'pkg/shape.pyx',
      [
        'Shape.area -> pkg/shape.pxd#root import',
        'Shape.area -> pkg/common.pxi#clamp import',
        'make -> pkg/shape.pyx#Shape scope',
      ],
    ],
    ['names of the same file', 'pkg/common.pxi', ['clamp -> pkg/common.pxi#limit scope']],
    [
      'what is imported from both, the definition before the declaration',
      'pkg/main.pyx',
      [
        'run -> pkg/shape.pyx#Shape import',
        'run -> pkg/shape.pyx#Shape.area receiver',
        'run -> pkg/shape.pxd#root import',
        'run -> pkg/shape.pyx#make import',
      ],
    ],
  ])('%s', async (_, path, expected) => {
    const world = await worldOf(SOURCES);
    expect(callsOf(world, path)).toEqual(expected);
  });
});
