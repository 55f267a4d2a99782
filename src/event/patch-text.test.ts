import fc from 'fast-check';
import { expect, it } from 'vitest';
import { hasUnknownHeader, readPatchText } from './patch-text.ts';

const patch = (...lines: readonly string[]): string => ['*** Begin Patch', ...lines, '*** End Patch', ''].join('\n');

it('a name may hold any sign but the end of a line', () => {
  const odd = ['d\u2028/../a', 'd\u2029x', 'd\rz/../a', 'd\u0085x'];
  for (const name of odd)
    expect(readPatchText(patch(`*** Delete File: ${name}`)).map(({ path }) => path)).toEqual([name]);
});

it('says when a header is none that it knows', () => {
  const all = ['*** Environment ID: e', '*** Update File: a', '*** Move to: b', '@@', '+1', '*** End of File'];
  expect(hasUnknownHeader(patch(...all))).toBe(false);
  expect(hasUnknownHeader(patch('*** Add File: a', '+*** Rename File: x'))).toBe(false);
  for (const header of ['*** Rename File: a', '*** Delete File', ' *** Copy File: a'])
    expect(hasUnknownHeader(patch(header)), header).toBe(true);
});

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
