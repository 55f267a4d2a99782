import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { bePatient, moving, openDatabase } from './database.ts';
import type { Database } from './database.ts';

let folder = '';
let db: Database;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'fairlead-database-'));
  ({ db } = openDatabase(join(folder, 'a.db'), 'CREATE TABLE IF NOT EXISTS t (text TEXT)', 50));
});
afterEach(() => {
  db.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Commits of two pages or more each. */
function commit(times: number): void {
  const put = db.prepare('INSERT INTO t VALUES (?)');
  for (let time = 0; time < times; time += 1) put.run('x'.repeat(8_000));
}

const bytes = () => statSync(join(folder, 'a.db')).size;

it('moves what has gathered beside the file into it, by the way', () => {
  commit(400);
  expect(bytes()).toBeGreaterThan(500_000);
});

it('moves nothing by the way once it is patient, but in commits that nobody waits for', () => {
  bePatient(db);
  const before = bytes();
  commit(400);
  expect(bytes()).toBe(before);
  moving(db, () => commit(1));
  expect(bytes()).toBeGreaterThan(1_000_000);
  const moved = bytes();
  commit(400);
  expect(bytes(), 'patient again').toBe(moved);
});
