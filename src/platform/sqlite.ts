import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type * as Sqlite from '@photostructure/sqlite';

const require = createRequire(import.meta.url);
const PACKAGE = '@photostructure/sqlite';
/** Where the package lies beside a build: installed within ours, or next to it. */
const PLACES = ['../node_modules', '../..'];

/**
 * Opens a file with SQLite, which is loaded with the first one. It is a native module: where it cannot be loaded, whoever
 * opens a file hears so and can go on without, while an import would take the whole program down.
 */
export function openSqlite(path: string): InstanceType<typeof Sqlite.DatabaseSync> {
  const { DatabaseSync } = (loaded ??= loadPrebuilt() ?? (require(PACKAGE) as typeof Sqlite));
  return new DatabaseSync(path);
}

let loaded: Pick<typeof Sqlite, 'DatabaseSync'> | undefined;

/**
 * The native part that the package itself would find here, in a quarter of the time; undefined where that takes more than a
 * look, or where it does not fit this system.
 */
function loadPrebuilt(): typeof loaded {
  if (existsSync('/etc/alpine-release')) return undefined;
  const system = `${process.platform}-${process.arch}`;
  const file = join(PACKAGE, 'prebuilds', system, `${PACKAGE.replace('/', '+')}.glibc.node`);
  const found = PLACES.map((place) => join(import.meta.dirname, place, file)).find((path) => existsSync(path));
  try {
    return found === undefined ? undefined : (require(found) as typeof loaded);
  } catch {
    return undefined;
  }
}
