import type { ProjectTranscripts } from '../../adapters/adapter.ts';
import { cellId, parseValue } from '../../state/cells.ts';
import type { Draft } from '../../state/draft.ts';
import type { Event } from '../../event/event.ts';
import type { RuleFiles } from '../api/rule-files.ts';
import { stamp } from '../../text/stamp.ts';

/** The number of the turn; unknown where nothing tells turns apart, and then the whole session is one. */
export type Turn = number | 'unknown';

export interface TurnRecord {
  readonly count: number;
  /** The prompt that opened the turn. */
  readonly promptId?: string;
  /** How far the transcript was looked through; absent once the agent has told of a prompt. */
  readonly look?: Look;
}

interface Look {
  /** The bytes before this place are counted. */
  readonly at: number;
  /** The file as it was then. */
  readonly size: number;
  readonly mtimeMs: number;
  /** The last bytes before that place: how many, and what tells whether they are still the same. */
  readonly tail: readonly [bytes: number, stamp: string];
  /** How many bytes were looked at. */
  readonly seen: number;
}

/** Where turns are counted as long as the agent tells of no prompt. */
export interface TurnSource {
  readonly files: Pick<RuleFiles, 'stat' | 'readRange'>;
  readonly promptsIn: ProjectTranscripts['promptsIn'];
}

/** The most that one look reads. */
const WINDOW = 1 << 20;
const TAIL = 256;
/** A transcript this long without one prompt is written in a way that nobody here knows. */
const ADRIFT = 64 << 10;
const LINE_END = 10;

export function turnId(session: string): string {
  return cellId('session', session, 'turn');
}

export function readTurn(draft: Draft, session: string): TurnRecord {
  return parseTurn(draft.read(turnId(session)));
}

function parseTurn(value: string | undefined): TurnRecord {
  const record = parseValue(value) as Partial<TurnRecord> | null | undefined;
  return typeof record?.count === 'number' ? (record as TurnRecord) : NONE;
}

/** Whether a session's turns stay unknown although its transcript could tell them. */
export function isAdrift(value: string): boolean {
  const { count, look } = parseTurn(value);
  return count === 0 && look !== undefined && look.seen >= ADRIFT;
}

/** Only a person's prompt to the main agent opens a turn; the same prompt delivered twice opens one. */
export function opensTurn(event: Event): boolean {
  return event.name === 'prompt.submit' && event.prompt?.origin === 'human' && !event.subagent;
}

export function openTurn(draft: Draft, event: Event): void {
  const { count, promptId } = readTurn(draft, event.session);
  const id = event.prompt?.id;
  if (id !== undefined && id === promptId) return;
  keep(draft, event, { count: count + 1, ...(id === undefined ? {} : { promptId: id }) });
}

/**
 * Tells the turn of an event when it is asked for. A sub-agent has one for its life. Without any prompt event the
 * transcript is counted, which changes the draft: the place up to which it was read is stored together with the count, so
 * that no attempt and no other event counts the same bytes again.
 */
export function tellTurn(event: Event, draft: Draft, source?: TurnSource): () => Turn {
  let told: Turn | undefined;
  return () => (told ??= event.subagent ? 1 : countTurns(event, draft, source));
}

function countTurns(event: Event, draft: Draft, source: TurnSource | undefined): Turn {
  const before = readTurn(draft, event.session);
  let now = before;
  if (before.look && event.transcript !== undefined && source !== undefined) {
    now = lookThrough(event.transcript, before, before.look, source);
    if (now !== before) keep(draft, event, now);
  }
  return now.count === 0 ? 'unknown' : now.count;
}

function keep(draft: Draft, event: Event, record: TurnRecord): void {
  draft.set(turnId(event.session), JSON.stringify(record), 0);
}

const NOWHERE: Look = { at: 0, size: 0, mtimeMs: 0, tail: [0, stamp([''])], seen: 0 };
const NONE: TurnRecord = { count: 0, look: NOWHERE };

/** Adds the prompts that came since the last look. */
function lookThrough(path: string, before: TurnRecord, look: Look, source: TurnSource): TurnRecord {
  const { files, promptsIn } = source;
  const found = files.stat(path);
  if (found?.kind !== 'file' || (found.size === look.size && found.mtimeMs === look.mtimeMs)) return before;
  if (found.size < look.at || tailAt(path, look, files) !== look.tail[1]) {
    const afresh = lookThrough(path, NONE, NOWHERE, source);
    return before.count === 0 ? afresh : { ...afresh, count: before.count + 1 };
  }
  const from = Math.max(look.at, found.size - WINDOW);
  const bytes = files.readRange(path, from, WINDOW) ?? new Uint8Array();
  const begin = from > look.at ? afterFirstLine(bytes) : 0;
  const lines = Math.max(begin, bytes.lastIndexOf(LINE_END) + 1);
  const whole = promptsIn(decode(bytes.subarray(begin, lines)));
  // A last line without its end is counted only if it is complete, else it is left to the next look.
  const last = promptsIn(decode(bytes.subarray(lines)));
  const end = last > 0 ? bytes.length : lines;
  const tail = bytes.subarray(Math.max(0, end - TAIL), end);
  return {
    count: before.count + whole + last,
    look: {
      at: from + end,
      size: found.size,
      mtimeMs: found.mtimeMs,
      tail: end === 0 ? look.tail : [tail.length, stampOf(tail)],
      seen: look.seen + end,
    },
  };
}

function tailAt(path: string, { at, tail: [length] }: Look, files: TurnSource['files']): string {
  return stampOf(length === 0 ? new Uint8Array() : (files.readRange(path, at - length, length) ?? new Uint8Array()));
}

/** Where the line ends that the window cut; all of it may be one line. */
function afterFirstLine(bytes: Uint8Array): number {
  const end = bytes.indexOf(LINE_END);
  return end < 0 ? bytes.length : end + 1;
}

function stampOf(bytes: Uint8Array): string {
  return stamp([decode(bytes)]);
}

function decode(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes);
}
