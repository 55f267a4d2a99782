import fc from 'fast-check';
import { DatabaseSync } from '@photostructure/sqlite';
import { expect, it } from 'vitest';
import type { LedgerDetail, LedgerRow } from '../event/ledger-row.ts';
import { NEUTRAL } from '../event/verdict.ts';
import type { Database } from '../platform/database.ts';
import { createSessionSums, readSessionSum, SESSION_SUM_SCHEMA } from './session-sums.ts';

const detail = { decision: NEUTRAL } as LedgerDetail;

it('is the same in whatever order and batches rows come, from however many processes', () => {
  const rows = fc.uniqueArray(fc.record({ n: fc.integer({ min: 1, max: 50 }), at: fc.integer({ min: 1, max: 50 }) }), {
    selector: ({ n }) => n,
    minLength: 1,
  });
  fc.assert(
    fc.property(rows, fc.infiniteStream(fc.boolean()), fc.infiniteStream(fc.boolean()), (all, flushes, others) => {
      const db = new DatabaseSync(':memory:') as Database;
      db.exec(SESSION_SUM_SCHEMA);
      const writers = [createSessionSums(db), createSessionSums(db)] as const;
      for (const { n, at } of all) {
        const writer = writers[others.next().value === true ? 1 : 0];
        const row = {
          session: 's',
          agent: 'a',
          root: `/${at}`,
          at,
          event: 'tool.before',
          action: 'pass',
          chars: 0,
        };
        writer.count(n, row as LedgerRow, detail, 1);
        if (flushes.next().value === true) writer.write();
      }
      for (const writer of writers) writer.write();
      const [numbers, times] = [all.map(({ n }) => n), all.map(({ at }) => at)];
      expect(readSessionSum(db, 's')).toMatchObject({
        ...{ events: all.length, first_n: Math.min(...numbers), last_n: Math.max(...numbers) },
        ...{ first: Math.min(...times), last: Math.max(...times), root: `/${Math.max(...times)}` },
      });
      db.close();
    }),
  );
});
