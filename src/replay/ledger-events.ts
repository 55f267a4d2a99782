import type { Event } from '../event/event.ts';
import type { LedgerDetail } from '../event/ledger-row.ts';
import type { ToldEvent } from '../event/transcript.ts';
import type { Database } from '../platform/database.ts';

/** An event as the ledger has it. */
export interface StoredEvent extends ToldEvent {
  readonly agent: string;
  readonly stored: Event;
  /** What the ledger left out of it. */
  readonly lacks: readonly string[];
}

interface Row {
  readonly n: number;
  readonly at: number;
  readonly agent: string;
  readonly body: string;
}

const PAGE = 200;
const COVERED = /\[redacted/;
const CUT = / \[\+\d+ characters\]|"\[\+\d+ items\]"|"\[deeper\]"/;

/** What the ledger has of events, the oldest first; not those that were delivered twice. */
export function* ledgerEvents(db: Database): Generator<StoredEvent> {
  const find = db.prepare(
    `SELECT n, at, agent, body FROM events JOIN details USING (n) WHERE n > ? AND copy = 0 ORDER BY n LIMIT ${PAGE}`,
  );
  for (let n = 0; ;) {
    const page = find.all(n) as unknown as Row[];
    for (const row of page) {
      const told = storedIn(row);
      if (told) yield told;
      n = row.n;
    }
    if (page.length < PAGE) return;
  }
}

function storedIn({ at, agent, body }: Row): StoredEvent | undefined {
  const { event, unread } = JSON.parse(body) as Partial<LedgerDetail>;
  const stored = event as Event | undefined;
  if (stored?.name === undefined || !stored.hasSession) return undefined;
  const { name, session, cwd, transcript = '', projectDir = cwd } = stored;
  return { name, at, agent, session, cwd, transcript, projectDir, stored, lacks: lacksOf(stored, unread === true) };
}

function lacksOf(event: Event, isUnread: boolean): readonly string[] {
  const text = JSON.stringify(event);
  const lacks: string[] = [];
  if (COVERED.test(text)) lacks.push('a secret that the ledger covered');
  if (CUT.test(text)) lacks.push('a text that the ledger cut');
  const isBare = event.tool?.hasInput === false || (event.name === 'prompt.submit' && event.prompt === undefined);
  if (isUnread || isBare) lacks.push('texts that the ledger did not keep');
  return lacks;
}
