import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/** One row of a corpus: a shell command, or a call of another tool. */
export interface Row {
  readonly command?: string;
  readonly tool_name?: string;
  readonly tool_input?: Readonly<Record<string, unknown>>;
  /** `block` is deny or ask, `advise` is at least said; `documented` and `unsure` are not counted. */
  readonly expected: 'block' | 'advise' | 'allow' | 'documented' | 'unsure';
  readonly category?: string;
  /** `soft` is a matter of taste, and not counted. */
  readonly tier?: 'core' | 'secrets' | 'soft';
}

/** One case of a list written by hand. */
export interface Listed {
  readonly command: string;
  readonly heading: string;
}

export interface Lists {
  readonly catastrophes: readonly Listed[];
  readonly lookAlikes: readonly Listed[];
}

/** Reads the lists of our own in test/fixtures/guard of the project in `root`. */
export function readLists(root: string): Lists {
  const read = (name: string): string => readFileSync(join(root, 'test/fixtures/guard', name), 'utf8');
  return { catastrophes: readList(read('catastrophes.txt')), lookAlikes: readList(read('look-alikes.txt')) };
}

/** The directory beside the project whose corpora are scored when none is named; they are not part of the project. */
export const SHARED = '../shared/corpus';

/** The corpora beside the project in `root`; none where there is no such directory. */
export function sharedCorpora(root: string): readonly string[] {
  const dir = join(root, SHARED);
  if (!existsSync(dir)) return [];
  const names = readdirSync(dir).filter((name) => name.endsWith('.jsonl'));
  return names.sort().map((name) => join(dir, name));
}

/** Reads a corpus: a row of JSON in each line. */
export function readCorpus(file: string): readonly Row[] {
  const lines = readFileSync(file, 'utf8').split('\n');
  return lines.flatMap((line, at) => (line.trim() === '' ? [] : [readRow(line, `${file}:${at + 1}`)]));
}

const EXPECTED: ReadonlySet<unknown> = new Set(['block', 'advise', 'allow', 'documented', 'unsure']);

function readRow(line: string, place: string): Row {
  const row = JSON.parse(line) as Row;
  if (!EXPECTED.has(row.expected)) throw new Error(`${place}: "expected" is none of ${[...EXPECTED].join(', ')}`);
  if (row.command === undefined && row.tool_name === undefined)
    throw new Error(`${place}: neither "command" nor "tool_name"`);
  return row;
}

/** The README beside the lists tells their form. */
export function readList(text: string): readonly Listed[] {
  const cases: Listed[] = [];
  let heading = '';
  let block: string[] | undefined;
  for (const line of text.split('\n')) {
    if (line === '---') {
      if (block && block.length > 0) cases.push({ command: block.join('\n'), heading });
      block = [];
    } else if (block && (line !== '' || block.length > 0)) {
      block.push(line);
    } else {
      block = undefined;
      if (line.startsWith('# ')) heading = line.slice(2);
      else if (line !== '') cases.push({ command: line, heading });
    }
  }
  if (block && block.length > 0) throw new Error('the last case of several lines has no end');
  return cases;
}
