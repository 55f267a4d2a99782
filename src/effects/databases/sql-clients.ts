import type { Effect } from '../../event/effect.ts';
import type { ShellCommand, ShellWord } from '../../shell/command.ts';
import { layoutOf, readCommandLine } from '../words/command-line.ts';
import type { ProgramTable, ReadEffects, Scene } from '../scene.ts';
import { isScratchDatabase } from '../paths/scratch-names.ts';
import { readSql } from './sql.ts';
import type { VerbTable } from '../words/verbs.ts';
import { readVerbs } from '../words/verbs.ts';

interface SqlClient {
  /** Options that take the next word, without dashes and parted by blanks. */
  readonly values: string;
  /** Those of them that hold statements. */
  readonly sql: readonly string[];
  /** Operands from this one on hold statements. */
  readonly operandsFrom?: number;
  readonly wholeWords?: boolean;
  readonly attached?: string;
  /** With one of these nothing can be changed. */
  readonly safe?: readonly string[];
  /** The first operand is the database, and without one it lives in memory alone. */
  readonly inMemory?: boolean;
  /** Options that name the database; the first operand may do so as well. */
  readonly database?: readonly string[];
}

const POSTGRES: SqlClient = {
  values:
    'c command d dbname f file h host p port U username v set variable o output L log-file F ' +
    'field-separator R record-separator P pset T table-attr',
  sql: ['c', 'command'],
  safe: ['help', 'version', 'V', 'l', 'list'],
  database: ['d', 'dbname'],
};
const MYSQL: SqlClient = {
  values:
    'e execute u user h host P port D database S socket protocol default-character-set defaults-file ' +
    'defaults-extra-file delimiter tee init-command',
  sql: ['e', 'execute', 'init-command'],
  attached: 'p',
  safe: ['help', 'version', 'V'],
  database: ['D', 'database'],
};
const SQLITE: SqlClient = {
  values: 'cmd init separator nullvalue newline mmap maxsize lookaside pagecache vfs',
  sql: ['cmd'],
  operandsFrom: 1,
  wholeWords: true,
  safe: ['readonly', 'safe', 'help', 'version'],
  inMemory: true,
};
const DUCKDB: SqlClient = {
  ...SQLITE,
  values: 'c s f cmd init separator nullvalue newline storage-version',
  sql: ['c', 's', 'cmd'],
};
const SQL_SERVER: SqlClient = {
  values: 'Q q query S U P d i o l t v s w h H K database server',
  sql: ['Q', 'q', 'query', 't'],
  operandsFrom: 1,
  safe: ['help', 'version', '?'],
};
const CLICKHOUSE: SqlClient = {
  values: 'q query h host port u user password d database queries-file f format c config',
  sql: ['q', 'query'],
  safe: ['help', 'version', 'V', 'readonly'],
};
/** Clients that differ only in the option that holds the statement. */
const PLAIN: SqlClient = {
  values:
    'e execute q query f file filename c command u username p password h host url d database k keyspace i ' +
    's server catalog schema w user port certs-dir a accountname',
  sql: ['e', 'execute', 'q', 'query', 'c', 'command'],
  safe: ['help', 'version'],
};

function readClient(client: SqlClient): ReadEffects {
  const { attached = '', wholeWords = false } = client;
  const layout = layoutOf(client.values, wholeWords, attached);
  return (command, scene) => {
    const { operands, options } = readCommandLine(command.words.slice(1), layout);
    if (client.safe?.some((name) => options.has(name)) === true) return NOTHING;
    if (client.inMemory === true && (operands[0]?.value ?? ':memory:') === ':memory:') return NOTHING;
    const texts = client.sql.flatMap((name) => options.get(name)?.map(({ value }) => value) ?? []);
    if (client.operandsFrom !== undefined) texts.push(...operands.slice(client.operandsFrom).map(({ value }) => value));
    if (command.input?.kind === 'text') texts.push(command.input.text);
    const named = client.database?.flatMap((name) => options.get(name) ?? []).at(-1) ?? operands[0];
    const mayName = client.database !== undefined || client.inMemory === true;
    return sqlEffects(
      command,
      scene,
      texts,
      mayName && named !== undefined && isScratch(named, client, command, scene),
    );
  };
}

