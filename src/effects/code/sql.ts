import type { Effect } from '../../event/effect.ts';
import type { ShellCommand } from '../../shell/command.ts';
import type { Code } from '../../shell/languages/calls.ts';
import { knownTextOf } from '../../shell/languages/values.ts';
import type { Scene } from '../scene.ts';
import { isScratchDatabase } from '../paths/scratch-names.ts';
import { sqlEffects } from '../databases/sql-clients.ts';

/** Calls of database libraries that are given statements. */
const RUNS_SQL =
  /^(?:execute|executemany|executescript|exec|query|run|raw|prepare|do|exec_driver_sql|execute_batch|\$executeRawUnsafe|\$queryRawUnsafe|executeSql|unsafe)$/;
const STATEMENT = /^\s*(?:drop|truncate|delete|update|alter|with|begin)\b/i;

/** `db.execute('DROP TABLE users')` */
export function readCodeSql(code: Code, command: ShellCommand, scene: Scene): readonly Effect[] {
  const strings = code.tokens.filter(({ kind }) => kind === 'string');
  if (!strings.some(({ text }) => STATEMENT.test(text))) return [];
  // A database in memory, or one for tests, is named somewhere in the code.
  const scratch = strings.some(
    ({ text }) => text === ':memory:' || (text.length < 256 && !STATEMENT.test(text) && isScratchDatabase(text)),
  );
  const texts = code.calls.flatMap(({ name, args: [first] }) => {
    const text = RUNS_SQL.test(name) ? knownTextOf(first) : undefined;
    return text !== undefined && STATEMENT.test(text) ? [text] : [];
  });
  return sqlEffects(command, scene, texts, scratch);
}
