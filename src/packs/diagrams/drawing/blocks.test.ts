import fc from 'fast-check';
import { expect, it } from 'vitest';
import { readBlocks } from './drawing.ts';
import { readOutline } from './outline.ts';

const lines = fc.array(fc.constantFrom('', 'text', '┌──┐', '│  │ text', '> └──┘', '```', '─', '<pre>', '</pre>'), {
  maxLength: 30,
});

it('finds the same blocks by a search of the whole text as line by line', () => {
  fc.assert(
    fc.property(lines, fc.constantFrom('', '\ufeff'), fc.constantFrom('', '\n'), (all, head, tail) => {
      const whole = readBlocks(readOutline(head + all.join('\n') + tail), false);
      const byLine = readBlocks(readOutline(head + all.join('\r\n') + tail.replace('\n', '\r\n')), false);
      expect(whole).toEqual(byLine);
    }),
  );
});
