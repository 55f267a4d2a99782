import { layoutOf, onlyShows, readCommandLine } from '../words/command-line.ts';
import type { CommandLine } from '../words/command-line.ts';
import { MIGRATION_PROGRAMS } from './migrations.ts';
import type { ShellWord, ShellCommand } from '../../shell/command.ts';
import type { ProgramTable, ReadEffects, Scene } from '../scene.ts';
import { isScratchDatabase } from '../paths/scratch-names.ts';
import { SQL_PROGRAMS } from './sql-clients.ts';
import { readVerbs } from '../words/verbs.ts';
import type { VerbTable } from '../words/verbs.ts';
import type { Effect, EffectKind } from '../../event/effect.ts';
import { REACHING, handedOn } from '../../shell/elsewhere.ts';
import { readShell } from '../../shell/read.ts';
import { GIT_PROGRAMS } from '../git/programs.ts';

const SHARED: ReadonlySet<EffectKind> = new Set(['push', 'force-push', 'delete-branch']);

/** Of what git does elsewhere, only that which reaches the repository that all share. */
const readPushes: ReadEffects = (command, scene) =>
  (GIT_PROGRAMS['git']?.({ ...command, dir: undefined }, scene) ?? []).filter(
    ({ kind, how }) => SHARED.has(kind) && (kind !== 'delete-branch' || how?.startsWith('remote') === true),
  );

/** A database or a shared branch that is reached through a container, a cluster or another machine is lost all the same, though files there are not here. */
function elsewhere(databases: ProgramTable): ProgramTable {
  const table: ProgramTable = { ...databases, git: readPushes };
  /** `yarn prisma …` and `pnpm prisma …` run what the project has installed. */
  const installed: ReadEffects = (command, scene) => readProgram(command, command.words.slice(1), scene, table);
  const reach: ReadEffects = (command, scene) => {
    const there = handedOn(command);
    if (!there) return [];
    const inner = { ...command, road: [...command.road, there.road] };
    return there.joined
      ? readText(inner, join(there.words), scene, table)
      : readProgram(inner, there.words, scene, table);
  };
  return { ...Object.fromEntries(REACHING.map((program) => [program, reach])), yarn: installed, pnpm: installed };
}

const SHELLS: ReadonlySet<string> = new Set(['sh', 'bash', 'ash', 'dash', 'zsh']);

function readProgram(
  command: ShellCommand,
  words: readonly ShellWord[],
  scene: Scene,
  table: ProgramTable,
): readonly Effect[] {
  const first = words[0]?.value ?? '';
  const program = first.slice(first.lastIndexOf('/') + 1).toLowerCase();
  if (SHELLS.has(program)) {
    const code = words.findIndex(({ value }) => /^-\w*c$/.test(value));
    return code < 0 ? [] : readText(command, words[code + 1]?.value ?? '', scene, table);
  }
  return Object.hasOwn(table, program) ? (table[program]?.({ ...command, program, words }, scene) ?? []) : [];
}

function readText(command: ShellCommand, text: string, scene: Scene, table: ProgramTable): readonly Effect[] {
  if (text === '') return [];
  return readShell(text, scene.surroundings).commands.flatMap((inner) =>
    Object.hasOwn(table, inner.program)
      ? (table[inner.program]?.(
          { ...inner, road: command.road, text: command.text, input: inner.input ?? command.input },
          scene,
        ) ?? [])
      : [],
  );
}

function join(words: readonly ShellWord[]): string {
  return words.map(({ value }) => value).join(' ');
}

/** Stores of keys, topics and queues: what takes more away than one that is named. */
const STORES: Readonly<Record<string, VerbTable['verbs']>> = {
  etcdctl: { del: { how: 'drop', needs: ['prefix', 'from-key', 'range'] } },
  consul: { 'kv delete': { how: 'drop', needs: ['recurse'] } },
  'zkcli|zkcli.sh|zookeepercli|zk-shell': { 'deleteall|rmr': 'drop' },
  nats: { 'stream|str|kv rm|purge': 'drop', 'object rm': 'drop' },
  rabbitmqctl: { 'reset|force_reset|purge_queue|delete_queue|delete_vhost': 'drop' },
  'rabbitmqadmin|rabbitmqadmin.py': { 'purge|delete queue|exchange|vhost': 'drop' },
};

const VALUES = 'endpoints user password cert key cacert token http-addr datacenter s server w write-out n node p vhost';

const dropsTopic: ReadEffects = (command, scene) =>
  command.words.some(({ value }) => value === '--delete' || value === '--delete-topic')
    ? [scene.effect(command, { kind: 'destroy-data', how: 'drop', target: 'a topic' })]
    : [];

const flushes: ReadEffects = (command, scene) =>
  command.words.some(({ value }) => /^--?(?:help|version|h|V)$/.test(value))
    ? []
    : [scene.effect(command, { kind: 'destroy-data', how: 'flush', target: 'every key' })];

const KEY_PROGRAMS: ProgramTable = {
  ...Object.fromEntries(
    Object.entries(STORES).flatMap(([names, verbs]) => {
      const table: VerbTable = { kind: 'destroy-data', target: 'every key', values: VALUES, verbs };
      const read = readVerbs(table);
      return names.split('|').map((name) => [name, read]);
    }),
  ),
  memcflush: flushes,
  memflush: flushes,
  'kafka-topics': dropsTopic,
  'kafka-topics.sh': dropsTopic,
};

