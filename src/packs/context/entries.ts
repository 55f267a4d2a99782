import type { RawLine } from '../../text/lines.ts';
import { readMarkdown } from '../../text/markdown.ts';
import { stampOf } from './dates.ts';

export type EntryKind = 'decision' | 'learning';

export const ENTRY_FILES: Readonly<Record<EntryKind, string>> = { decision: 'DECISIONS.md', learning: 'LEARNINGS.md' };
/** What an entry says, in the order it is asked. */
const FIELDS: Readonly<Record<EntryKind, readonly string[]>> = {
  decision: ['Status', 'Context', 'Decision', 'Rationale', 'Consequences'],
  learning: ['Context', 'Lesson', 'Application'],
};

export const INDEX_START = '<!-- INDEX:START -->';
export const INDEX_END = '<!-- INDEX:END -->';

const ENTRY = /^## \[(\d{4}-\d{2}-\d{2})-(\d{6})\](?:[ \t]+(.*))?$/;

export interface Entry {
  /** `2026-03-10-101500`. */
  readonly stamp: string;
  readonly title: string;
  /** Where its heading starts. */
  readonly at: number;
}

/** In the order of the file. */
export function readEntries(text: string): readonly Entry[] {
  return readMarkdown(text).lines.flatMap((line): Entry[] => {
    const match = ENTRY.exec(line.text);
    if (match === null) return [];
    return [{ stamp: `${match[1]}-${match[2]}`, title: (match[3] ?? '').trim(), at: line.at }];
  });
}

/** Newest first, whichever way the file is kept. */
export function newestEntries(text: string, most: number): readonly Entry[] {
  return newestFirst(readEntries(text)).slice(0, most);
}

/** What stands between the marks of the index; undefined without a pair of them. */
export function readIndex(text: string): string | undefined {
  const marks = findMarks(text);
  return marks && text.slice(marks.start.next, marks.end.at).trim();
}

/** Writes the index anew from the entries. A file without marks stays as it is. */
export function refreshIndex(text: string, kind: EntryKind): string {
  const marks = findMarks(text);
  if (!marks) return text;
  const feed = feedOf(text);
  const rows = newestFirst(readEntries(text)).map(
    ({ stamp, title }) => `| ${stamp.slice(0, 10)} | ${title.replaceAll('|', '\\|')} |`,
  );
  const head = [`| Date | ${kind === 'decision' ? 'Decision' : 'Learning'} |`, '|------|--------|'];
  const table = rows.length === 0 ? '' : [...head, ...rows].map((row) => row + feed).join('');
  return text.slice(0, marks.start.next) + table + text.slice(marks.end.at);
}

export interface AddedEntry {
  readonly text: string;
  readonly stamp: string;
}

/**
 * A new entry with its fields empty, and the index refreshed. It goes to the end, or ahead of the others where the file
 * is kept newest first. Stamps name entries, so one that is taken is passed over.
 */
export function addEntry(before: string, kind: EntryKind, title: string, now: number): AddedEntry {
  const text = before.trim() === '' ? `# ${kind === 'decision' ? 'Decisions' : 'Learnings'}\n` : before;
  const entries = readEntries(text);
  const taken = new Set(entries.map(({ stamp }) => stamp));
  let at = now;
  while (taken.has(stampOf(at))) at += 1_000;
  const stamp = stampOf(at);
  const feed = feedOf(text);
  const block = [`## [${stamp}] ${title}`, ...FIELDS[kind].flatMap((field) => ['', `**${field}**:`])].join(feed) + feed;
  const [first, second] = entries;
  const last = entries.at(-1);
  const isNewestFirst = first && second && last && first.stamp > last.stamp;
  const ruler =
    isNewestFirst && text.slice(first.at, second.at).trimEnd().endsWith(`${feed}---`) ? `---${feed}${feed}` : '';
  const whole = isNewestFirst
    ? `${text.slice(0, first.at)}${block}${feed}${ruler}${text.slice(first.at)}`
    : `${text}${text.endsWith(feed) ? '' : feed}${text.endsWith(feed + feed) ? '' : feed}${block}`;
  return { text: refreshIndex(whole, kind), stamp };
}

const EMPTY_FIELD = /^(?:\*\*[^*\n]+\*\*:?|-{3,}|)$/;

/** Entries of which only the heading was written. */
export function unfilledEntries(text: string): readonly Entry[] {
  const entries = readEntries(text);
  return entries.filter((entry, index) => {
    const body = text
      .slice(entry.at, entries[index + 1]?.at)
      .split('\n')
      .slice(1);
    return body.every((line) => EMPTY_FIELD.test(line.trim()));
  });
}

function newestFirst(entries: readonly Entry[]): readonly Entry[] {
  return entries.toSorted((one, other) => (one.stamp < other.stamp ? 1 : one.stamp > other.stamp ? -1 : 0));
}

interface Marks {
  readonly start: RawLine;
  readonly end: RawLine;
}

/** The first closing mark that has an opening one ahead of it, and the nearest such. */
function findMarks(text: string): Marks | undefined {
  let start: RawLine | undefined;
  for (const line of readMarkdown(text).outsideCode) {
    const mark = line.text.trim();
    if (mark === INDEX_START) start = line;
    else if (mark === INDEX_END && start) return { start, end: line };
  }
  return undefined;
}

function feedOf(text: string): string {
  return text.includes('\r\n') ? '\r\n' : '\n';
}
