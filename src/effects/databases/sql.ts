import { UNKNOWN } from '../../shell/command.ts';
import { splitSql } from './sql-tokens.ts';
import type { Statement } from './sql-tokens.ts';
import { isScratchDatabase, isScratchTable } from '../paths/scratch-names.ts';

export interface SqlLoss {
  readonly how: 'drop' | 'truncate' | 'delete-all' | 'update-all' | 'drop-column';
  /** The table, database or schema, as far as it is named. */
  readonly target: string;
  /** More than what the client is connected to. */
  readonly whole?: boolean;
}

/** What the statements take away for good: whole tables, or rows without a condition. */
export function readSql(text: string): readonly SqlLoss[] {
  if (!MAY_LOSE.test(text)) return NONE;
  const losses: SqlLoss[] = [];
  let routine = false;
  let opened = -1;
  for (const statement of splitSql(text)) {
    const first = statement[0]?.word;
    // Semicolons inside the body of a trigger or procedure end no statement that is run now.
    if (routine) routine = first !== 'END';
    else if (isRoutine(statement))
      routine = statement.some(({ word }) => word === 'BEGIN') && statement.at(-1)?.word !== 'END';
    else if (isOpening(statement)) opened = losses.length;
    else if (first === 'ROLLBACK' && opened >= 0) losses.length = opened;
    else if (first === 'COMMIT') opened = -1;
    else losses.push(...readStatement(statement));
  }
  return losses;
}

const NONE: readonly SqlLoss[] = [];
const MAY_LOSE = /drop|truncate|delete|update/i;

const ROUTINES: ReadonlySet<string> = new Set(['TRIGGER', 'PROCEDURE', 'PROC', 'FUNCTION', 'EVENT', 'RULE']);

function isRoutine(statement: Statement): boolean {
  const first = statement[0]?.word;
  return (first === 'CREATE' || first === 'ALTER') && statement.slice(1, 6).some(({ word }) => ROUTINES.has(word));
}

const TRANSACTIONS: ReadonlySet<string | undefined> = new Set([
  undefined,
  'TRANSACTION',
  'TRAN',
  'WORK',
  'IMMEDIATE',
  'EXCLUSIVE',
  'DEFERRED',
]);

function isOpening(statement: Statement): boolean {
  const first = statement[0]?.word;
  return (first === 'BEGIN' || first === 'START') && TRANSACTIONS.has(statement[1]?.word);
}

/** Words that a statement may stand behind, in blocks and conditions. */
const LEADS: ReadonlySet<string | undefined> = new Set(['BEGIN', 'THEN', 'ELSE', 'LOOP']);

function readStatement(statement: Statement): readonly SqlLoss[] {
  let start = 0;
  while (LEADS.has(statement[start]?.word)) start += 1;
  const first = statement[start];
  switch (first?.word) {
    case 'DROP':
    case 'TRUNCATE':
    case 'DELETE':
    case 'UPDATE':
    case 'ALTER':
      return readVerb(statement, start);
    case 'EXPLAIN':
      return statement.slice(start + 1, start + 4).some(({ word }) => word === 'ANALYZE' || word === 'ANALYSE')
        ? readAnywhere(statement, start + 1)
        : NONE;
    case 'WITH':
    case 'IF':
      return readAnywhere(statement, start + 1);
    case 'DO':
    case 'EXECUTE':
    case 'EXEC':
      return statement.flatMap(({ body }) => (body === undefined ? NONE : readSql(body)));
    default:
      return NONE;
  }
}

/** Behind a common table expression or a condition the verb may stand anywhere. */
function readAnywhere(statement: Statement, from: number): readonly SqlLoss[] {
  for (let at = from; at < statement.length; at += 1) {
    if (statement[at]?.quoted === true || statement[at - 1]?.word === '.') continue;
    const losses = readVerb(statement, at);
    if (losses.length > 0) return losses;
  }
  return NONE;
}

function readVerb(statement: Statement, at: number): readonly SqlLoss[] {
  switch (statement[at]?.word) {
    case 'DROP':
      return readDrop(statement, at + 1);
    case 'TRUNCATE':
      return readTruncate(statement, at + 1);
    case 'DELETE':
      return readDelete(statement, at);
    case 'UPDATE':
      return readUpdate(statement, at);
    case 'ALTER':
      return readAlter(statement, at + 1);
    default:
      return NONE;
  }
}

/** What holds rows; views, indexes and functions can be made again. */
const HOLDERS: ReadonlySet<string | undefined> = new Set([
  'TABLE',
  'DATABASE',
  'SCHEMA',
  'KEYSPACE',
  'COLUMNFAMILY',
  'TABLESPACE',
  'OWNED',
  'MEASUREMENT',
  'SERIES',
  'BUCKET',
  'COLLECTION',
  'DATASET',
  'CATALOG',
]);
const BETWEEN: ReadonlySet<string | undefined> = new Set(['IF', 'EXISTS', 'BY', 'FROM', 'ONLY', 'TABLE']);