function isScratch(named: ShellWord, { inMemory }: SqlClient, command: ShellCommand, scene: Scene): boolean {
  if (isScratchDatabase(named.value)) return true;
  const { scope } = inMemory === true ? scene.place(named, command) : { scope: undefined };
  return scope === 'temp' || scope === 'made';
}

const NOTHING: readonly Effect[] = [];

/** `scratch` when the client is connected to what is there to be thrown away. */
export function sqlEffects(
  command: ShellCommand,
  scene: Scene,
  texts: readonly string[],
  scratch = false,
): readonly Effect[] {
  return texts
    .flatMap((text) => readSql(text))
    .filter(({ whole }) => !scratch || whole === true)
    .map(({ how, target }) => scene.effect(command, { kind: 'destroy-data', how, target }));
}

/** `cockroach sql`, `bq query`, `snow sql`: a client behind a verb. */
function behindVerb(verb: string, client: SqlClient): ReadEffects {
  const read = readClient(client);
  const layout = layoutOf(client.values);
  return (command, scene) => {
    const [first] = readCommandLine(command.words.slice(1), layout).operands;
    if (first?.value.toLowerCase() !== verb) return NOTHING;
    return read({ ...command, words: command.words.slice(command.words.indexOf(first)) }, scene);
  };
}

/** Platforms that pass statements on: `wrangler d1 execute db --command`, `turso db shell db '…'`, `heroku pg:psql -c`. */
const WRANGLER: SqlClient = { values: 'command file c config e env', sql: ['command'] };
const TURSO: SqlClient = { values: 'config-path location', sql: [], operandsFrom: 3 };
const HEROKU: SqlClient = { values: 'a app c command r remote', sql: ['c', 'command'] };

const BIG_QUERY_SQL: SqlClient = {
  values: 'project_id dataset_id location format destination_table max_rows n label parameter',
  sql: [],
  operandsFrom: 0,
  safe: ['dry_run', 'help'],
};
const BIG_QUERY: VerbTable = {
  kind: 'destroy-data',
  values: BIG_QUERY_SQL.values,
  verbs: { rm: 'drop', truncate: 'truncate' },
};

const INFLUX_SQL: SqlClient = {
  values: 'execute database host port username password',
  sql: ['execute'],
  wholeWords: true,
};
const INFLUX: VerbTable = {
  kind: 'destroy-data',
  values: 'host t token o org database username password port',
  verbs: { delete: 'delete-all', 'bucket|org delete': 'drop' },
};

function both(one: ReadEffects, other: ReadEffects): ReadEffects {
  return (command, scene) => [...one(command, scene), ...other(command, scene)];
}

const BY_CLIENT: readonly (readonly [string, ReadEffects])[] = [
  ['psql pgcli usql vsql', readClient(POSTGRES)],
  ['mysql mariadb mycli', readClient(MYSQL)],
  ['sqlite sqlite3 litecli', readClient(SQLITE)],
  ['duckdb', readClient(DUCKDB)],
  ['sqlcmd mssql-cli osql', readClient(SQL_SERVER)],
  ['clickhouse-client', readClient(CLICKHOUSE)],
  ['clickhouse', behindVerb('client', CLICKHOUSE)],
  ['cockroach snow', behindVerb('sql', PLAIN)],
  ['snowsql cqlsh trino presto hive beeline spark-sql impala-shell sqlplus', readClient(PLAIN)],
  ['wrangler', readClient(WRANGLER)],
  ['turso', readClient(TURSO)],
  ['heroku', readClient(HEROKU)],
  ['bq', both(readVerbs(BIG_QUERY), behindVerb('query', BIG_QUERY_SQL))],
  ['influx', both(readVerbs(INFLUX), readClient(INFLUX_SQL))],
];

export const SQL_PROGRAMS: ProgramTable = Object.fromEntries(
  BY_CLIENT.flatMap(([names, read]) => names.split(' ').map((name) => [name, read])),
);
