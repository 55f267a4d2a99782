import { expect, it } from 'vitest';
import { createSessionVariables } from './session-variables.ts';

it('tells what the agent of a session has, and its own only where nothing is known', () => {
  const { keep, variable } = createSessionVariables({ PATH: '/usr/bin', GRAPHIFY_OUT: 'ours' });
  keep('a', { PATH: '/home/dev/bin', CODEGRAPH_DIR: '.cg' });
  expect(variable('PATH', 'a')).toBe('/home/dev/bin');
  expect(variable('CODEGRAPH_DIR', 'a')).toBe('.cg');
  expect(variable('GRAPHIFY_OUT', 'a')).toBeUndefined();
  expect(variable('PATH', 'b')).toBe('/usr/bin');
  keep('a', { PATH: '/bin' });
  expect(variable('CODEGRAPH_DIR', 'a')).toBeUndefined();
});

it('keeps no more sessions than it has room for', () => {
  const { keep, variable } = createSessionVariables({});
  for (let at = 0; at < 3_000; at += 1) keep(`s${at}`, { PATH: `/${at}` });
  expect(variable('PATH', 's0')).toBeUndefined();
  expect(variable('PATH', 's2999')).toBe('/2999');
});
