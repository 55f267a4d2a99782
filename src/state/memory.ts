import { createAnswers } from './answers.ts';
import { addTo } from './draft.ts';
import { SEPARATOR } from './cells.ts';
import type { Commit, Store, StoredCell } from './store.ts';
import { queuedBy } from './team-queue.ts';
import type { LedgerRow } from '../event/ledger-row.ts';

/** State for one process: tests, demos, and sessions whose state file cannot be opened. */
export function createMemoryStore(onRow: (row: LedgerRow) => void = () => {}): Store {
  const cells = new Map<string, StoredCell>();
  const answers = createAnswers();
  const alive = (id: string, now: number) => {
    const cell = cells.get(id);
    return cell && (cell.expires === 0 || cell.expires > now) ? cell : undefined;
  };

  return {
    get: (id, now) => alive(id, now)?.value,
    answered: answers.get,
    commit(commit: Commit) {
      const { reads, changes, row, now } = commit;
      if (row?.delivery !== undefined && answers.get(row.delivery) !== undefined) return false;
      for (const [id, value] of reads) if (alive(id, now)?.value !== value) return false;
      const queued = queuedBy(commit);
      for (const change of queued ? [...changes, queued] : changes) {
        if (change.op === 'delete') cells.delete(change.id);
        else {
          const before = change.op === 'add' ? alive(change.id, now) : undefined;
          const value = change.op === 'set' ? change.value : addTo(before?.value, change.by);
          cells.set(change.id, { id: change.id, value, expires: before?.expires ?? change.expires, updated: now });
        }
      }
      if (row) {
        onRow(row);
        answers.keep(row.delivery, row.answer);
      }
      return true;
    },
    refresh() {},
    seenOthers: () => 0,
    list: (prefix, now, having = '') =>
      [...cells.values()]
        .filter(({ id }) => id.startsWith(prefix) && id.includes(having) && alive(id, now))
        .sort((a, b) => (a.id < b.id ? -1 : 1)),
    remove(prefix) {
      let removed = 0;
      for (const id of [...cells.keys()]) if (id.startsWith(prefix) && cells.delete(id)) removed += 1;
      return removed;
    },
    prune(sessionsBefore, now) {
      const touched = new Map<string, number>();
      for (const cell of cells.values()) {
        const session = sessionOf(cell.id);
        if (session !== undefined) touched.set(session, Math.max(touched.get(session) ?? 0, cell.updated));
      }
      let removed = 0;
      for (const id of [...cells.keys()]) {
        const session = sessionOf(id);
        const stale = session !== undefined && (touched.get(session) ?? 0) < sessionsBefore;
        if ((stale || !alive(id, now)) && cells.delete(id)) removed += 1;
      }
      return removed;
    },
    stored: () => undefined,
    close() {},
  };
}

/** The session a cell belongs to; the owner of a turn cell starts with its session. */
export function sessionOf(id: string): string | undefined {
  const [scope, owner = ''] = id.split(SEPARATOR, 2);
  if (scope === 'session') return owner;
  return scope === 'turn' ? owner.slice(0, owner.indexOf('\u001e')) : undefined;
}
