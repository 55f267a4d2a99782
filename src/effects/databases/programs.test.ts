import { describe, expect, it } from 'vitest';
import { DATABASE_PROGRAMS } from './programs.ts';
import { effectsBy } from '../scene.fixture.ts';

function tell(text: string): string[] {
  return effectsBy(DATABASE_PROGRAMS, text).map(({ kind, how, target }) => `${kind} ${how ?? ''} ${target}`);
}

describe('database clients', () => {
  it.each([
    ["psql -c 'DROP TABLE users'", 'drop users'],
    ["psql -h db -U ann -tAc 'DROP TABLE users' shop", 'drop users'],
    ["psql -c 'SELECT 1' -c 'DROP TABLE users'", 'drop users'],
    ["psql --command='TRUNCATE users'", 'truncate users'],
    ['psql shop <<SQL\nDROP TABLE users;\nSQL', 'drop users'],
    ["psql <<< 'DROP TABLE users'", 'drop users'],
    ["echo 'DROP TABLE users' | psql shop", 'drop users'],
    ["mysql -u root -psome -e 'DROP DATABASE shop'", 'drop shop'],
    ["mysql -uroot -p shop --execute='DELETE FROM users'", 'delete-all users'],
    ["sqlite3 shop.db 'DELETE FROM users'", 'delete-all users'],
    ["sqlite3 -cmd 'DROP TABLE users' shop.db 'SELECT 1'", 'drop users'],
    ["duckdb shop.db -c 'DROP TABLE users'", 'drop users'],
    ["sqlcmd -S db -U sa -P x -Q 'DROP TABLE users'", 'drop users'],
    ["sqlcmd query 'DROP TABLE users'", 'drop users'],
    ["clickhouse client --query 'TRUNCATE TABLE users'", 'truncate users'],
    ["cockroach sql --url postgres://x -e 'DROP TABLE users'", 'drop users'],
    ["bq query 'DELETE FROM shop.users WHERE true'", 'delete-all shop.users'],
    ['bq rm -f -t shop.users', 'drop shop.users'],
    ["cqlsh -e 'DROP KEYSPACE shop'", 'drop shop'],
    ["influx -execute 'DROP DATABASE shop'", 'drop shop'],
    ["wrangler d1 execute shop --command 'DROP TABLE users'", 'drop users'],
    ["turso db shell shop 'DROP TABLE users'", 'drop users'],
    ["mongosh shop --eval 'db.dropDatabase()'", 'drop the database'],
    ["mongosh shop --eval 'db.users.drop()'", 'drop a collection'],
    ["mongosh shop --eval 'db.users.deleteMany({ })'", 'delete-all a collection'],
    ['redis-cli -h db -n 2 flushdb async', 'flush every key'],
    ['echo FLUSHALL | redis-cli', 'flush every key'],
    [`redis-cli eval "return redis.call('FLUSHALL')" 0`, 'flush every key'],
    ['dropdb -h db shop', 'drop shop'],
    ["docker exec -i -u postgres db psql -c 'DROP TABLE users'", 'drop users'],
    ['docker exec -i db psql shop <<SQL\nDROP TABLE users;\nSQL', 'drop users'],
    ["docker compose -f a.yml exec -T db psql -U ann -c 'DROP TABLE users'", 'drop users'],
    ['kubectl -n prod exec -it db-0 -c pg -- sh -c "psql -c \'DROP TABLE users\'"', 'drop users'],
    ['ssh -p 22 host "psql -c \'DROP TABLE users\'"', 'drop users'],
    ['pnpm prisma migrate reset', 'migrate-reset the database'],
    ['mysqladmin -h db -u root drop shop -f', 'drop shop'],
    ['pg_restore --clean -h db -d shop dump', 'restore-over shop'],
    ['mongorestore --drop dump', 'restore-over the database'],
  ])('%s', (text, told) => expect(tell(text)).toEqual([`destroy-data ${told}`]));

  it.each([
    "psql -c 'SELECT * FROM users'",
    "psql -d 'DROP TABLE users' -c 'SELECT 1'",
    'psql -f drop.sql',
    "psql --help -c 'DROP TABLE users'",
    "mysql -e 'SHOW DATABASES'",
    "sqlite3 -readonly shop.db 'DROP TABLE users'",
    "sqlite3 :memory: 'DROP TABLE users'",
    "duckdb -c 'DROP TABLE users'",
    "duckdb -safe shop.db 'DROP TABLE users'",
    "bq query --dry_run 'DELETE FROM a WHERE true'",
    "mongosh --eval 'db.users.deleteMany({ old: true })'",
    'redis-cli get flushall',
    "redis-cli keys '*'",
    'dropdb --help',
    'mysqladmin -h drop status',
    'pg_restore --clean -f out.sql dump',
    'pg_dump --clean shop',
    'bq --project_id rm ls',
    "docker exec db psql -c 'SELECT 1'",
    'docker logs dropdb shop',
    'kubectl exec web -- cat dropdb',
    'ssh host uptime',
    'ssh host',
    'yarn constructor',
  ])('passes %s', (text) => expect(tell(text)).toEqual([]));
});

