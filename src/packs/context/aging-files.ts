import { relative, resolve } from 'node:path';
import type { RuleFiles } from '../../engine/rule.ts';
import { escapedPath, quoted } from '../../text/quoted.ts';
import { shorten } from '../../text/shorten.ts';
import { isMap } from './options.ts';

/** A file whose facts age, as the settings list it. */
export interface AgingFile {
  /** From the directory that holds `.context`, links followed. */
  readonly path: string;
  readonly full: string;
  readonly desc: string;
  /** Where its facts can be compared; empty when nobody said. */
  readonly url: string;
  readonly mtimeMs: number;
}

export interface StaleFile extends Pick<AgingFile, 'path' | 'desc' | 'url'> {
  readonly days: number;
}

const MAX_LINES = 6;
/** Leaves room for the rest of the message. */
const MAX_CHARS = 440;
const MAX_DESC = 60;

/** Those that are there and lie in the project, each once. */
export function agingFiles(
  files: Pick<RuleFiles, 'realpath' | 'stat'>,
  root: string,
  listed: readonly unknown[],
): readonly AgingFile[] {
  const top = files.realpath(root) ?? root;
  const found = new Map<string, AgingFile>();
  for (const each of listed) {
    if (!isMap(each) || typeof each['path'] !== 'string') continue;
    const full = files.realpath(resolve(root, each['path']));
    const stat = full?.startsWith(`${top}/`) === true ? files.stat(full) : undefined;
    if (full === undefined || stat?.kind !== 'file') continue;
    const path = relative(top, full);
    const desc = lineOf(each['desc']);
    found.set(path, { path, full, desc, url: lineOf(each['review_url']), mtimeMs: stat.mtimeMs });
  }
  return [...found.values()];
}

/** One line for each, those with a review page together below it; what there is no room for is counted. */
export function staleLines(stale: readonly StaleFile[]): string {
  const pages = [...new Set(stale.map(({ url }) => url))];
  const entries = pages.flatMap((page) =>
    stale
      .filter(({ url }) => url === page)
      .map((file, at) =>
        page !== '' && at === 0 ? [`${escapedPath(page, undefined)}:`, lineFor(file)] : [lineFor(file)],
      ),
  );
  const lines: string[] = [];
  for (const [at, entry] of entries.entries()) {
    const isLast = at === entries.length - 1;
    const all = [...lines, ...entry];
    if (at > 0 && (all.length + (isLast ? 0 : 1) > MAX_LINES || all.join('\n').length > MAX_CHARS))
      return [...lines, `and ${entries.length - at} more`].join('\n');
    lines.push(...entry);
  }
  return lines.join('\n');
}

function lineFor({ path, days, desc, url }: StaleFile): string {
  const about = shorten(desc, MAX_DESC);
  return `${url === '' ? '' : '  '}${escapedPath(path, undefined)}, ${days} days${about === '' ? '' : `: ${quoted(about, undefined)}`}`;
}

/** A path as a word of a command. */
export function asWord(path: string): string {
  return /^[\w./:@%+=,-]+$/.test(path) ? path : `'${path.replaceAll("'", `'\\''`)}'`;
}

function lineOf(value: unknown): string {
  return typeof value === 'string' ? value.replaceAll(/\s+/g, ' ').trim() : '';
}
