import { firstFrom } from './boxes.ts';
import { eachProseLine } from './outline.ts';
import type { Outline } from './outline.ts';

/** Tells lines of different sections apart: a section begins with a heading of any level. */
export function sectionsOf(outline: Outline): (line: number) => number {
  const headings: number[] = [];
  let previous = { line: '', at: 0 };
  eachProseLine(outline, (line, at) => {
    if (isHeading(line)) headings.push(at);
    else if (previous.at === at - 1 && isUnderline(line) && isText(previous.line)) headings.push(previous.at);
    previous = { line, at };
  });
  return (line) => firstFrom(headings, (heading) => heading > line);
}

const isHeading = (line: string): boolean => /^ {0,3}#{1,6}(?:[ \t]|$)/.test(line);

function isUnderline(line: string): boolean {
  const text = line.trim();
  const mark = text[0];
  return (mark === '=' || mark === '-') && text === mark.repeat(text.length);
}

const isText = (line: string): boolean => line.trim() !== '' && !isHeading(line) && !isUnderline(line);
