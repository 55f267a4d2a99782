import type { Change, Store } from './store.ts';

/** A cell that has its value because something was said, and what it held until then. */
export interface Said {
  readonly id: string;
  readonly value: string;
  readonly before?: string;
  readonly expires: number;
}

/**
 * What one event, or one rule of it, read and wants changed. Nothing is written before the whole event commits,
 * so a rule that fails or is late leaves no trace.
 */
export class Draft {
  readonly #store: Store;
  readonly #parent: Draft | undefined;
  readonly #changes: Change[] = [];
  #said: Said[] | undefined;
  readonly reads: Map<string, string | undefined>;
  readonly now: number;

  constructor(store: Store, now: number, parent?: Draft) {
    this.#store = store;
    this.#parent = parent;
    this.now = now;
    this.reads = parent?.reads ?? new Map();
  }

  /** A draft on top of this one; it counts only once it is adopted. */
  branch(): Draft {
    return new Draft(this.#store, this.now, this);
  }

  /** `spoke`: what the branch marked as said was said with this event. */
  adopt(branch: Draft, spoke = false): void {
    this.#changes.push(...branch.#changes);
    if (spoke && branch.#said) (this.#said ??= []).push(...branch.#said);
  }

  get changes(): readonly Change[] {
    return this.#changes;
  }

  /** What is to be taken back when nobody hears the reply. */
  get said(): readonly Said[] {
    return this.#said ?? NOTHING_SAID;
  }

  /** The newest of its own changes counts, then those of the draft below, then the store. An event makes few changes, so they are just looked through. */
  read(id: string): string | undefined {
    let added: number | undefined;
    for (let at = this.#changes.length - 1; at >= 0; at -= 1) {
      const change = this.#changes[at] as Change;
      if (change.id !== id) continue;
      if (change.op === 'add') added = (added ?? 0) + change.by;
      else return sum(change.op === 'set' ? change.value : undefined, added);
    }
    return sum(this.#parent ? this.#parent.read(id) : this.#readStore(id), added);
  }

  /** Whether something is kept under an id. The commit does not compare it, so this is for what is hardly ever there. */
  holds(id: string): boolean {
    if (this.#changes.some((change) => change.id === id)) return this.read(id) !== undefined;
    return this.#parent ? this.#parent.holds(id) : this.#store.get(id, this.now) !== undefined;
  }

  set(id: string, value: string, expires: number): void {
    this.#changes.push({ op: 'set', id, value, expires });
  }

  /** As `set`, for a cell that keeps a rule from saying something twice. */
  mark(id: string, value: string, expires: number): void {
    if (!this.holds(id)) (this.#said ??= []).push({ id, value, expires });
    this.set(id, value, expires);
  }

  /** As `mark`, for a cell that tells what was said last. */
  markAnew(id: string, value: string, expires: number): void {
    const before = this.holds(id) ? this.read(id) : undefined;
    (this.#said ??= []).push(before === undefined ? { id, value, expires } : { id, value, before, expires });
    this.set(id, value, expires);
  }

  delete(id: string): void {
    this.#changes.push({ op: 'delete', id });
  }

  /** Counts without reading, so that two processes never have to retry for each other. */
  add(id: string, by: number, expires: number): void {
    this.#changes.push({ op: 'add', id, by, expires });
  }

  #readStore(id: string): string | undefined {
    const known = this.reads.get(id);
    if (known !== undefined || this.reads.has(id)) return known;
    const value = this.#store.get(id, this.now);
    this.reads.set(id, value);
    return value;
  }
}

const NOTHING_SAID: readonly Said[] = [];

function sum(value: string | undefined, added: number | undefined): string | undefined {
  return added === undefined ? value : addTo(value, added);
}

export function addTo(value: string | undefined, by: number): string {
  const before = Number(value ?? 0);
  return String((Number.isFinite(before) ? before : 0) + by);
}
