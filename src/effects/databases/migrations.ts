import type { ShellCommand } from '../../shell/command.ts';
import type { ProgramTable, ReadEffects } from '../scene.ts';
import type { VerbTable } from '../words/verbs.ts';
import { readVerbs } from '../words/verbs.ts';

const RESET = 'migrate-reset';

/** What tools that manage a database's tables call dropping or emptying it. */
const TOOLS: Readonly<Record<string, Omit<VerbTable, 'kind'>>> = {
  prisma: {
    values: 'schema config',
    verbs: { 'migrate reset': RESET, 'db push': { how: 'force-sync', needs: ['force-reset', 'accept-data-loss'] } },
  },
  'rails|rake': {
    values: 'e environment f rakefile C directory',
    verbs: {},
    scan: {
      depth: 8,
      verbs: {
        'db:drop|db:drop:all|db:purge|db:purge:all|db:truncate_all': 'drop',
        'db:reset|db:reset:all|db:migrate:reset|db:schema:load|db:structure:load|db:seed:replant': RESET,
      },
    },
  },
  'manage.py|django-admin': {
    values: 'settings pythonpath database',
    verbs: { 'flush|reset_db|reset_schema': RESET },
  },
  artisan: {
    verbs: { 'migrate:fresh|migrate:reset|migrate:refresh': { how: RESET, unless: ['pretend'] }, 'db:wipe': 'drop' },
  },
  'console|symfony': {
    verbs: { 'doctrine:database:drop|doctrine:schema:drop|d:d:d|d:s:d': { how: 'drop', needs: ['f', 'force'] } },
  },
  'sequelize|sequelize-cli': { verbs: { 'db:drop': 'drop', 'db:migrate:undo:all': RESET } },
  knex: { values: 'knexfile env', verbs: { 'migrate:rollback': { how: RESET, needs: ['all'] } } },
  alembic: { values: 'c config n name x', verbs: { 'downgrade base': RESET } },
  flask: { values: 'app A e', verbs: { 'db downgrade base': RESET } },
  supabase: { values: 'workdir profile project-ref', verbs: { 'db reset': RESET } },
  'typeorm|typeorm-ts-node-commonjs|typeorm-ts-node-esm': {
    values: 'd dataSource datasource',
    verbs: { 'schema:drop': 'drop' },
  },
  'drizzle-kit': { values: 'config', verbs: { push: { how: 'force-sync', needs: ['force'] }, drop: 'drop' } },
  'mikro-orm': {
    verbs: { 'schema:drop|database:drop|schema:fresh|migration:fresh': { how: RESET, needs: ['r', 'run', 'drop-db'] } },
  },
  ace: { verbs: { 'migration:fresh|migration:reset|migration:refresh': RESET, 'db:wipe|db:truncate': 'drop' } },
  mix: { verbs: { 'ecto.drop': 'drop', 'ecto.reset': RESET } },
  'dotnet|dotnet-ef': { verbs: { 'ef database drop': 'drop', 'database drop': 'drop' } },
  liquibase: { verbs: { 'dropall|drop-all': 'drop' } },
  flyway: { verbs: { clean: 'drop' } },
  goose: { values: 'dir table', wholeWords: true, verbs: { reset: RESET, 'down-to 0': RESET } },
  migrate: { values: 'path database source', wholeWords: true, verbs: { drop: 'drop' } },
  dbmate: { values: 'u url d migrations-dir e env', verbs: { drop: 'drop' } },
  atlas: { values: 'u url env c config', verbs: { 'schema clean': 'drop' } },
  'sqlx|diesel': {
    values: 'D database-url source',
    verbs: { 'database drop': 'drop', 'database reset': RESET },
  },
  wp: { values: 'path url ssh', verbs: { 'db drop|reset|clean': 'drop', 'site empty': 'delete-all' } },
  drush: { values: 'r root uri l', verbs: { 'sql:drop|sql-drop': 'drop' } },
  meteor: { verbs: { reset: RESET } },
  encore: { verbs: { 'db reset': RESET } },
  restic: {
    always: 'backups',
    values: 'r repo p password-file o keep-last keep-daily keep-weekly keep-monthly tag host',
    verbs: { forget: { how: 'delete-backup', unless: ['n'] } },
  },
  borg: {
    always: 'backups',
    values: 'remote-path rsh a glob-archives',
    verbs: { delete: { how: 'delete-backup', unless: ['n'] } },
  },
};

/** Databases that exist for tests alone are made anew by every run. */
const TEST_ENVIRONMENTS: ReadonlySet<string> = new Set(['test', 'testing', 'ci']);
const ENVIRONMENT_NAMES: ReadonlySet<string> = new Set([
  'RAILS_ENV',
  'RACK_ENV',
  'MIX_ENV',
  'APP_ENV',
  'NODE_ENV',
  'DJANGO_ENV',
]);

function isForTests({ assigns, words }: ShellCommand): boolean {
  if (assigns.some(({ name, value }) => ENVIRONMENT_NAMES.has(name) && TEST_ENVIRONMENTS.has(value.value))) return true;
  return words.some(({ value }) => {
    const equals = value.indexOf('=');
    if (equals < 0 || !TEST_ENVIRONMENTS.has(value.slice(equals + 1))) return false;
    const name = value.slice(0, equals);
    return ENVIRONMENT_NAMES.has(name) || name === '--env' || name === '--environment';
  });
}

function unlessForTests(read: ReadEffects): ReadEffects {
  return (command, scene) => (isForTests(command) ? [] : read(command, scene));
}

const BY_TOOL = new Map(
  Object.entries(TOOLS).flatMap(([names, table]) => {
    const read = unlessForTests(readVerbs({ kind: 'destroy-data', always: 'the database', ...table }));
    return names.split('|').map((name): [string, ReadEffects] => [name, read]);
  }),
);

/** `python manage.py flush`, `php artisan db:wipe`: the script is the tool. */
const byScript: ReadEffects = (command, scene) => {
  const at = command.words.findIndex(({ value }, place) => place > 0 && value[0] !== '-');
  const script = command.words[at];
  if (!script) return [];
  const name = script.value.slice(script.value.lastIndexOf('/') + 1);
  return BY_TOOL.get(name)?.({ ...command, words: command.words.slice(at) }, scene) ?? [];
};

export const MIGRATION_PROGRAMS: ProgramTable = {
  ...Object.fromEntries(BY_TOOL),
  python: byScript,
  php: byScript,
  ruby: byScript,
  node: byScript,
};
