import { createRequire } from 'node:module';
import type * as Sqlite from '@photostructure/sqlite';

const require = createRequire(import.meta.url);

/**
 * Opens a file with SQLite, which is loaded with the first one. It is a native module: where it cannot be loaded, whoever
 * opens a file hears so and can go on without, while an import would take the whole program down.
 */
export function openSqlite(path: string): InstanceType<typeof Sqlite.DatabaseSync> {
  const { DatabaseSync } = require('@photostructure/sqlite') as typeof Sqlite;
  return new DatabaseSync(path);
}
