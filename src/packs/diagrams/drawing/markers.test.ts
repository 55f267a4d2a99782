import { describe, expect, it } from 'vitest';
import { DEFAULTS, findDrawings } from './drawing.ts';
import { excused, markersIn } from '../judge.ts';
import { B, fenced } from './printed.fixture.ts';

const REASON = 'kept as the user drew it';
const ok = `<!-- fairlead: diagram-ok ${REASON} -->`;
const file = `<!-- fairlead: diagram-ok-file ${REASON} -->`;
const lines = (count: number): string => 'line\n'.repeat(count);

function judge(text: string): string {
  const [drawing] = findDrawings(text, DEFAULTS);
  if (drawing === undefined) return 'no drawing';
  const { excused: passes, unreasoned } = excused([drawing], markersIn(text));
  return passes.get(drawing)?.reason ?? (unreasoned.has(drawing) ? 'reason missing' : 'no marker');
}

describe('markers', () => {
  const table: readonly (readonly [what: string, text: string, verdict: string])[] = [
    ['on the line above', `${ok}\n${fenced(B)}`, REASON],
    ['above a drawing without fence', `${ok}\n${B}`, REASON],
    ['3 lines above', `${ok}\n\n\n${fenced(B)}`, REASON],
    ['4 lines above', `${ok}\n\n\n\n${fenced(B)}`, 'no marker'],
    ['20 lines above', `${ok}\n${lines(19)}${fenced(B)}`, 'no marker'],
    ['below', `${fenced(B)}\n${ok}\n`, 'no marker'],
    ['no reason', `<!-- fairlead: diagram-ok -->\n${fenced(B)}`, 'reason missing'],
    ['a reason of 3', `<!-- fairlead: diagram-ok abc -->\n${fenced(B)}`, 'reason missing'],
    ['a reason of 7', `<!-- fairlead: diagram-ok 1234567 -->\n${fenced(B)}`, 'reason missing'],
    ['a reason of 8', `<!-- fairlead: diagram-ok 12345678 -->\n${fenced(B)}`, '12345678'],
    ['8 units, 4 characters', `<!-- fairlead: diagram-ok 🚀🚀🚀🚀 -->\n${fenced(B)}`, 'reason missing'],
    ['with a colon', `<!--fairlead: diagram-ok: ${REASON}-->\n${fenced(B)}`, REASON],
    ['over lines, CRLF', `<!--\r\nfairlead: diagram-ok\r\n${REASON}\r\n-->\r\n${fenced(B)}`, REASON],
    ['in a quotation', `> ${ok}\n${fenced(B).replaceAll(/^/gm, '> ')}`, REASON],
    ['another word', `<!-- fairlead: diagram-okay ${REASON} -->\n${fenced(B)}`, 'no marker'],
    ['another comment', `<!-- diagram-ok ${REASON} -->\n${fenced(B)}`, 'no marker'],
    ['a comment that never ends', `<!-- fairlead: diagram-ok ${REASON}\n${fenced(B)}`, 'no marker'],
    ['in code', `\`${ok}\`\n${fenced(B)}`, 'no marker'],
    ['in a fence', `${fenced(ok)}${fenced(B)}`, 'no marker'],
    ['for the file, line 20', `${lines(19)}${file}\n${lines(30)}${fenced(B)}`, REASON],
    ['for the file, line 21', `${lines(20)}${file}\n${fenced(B)}`, 'no marker'],
    ['for the file, no reason', `<!-- fairlead: diagram-ok-file -->\n${lines(30)}${fenced(B)}`, 'reason missing'],
    ['a good one and a bad one', `<!-- fairlead: diagram-ok-file -->\n${ok}\n${fenced(B)}`, REASON],
  ];
  it.each(table)('%s', (_what, text, verdict) => {
    expect(judge(text)).toBe(verdict);
  });
});
