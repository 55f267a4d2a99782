/** Whole parts of a name that say that what it names is there to be thrown away. */
const SCRATCH = /(?:^|[^a-z])(?:tests?|testing|tmp|temp|temporary|scratch|sandbox|dummy|e2e)(?:[^a-z]|$)/i;
/** A table called `tests` or `temp` may hold what was tested, or how warm it was. */
const SCRATCH_TABLE = /^(?:test|tmp|temp)_|_(?:test|tmp|temp)$|(?:^|_)scratch(?:_|$)|^(?:test|tmp)\d*$/i;

/** `shop_test`, `test-db`, the database at the end of an address. */
export function isScratchDatabase(name: string): boolean {
  const bare = name.includes('://') ? (name.split(/[?#]/, 1)[0] as string) : name;
  return SCRATCH.test(bare.slice(bare.lastIndexOf('/') + 1));
}

export function isScratchTable(name: string): boolean {
  return SCRATCH_TABLE.test(name.slice(name.lastIndexOf('.') + 1));
}

const DATABASE_FILE = /\.(?:sqlite3?|db3?|duckdb|realm)$/i;
const PASSING =
  /(?:^|[^a-z])(?:dev|development|local|examples?|samples?|fixtures?|caches?|thumbs|mock|demo|old|bak|backup)(?:[^a-z]|$)/i;

/** A file that is a database somebody may miss. */
export function isDatabaseFile(name: string): boolean {
  return DATABASE_FILE.test(name) && !isScratchDatabase(name) && !PASSING.test(name.slice(name.lastIndexOf('/') + 1));
}