describe('tools that manage tables', () => {
  it.each([
    ['prisma migrate reset --force', 'migrate-reset'],
    ['prisma db push --accept-data-loss', 'force-sync'],
    ['bin/rails db:drop db:create', 'drop'],
    ['rake db:reset', 'migrate-reset'],
    ['python manage.py flush --no-input', 'migrate-reset'],
    ['./manage.py reset_db', 'migrate-reset'],
    ['php artisan migrate:fresh --seed', 'migrate-reset'],
    ['sequelize-cli db:drop', 'drop'],
    ['knex migrate:rollback --all', 'migrate-reset'],
    ['alembic -c alembic.ini downgrade base', 'migrate-reset'],
    ['supabase db reset', 'migrate-reset'],
    ['dotnet ef database drop -f', 'drop'],
    ['mix ecto.reset', 'migrate-reset'],
    ['flyway clean', 'drop'],
  ])('%s', (text, how) => expect(tell(text)).toEqual([`destroy-data ${how} the database`]));

  it.each([
    'prisma migrate dev',
    'prisma db push',
    'rails db:migrate',
    'RAILS_ENV=test rails db:drop',
    'rails db:drop RAILS_ENV=test',
    'MIX_ENV=test mix ecto.drop',
    'php artisan migrate:fresh --env=testing',
    'php artisan migrate:fresh --pretend',
    'php -v',
    'python manage.py migrate',
    'knex migrate:rollback',
    'alembic downgrade -1',
    'alembic history base',
    'supabase db diff',
    'node server.js reset',
  ])('passes %s', (text) => expect(tell(text)).toEqual([]));
});

it.each([
  "etcdctl del '' --prefix",
  'etcdctl del / --prefix=true',
  'consul kv delete -recurse',
  'consul kv delete -recurse config/',
  'zkCli.sh deleteall /',
  'memcflush --servers=localhost',
  'kafka-topics.sh --bootstrap-server x --delete --topic t',
  'rabbitmqctl reset',
])('loses more than one key: %s', (text) => expect(tell(text)).toHaveLength(1));

it.each([
  'etcdctl del /app/flag',
  "etcdctl get '' --prefix",
  'consul kv delete app/flag',
  'kafka-topics --list',
  'redis-cli del a b',
  "redis-cli --scan --pattern 'cache:*' | xargs redis-cli del",
])('loses what it names: %s', (text) => expect(tell(text)).toEqual([]));

it.each([
  'dropdb test_db',
  'dropdb --if-exists shop_test',
  "psql -d shop_test -c 'DROP TABLE users'",
  "psql postgres://localhost/test_shop?ssl=1 -c 'DROP TABLE users'",
  "psql -c 'DROP DATABASE IF EXISTS test_shop'",
  "psql shop -c 'DROP TABLE IF EXISTS tmp_users'",
  "sqlite3 /tmp/t.db 'DROP TABLE users'",
  "mongosh shop_test --eval 'db.dropDatabase()'",
])('what is there to be thrown away: %s', (text) => expect(tell(text)).toEqual([]));

it.each([
  ["redis-cli keys '*' | xargs redis-cli del", 'flush every key'],
  ['dropdb latest', 'drop latest'],
  ["psql -d test -c 'DROP DATABASE shop'", 'drop shop'],
  ["psql -c 'DROP TABLE tmp_a, users'", 'drop users'],
  ["psql shop -c 'DROP TABLE tests'", 'drop tests'],
  ["mongosh test --eval 'db.dropDatabase()'", 'drop the database'],
])('%s', (text, loss) => expect(tell(text)).toEqual([`destroy-data ${loss}`]));
