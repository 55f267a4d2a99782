import { hasBox } from './characters.ts';
import type { Outline } from './outline.ts';

/** A `<details>` element. */
export interface Details {
  readonly first: number;
  readonly last: number;
  /** Text of its summary in lower case, blanks collapsed. */
  readonly summary: string;
  /** Something stands in it besides fences, tags and blanks. */
  readonly hasBody: boolean;
  /** Some of that is no box drawing. */
  readonly hasText: boolean;
}

interface Open {
  readonly first: number;
  summary: string[];
  inSummary: boolean;
  hasBody: boolean;
  hasText: boolean;
}

/** Elements outside of code, in the order they end; one that is never closed lasts to the end of the text. */
export function detailsIn({ text, lines, verbatim, frontMatter }: Outline): readonly Details[] {
  // One character is found many times as fast as a word in any case.
  if (!text.includes('<') || !/<details/i.test(text)) return [];
  const found: Details[] = [];
  const open: Open[] = [];
  const close = (last: number): void => {
    const inner = open.pop();
    if (inner === undefined) return;
    const { first, hasBody, hasText } = inner;
    found.push({ first, last, summary: collapse(inner.summary), hasBody, hasText });
    const outer = open.at(-1);
    if (outer !== undefined && hasBody) outer.hasBody = true;
    if (outer !== undefined && hasText) outer.hasText = true;
  };
  const addBody = (part: string): void => {
    const inner = open.at(-1);
    if (inner === undefined || part.trim() === '') return;
    if (inner.inSummary) inner.summary.push(part);
    else inner.hasBody = true;
    if (!inner.inSummary && !hasBox(part)) inner.hasText = true;
  };

  let next = 0;
  for (let at = frontMatter + 1; at <= lines.length; at += 1) {
    const block = verbatim[next];
    if (block?.first === at) {
      next += 1;
      at = block.last;
      if (open.length > 0) block.lines.forEach(addBody);
      continue;
    }
    const line = lines[at - 1] ?? '';
    if (open.length === 0 && !line.includes('<')) continue;
    readTags(line, addBody, (tag) => {
      const inner = open.at(-1);
      if (tag === '<details') open.push({ first: at, summary: [], inSummary: false, hasBody: false, hasText: false });
      else if (tag === '</details') close(at);
      else if (inner !== undefined && tag.endsWith('summary')) inner.inSummary = tag === '<summary';
    });
  }
  while (open.length > 0) close(lines.length);
  return found;
}

/** Splits a line into what it says and its tags, which come without attributes and in lower case. */
function readTags(line: string, onText: (text: string) => void, onTag: (tag: string) => void): void {
  let from = 0;
  for (let start = line.indexOf('<'); start >= 0; start = line.indexOf('<', from)) {
    const name = /^<\/?[a-z]*/.exec(line.slice(start, start + 12).toLowerCase())?.[0] ?? '<';
    const end = name === '<' ? start : line.indexOf('>', start);
    if (end < 0) break;
    onText(line.slice(from, start));
    if (name === '<') onText('<');
    else onTag(name);
    from = end + 1;
  }
  onText(line.slice(from));
}

const collapse = (parts: readonly string[]): string =>
  parts.join(' ').toLowerCase().split(/\s+/).filter(Boolean).join(' ');
