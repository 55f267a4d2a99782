import type { Database } from '../platform/database.ts';

/** For readers of a table that its first writer makes: they work on a full disk too. */
export function hasTable(db: Database, name: string): boolean {
  return db.prepare(`SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?`).get(name) !== undefined;
}

export function hasColumn(db: Database, table: string, column: string): boolean {
  const columns = db.prepare(`PRAGMA table_info(${table})`).all() as { name: string }[];
  return columns.some(({ name }) => name === column);
}
