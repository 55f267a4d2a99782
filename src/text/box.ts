import { columnsOf } from './columns.ts';
import { wrapLine } from './wrap.ts';

const COLUMNS = 52;
const ROOM = COLUMNS - 4;

/** A box of fixed width around texts, one blank line between them, with a last line of its own. */
export function drawBox(texts: readonly string[], lastLine: string): string {
  const lines = [texts.join('\n\n'), lastLine]
    .filter((text) => text !== '')
    .flatMap((text) => text.split('\n'))
    .flatMap((line) => wrapLine(line.trimEnd(), ROOM))
    .flatMap(breakWords);
  const rule = '─'.repeat(COLUMNS - 2);
  const rows = lines.map((line) => `│ ${line}${' '.repeat(Math.max(0, ROOM - columnsOf(line)))} │`);
  return [`┌${rule}┐`, ...rows, `└${rule}┘`].join('\n');
}

/** A path or a command may be wider than the box. */
function breakWords(line: string): readonly string[] {
  if (columnsOf(line) <= ROOM) return [line];
  const parts: string[] = [];
  let part = '';
  for (const character of line) {
    if (part !== '' && columnsOf(part + character) > ROOM) {
      parts.push(part);
      part = '';
    }
    part += character;
  }
  return [...parts, part];
}
