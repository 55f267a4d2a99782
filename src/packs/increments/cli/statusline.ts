import { incrementIds, readWhole } from '../increments.ts';
import { incrementFile, incrementsDir, statusFilePath, WATCHED } from '../layout.ts';
import { readOptions } from '../options.ts';
import type { IncrementOptions } from '../options.ts';
import { countStatus, readStatus } from '../status-line.ts';
import type { StatusFile, StatusEntry } from '../status-line.ts';
import { nodeFiles } from '../../../platform/files.ts';
import type { PackStatus } from '../../../cli/pack-parts.ts';
import { findIncrementsRoot, incrementOptions } from './increments-root.ts';
import { columnsOf } from '../../../text/columns.ts';

interface StatusLineOptions {
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

/** The engine keeps the file up to date; one that is older is held against the files it was made of. */
const TRUSTED_MS = 30_000;

export const statusline: PackStatus = {
  async at(dirs, now, world, isOff) {
    const root = dirs.map((dir) => findIncrementsRoot(dir, world.userHome)).find((found) => found !== undefined);
    if (root === undefined) return undefined;
    const options = isOff ? readOptions({}) : await incrementOptions(world, root);
    const { ascii, showContext } = options.statusline;
    const status = statusIn(root, options, now);
    return {
      ...(status && status.activeIncrements.length > 0
        ? { text: (columns: number) => renderStatusLine(status, { ascii, columns }) }
        : {}),
      ascii,
      showContext,
    };
  },
};

function statusIn(root: string, options: IncrementOptions, now: number): StatusFile | undefined {
  const status = readStatus(readWhole(nodeFiles, statusFilePath(root)) ?? '');
  if (!status) return undefined;
  const writtenAt = Date.parse(status.lastUpdate) || 0;
  if (now - writtenAt <= TRUSTED_MS || !isOutdated(root, writtenAt)) return status;
  return countStatus(nodeFiles, root, options, status.lastUpdate);
}

function isOutdated(root: string, writtenAt: number): boolean {
  const isNewer = (path: string) => (nodeFiles.stat(path)?.mtimeMs ?? 0) > writtenAt;
  // The directory itself changes when an increment comes or goes.
  if (isNewer(incrementsDir(root))) return true;
  return incrementIds(nodeFiles, root).some((id) => WATCHED.some((file) => isNewer(incrementFile(root, id, file))));
}
