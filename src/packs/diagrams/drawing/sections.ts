import { firstFrom } from './boxes.ts';
import { eachProseLine } from './outline.ts';
import type { Outline } from './outline.ts';

/** Tells lines of different sections apart: a section begins with a heading of any level. */
export function sectionsOf(outline: Outline): (line: number) => number {
  const headings: number[] = [];
  let previous = { line: '', at: 0 };
  eachProseLine(outline, (line, at) => {
    const mark = line.trimStart()[0];
    if (mark === '#' && isHeading(line)) headings.push(at);
    else if (isUnderline(line, mark) && previous.at === at - 1 && isText(previous.line)) headings.push(previous.at);
    previous = { line, at };
  });
  return (line) => firstFrom(headings, (heading) => heading > line);
}

const isHeading = (line: string): boolean => /^ {0,3}#{1,6}(?:[ \t]|$)/.test(line);

function isUnderline(line: string, mark: string | undefined): boolean {
  if (mark !== '=' && mark !== '-') return false;
  const text = line.trim();
  return text === mark.repeat(text.length);
}

const isText = (line: string): boolean =>
  line.trim() !== '' && !isHeading(line) && !isUnderline(line, line.trimStart()[0]);
