import type { Adapter, Transcripts } from '../adapters/adapter.ts';
import { lookIn } from '../adapters/transcript-look.ts';
import type { ToldEvent } from '../event/transcript.ts';
import type { Files } from '../platform/files.ts';
import type { Outcome, ReplayEngine } from './replay-engine.ts';
import type { StoredEvent } from './ledger-events.ts';
import { createTeller } from './tell-events.ts';
import { beginningOf, Telling } from './telling.ts';

/** An agent that writes down its sessions. */
export interface Recorder {
  readonly adapter: Adapter;
  readonly transcripts: Transcripts;
}

/** A transcript of a session, or of a sub-agent that the session had. */
export interface TranscriptPart {
  readonly path: string;
  readonly size: number;
  /** The transcript of the session that it belongs to. */
  readonly main: string;
  readonly beganAt: number;
}

/** One event, and what each of the engines would have answered. */
export interface Replayed {
  readonly told: ToldEvent;
  readonly outcomes: readonly Outcome[];
}

export interface ReplayRun {
  readonly recorder: Recorder;
  readonly parts: readonly TranscriptPart[];
  readonly engines: readonly ReplayEngine[];
  readonly files: Files;
  /** Told now and then how much of all transcripts is read. */
  onProgress?(characters: number): void;
  readonly leftOut?: LeftOut;
}

/** What of transcripts was not replayed. */
export interface LeftOut {
  longLines: number;
  brokenLines: number;
  /** Files that could not be read. */
  readonly unread: string[];
}

/** The transcripts of these sessions and of their sub-agents that tell of something, by when they begin. */
export function partsOf(
  mains: readonly string[],
  { transcripts }: Recorder,
  files: Files,
  since: number,
  leftOut?: LeftOut,
): readonly TranscriptPart[] {
  const parts = mains.flatMap((main) =>
    [main, ...transcripts.subagentsOf(main, lookIn(files))].flatMap((path): TranscriptPart[] => {
      const found = files.stat(path);
      if (found?.kind !== 'file' || found.mtimeMs < since) return [];
      if (found.size > 0 && files.readRange(path, 0, 1) === undefined) leftOut?.unread.push(path);
      const beganAt = beginningOf(path, found.size, transcripts, files);
      return beganAt === undefined ? [] : [{ path, size: found.size, main, beganAt }];
    }),
  );
  return parts.sort((a, b) => a.beganAt - b.beganAt);
}

interface Open {
  readonly telling: Telling;
  readonly main: string;
  /** Of those of one time the one that began first is told first. */
  readonly order: number;
}

/** How many records go by between two words on progress. */
const STEP = 256;

/**
 * All that happened, in the order of time across sessions: what one of them makes the engine remember counts for the next.
 * As many transcripts are open as sessions ran side by side.
 */
export async function* replay(run: ReplayRun): AsyncGenerator<Replayed> {
  const { recorder, engines, files, onProgress } = run;
  const { adapter, transcripts } = recorder;
  const sent = new Set(adapter.events.map(({ canonical }) => canonical));
  const waiting = run.parts;
  const left = new Map<string, number>();
  for (const { main } of waiting) left.set(main, (left.get(main) ?? 0) + 1);
  const mains = new Map<string, string>();
  const sessionsOf = new Map<string, Set<string>>();
  const teller = createTeller((session) => mains.get(session) ?? '');
  /** By when their next record was written. */
  const open: Open[] = [];
  let begun = 0;
  let done = 0;
  let records = 0;

  for (;;) {
    const [first] = open;
    const next = waiting[begun];
    if (next && (!first || next.beganAt <= first.telling.at)) {
      begun += 1;
      const telling = new Telling(next.path, next.size, next.beganAt, transcripts, files);
      open.unshift({ telling, main: next.main, order: begun });
      sortFirst(open);
      continue;
    }
    if (!first) return;
    const { telling, main } = first;
    const { at } = telling;
    const record = telling.next();
    if (record) {
      if (record.session !== undefined && !mains.has(record.session)) mains.set(record.session, main);
      if (record.session !== undefined) {
        const sessions = sessionsOf.get(main) ?? new Set();
        sessionsOf.set(main, sessions.add(record.session));
      }
      for (const told of teller.tell(record, at, telling)) if (sent.has(told.name)) yield await answered(told);
      records += 1;
      if (records % STEP === 0) onProgress?.(open.reduce((sum, each) => sum + each.telling.read, done));
    }
    if (!telling.isOver) {
      sortFirst(open);
      continue;
    }
    open.shift();
    done += telling.read;
    if (run.leftOut) {
      run.leftOut.longLines += telling.skipped;
      run.leftOut.brokenLines += telling.broken;
    }
    const parts = (left.get(main) ?? 1) - 1;
    left.set(main, parts);
    if (parts > 0) continue;
    for (const session of sessionsOf.get(main) ?? []) {
      for (const told of teller.end(session)) if (sent.has(told.name)) yield await answered(told);
      for (const engine of engines) engine.forget(session);
      mains.delete(session);
    }
    sessionsOf.delete(main);
  }

  function answered(told: ToldEvent): Promise<Replayed> {
    return decideIn(engines, told, adapter);
  }
}

/** The same for events that the ledger has, in the order in which they were written there. */
export async function* replayStored(
  stored: Iterable<StoredEvent>,
  engines: readonly ReplayEngine[],
  adapterNamed: (name: string) => Adapter | undefined,
): AsyncGenerator<Replayed> {
  for (const told of stored) {
    const adapter = adapterNamed(told.agent);
    if (!adapter) continue;
    yield await decideIn(engines, told, adapter);
    if (told.name === 'session.end') for (const engine of engines) engine.forget(told.session);
  }
}

async function decideIn(
  engines: readonly ReplayEngine[],
  told: ToldEvent | StoredEvent,
  adapter: Adapter,
): Promise<Replayed> {
  const outcomes: Outcome[] = [];
  for (const engine of engines) outcomes.push(await engine.decide(told, adapter));
  return { told, outcomes };
}

/** Puts the first where it belongs; the others are in order. */
function sortFirst(open: Open[]): void {
  const [first] = open;
  if (!first) return;
  let place = 0;
  for (let next = open[1]; next && isBefore(next, first); next = open[place + 1]) {
    open[place] = next;
    place += 1;
  }
  open[place] = first;
}

function isBefore(one: Open, other: Open): boolean {
  const apart = one.telling.at - other.telling.at;
  return apart < 0 || (apart === 0 && one.order < other.order);
}
