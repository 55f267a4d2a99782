import { describe, expect, it } from 'vitest';
import { DEFAULTS, findDrawings } from './drawing.ts';
import { fenced, indent, printed, seen } from './printed.fixture.ts';
import { coverage, recordedLines } from './provenance.ts';
import type { Coverage } from './provenance.ts';

const pipeline = printed('graph-easy-pipeline');
const services = printed('graph-easy-services');
const group = printed('graph-easy-group');
const ascii = printed('graph-easy-services-ascii');
const panel = printed('rich-panel-ansi');
const boxLines = (text: string): number => text.split('\n').filter((line) => /[\u2500-\u257f]/.test(line)).length;

function cover(output: string, pasted: string, withAscii = false): Coverage | undefined {
  const [drawing] = findDrawings(pasted, { ...DEFAULTS, ascii: withAscii });
  return drawing && coverage(drawing, new Set(recordedLines(output, withAscii)));
}

describe('what a tool printed covers', () => {
  const table: readonly (readonly [what: string, output: string, pasted: string])[] = [
    ['the same text', pipeline, fenced(pipeline)],
    ['without fence', services, services],
    ['in a list', services, `- a\n\n${indent(fenced(services), '    ')}`],
    ['in a quotation with CRLF', services, indent(fenced(services), '> ').replaceAll('\n', '\r\n')],
    ['printed with CRLF and a BOM', `\ufeff${services.replaceAll('\n', '\r\n')}`, fenced(services)],
    ['printed between other text', `made by x\n${indent(services, '  ')}\ndone\n`, fenced(services)],
    ['one of two drawings', `${services}\n\n\n\n${indent(group, '    ')}`, fenced(group)],
    [
      'two outputs in one fence',
      `${services}\n\n\n\n\n${indent(group, '    ')}`,
      fenced(`${services}\n\n\n\n\n${group}`),
    ],
    ['printed in colours', panel, fenced(seen('rich-panel-ansi'))],
    ['one label of ten changed', pipeline, fenced(pipeline.replace('Install', 'Prepare'))],
  ];
  it.each(table)('%s', (_what, output, pasted) => {
    expect(cover(output, pasted)?.covered).toBe(true);
  });

  it('ASCII, where it counts', () => {
    expect(cover(ascii, fenced(ascii), true)).toEqual({ covered: true, missing: 0 });
    expect(recordedLines(ascii)).toEqual([]);
  });
});

describe('and does not', () => {
  it('half of the labels changed', () => {
    let at = 0;
    const changed = pipeline.replaceAll(/[A-Z][a-z]+/g, (word) => ((at += 1) % 2 ? word : 'x'.repeat(word.length)));
    expect(cover(pipeline, fenced(changed))).toEqual({ covered: false, missing: 5 });
  });

  it('three labels of ten: the lines with words decide', () => {
    const changed = pipeline.replace('Install', 'Abcdefg').replace('Lint', 'Abcd').replace('Sign', 'Abcd');
    expect(boxLines(changed) * 0.1).toBeGreaterThan(3);
    expect(cover(pipeline, fenced(changed))).toEqual({ covered: false, missing: 3 });
  });

  it('another drawing, or nothing', () => {
    expect(cover(group, fenced(services))).toEqual({ covered: false, missing: boxLines(services) });
    expect(cover('', fenced(services))).toEqual({ covered: false, missing: boxLines(services) });
  });

  it('the share is a setting', () => {
    const [drawing] = findDrawings(fenced(pipeline.replace('Install', 'Prepare')), DEFAULTS);
    const hashes = new Set(recordedLines(pipeline));
    expect(drawing && coverage(drawing, hashes, 1)).toEqual({ covered: false, missing: 1 });
  });
});

describe('recording', () => {
  it('takes no more than 2,000 lines', () => {
    const many = Array.from({ length: 3_000 }, (_, at) => `│ ${at} │`).join('\n');
    expect(recordedLines(many)).toHaveLength(2_000);
  });

  it.each([
    ['colours', '\u001b[1;38;5;208m│ a │\u001b[0m'],
    ['a link', '\u001b]8;;https://example.org\u0007│ a │\u001b]8;;\u001b\\'],
    ['a reset of the character set', '│ a │\u001b(B\u001b[m'],
    ['an unfinished sequence', '│ a │\u001b[12;'],
    ['an escape at the end', '│ a │\u001b'],
  ])('%s', (_what, output) => {
    expect(recordedLines(output)).toEqual(recordedLines('│ a │'));
  });
});
