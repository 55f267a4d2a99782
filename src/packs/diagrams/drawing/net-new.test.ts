import { describe, expect, it } from 'vitest';
import { DEFAULTS, findDrawings } from './drawing.ts';
import { EMPTY_BASELINE, baselineOf, netNew } from './net-new.ts';
import type { Baseline } from './net-new.ts';
import { B, C, fenced, printed } from './printed.fixture.ts';

const drawingsOf = (text: string) => findDrawings(text, DEFAULTS);
const pipeline = fenced(printed('graph-easy-pipeline'));
const services = fenced(printed('graph-easy-services'));
const copies = (box: string, count: number): string => fenced(box.repeat(count));
const box = '┌──────┐\n│ same │\n└──────┘\n';

describe('what is new in a file', () => {
  const table: readonly (readonly [what: string, before: string, after: string, fresh: number])[] = [
    ['a new file', '', fenced(B), 1],
    ['nothing', services, services, 0],
    ['another paragraph', services, `# New\n\n${services}\nmore\n`, 0],
    ['moved and indented', `${services}\ntext\n`, `text\n\n- a\n\n${services.replaceAll(/^/gm, '  ')}`, 0],
    ['one label of ten', pipeline, pipeline.replace('Install', 'Prepare'), 0],
    ['one label of a drawing with three lines', fenced(B), fenced(B.replace('Writer ', 'Printer')), 0],
    ['the same, while the old drawing stays', fenced(B), `${fenced(B)}\n${fenced(C)}`, 1],
    ['two that both come from one', fenced(B), `${fenced(C)}\n${fenced(C.replace('Parser', 'Lexer '))}`, 1],
    [
      'all labels of a drawing of nine lines',
      services,
      services.replaceAll(/[A-Z][a-z]+/g, (word) => 'x'.repeat(word.length)),
      1,
    ],
    ['a second drawing', services, `${services}\n${fenced(B)}`, 1],
    ['an old one grown by half', copies(box, 4), copies(box, 6), 1],
    ['an old one grown by a line of five', copies(box, 3), fenced(box.repeat(3) + '│ a │\n│ b │\n'), 0],
    ['an old one cut in half', copies(box, 4), copies(box, 2), 0],
    ['a copy', services, `${services}\n${services}`, 0],
  ];
  it.each(table)('%s', (_what, before, after, fresh) => {
    const stored = JSON.parse(JSON.stringify(baselineOf(drawingsOf(before)))) as Baseline;
    expect(netNew(drawingsOf(after), stored)).toHaveLength(fresh);
  });
});

it('growing by small edits is measured against the first state', () => {
  const baseline = baselineOf(drawingsOf(copies(box, 8)));
  const verdicts = [9, 10, 11, 12].map((count) => netNew(drawingsOf(copies(box, count)), baseline).length);
  expect(verdicts).toEqual([0, 0, 1, 1]);
});

it('a drawing built up from nothing is new once it is closed', () => {
  const lines = B.split('\n');
  const steps = lines.map((_line, at) => `${lines.slice(0, at + 1).join('\n')}\n`);
  expect(steps.map((text) => netNew(drawingsOf(fenced(text)), EMPTY_BASELINE).length)).toEqual([0, 0, 1, 1]);
});
