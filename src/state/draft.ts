import type { Change, Store } from './store.ts';

/**
 * What one event, or one rule of it, read and wants changed. Nothing is written before the whole event commits,
 * so a rule that fails or is late leaves no trace.
 */
export class Draft {
  readonly #store: Store;
  readonly #parent: Draft | undefined;
  readonly #overlay = new Map<string, string | undefined>();
  readonly #adds = new Map<string, number>();
  readonly #changes: Change[] = [];
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

  adopt(branch: Draft): void {
    for (const change of branch.#changes) this.#apply(change);
  }

  get changes(): readonly Change[] {
    return this.#changes;
  }

  read(id: string): string | undefined {
    if (this.#overlay.has(id)) return this.#overlay.get(id);
    const base = this.#parent ? this.#parent.read(id) : this.#readStore(id);
    const by = this.#adds.get(id);
    return by === undefined ? base : addTo(base, by);
  }

  set(id: string, value: string, expires: number): void {
    this.#apply({ op: 'set', id, value, expires });
  }

  delete(id: string): void {
    this.#apply({ op: 'delete', id });
  }

  /** Counts without reading, so that two processes never have to retry for each other. */
  add(id: string, by: number, expires: number): void {
    this.#apply({ op: 'add', id, by, expires });
  }

  #readStore(id: string): string | undefined {
    if (this.reads.has(id)) return this.reads.get(id);
    const value = this.#store.get(id, this.now);
    this.reads.set(id, value);
    return value;
  }

  #apply(change: Change): void {
    this.#changes.push(change);
    const { id } = change;
    if (change.op === 'add') {
      if (this.#overlay.has(id)) this.#overlay.set(id, addTo(this.#overlay.get(id), change.by));
      else this.#adds.set(id, (this.#adds.get(id) ?? 0) + change.by);
      return;
    }
    this.#adds.delete(id);
    this.#overlay.set(id, change.op === 'set' ? change.value : undefined);
  }
}

export function addTo(value: string | undefined, by: number): string {
  const before = Number(value ?? 0);
  return String((Number.isFinite(before) ? before : 0) + by);
}
