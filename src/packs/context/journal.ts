import { dirname, join, normalize } from 'node:path';
import type { TranscriptFile, Walk } from '../../engine/rule.ts';
import { dateOf } from './dates.ts';
import { CONTEXT_DIR, contextPath, JOURNAL_DIR, newestJournal } from './files.ts';
import type { ContextReader } from './files.ts';
import { saysEnriched } from './journal-entry.ts';
import { INDEX_FILE, isEnriched, parseIndex, recordsOf, shortId } from './journal-index.ts';
import type { JournalIndex, JournalRecord } from './journal-index.ts';

/** Names begin with the day and time of the session; other files in the same place are nobody's entries. */
const ENTRY_NAME = /^\d{4}-\d{2}-\d{2}-.*\.md$/;
/** Continues an entry that another program split. */
const LATER_PART = /-p\d+\.md$/;
const MAX_LISTED = 5_000;
const MAX_INDEX = 8 << 20;
const FRONT_MATTER = 4 << 10;
const MAX_READ = 256 << 10;

export function journalPath(root: string, name = ''): string {
  return join(contextPath(root, JOURNAL_DIR), name);
}

/** Undefined where there is no index, or none that can be read. */
export function readIndex(files: Pick<ContextReader, 'readText'>, root: string): JournalIndex | undefined {
  const text = files.readText(journalPath(root, INDEX_FILE), MAX_INDEX);
  return text === undefined ? undefined : parseIndex(text);
}

export function journalEntries(files: Pick<ContextReader, 'list'>, root: string): readonly string[] {
  return files.list(journalPath(root), MAX_LISTED).filter((name) => ENTRY_NAME.test(name) && !LATER_PART.test(name));
}

/** How the entry of a session is called. */
export function entryName(session: string, started: number): string {
  const date = new Date(started);
  const two = (part: number) => String(part).padStart(2, '0');
  return `${dateOf(started)}-${two(date.getHours())}${two(date.getMinutes())}-${shortId(session)}.md`;
}

/** Whether a session that was started there is one of this project, and not of one that lies inside it. */
export function belongsTo(files: Pick<ContextReader, 'stat'>, root: string, startedIn: string): boolean {
  for (let dir = normalize(startedIn); dir !== root; dir = dirname(dir)) {
    const isInside = dir.length > root.length && dir.startsWith(root);
    if (!isInside || files.stat(join(dir, CONTEXT_DIR))?.kind === 'dir') return false;
  }
  return true;
}

/** Whether the journal lacks a session, or has it as it was before it went on. */
export function isDue({ session, size, mtimeMs }: TranscriptFile, index: JournalIndex): boolean {
  return recordsOf(index, session).every((record) => isOutgrown(record, size, mtimeMs));
}

function isOutgrown({ bytes, exported }: JournalRecord, size: number, mtimeMs: number): boolean {
  if (typeof bytes === 'number') return size > bytes;
  // Who tells no size tells the day.
  return typeof exported === 'string' && dateOf(mtimeMs) > exported.slice(0, 10);
}

export interface JournalBacklog {
  /** How many there are at all. */
  readonly transcripts: number;
  /** The sessions, those that go on among them. */
  readonly unexported: readonly string[];
  readonly unenriched: number;
}

/**
 * What waits to be written to the journal, and how many of its entries wait to be enriched; undefined without a journal.
 * Yields after each file it looks into: there may be thousands.
 */
export function* walkBacklog(
  files: ContextReader,
  root: string,
  transcripts: () => Iterable<TranscriptFile>,
): Walk<JournalBacklog | undefined> {
  if (files.stat(journalPath(root))?.kind !== 'dir') return undefined;
  const index = readIndex(files, root);
  const entries = journalEntries(files, root);
  yield;
  let newest = 0;
  if (!index)
    // Then what is younger than the newest entry is not in one.
    for (const name of entries) {
      newest = Math.max(newest, files.stat(journalPath(root, name))?.mtimeMs ?? 0);
      yield;
    }
  const unexported: string[] = [];
  let all = 0;
  for (const transcript of transcripts()) {
    yield;
    all += 1;
    if (index ? !isDue(transcript, index) : transcript.mtimeMs <= newest) continue;
    if (transcript.isEmpty?.() === true) continue;
    const place = transcript.startedIn();
    if (place === undefined || belongsTo(files, root, place)) unexported.push(transcript.session);
  }
  let unenriched = 0;
  for (const name of entries) {
    if (!isEnrichedEntry(files, root, name, index)) unenriched += 1;
    yield;
  }
  return { transcripts: all, unexported, unenriched };
}

/** Those that neither the index nor their own front matter calls enriched. */
export function unenrichedEntries(
  files: ContextReader,
  root: string,
  entries: readonly string[],
  index: JournalIndex | undefined,
): readonly string[] {
  return entries.filter((name) => !isEnrichedEntry(files, root, name, index));
}

function isEnrichedEntry(files: ContextReader, root: string, name: string, index: JournalIndex | undefined): boolean {
  const record = index?.entries[name];
  if (record && isEnriched(record)) return true;
  return saysEnriched(files.readText(journalPath(root, name), FRONT_MATTER) ?? '');
}

export interface Ceremonies {
  /** How many entries were looked at. */
  readonly entries: number;
  readonly start: boolean;
  readonly end: boolean;
}

/** Which ceremonies the newest entries show: one of the words for each is enough. */
export function ceremoniesIn(
  files: ContextReader,
  root: string,
  wanted: { readonly lookback: number; readonly start: readonly string[]; readonly end: readonly string[] },
): Ceremonies {
  const names = newestJournal(files, root, wanted.lookback);
  const texts = names.map((name) => files.readText(journalPath(root, name), MAX_READ) ?? '');
  const shows = (words: readonly string[]) => texts.some((text) => words.some((word) => text.includes(word)));
  return { entries: names.length, start: shows(wanted.start), end: shows(wanted.end) };
}
