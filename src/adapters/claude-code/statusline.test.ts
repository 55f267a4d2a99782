import fc from 'fast-check';
import { expect, it } from 'vitest';
import { readStatus } from './statusline.ts';

it.each([
  ['nothing', undefined, {}],
  ['no object', [1], {}],
  ['fields of other kinds', { session_id: 7, workspace: 'x', context_window: null, cwd: '' }, {}],
  [
    'where it works',
    { cwd: '/a', workspace: { project_dir: '/p', current_dir: '/p/b' } },
    { projectDir: '/p', cwd: '/p/b' },
  ],
  ['an old client', { cwd: '/a', session_id: 's' }, { cwd: '/a', session: 's' }],
  [
    'its window',
    { context_window: { context_window_size: 200_000, used_percentage: 42 } },
    { contextWindow: 200_000, contextPercent: 42 },
  ],
  [
    'its window by what was used',
    {
      context_window: {
        context_window_size: 200_000,
        used_percentage: null,
        current_usage: {
          input_tokens: 1_000,
          cache_creation_input_tokens: 9_000,
          cache_read_input_tokens: 40_000,
          output_tokens: 7,
        },
      },
    },
    { contextWindow: 200_000, contextPercent: 25 },
  ],
  ['a window without size', { context_window: { current_usage: { input_tokens: 5 } } }, {}],
  ['an empty window', { context_window: { context_window_size: 0, used_percentage: 0 } }, { contextPercent: 0 }],
])('%s', (_, payload, expected) => {
  expect(readStatus(payload)).toEqual(expected);
});

it('reads anything', () => {
  fc.assert(
    fc.property(fc.anything(), (payload) => {
      expect(readStatus(payload)).toBeTypeOf('object');
    }),
  );
});
