import { describe, expect, it } from 'vitest';
import { cpuTimeOf } from '../../../test/cpu-time.ts';
import { UNKNOWN } from '../../shell/command.ts';
import { readSql } from './sql.ts';

describe('readSql', () => {
  it.each([
    ['DROP TABLE users', ['drop users']],
    ['drop table if exists public."Users" cascade;', ['drop public.Users']],
    ['DROP DATABASE shop; DROP SCHEMA public CASCADE', ['drop shop', 'drop public']],
    ['DROP OWNED BY ann', ['drop ann']],
    ['DROP/**/TABLE users', ['drop users']],
    ['/*!40000 DROP DATABASE shop */', ['drop shop']],
    ['TRUNCATE users, orders', ['truncate users']],
    ['truncate table only [dbo].[users]', ['truncate dbo.users']],
    ['DELETE FROM users', ['delete-all users']],
    ['delete users', ['delete-all users']],
    ['DELETE FROM users WHERE 1=1', ['delete-all users']],
    ['DELETE FROM users WHERE true;', ['delete-all users']],
    ['DELETE FROM users -- WHERE id = 1\n', ['delete-all users']],
    ['WITH gone AS (DELETE FROM users RETURNING *) SELECT * FROM gone WHERE id = 1', ['delete-all users']],
    ['EXPLAIN ANALYZE DELETE FROM users', ['delete-all users']],
    ["IF OBJECT_ID('users') IS NOT NULL DROP TABLE users", ['drop users']],
    ['SELECT 1\nGO\nDROP TABLE users\nGO', ['drop users']],
    ['.mode csv\nDROP TABLE users;', ['drop users']],
    ['\\timing\nDROP TABLE users;', ['drop users']],
    ['DO $$ BEGIN DELETE FROM users; END $$', ['delete-all users']],
    ["EXECUTE 'DROP TABLE users'", ['drop users']],
    ['UPDATE users SET admin = true', ['update-all users']],
    ['UPDATE users SET a = (SELECT b FROM c WHERE d = 1)', ['update-all users']],
    ['ALTER TABLE users DROP COLUMN email', ['drop-column users']],
    ['ALTER TABLE users ADD a int, DROP email', ['drop-column users']],
    ['BEGIN; DELETE FROM users; COMMIT', ['delete-all users']],
    [`DELETE FROM ${UNKNOWN}`, ['delete-all …']],
  ])('sees %s', (text, told) => expect(readSql(text).map(({ how, target }) => `${how} ${target}`)).toEqual(told));

  it.each([
    'SELECT * FROM users',
    "SELECT 'DROP TABLE users; DELETE FROM users'",
    'SELECT "delete", `update`, [drop] FROM deleted',
    'SELECT $$ DROP TABLE users; $$',
    "SELECT 'it''s'; -- DROP TABLE users",
    '/* DROP TABLE users; */ SELECT 1',
    'DELETE FROM users WHERE id = 1',
    'DELETE FROM users WHERE id = 1 OR id = 2',
    'DELETE FROM users USING gone WHERE gone.id = users.id',
    'DELETE FROM users LIMIT 10',
    'DELETE a FROM a JOIN b ON a.id = b.id',
    `DELETE FROM users ${UNKNOWN}`,
    `DELETE FROM users WHERE id = ${UNKNOWN}`,
    'WITH old AS (SELECT id FROM users) DELETE FROM users WHERE id IN (SELECT id FROM old)',
    'UPDATE users SET a = 1 WHERE id = 1',
    'UPDATE STATISTICS users',
    'SELECT * FROM users FOR UPDATE',
    'INSERT INTO users VALUES (1) ON CONFLICT DO UPDATE SET a = 2',
    'INSERT INTO log SELECT * FROM users',
    'GRANT DELETE, UPDATE ON users TO ann',
    'CREATE TABLE a (id int REFERENCES b ON DELETE CASCADE ON UPDATE CASCADE)',
    'CREATE TRIGGER t AFTER DELETE ON a BEGIN DELETE FROM b; UPDATE c SET d = 1; END',
    'CREATE FUNCTION f() RETURNS void AS $$ BEGIN DELETE FROM a; END $$ LANGUAGE plpgsql',
    'ALTER TABLE users DROP CONSTRAINT c',
    'ALTER TABLE users ALTER COLUMN a DROP NOT NULL',
    'DROP INDEX i; DROP VIEW v; DROP FUNCTION f',
    'EXPLAIN DELETE FROM users',
    'BEGIN; DELETE FROM users; ROLLBACK',
    'SHOW TABLES',
    'DROP',
    "DELETE FROM users WHERE name = 'x",
  ])('passes %s', (text) => expect(readSql(text)).toEqual([]));

  it('takes no more than moderate time for long text', () => {
    for (const text of ['UPDATE ', '(', "'", '$', 'WITH UPDATE ', '/*', '.'])
      expect(cpuTimeOf(() => readSql(`WITH ${text.repeat(Math.floor(32_000 / text.length))} drop`))).toBeLessThan(
        1_000,
      );
  });
});