function readDrop(statement: Statement, at: number): readonly SqlLoss[] {
  const holder = statement[at]?.word;
  if (!HOLDERS.has(holder)) return NONE;
  const whole = holder === 'DATABASE' || holder === 'KEYSPACE' || holder === 'CATALOG';
  const target = namesAt(statement, at + 1).find((name) =>
    whole || holder === 'SCHEMA' ? !isScratchDatabase(name) : !isScratchTable(name),
  );
  if (target === undefined || target.startsWith('#')) return NONE;
  return [whole ? { how: 'drop', target, whole } : { how: 'drop', target }];
}

function readTruncate(statement: Statement, at: number): readonly SqlLoss[] {
  const target = namesAt(statement, at).find((name) => !isScratchTable(name));
  return target === undefined || target === '(' ? NONE : [{ how: 'truncate', target }];
}

function readDelete(statement: Statement, at: number): readonly SqlLoss[] {
  const next = statement[at + 1];
  if (!next || next.depth !== statement[at]?.depth || next.word === 'ON' || next.word === 'WHERE') return NONE;
  if (next.word !== 'FROM' && at !== 0 && statement[at + 2]?.word !== 'FROM') return NONE;
  const target = nameAt(statement, at + 1);
  if (target === undefined || isScratchTable(target) || isBounded(statement, at, 1)) return NONE;
  return [{ how: 'delete-all', target }];
}

function readUpdate(statement: Statement, at: number): readonly SqlLoss[] {
  const before = statement[at - 1]?.word;
  if (before === 'FOR' || before === 'ON' || before === 'DO') return NONE;
  const { depth } = statement[at] as Statement[number];
  const sets = statement.findIndex((token, place) => place > at && token.depth === depth && token.word === 'SET');
  const target = nameAt(statement, at + 1);
  return sets < 0 || target === undefined || isBounded(statement, sets, 3) ? NONE : [{ how: 'update-all', target }];
}

const BOUNDS: ReadonlySet<string> = new Set(['WHERE', 'LIMIT', 'JOIN', 'USING', 'TOP']);

/** A condition that every row meets bounds nothing; a part that is not known may hold one. */
function isBounded(statement: Statement, at: number, named: number): boolean {
  const { depth } = statement[at] as Statement[number];
  for (let place = at + 1; place < statement.length; place += 1) {
    const token = statement[place] as Statement[number];
    if (token.depth < depth) break;
    if (token.depth > depth) continue;
    if (token.word.includes(UNKNOWN) && place > at + named + 1) return true;
    if (!token.quoted && BOUNDS.has(token.word)) return token.word !== 'WHERE' || !isAlways(statement, place + 1);
  }
  return false;
}

function isAlways(statement: Statement, at: number): boolean {
  const rest = statement.slice(at).map(({ word }) => word);
  if (rest.length === 1) return rest[0] === 'TRUE' || rest[0] === '1';
  return rest.length === 3 && rest[1] === '=' && rest[0] === rest[2] && /^\d+$|^'/.test(rest[0] ?? '');
}

/** What `ALTER TABLE … DROP` may name without losing data. */
const PARTS: ReadonlySet<string | undefined> = new Set([
  'CONSTRAINT',
  'INDEX',
  'KEY',
  'PRIMARY',
  'FOREIGN',
  'CHECK',
  'DEFAULT',
  'NOT',
  'EXPRESSION',
  'IDENTITY',
  'TRIGGER',
  'STATISTICS',
]);

function readAlter(statement: Statement, at: number): readonly SqlLoss[] {
  if (statement[at]?.word !== 'TABLE') return NONE;
  const drop = statement.findIndex(({ word, quoted }, place) => place > at + 1 && word === 'DROP' && !quoted);
  const what = statement[drop + 1]?.word;
  if (drop < 0 || what === undefined || PARTS.has(what)) return NONE;
  return [{ how: 'drop-column', target: nameAt(statement, at + 1) ?? '' }];
}

/** `a, b.c`: every name of a list. */
function namesAt(statement: Statement, from: number): readonly string[] {
  const names: string[] = [];
  const first = nameAt(statement, from);
  if (first !== undefined) names.push(first);
  for (let at = from; at < statement.length; at += 1) {
    const next = statement[at]?.word === ',' ? nameAt(statement, at + 1) : undefined;
    if (next !== undefined) names.push(next);
  }
  return names;
}

function nameAt(statement: Statement, from: number): string | undefined {
  let at = from;
  while (BETWEEN.has(statement[at]?.word) && statement[at]?.quoted !== true) at += 1;
  let name = statement[at]?.text;
  while (name !== undefined && statement[at + 1]?.word === '.' && statement[at + 2]) {
    name += `.${statement[at + 2]?.text ?? ''}`;
    at += 2;
  }
  return name?.replaceAll(UNKNOWN, '…');
}
