import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cpuTimeOf } from '../../test/cpu-time.ts';
import { readMarkdown } from './markdown.ts';

const proseLines = (text: string) => readMarkdown(text).lines;
const textsIn = (text: string) => proseLines(text).map((line) => line.text);

describe('prose', () => {
  it('starts behind a byte order mark, and places count it', () => {
    const text = '\ufeff## T-001: a\n- [ ] b\n';
    const [heading, item] = proseLines(text);
    expect(heading).toEqual({ text: '## T-001: a', at: 1, heading: { level: 2, text: 'T-001: a' } });
    expect(text.slice(item?.at)).toBe('- [ ] b\n');
  });

  it.each([
    ['one line', 'a\n<!-- - [ ] b -->\nc', ['a', 'c']],
    ['several lines', 'a\n<!--\n## b\n\n- [ ] b\n-->\nc', ['a', 'c']],
    ['several lines, CRLF', 'a\r\n<!--\r\n- [ ] b\r\n\r\n-->\r\nc', ['a', 'c']],
    ['what follows its end in the line', '<!-- a\n--> - [ ] b\nc', ['c']],
    ['inside a line', '- [ ] a <!-- x --> b', ['- [ ] a            b']],
    ['two inside a line', 'a<!--x-->b<!--y-->', ['a        b        ']],
    ['from one line into another', 'a <!-- b\n- [ ] c --> d', ['a       ', '            d']],
    ['one that ends at once', 'a <!--> b', ['a       b']],
    ['in a list', '- a\n    <!-- b -->\n- c', ['- a', '- c']],
    ['a fence in it', '<!--\n```\n-->\na', ['a']],
    ['code', 'a `<!--` b `-->`\n```\n<!--\n```\nc', ['a `<!--` b `-->`', 'c']],
    ['code with more backticks', '``a ` <!-- `` b', ['``a ` <!-- `` b']],
    ['a backtick alone', 'a ` <!-- b --> c', ['a `            c']],
    ['no end before a blank line', 'a <!-- b\n\nc -->', ['a <!-- b', '', 'c -->']],
    ['no end in deep text', '- a\n\n      <!-- b\n- c', ['- a', '', '      <!-- b', '- c']],
  ])('has no comments: %s', (_, text, expected) => {
    expect(textsIn(text)).toEqual(expected);
  });

  it('tells headings', () => {
    const text = '\ufeff# A\n```sh\n# no\n```\n<!--\n## no\n-->\n## B ##\r\n#no\n    # no\n###### C\n';
    expect(proseLines(text).flatMap(({ heading }) => heading ?? [])).toEqual([
      { level: 1, text: 'A' },
      { level: 2, text: 'B' },
      { level: 6, text: 'C' },
    ]);
  });

  it('keeps comments apart, fences in them included', () => {
    const text = 'a\n<!-- MARK -->\n<!--\n```\n-->\n```\n<!-- code -->\n```\nb';
    const { lines, outsideCode } = readMarkdown(text);
    expect(lines.map((line) => line.text)).toEqual(['a', 'b']);
    expect(outsideCode.map((line) => line.text)).toEqual(['a', '<!-- MARK -->', '<!--', '```', '-->', 'b']);
    expect(outsideCode[1]).toEqual({ text: '<!-- MARK -->', at: 2, next: 16 });
  });

  it.each([
    ['a\n```\nb', { what: 'code fence', at: 2 }],
    ['a\n<!-- b\n\nc', { what: 'comment', at: 2 }],
    ['a\n```\n<!--\n```\nb', undefined],
    ['a\n<!--\n```\n-->\nb', undefined],
  ])('tells what is never closed: %j', (text, unclosed) => {
    expect(readMarkdown(text).unclosed).toEqual(unclosed);
  });

  const piece = fc.constantFrom(
    '<!--',
    '-->',
    '`',
    '``',
    '\n',
    '\r\n',
    '\n\n',
    ' ',
    '- [ ] AC-1: a',
    '## T-1',
    '```\n',
    '\ufeff',
  );
  it('keeps every place, whatever is hidden', () => {
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
        const text = pieces.join('');
        for (const line of proseLines(text)) {
          const whole = text.slice(line.at, line.at + line.text.length);
          for (let place = 0; place < whole.length; place += 1)
            if (line.text[place] !== whole[place]) expect(line.text[place]).toBe(' ');
          expect(text.slice(line.at - 1, line.at)).toMatch(/^[\n\ufeff]?$/);
        }
      }),
    );
  });

  it('takes no longer for many comments than for many words', () => {
    for (const odd of ['a <!-- ', '<!--> ', '` ', '<!-- \n', 'a <!-- \n', ' '.repeat(50)]) {
      const text = odd.repeat(Math.floor(400_000 / odd.length));
      const both = () => [proseLines(text), proseLines(`${text}\n\n-->`)];
      expect(cpuTimeOf(both), JSON.stringify(odd)).toBeLessThan(3_000);
    }
  });
});
