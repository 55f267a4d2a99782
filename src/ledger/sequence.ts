import type { Database } from '../platform/database.ts';

export const SEQUENCE_SCHEMA = `
CREATE TABLE IF NOT EXISTS sequences (session TEXT PRIMARY KEY, reserved INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS released (session TEXT NOT NULL, first INTEGER NOT NULL, last INTEGER NOT NULL);`;

/** Inclusive. */
type Range = readonly [first: number, last: number];

/** A process that stays sees thousands of sessions: the numbers of those longest silent go back. */
const MAX_SESSIONS = 2_000;

interface Block {
  next: number;
  last: number;
  /** Reserved in a transaction that has ended well; until then its numbers may turn out to be somebody else's. */
  isSure: boolean;
}

/** `take`, `topUp` and `giveBack` write, so they are called inside a transaction. */
export interface Sequence {
  /** A number that is surely ours, if one is at hand without a write. */
  peek(session: string): number | undefined;
  take(session: string): number;
  /** Sees to it that the next events find numbers at hand. */
  topUp(session: string): void;
  giveBack(): void;
  /** Numbers taken for events to come, by session. */
  held(): Readonly<Record<string, readonly Range[]>>;
  /** After a commit: what was reserved in it is ours. */
  confirm(): void;
  /** After a rollback: what was reserved in it may be given to others, and what was taken in it is free again. */
  forget(): void;
}

/**
 * Numbers the events of a session across processes. A resident process takes numbers in blocks, so that a neutral event
 * gets its number without a write; a number that was neither used nor given back is a gap: the process was killed.
 */
export function createSequence(db: Database, blockSize: number): Sequence {
  const reserve = db.prepare(
    'INSERT INTO sequences (session, reserved) VALUES (?, ?) ON CONFLICT (session) DO UPDATE SET reserved = reserved + excluded.reserved RETURNING reserved',
  );
  const release = db.prepare('INSERT INTO released (session, first, last) VALUES (?, ?, ?)');
  const held = new Map<string, Block[]>();
  let unsure: Block[] = [];
  /** Of sure blocks, by the transaction that is open. */
  let taken: { readonly session: string; readonly number: number }[] = [];

  function add(session: string): void {
    const { reserved } = reserve.get(session, blockSize) as { reserved: number };
    const blocks = held.get(session) ?? [];
    const block = { next: reserved - blockSize + 1, last: reserved, isSure: false };
    blocks.push(block);
    unsure.push(block);
    held.delete(session);
    held.set(session, blocks);
    const [oldest] = held.size > MAX_SESSIONS ? held.keys() : [];
    if (oldest !== undefined) giveBack(oldest);
  }

  function giveBack(session: string): void {
    for (const { next, last } of held.get(session) ?? []) release.run(session, next, last);
    held.delete(session);
  }

  function draw(session: string, mustBeSure: boolean): number | undefined {
    const blocks = held.get(session);
    const block = blocks?.[0];
    if (!blocks || !block || (mustBeSure && !block.isSure)) return undefined;
    const number = block.next++;
    if (block.next > block.last) blocks.shift();
    return number;
  }

  return {
    peek: (session) => draw(session, true),
    take(session) {
      if (!held.get(session)?.length) add(session);
      const isSure = held.get(session)?.[0]?.isSure === true;
      const number = draw(session, false) as number;
      if (isSure) taken.push({ session, number });
      return number;
    },
    topUp(session) {
      const left = (held.get(session) ?? []).reduce((sum, { next, last }) => sum + last - next + 1, 0);
      if (blockSize > 1 && left < blockSize / 2) add(session);
    },
    giveBack() {
      for (const session of held.keys()) giveBack(session);
    },
    held: () =>
      Object.fromEntries([...held].map(([session, blocks]) => [session, blocks.map(({ next, last }) => [next, last])])),
    confirm() {
      for (const block of unsure) block.isSure = true;
      unsure = [];
      taken = [];
    },
    forget() {
      for (const [session, blocks] of held)
        held.set(
          session,
          blocks.filter(({ isSure }) => isSure),
        );
      for (const { session, number } of taken.toReversed()) {
        const block = { next: number, last: number, isSure: true };
        held.set(session, [block, ...(held.get(session) ?? [])]);
      }
      unsure = [];
      taken = [];
    },
  };
}
