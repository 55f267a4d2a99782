import type { LedgerDetail, LedgerRow } from '../event/ledger-row.ts';
import type { Decision } from '../event/verdict.ts';
import type { Database, Statement } from '../platform/database.ts';
import { hasTable } from './has-table.ts';

/**
 * Sums that leave the machine as metrics. They only ever grow and outlive the rows, so a receiver that misses some of them loses nothing, and
 * one that gets them twice counts nothing twice. The words of a key are the values of its attributes.
 */
export type LeavingMetric = 'events' | 'decisions' | 'attention' | 'fates' | 'duration' | 'duration.sum';

export interface LeavingSum {
  readonly metric: LeavingMetric;
  readonly key: readonly string[];
  readonly value: number;
}

/** Upper bounds of the buckets in microseconds; a last bucket takes what is longer. */
export const DURATION_BOUNDS: readonly number[] = [
  100, 250, 500, 1_000, 2_500, 5_000, 10_000, 25_000, 50_000, 100_000, 250_000, 1_000_000,
];

/** Names of rules come from everywhere: with so many keys, a new one counts as `OVERFLOW`. */
const BY_RULE: ReadonlySet<LeavingMetric> = new Set(['decisions', 'attention', 'fates']);
const MOST_KEYS = 2_000;
export const OVERFLOW = '';

export interface OutboxSums {
  /** `micros`: what the event took in all. */
  count(row: LedgerRow, detail: LedgerDetail, micros: number): void;
  write(): void;
  drop(): void;
}

interface Adding {
  add(metric: LeavingMetric, key: readonly string[], value?: number): void;
  write(): void;
  drop(): void;
}

/** Inside a transaction. */
function createAdding(db: Database): Adding {
  const prepare = () =>
    db.prepare('INSERT INTO outbox_sums VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET value = value + excluded.value');
  let statement: ReturnType<typeof prepare> | undefined;
  let known: Set<string> | undefined;
  const tallies = new Map<string, LeavingSum>();

  const nameOf = ({ metric, key }: Pick<LeavingSum, 'metric' | 'key'>) => `${metric} ${JSON.stringify(key)}`;

  function bounded({ metric, key }: LeavingSum): readonly string[] {
    if (!BY_RULE.has(metric)) return key;
    known ??= new Set(readLeavingSums(db).map(nameOf));
    const name = nameOf({ metric, key });
    if (!known.has(name) && known.size >= MOST_KEYS) return key.map(() => OVERFLOW);
    known.add(name);
    return key;
  }

  return {
    add(metric, key, value = 1) {
      const name = nameOf({ metric, key });
      tallies.set(name, { metric, key, value: (tallies.get(name)?.value ?? 0) + value });
    },
    write() {
      if (tallies.size === 0) return;
      statement ??= prepare();
      for (const sum of tallies.values()) statement.run(sum.metric, JSON.stringify(bounded(sum)), sum.value);
      tallies.clear();
    },
    drop() {
      tallies.clear();
    },
  };
}

/** Counts with each row's detail, after the reply; where nothing is sent, it looks for that once in a batch. Its tables are there. */
export function createOutboxSums(db: Database): OutboxSums {
  const { add, write, drop } = createAdding(db);
  let asking: Statement | undefined;
  let isOn: boolean | undefined;
  return {
    count({ agent, event, action, rules, copy }, { decision, isTrial }, micros) {
      if (isTrial || copy) return;
      isOn ??= (asking ??= db.prepare(IS_ON)).get() !== undefined;
      if (!isOn) return;
      add('events', [agent, event]);
      add('duration', [event, String(bucketOf(micros))]);
      add('duration.sum', [event], micros);
      if (rules === '') return;
      const { by, notes, warns } = decision as Decision;
      if (action !== 'pass') for (const rule of by) add('decisions', [rule, action]);
      for (const { rule } of warns) add('decisions', [rule, 'warn']);
      for (const { rule, text } of notes) {
        add('decisions', [rule, 'note']);
        add('attention', [rule], text.length);
      }
    },
    write,
    drop() {
      isOn = undefined;
      drop();
    },
  };
}

const IS_ON = 'SELECT 1 FROM outbox WHERE is_on';

/** Whether what happens is to be counted for a receiver. */
function isCounting(db: Database): boolean {
  return hasTable(db, 'outbox') && db.prepare(IS_ON).get() !== undefined;
}

function bucketOf(micros: number): number {
  const found = DURATION_BOUNDS.findIndex((bound) => micros <= bound);
  return found < 0 ? DURATION_BOUNDS.length : found;
}

/** Inside a transaction: what became of decisions on the agent's side. */
export function countFatesLeaving(
  db: Database,
  found: readonly { readonly n: number; readonly fate?: string }[],
): void {
  if (!isCounting(db)) return;
  const { add, write } = createAdding(db);
  const find = db.prepare('SELECT rules FROM events WHERE n = ?');
  for (const { n, fate } of found) {
    const row = fate === undefined ? undefined : (find.get(n) as { rules: string } | undefined);
    for (const rule of row?.rules.split(',') ?? []) add('fates', [rule, fate ?? '']);
  }
  write();
}

export function readLeavingSums(db: Database): LeavingSum[] {
  if (!hasTable(db, 'outbox_sums')) return [];
  const found = db.prepare('SELECT metric, key, value FROM outbox_sums').all() as (Omit<LeavingSum, 'key'> & {
    key: string;
  })[];
  return found.map(({ key, ...sum }) => ({ ...sum, key: JSON.parse(key) as string[] }));
}
