import type { Adapter } from '../adapters/adapter.ts';
import { lookIn } from '../adapters/transcript-look.ts';
import type { Event, EventName } from '../event/event.ts';
import type { Memory } from '../ledger/open.ts';
import type { Files } from '../platform/files.ts';
import { cellId, parseValue } from '../state/cells.ts';
import { judgeFates } from './judge-fates.ts';
import { nearEnd, readOn } from './read-on.ts';
import type { ReadPosition } from './read-on.ts';

/** Finds out, long after the reply, what became of decisions on the agent's side. */
export interface Receipts {
  see(seen: { readonly event: Event }): void;
  /** Looks at once where a look is due. */
  flush(): void;
}

export interface ReceiptsOptions {
  readonly files: Pick<Files, 'stat' | 'readRange' | 'list'>;
  readonly memory: Pick<Memory, 'store' | 'ledger' | 'fates'>;
  now(): number;
  soon(ms: number, work: () => void): void;
  isOff(now: number): boolean;
  onFailure(what: string, error: unknown): void;
  adapterNamed(name: string): Adapter | undefined;
}

/** Where a turn begins or ends, the transcript tells of all that was before. */
const LOOK_AT: ReadonlySet<EventName> = new Set(['prompt.submit', 'turn.stop', 'subagent.stop', 'session.end']);
/** By then the agent has written what it knew when it asked us. */
const LOOK_MS = 1_500;
const PAUSE_MS = 20;
/** What one look reads of one transcript, and how much of it without a pause in which events are answered. */
const MOST = 8 << 20;
const SLICE = { bytes: 1 << 20, longest: 1 << 20 };
/** Transcripts of sub-agents that a look reads. */
const MOST_SUBAGENTS = 100;

interface Due {
  readonly agent: string;
  readonly transcript: string;
  readonly isOver: boolean;
}

type Positions = Readonly<Record<string, ReadPosition>>;

export function createReceipts(options: ReceiptsOptions): Receipts {
  const { files, memory, now, onFailure } = options;
  const due = new Map<string, Due>();
  let isPlanned = false;

  let underway: Generator<void, void> | undefined;

  function* lookAtAll(): Generator<void, void> {
    for (const [session, look] of due) {
      due.delete(session);
      yield* lookAt(session, look);
    }
  }

  function* lookAt(session: string, { agent, transcript, isOver }: Due): Generator<void, void> {
    const transcripts = options.adapterNamed(agent)?.transcripts;
    memory.ledger.flush();
    const { fates, store } = memory;
    if (!transcripts || !fates) return;
    const id = cellId('session', session, 'transcript.read');
    const before = positionsIn(store.get(id, now()));
    const open = fates.open(session);
    const judge = judgeFates(open, transcripts.leavesTrace);
    const after: Record<string, ReadPosition> = {};
    let isWhole = true;
    let isCut = false;
    let records = 0;
    const look = lookIn(files, MOST_SUBAGENTS);
    for (const path of [transcript, ...transcripts.subagentsOf(transcript, look)]) {
      const recordsIn = transcripts.reader(() => look.head(path));
      const take = (line: string) => {
        for (const record of recordsIn(line) ?? []) {
          records += 1;
          judge.take(record);
        }
      };
      // With nothing to look for, all that will count is still to come.
      const jump = before[path] ? undefined : nearEnd(files, path, open.length === 0 ? 0 : MOST);
      let at = open.length === 0 ? nearEnd(files, path, 0) : (before[path] ?? jump);
      let isRead = false;
      isCut ||= jump !== undefined;
      for (let left = open.length === 0 ? 0 : MOST; left > 0; left -= SLICE.bytes) {
        const read = readOn(files, path, at, SLICE, take);
        if (!read) break;
        at = read.position;
        isRead = !read.more;
        if (!read.more) break;
        yield;
      }
      isWhole &&= isRead;
      // What holds no record is no transcript yet.
      if (at && (open.length === 0 || records > 0 || before[path])) after[path] = at;
    }
    // Of what stands in a part that nobody has read, nothing can be said.
    const isKnown = isWhole && (records > 0 || before[transcript] !== undefined);
    if (open.length > 0) fates.keep(judge.settle(isOver && isKnown, isCut));
    const value = JSON.stringify(after);
    if (value === JSON.stringify(before)) return;
    store.commit({ reads: new Map(), changes: [{ op: 'set', id, value, expires: 0 }], now: now() });
  }

  /** Goes a step on; false at the end. */
  function step(): boolean {
    try {
      if (options.isOff(now())) due.clear();
      underway ??= lookAtAll();
      if (underway.next().done !== true) return true;
    } catch (error) {
      onFailure('reading what became of decisions', error);
    }
    underway = undefined;
    return false;
  }

  function goOn(): void {
    if (step()) options.soon(PAUSE_MS, goOn);
    else isPlanned = false;
  }

  return {
    see({ event }) {
      const { name, session, agent, transcript, hasSession, subagent } = event;
      if (!hasSession || transcript === undefined || !LOOK_AT.has(name)) return;
      // A sub-agent may have a transcript of its own, which is found by the session's.
      if (subagent && name !== 'subagent.stop') return;
      const isOver = name === 'session.end' || due.get(session)?.isOver === true;
      due.set(session, { agent, transcript, isOver });
      if (isPlanned) return;
      isPlanned = true;
      options.soon(LOOK_MS, goOn);
    },
    flush() {
      while (due.size > 0 || underway) step();
    },
  };
}

function positionsIn(value: string | undefined): Positions {
  const kept = parseValue(value);
  return typeof kept === 'object' && kept !== null ? (kept as Positions) : {};
}
