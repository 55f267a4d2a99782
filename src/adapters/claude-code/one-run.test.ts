import { expect, it } from 'vitest';
import { ONE_RUN } from './install.ts';

it.each<[string, string | undefined, string]>([
  ['claude -p hello', undefined, 'claude --settings FILE -p hello'],
  ['claude', undefined, 'claude --settings FILE'],
  ['claude -p --settings mine.json hello', 'mine.json', 'claude -p --settings FILE hello'],
  ['claude --settings={"a":1} -p', '{"a":1}', 'claude --settings FILE -p'],
  ['claude --settings a --settings b', 'b', 'claude --settings a --settings FILE'],
  ['claude -p -- --settings', undefined, 'claude --settings FILE -p -- --settings'],
])('%s', (line, given, started) => {
  const words = line.split(' ');
  expect(ONE_RUN.given(words)).toBe(given);
  expect(ONE_RUN.start(words, 'FILE').join(' ')).toBe(started);
});

it('keeps hooks on where a file switches them off', () => {
  expect(ONE_RUN.settings({ env: { A: 'b' }, model: 'm', disableAllHooks: true })).toEqual({
    model: 'm',
    disableAllHooks: false,
    env: { A: 'b', FAIRLEAD_DISABLED: '0' },
  });
});

it.each<[string, Readonly<Record<string, string>>, readonly string[]]>([
  ['claude --bare -p x', {}, ['--bare']],
  ['claude -p x --safe-mode', {}, ['--safe-mode']],
  ['claude -p -- --bare', {}, []],
  ['claude -p x', { CLAUDE_CODE_SIMPLE: '1' }, ['CLAUDE_CODE_SIMPLE']],
  ['claude -p x', { CLAUDE_CODE_SIMPLE: '' }, []],
])('%s with %o runs no hooks for %j', (line, env, found) => {
  expect(ONE_RUN.without(line.split(' '), env)).toEqual(found);
});
