import type { ReadRecords, Transcripts } from '../adapters/adapter.ts';
import { lookIn } from '../adapters/transcript-look.ts';
import type { TranscriptRecord } from '../event/transcript.ts';
import type { Files } from '../platform/files.ts';
import { readLines } from '../platform/read-lines.ts';

/** A line that is longer holds no call that an agent made in one go. */
const LONGEST_LINE = 32 << 20;
/** How far a call's result is looked for: calls of one message run together, and hooks leave lines between. */
const AHEAD = 64;

type Result = Extract<TranscriptRecord, { readonly kind: 'result' }>;

/** The records of one transcript in their order, in as much memory as a few dozen of them take. */
export class Telling {
  readonly path: string;
  readonly size: number;
  readonly #records: Generator<TranscriptRecord, undefined>;
  readonly #recordsIn: ReadRecords;
  readonly #ahead: TranscriptRecord[] = [];
  #last: number;
  #read = 0;
  /** Lines that are too long to read, and lines that are none of a transcript, as what a crash leaves. */
  skipped = 0;
  broken = 0;

  constructor(path: string, size: number, startsAt: number, transcripts: Pick<Transcripts, 'reader'>, files: Files) {
    this.path = path;
    this.size = size;
    this.#recordsIn = transcripts.reader(() => lookIn(files).head(path));
    this.#last = startsAt;
    const lines = readLines(files, path, { size, longest: LONGEST_LINE, onSkip: () => (this.skipped += 1) });
    this.#records = this.#recordsOf(lines);
  }

  /** When the next record was written: never before the one that it follows. */
  get at(): number {
    return Math.max(this.#last, this.#ahead[0]?.at ?? 0);
  }

  get isOver(): boolean {
    this.#fill(1);
    return this.#ahead.length === 0;
  }

  /** Characters read so far. */
  get read(): number {
    return this.#read;
  }

  next(): TranscriptRecord | undefined {
    this.#fill(1);
    const record = this.#ahead.shift();
    if (record) this.#last = Math.max(this.#last, record.at ?? 0);
    return record;
  }

  /** What became of a call that was told last. */
  resultOf(id: string): Result | undefined {
    for (let at = 0; at < AHEAD; at += 1) {
      const record = this.#look(at);
      if (record === undefined || record.kind === 'prompt') return undefined;
      if (record.kind === 'result' && record.call === id) return record;
    }
    return undefined;
  }

  /** Whether more calls of the message follow. */
  goesOn(message: string): boolean {
    for (let at = 0; at < AHEAD; at += 1) {
      const record = this.#look(at);
      if (record === undefined || record.kind === 'prompt' || record.kind === 'answer') return false;
      if (record.kind === 'call') return record.message === message;
    }
    return false;
  }

  #look(at: number): TranscriptRecord | undefined {
    this.#fill(at + 1);
    return this.#ahead[at];
  }

  #fill(wanted: number): void {
    while (this.#ahead.length < wanted) {
      const { value, done } = this.#records.next();
      if (done === true) return;
      this.#ahead.push(value);
    }
  }

  /** One by one: a line may hold more of them than anybody looks ahead. */
  *#recordsOf(lines: Iterable<string>): Generator<TranscriptRecord, undefined> {
    for (const line of lines) {
      this.#read += line.length + 1;
      const records = this.#recordsIn(line);
      if (!records) this.broken += 1;
      else for (const record of records) yield record;
    }
    return undefined;
  }
}

/** A session's first record stands this near to the beginning, unless it holds a picture or the like. */
const BEGINNINGS = [16 << 10, 512 << 10];

/** When the first thing happened that a transcript tells of; undefined when it tells of nothing. */
export function beginningOf(
  path: string,
  size: number,
  transcripts: Pick<Transcripts, 'reader'>,
  files: Pick<Files, 'list' | 'readRange'>,
): number | undefined {
  for (const bytes of [...BEGINNINGS, size]) {
    const recordsIn = transcripts.reader(() => lookIn(files).head(path));
    for (const line of readLines(files, path, { size: Math.min(bytes, size), longest: LONGEST_LINE })) {
      const at = recordsIn(line)?.find((record) => record.at !== undefined)?.at;
      if (at !== undefined) return at;
    }
  }
  return undefined;
}
