import type { LanguageDescriptor } from '../descriptor.ts';
import { python } from '../python/language.ts';

export const cython: LanguageDescriptor = {
  name: 'cython',
  code: 3,
  family: 'python',
  endings: '.pyx .pxd .pxi',
  tests: python.tests,
};
