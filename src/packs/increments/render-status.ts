import { columnsOf } from '../../text/columns.ts';
import { NOTHING_ACTIVE } from './status-line.ts';
import type { StatusEntry, StatusFile } from './status-line.ts';

export interface StatusLineOptions {
  readonly ascii: boolean;
  /** How full the agent's context is, in percent, if that is known and wanted. */
  readonly contextPercent?: number;
}

const COLUMNS = 120;
const BAR = 8;
const NAME = 30;
const NAME_OF_TWO = 20;
const LEAST_NAME = 4;

/** Shown where no status was ever written. */
export const NOTHING_KNOWN = 'No increment status yet';

/** One line without colours. Names give way first, so that the numbers stay in sight. */
export function renderStatusLine(status: StatusFile | undefined, options: StatusLineOptions): string {
  const { ascii, contextPercent } = options;
  const dot = ascii ? ' - ' : ' · ';
  const context = contextPercent === undefined ? '' : `${dot}${Math.round(contextPercent)}% ctx`;
  const clean = (text: string) => cleaned(text, ascii);
  const entries = status?.activeIncrements ?? [];
  if (entries.length === 0) {
    const phrase = status ? clean(status.message ?? NOTHING_ACTIVE) || NOTHING_ACTIVE : NOTHING_KNOWN;
    return fit(phrase + context, COLUMNS, options);
  }
  const others = (status?.openCount ?? 0) - entries.length;
  const tail = (others > 0 ? ` (+${others} more)` : '') + context;
  const lineWith = (name: number) =>
    entries.map((entry) => segment(entry, fit(clean(entry.name), name, options), ascii)).join(dot) + tail;
  let name = entries.length > 1 ? NAME_OF_TWO : NAME;
  while (name > LEAST_NAME && columnsOf(lineWith(name)) > COLUMNS) name -= 1;
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
