import { describe, expect, it } from 'vitest';
import { markRemoved, partsIn, writePage } from './doc-blocks.ts';

const page = { part: 'feature', fields: { id: 'FS-001', status: 'active' }, lines: ['# New', 'text'] };
const BEGIN = '<!-- fairlead:begin feature -->';
const END = '<!-- fairlead:end feature -->';
const BLOCK = `${BEGIN}\n# New\ntext\n${END}`;
const OLD = `${BEGIN}\nold\n${END}`;

describe('marks', () => {
  it.each([
    ['in prose above the block', `The block starts with \`${BEGIN}\`.\nMine.\n`, '\nMine too.\n'],
    ['both in prose above', `From ${BEGIN} to ${END} it is generated.\nMine.\n`, ''],
    ['the end in prose below', 'Mine.\n', `\nEverything up to ${END} is generated.\n`],
    [
      'the marks of the front matter in prose',
      '# fairlead:begin front-matter\nMine.\n# fairlead:end front-matter\n',
      '',
    ],
    ['a byte order mark', '\ufeff', ''],
    ['an indented block', '- Mine\n  ', '\n- Mine\n'],
  ])('count only when they are alone on a line: %s', (_, above, below) => {
    expect(writePage(above + OLD + below, page)).toEqual({ text: above + BLOCK + below });
  });

  it('that are only mentioned are no block', () => {
    const mine = `Fairlead writes between ${BEGIN} and ${END} here.\nMine.\n`;
    expect(writePage(mine, page).text).toBe(`${mine}\n${BLOCK}\n`);
    expect(partsIn(mine)).toEqual([]);
  });

  it.each([
    ['two begins', `${BEGIN}\nMine.\n${OLD}\n`],
    ['two ends', `${OLD}\nMine.\n${END}\n`],
    ['two blocks', `${OLD}\nMine.\n${OLD}\n`],
    ['no end', `${BEGIN}\nMine.\n`],
    ['no begin', `Mine.\n${END}\n`],
    ['the wrong order', `${END}\nMine.\n${BEGIN}\n`],
    ['another begin inside', `${BEGIN}\n<!-- fairlead:begin other -->\nMine.\n${END}\n<!-- fairlead:end other -->\n`],
    ['an example in code', `\`\`\`html\n${OLD}\n\`\`\`\nMine.\n`],
    [
      'two fronts',
      `---\n# fairlead:begin front-matter\nid: a\n# fairlead:begin front-matter\n# fairlead:end front-matter\nmine: b\n---\n${OLD}\n`,
    ],
    ['half a front', `---\n# fairlead:begin front-matter\nid: a\nmine: b\n---\n${OLD}\n`],
  ])('that are no single pair leave the page alone: %s', (_, before) => {
    for (const text of [before, before.replaceAll('\n', '\r\n')]) {
      const written = writePage(text, page);
      expect(written.text).toBe(text);
      expect(written.problem).toMatch(/marks/);
      expect(markRemoved(text, 'feature', 'Gone.')).toEqual(written);
    }
  });
});

it('the front matter is ours between its marks, where they are alone on a line', () => {
  const before = `---\nnote: see # fairlead:begin front-matter\n# fairlead:begin front-matter\nid: old\n# fairlead:end front-matter\nmine: a\n---\n\n${OLD}\n`;
  expect(writePage(before, page).text).toBe(
    `---\nnote: see # fairlead:begin front-matter\n# fairlead:begin front-matter\nid: FS-001\nstatus: active\n# fairlead:end front-matter\nmine: a\n---\n\n${BLOCK}\n`,
  );
});

it('what is removed is said in the block and in the front matter', () => {
  const before = writePage(undefined, page).text;
  const { text } = markRemoved(before, 'feature', 'Gone.');
  expect(text).toBe(before.replace('active', 'removed').replace('# New', 'Gone.\n\n# New'));
  expect(markRemoved(text, 'feature', 'Gone.')).toEqual({ text });
});
