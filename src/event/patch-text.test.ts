import fc from 'fast-check';
import { expect, it } from 'vitest';
import { readPatchText } from './patch-text.ts';

const patch = (...lines: readonly string[]): string => ['*** Begin Patch', ...lines, '*** End Patch', ''].join('\n');

it.each([
  [
    'files in order',
    patch('*** Add File: a', '+x', '*** Delete File: b', '*** Update File: c', '@@ f()', '-1', '+2'),
    [
      { path: 'a', does: 'add', hunks: [{ old: '', new: 'x\n' }] },
      { path: 'b', does: 'delete', hunks: [] },
      { path: 'c', does: 'update', hunks: [{ old: '1', new: '2' }] },
    ],
  ],
  [
    'several hunks, and the end of the file',
    patch('*** Update File: a', '@@', ' k', '-1', '@@', '+2', '*** End of File'),
    [
      {
        path: 'a',
        does: 'update',
        hunks: [
          { old: 'k\n1', new: 'k' },
          { old: '', new: '2' },
        ],
      },
    ],
  ],
  [
    'a move without a change',
    patch('*** Update File: a b', '*** Move to: c/d'),
    [{ path: 'a b', does: 'update', movedTo: 'c/d', hunks: [] }],
  ],
  [
    'what those who apply it forgive',
    `<<'EOF'\n  *** Begin Patch  \r\n*** Add File: a  \r\n+x\r\n*** End Patch\r\nEOF`,
    [{ path: 'a', does: 'add', hunks: [{ old: '', new: 'x\n' }] }],
  ],
  ['text that is none', 'Add File: a\n+x', []],
])('%s', (_, text, files) => {
  expect(readPatchText(text)).toEqual(files);
});

it('reads whatever it is given', () => {
  const line = fc.oneof(fc.string(), fc.constantFrom('*** Add File: x', '*** Update File: y', '@@', '*** Move to: z'));
  fc.assert(
    fc.property(fc.array(line), (lines) => {
      for (const { path } of readPatchText(lines.join('\n'))) expect(path).not.toBe('');
    }),
  );
});
