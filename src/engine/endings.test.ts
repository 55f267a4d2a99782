import { expect, it } from 'vitest';
import { withEndings } from './endings.ts';
import { compileGlob, matchGlob } from './glob.ts';
import type { Listen, RuleMeta } from './rule.ts';

function heard(listen: Listen, options: Readonly<Record<string, unknown>>): readonly string[] | undefined {
  const meta: RuleMeta = {
    id: 'a/b',
    pack: 'a',
    summary: '',
    on: [listen],
    messages: {},
    options: { kinds: ['.md'] },
  };
  return withEndings(meta, options)[0]?.paths;
}

const LISTEN: Listen = { event: 'tool.before', endings: 'kinds' };

it.each<[string, unknown, string, boolean]>([
  ['with a dot', ['.rst'], 'docs/a.rst', true],
  ['without', ['rst'], 'docs/a.rst', true],
  ['in another case', ['.Rst'], 'docs/a.rST', true],
  ['of two parts', ['.md.tpl'], 'a.md.tpl', true],
  ['another', ['.rst'], 'a.md', false],
  ['none', [], 'a.md', false],
  ['of a wrong kind: the default', 'rst', 'a.md', true],
  ['with nonsense in it', [3, '.rst'], 'a.rst', true],
])('an ending %s', (_, kinds, path, expected) => {
  const segments = path.split('/');
  const globs = (heard(LISTEN, { kinds }) ?? []).map(compileGlob);
  expect(globs.some((glob) => matchGlob(glob, segments, segments))).toBe(expected);
});

it('adds to paths, and leaves other entries as they are', () => {
  expect(heard({ ...LISTEN, paths: ['*.ipynb'] }, {})).toEqual(['*.ipynb', '*.[mM][dD]']);
  expect(heard({ event: 'tool.before' }, {})).toBeUndefined();
});
