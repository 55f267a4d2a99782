import { DatabaseSync } from '@photostructure/sqlite';
import { join } from 'node:path';
import type { Home } from './home.ts';

export interface Fated {
  readonly event: string;
  readonly action: string;
  readonly rules: string;
  readonly call: string;
  readonly subagent: string;
  readonly at: number;
  readonly fate: string | null;
}

export function fatesIn(home: Home): Fated[] {
  const db = new DatabaseSync(join(home.state, 'state.db'), { readOnly: true });
  try {
    return db
      .prepare('SELECT event, action, rules, call, subagent, at, fate FROM fates JOIN events USING (n) ORDER BY n')
      .all() as Fated[];
  } finally {
    db.close();
  }
}