const MONGO = layoutOf('eval host port u username p password authenticationdatabase file f');
const MONGO_LOSS =
  /\b(dropDatabase)\s*\(|(?:\.|getCollection\([^)]*\)\.)(drop)\s*\(\s*\)|\.(deleteMany|remove)\s*\(\s*(?:\{\s*\})?\s*\)/;

const mongo: ReadEffects = (command, scene) => {
  const line = readCommandLine(command.words.slice(1), MONGO);
  if (line.options.has('help') || line.options.has('version')) return [];
  // Without a name it is `test` that is connected to, so that name tells nothing.
  const database = line.operands[0]?.value ?? '';
  if (isScratchDatabase(database) && !/(?:^|\/)test$/.test(database)) return [];
  const texts = line.options.get('eval')?.map(({ value }) => value) ?? [];
  if (command.input?.kind === 'text') texts.push(command.input.text);
  return texts.flatMap((text) => {
    const found = MONGO_LOSS.exec(text);
    if (!found) return [];
    const how = found[1] === undefined && found[2] === undefined ? 'delete-all' : 'drop';
    return [
      scene.effect(command, {
        kind: 'destroy-data',
        how,
        target: found[1] === undefined ? 'a collection' : 'the database',
      }),
    ];
  });
};

const REDIS = layoutOf('h p s a user pass u n r i d D t pattern cacert cert key sni');
const FLUSH = /^\s*flush(?:all|db)\b/im;
const FLUSH_IN_SCRIPT = /\bcall\(\s*['"]flush(?:all|db)['"]/i;

const redis: ReadEffects = (command, scene) => {
  const { operands, options } = readCommandLine(command.words.slice(1), REDIS);
  if (options.has('help') || options.has('version')) return [];
  const [verb, script] = operands;
  const texts = operands.length === 0 && command.input?.kind === 'text' ? [command.input.text] : [verb?.value ?? ''];
  const flushed =
    texts.some((text) => FLUSH.test(text)) ||
    (verb?.value.toLowerCase() === 'eval' && FLUSH_IN_SCRIPT.test(script?.value ?? '')) ||
    (/^(?:del|unlink)$/i.test(verb?.value ?? '') && operands.some((word) => isEveryKey(word, scene)));
  return flushed ? [scene.effect(command, { kind: 'destroy-data', how: 'flush', target: 'every key' })] : [];
};

/** What a listing without a pattern of its own names: `redis-cli keys '*' | xargs redis-cli del`. */
function isEveryKey({ from }: ShellWord, { reading }: Scene): boolean {
  return from.some((number) => {
    const maker = reading.commands[number];
    const words = maker?.words.map(({ value }) => value) ?? [];
    return (
      /^(?:redis|valkey|keydb)-cli$/.test(maker?.program ?? '') && !words.some((word) => /[^*]\*|\*[^*]/.test(word))
    );
  });
}

const CONNECTION = 'h host p port U username u user P S socket maintenance-db d dbname db uri n nsinclude j jobs';

const dropdb: ReadEffects = (command, scene) => {
  const line = readCommandLine(command.words.slice(1), DROPDB_LAYOUT);
  const [database] = line.operands;
  if (!database || isScratchDatabase(database.value) || line.options.has('help') || line.options.has('version'))
    return [];
  return [scene.effect(command, { kind: 'destroy-data', how: 'drop', target: database.text })];
};
const DROPDB_LAYOUT = layoutOf(CONNECTION);

/** Restores that first drop what is there. */
function restore(options: readonly string[], isReal: (line: CommandLine) => boolean): ReadEffects {
  return (command, scene) => {
    const line = readCommandLine(command.words.slice(1), DROPDB_LAYOUT);
    if (onlyShows(line) || !isReal(line)) return [];
    if (!options.some((name) => line.options.has(name))) return [];
    return [scene.effect(command, { kind: 'destroy-data', how: 'restore-over', target: nameDatabase(line) })];
  };
}

function nameDatabase({ options }: CommandLine): string {
  return (options.get('d') ?? options.get('dbname') ?? options.get('db'))?.at(-1)?.value ?? 'the database';
}

const ADMIN: VerbTable = {
  kind: 'destroy-data',
  values: CONNECTION,
  verbs: { drop: 'drop' },
};

const HERE: ProgramTable = {
  ...SQL_PROGRAMS,
  mongosh: mongo,
  mongo,
  'redis-cli': redis,
  'valkey-cli': redis,
  'keydb-cli': redis,
  dropdb,
  pg_dropcluster: dropdb,
  mysqladmin: readVerbs(ADMIN),
  'mariadb-admin': readVerbs(ADMIN),
  pg_restore: restore(['c', 'clean'], ({ options }) => options.has('d') || options.has('dbname')),
  mongorestore: restore(['drop'], () => true),
  ...KEY_PROGRAMS,
  ...MIGRATION_PROGRAMS,
};

export const DATABASE_PROGRAMS: ProgramTable = { ...HERE, ...elsewhere(HERE) };
