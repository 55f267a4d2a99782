import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** One row of the corpus. */
export interface Row {
  readonly command: string;
  readonly expected: 'block' | 'allow';
  readonly category: string;
  readonly tier: 'core' | 'secrets' | 'soft';
  readonly from: string;
}

/** One case of a list written by hand. */
export interface Listed {
  readonly command: string;
  readonly heading: string;
}

export interface Cases {
  readonly rows: readonly Row[];
  readonly catastrophes: readonly Listed[];
  readonly lookAlikes: readonly Listed[];
  /** Command → why the guard decides differently from its row. */
  readonly accepted: Readonly<Record<string, string>>;
}

/** Reads test/fixtures/guard of the project in `root`. */
export function readCases(root: string): Cases {
  const read = (name: string): string => readFileSync(join(root, 'test/fixtures/guard', name), 'utf8');
  return {
    rows: read('shell-commands.jsonl')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Row),
    catastrophes: readList(read('catastrophes.txt')),
    lookAlikes: readList(read('look-alikes.txt')),
    accepted: JSON.parse(read('accepted.json')) as Record<string, string>,
  };
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
