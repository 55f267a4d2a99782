import type { TranscriptFile } from '../../engine/rule.ts';
import type { TranscriptLine } from '../../event/transcript.ts';
import type { ContextReader } from './files.ts';
import { belongsTo, entryName, isDue, journalPath } from './journal.ts';
import { collectEntry, hasNotes, printEntry } from './journal-entry.ts';
import { INDEX_FILE, NO_INDEX, parseIndex, printIndex, withRecord } from './journal-index.ts';
import type { JournalIndex, JournalRecord } from './journal-index.ts';

/** What an export reads and writes with. Texts are whole, with a byte order mark where there is one. */
export interface ExportFiles extends Pick<ContextReader, 'stat'> {
  readWhole(path: string): string | undefined;
  isProtected(path: string): boolean;
  /** False when the file does not hold `expected` any more. */
  replace(path: string, text: string, expected: string | undefined): boolean;
  makeDir(path: string): void;
}

export interface ExportWork {
  readonly files: ExportFiles;
  readonly root: string;
  readonly now: number;
  /** Also sessions that the journal has, which were asked for by name. */
  readonly always?: boolean;
  linesOf(transcript: TranscriptFile): Iterable<TranscriptLine | undefined>;
  onProgress?(done: number, of: number): void;
}

/** `kept`: the entry is protected, or its readers took the mark out that says which part is theirs. */
export type ExportState = 'new' | 'updated' | 'unchanged' | 'empty' | 'elsewhere' | 'kept' | 'failed';

export interface Exported {
  readonly session: string;
  readonly state: ExportState;
  readonly file?: string;
  readonly prompts?: number;
  /** Why it failed. */
  readonly problem?: string;
}

const MAX_TRIES = 5;

/**
 * Writes every session that the journal lacks or has only in part; the index says which those are, so that an entry that
 * somebody removed stays away.
 */
export function exportJournal(transcripts: readonly TranscriptFile[], work: ExportWork): readonly Exported[] {
  const { files, root, onProgress } = work;
  const index = indexIn(files, root);
  const due = work.always ? transcripts : transcripts.filter((each) => isDue(each, index));
  return transcripts.map((transcript): Exported => {
    const at = due.indexOf(transcript);
    if (at < 0) return { session: transcript.session, state: 'unchanged' };
    onProgress?.(at + 1, due.length);
    try {
      return exportSession(transcript, index, work);
    } catch (error) {
      return {
        session: transcript.session,
        state: 'failed',
        problem: error instanceof Error ? error.message : String(error),
      };
    }
  });
}

/** Throws for an index that cannot be read: writing a new one would lose what it says. */
export function indexIn(files: ExportFiles, root: string): JournalIndex {
  const path = journalPath(root, INDEX_FILE);
  const text = files.readWhole(path);
  const index = text === undefined ? NO_INDEX : parseIndex(text);
  if (index === undefined)
    throw new Error(`${path} is no index of a journal; mend it, or remove it to have it made anew`);
  return index;
}

/** Adds to the index as it is by now: others may have written to it meanwhile. */
export function keepRecord(files: ExportFiles, root: string, file: string, record: JournalRecord): void {
  const path = journalPath(root, INDEX_FILE);
  files.makeDir(journalPath(root));
  for (let tries = 0; tries < MAX_TRIES; tries += 1) {
    const before = files.readWhole(path);
    if (files.replace(path, printIndex(withRecord(indexIn(files, root), file, record)), before)) return;
  }
  throw new Error(`${path} kept changing`);
}

function exportSession(transcript: TranscriptFile, index: JournalIndex, work: ExportWork): Exported {
  const { files, root, now } = work;
  const { session, size, mtimeMs } = transcript;
  const place = transcript.startedIn();
  if (place !== undefined && !belongsTo(files, root, place)) return { session, state: 'elsewhere' };
  const entry = collectEntry(session, root, work.linesOf(transcript));
  const { started = mtimeMs, prompts } = entry.facts;
  const file = ownFile(session, index) ?? freeName(entryName(session, started), session, index);
  const record = { session, bytes: size, exported: new Date(now).toISOString() };
  if (entry.isEmpty) {
    keepRecord(files, root, file, { ...record, empty: true });
    return { session, state: 'empty' };
  }
  const state = writeEntry(journalPath(root, file), (before) => printEntry(entry, before), files);
  keepRecord(files, root, file, index.entries[file]?.empty === true ? { ...record, empty: false } : record);
  return { session, state, file, prompts };
}

function writeEntry(
  path: string,
  print: (before: string | undefined) => string,
  files: ExportFiles,
): 'new' | 'updated' | 'kept' {
  for (let tries = 0; tries < MAX_TRIES; tries += 1) {
    const before = files.readWhole(path);
    if (before !== undefined && (!hasNotes(before) || files.isProtected(path))) return 'kept';
    const text = print(before);
    if (text === before) return 'updated';
    files.makeDir(path.slice(0, path.lastIndexOf('/')));
    if (files.replace(path, text, before)) return before === undefined ? 'new' : 'updated';
  }
  throw new Error(`${path} kept changing`);
}

/** The file that this session was exported to before; an entry of another program stays as it is. */
function ownFile(session: string, { entries }: JournalIndex): string | undefined {
  return Object.keys(entries).find((file) => entries[file]?.session === session);
}

/** Two sessions of one minute may begin with the same characters. */
function freeName(name: string, session: string, { entries }: JournalIndex): string {
  return entries[name] === undefined ? name : name.replace(/[^-]+\.md$/, `${session.replace(/[^A-Za-z0-9]/g, '')}.md`);
}
