import { parseSync } from 'oxc-parser';
import { expect, test } from 'vitest';
import { mend } from './mend.ts';
import type { FindMistake } from './mend.ts';

const find: FindMistake = (text) => {
  const { errors, program } = parseSync('a.ts', text);
  const [where, opened] = errors[0]?.labels ?? [];
  return where && program.body.length === 0 ? { at: where.start, opened: opened?.start } : undefined;
};

const line = (...lines: readonly string[]): string => lines.join('\n');

test.each<[what: string, broken: string, mended: string]>([
  ['a call that is not closed', 'f(1, 2;\ng();', 'f(1, 2)\ng();'],
  ['a condition that is not closed', 'if (a {\n  b();\n}', 'if (a){\n  b();\n}'],
  [
    'a block that is not closed',
    line('function a() {', '  if (b) {', '    c();', '}'),
    line('function a() {', '  if (b) {', '    c()}', '}'),
  ],
  [
    'a block that is not opened',
    line('class A {', '  b() ', '    c();', '  }', '}'),
    line('class A {', '  b(){', '    c();', '  }', '}'),
  ],
  [
    'a member that is not closed',
    line('f({', '  a: {', '    b: 1,', '  c: 2,', '});'),
    line('f({', '  a: {', '    b: 1},  c: 2,', '});'),
  ],
  ['half a member', 'class A { m() { this. } n() { k(); } }', 'class A { m() {       } n() { k(); } }'],
  [
    'half a statement',
    line('function a() {', '  b.', '  const c = d();', '}'),
    line('function a() {', '    ', '  const c = d();', '}'),
  ],
  ['half a head', line('function a(b: string, {', '  c();', '}'), line('function a(){          ', '  c();', '}')],
  ['a string that is not closed', line("const a = 'b;", 'c();'), line('             ', 'c();')],
  ['a template that is not closed', line('f(`a ${b});', 'g(`c`);'), line('           ', 'g(`c`);')],
  ['a bracket too many', 'a();\n)\nb();', 'a();\n \nb();'],
  [
    'two mistakes',
    'function a() { b(; }\nc();\nfunction d() { e(; }',
    'function a() {   ; }\nc();\nfunction d() {   ; }',
  ],
])('%s', (_, broken, mended) => {
  expect(find(broken)).toBeDefined();
  expect(mend(broken, find)).toBe(mended);
  expect(find(mended)).toBeUndefined();
});

test('what has more mistakes than are worth it gives way to blanks', () => {
  const broken = Array.from({ length: 20 }, (_, n) => `  ${n} ${n}`).join('\n');
  expect(mend(`a();\nf(\n${broken}\n)\nb();\n`, find).trim().split(/\s+/)).toEqual(
    expect.arrayContaining(['a();', 'b();']),
  );
});
