import { expect, it } from 'vitest';
import { listensUnder } from './listens.ts';
import { compileGlob, matchGlob } from '../../text/glob.ts';
import type { Listen, RuleMeta } from '../rule.ts';

function under(listen: Listen, options: Readonly<Record<string, unknown>>): Listen | undefined {
  const meta: RuleMeta = {
    id: 'a/b',
    pack: 'a',
    summary: '',
    on: [listen],
    messages: {},
    options: { kinds: ['.md'] },
  };
  return listensUnder(meta, options)[0];
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
  const globs = (under(LISTEN, { kinds })?.paths ?? []).map(compileGlob);
  expect(globs.some((glob) => matchGlob(glob, segments, segments))).toBe(expected);
});

it('adds to paths, and leaves other entries as they are', () => {
  expect(under({ ...LISTEN, paths: ['*.ipynb'] }, {})?.paths).toEqual(['*.ipynb', '*.[mM][dD]']);
  expect(under({ event: 'tool.before' }, {})).toEqual({ event: 'tool.before' });
});

it.each<[string, Readonly<Record<string, unknown>>, readonly string[]]>([
  ['in the rows of a list', { tools: { extra: [{ program: 'atlas' }, { program: 'globe' }] } }, ['atlas', 'globe']],
  ['in one row', { tools: { extra: { program: 'atlas' } } }, ['atlas']],
  ['as a list', { tools: { extra: [{ program: ['atlas', 'globe'] }] } }, ['atlas', 'globe']],
  [
    'with nonsense in it',
    { tools: { extra: [7, null, { program: 3 }, { program: ' ' }, { program: 'atlas' }] } },
    ['atlas'],
  ],
  ['of a wrong kind', { tools: 'atlas' }, []],
  ['not given', {}, []],
])('words of an option, %s', (_, options, expected) => {
  const listen: Listen = { event: 'tool.before', words: ['graph'], optionWords: 'tools.extra.program' };
  expect(under(listen, options)?.words).toEqual(['graph', ...expected]);
});
