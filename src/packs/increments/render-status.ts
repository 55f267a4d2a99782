import { columnsOf } from '../../text/columns.ts';
import type { StatusEntry, StatusFile } from './status-line.ts';

export interface StatusLineOptions {
  readonly ascii: boolean;
  /** How many names may take up with the rest; never more than the whole line has. */
  readonly columns?: number;
}

const COLUMNS = 120;
const BAR = 8;
const NAME = 30;
const NAME_OF_TWO = 20;
const LEAST_NAME = 4;

/** One line without colours, empty where nothing is active. Names give way first, so that the numbers stay in sight. */
export function renderStatusLine(
  { activeIncrements: entries, openCount }: StatusFile,
  options: StatusLineOptions,
): string {
  if (entries.length === 0) return '';
  const { ascii, columns = COLUMNS } = options;
  const dot = ascii ? ' - ' : ' · ';
  const others = openCount - entries.length;
  const tail = others > 0 ? ` (+${others} more)` : '';
  const lineWith = (name: number) =>
    entries.map((entry) => segment(entry, fit(cleaned(entry.name, ascii), name, options), ascii)).join(dot) + tail;
  let name = entries.length > 1 ? NAME_OF_TWO : NAME;
  while (name > LEAST_NAME && columnsOf(lineWith(name)) > columns) name -= 1;
  return fit(lineWith(name), COLUMNS, options);
}

function segment({ completed, total, acsCompleted, acsTotal }: StatusEntry, name: string, ascii: boolean): string {
  const filled = total === 0 ? 0 : Math.min(BAR, Math.floor((BAR * completed) / total));
  const bar = (ascii ? '#' : '█').repeat(filled) + (ascii ? '-' : '░').repeat(BAR - filled);
  return `[${name}] | ${bar} | ${completed}/${total} tasks | ${acsCompleted}/${acsTotal} ACs`;
}

/** The file lies in the repository: nothing in it may move the cursor, start a line or turn the direction of the text. */
function cleaned(text: string, ascii: boolean): string {
  const plain = text.replaceAll(/[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}]/gu, '');
  return ascii ? plain.replaceAll(/[^\u0020-\u007e]/gu, '?') : plain;
}

function fit(text: string, columns: number, { ascii }: StatusLineOptions): string {
  if (columnsOf(text) <= columns) return text;
  const end = ascii ? '...' : '…';
  const room = columns - end.length;
  let head = '';
  let used = 0;
  for (const character of text) {
    used += columnsOf(character);
    if (used > room) break;
    head += character;
  }
  return head + end;
}
