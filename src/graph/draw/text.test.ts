import fc from 'fast-check';
import { expect, test } from 'vitest';
import { clean } from './svg.ts';
import { drawText, fitText, isInFont, widthOf, wrapText } from './text.ts';
import { readPicture } from './picture.fixture.ts';

const font = { size: 13 };

test('widths are those of the font', () => {
  expect(widthOf('a', { size: 2048 })).toBe(1255);
  expect(widthOf('W', { size: 2048, bold: true })).toBe(2259);
  expect(widthOf('iiii', font)).toBeLessThan(widthOf('mmmm', font));
});

test.each([
  ['中文名字', 4 * 13],
  ['e\u0301', widthOf('e', font)],
  ['👍', 1.3 * 13],
])('%s has room in whatever font', (text, width) => {
  expect(widthOf(text, font)).toBeCloseTo(width);
});

test.each([
  ['handleRequest', true],
  ['größe → Übergröße', true],
  ['שלום', true],
  ['中文', false],
])('%s is in the font: %s', (text, is) => {
  expect(isInFont(text)).toBe(is);
});

test('a name is shortened in the middle, between words', () => {
  expect(fitText('short', 200, font)).toBe('short');
  expect(fitText('createIndexedWorkspaceReaderFromSnapshot', 150, font)).toBe('create…FromSnapshot');
  expect(fitText('packages/extension-drag-handle', 170, font)).toBe('…extension-drag-handle');
  expect(fitText('packages/extension-drag-handle', 140, font)).toBe('…drag-handle');
  expect(fitText('internal/bufferpool/bufferpool.go', 170, font)).toBe('internal/…bufferpool.go');
  expect(fitText('x'.repeat(60), 100, font)).toMatch(/^x+…x+$/);
  expect(fitText('é'.normalize('NFD').repeat(50), 60, font).normalize('NFC')).toMatch(/^é+…é+$/);
  expect(fitText('anything', 0, font)).toBe('…');
});

test('words are whole wherever the last one fits', () => {
  const word = fc.stringMatching(/^[a-z]{1,9}$/);
  fc.assert(
    fc.property(fc.array(word, { minLength: 2, maxLength: 9 }), fc.integer({ min: 90, max: 300 }), (words, width) => {
      fc.pre(widthOf(`…${words.at(-1)}`, font) <= width);
      const shown = fitText(words.join('/'), width, font);
      const [head = '', tail = ''] = shown.split('…');
      if (!shown.includes('…')) return;
      expect(words.join('/').startsWith(head) && words.join('/').endsWith(tail)).toBe(true);
      expect(head === '' || head.endsWith('/')).toBe(true);
      expect(words).toContain(tail.split('/')[0]);
    }),
  );
});

test('whatever the text, it fits, is well formed, and has no control characters', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 400 }), fc.integer({ min: 20, max: 400 }), (text, width) => {
      const shown = fitText(text, width, font);
      expect(widthOf(shown, font)).toBeLessThanOrEqual(width + 1e-9);
      expect(shown).toBe(clean(shown));
      const svg = drawText(5, 20, text, { width });
      if (svg !== '') expect(readPicture(`<svg>${svg}</svg>`).texts).toEqual([shown]);
      for (const line of wrapText(text, width, font, 3)) expect(widthOf(line, font)).toBeLessThanOrEqual(width + 1e-9);
    }),
  );
});

test('lines break after blanks and brackets, and the last is shortened', () => {
  const signature = 'function takeLease(files: HolderFiles, place: GraphPaths, self: Holder): Lease | undefined';
  const lines = wrapText(signature, 260, font, 2);
  expect(lines).toHaveLength(2);
  expect(lines[0]).toMatch(/,$|\($/);
  expect(wrapText(signature, 2_000, font, 2)).toEqual([signature]);
  expect(wrapText('x'.repeat(100), 100, font, 2)).toEqual([fitText('x'.repeat(100), 100, font)]);
});

test('names cannot turn the direction or end the element', () => {
  const svg = drawText(0, 20, 'a\u202Eb</text><script>&"\u0000');
  expect(svg).toContain('>ab&lt;/text&gt;&lt;script&gt;&amp;&quot;</text>');
});
