import { createAnswers, MAX_ANSWERS } from '../state/answers.ts';
import type { Database } from '../platform/database.ts';

interface AnswerRow {
  readonly n: number;
  readonly delivery: string;
  readonly answer: string;
}

export interface StoredAnswers {
  find(delivery: string): string | undefined;
  keep(delivery: string | undefined, answer: string | undefined): void;
  moved(): void;
  forget(): void;
}

/**
 * Answers of the newest rows. A process that stays keeps them in memory and reads only rows that others have added; one
 * that answers a single event asks the file.
 */
export function createStoredAnswers(db: Database, resident: boolean): StoredAnswers {
  const newest = db.prepare('SELECT max(n) AS n FROM events');
  const one = db.prepare('SELECT answer FROM events WHERE n > ? AND delivery = ? LIMIT 1');
  const added = db.prepare('SELECT n, delivery, answer FROM events WHERE n > ? AND delivery IS NOT NULL ORDER BY n');
  let answers = createAnswers();
  let current = false;
  let readTo: number | undefined;

  const start = () => ((newest.get() as { n: number | null }).n ?? 0) - MAX_ANSWERS;

  function catchUp(): void {
    if (current) return;
    for (const { n, delivery, answer } of added.all((readTo ??= start())) as AnswerRow[]) {
      answers.keep(delivery, answer);
      readTo = n;
    }
    current = true;
  }

  return {
    find(delivery) {
      if (resident) catchUp();
      const known = answers.get(delivery);
      if (known !== undefined || resident) return known;
      return (one.get(start(), delivery) as AnswerRow | undefined)?.answer;
    },
    keep: (delivery, answer) => answers.keep(delivery, answer),
    moved() {
      current = false;
    },
    forget() {
      answers = createAnswers();
      current = false;
      readTo = undefined;
    },
  };
}
