import type { KnownHead, KnownMachine } from './known-machines.ts';
import type { Range } from './ranges.ts';
import type { ReadLink } from './read-record.ts';

/** Who says how far a record goes; most say with which head. */
export interface Point {
  readonly sequence: number;
  readonly head?: string;
  readonly by: string;
}

/** Where numbers within a batch do not follow on each other. */
export interface Jump extends Range {
  readonly where: string;
}

/** What an export has of one machine. */
export class Collected {
  readonly machine: string;
  readonly known: KnownMachine | undefined;
  /** By head. */
  readonly checkpoints = new Map<string, ReadLink>();
  readonly points: Point[] = [];
  readonly jumps: Jump[] = [];
  /** By what is wrong with them. */
  readonly bad = new Map<string, { readonly where: string; readonly numbers: Set<number> }>();
  /** By key: the numbers that it signed. */
  readonly signers = new Map<string, Set<number>>();
  /** A batch came after a later one. */
  isShuffled = false;
  /** By number, and by head: more than one head for a number is more than one history. */
  readonly #links = new Map<number, Map<string, ReadLink>>();
  #highest = 0;

  constructor(machine: string, known: KnownMachine | undefined) {
    this.machine = machine;
    this.known = known;
    if (known?.at) this.claim(known.at, 'what was known before');
  }

  /** The records of one batch, in their order; all of them fit their hash and their signature. */
  take(batch: readonly ReadLink[], where: string): void {
    const chained = batch.filter(({ isCheckpoint }) => !isCheckpoint);
    for (const link of batch) {
      this.#takeKey(link);
      if (link.isCheckpoint) this.#takeCheckpoint(link);
    }
    if ((chained[0]?.sequence ?? this.#highest) < this.#highest) this.isShuffled = true;
    for (const [at, link] of chained.entries()) this.#takeLink(link, chained[at - 1]?.sequence ?? link.sequence, where);
  }

  claim(head: KnownHead, by: string): void {
    this.points.push({ ...head, by });
  }

  damaged(sequence: number, damage: string, where: string): void {
    const at = this.bad.get(damage) ?? { where, numbers: new Set<number>() };
    at.numbers.add(sequence);
    this.bad.set(damage, at);
  }

  /** It came before, signature and all. */
  hasTaken({ sequence, head, signature, signed, key, isCheckpoint }: ReadLink): boolean {
    const known = isCheckpoint ? this.checkpoints.get(head) : this.#links.get(sequence)?.get(head);
    return known?.signature === signature && known.signed === signed && known.key === key;
  }

  /** Every version that a number has; none of what is missing. */
  at(sequence: number): readonly ReadLink[] {
    return [...(this.#links.get(sequence)?.values() ?? [])];
  }

  all(): readonly ReadLink[] {
    return [...this.#links.values()].flatMap((here) => [...here.values()]);
  }

  /** In their order. */
  numbers(): readonly number[] {
    return [...this.#links.keys()].toSorted((one, other) => one - other);
  }

  #takeKey({ key, sequence, isCheckpoint }: ReadLink): void {
    const numbers = this.signers.get(key) ?? new Set();
    if (!isCheckpoint) numbers.add(sequence);
    this.signers.set(key, numbers);
  }

  #takeCheckpoint(point: ReadLink): void {
    if (this.checkpoints.has(point.head)) return;
    this.checkpoints.set(point.head, point);
    this.claim({ sequence: point.sequence, head: point.previous }, 'a checkpoint');
  }

  #takeLink(link: ReadLink, before: number, where: string): void {
    const { sequence, head } = link;
    const here = this.#links.get(sequence) ?? new Map<string, ReadLink>();
    if (!here.has(head)) here.set(head, link);
    this.#links.set(sequence, here);
    if (sequence < before) this.jumps.push({ from: sequence, to: before, where });
    else if (sequence > before + 1) this.jumps.push({ from: before + 1, to: sequence - 1, where });
    this.#highest = Math.max(this.#highest, sequence);
  }
}
