import { beforeAll, describe, expect, it } from 'vitest';
import { countOf, isLong, SEED, startShare } from '../cases.ts';
import { openDecide } from './decide.ts';
import type { Decide } from './decide.ts';
import {
  CATASTROPHES,
  DOUBTFUL_ROADS,
  LOOK_ALIKES,
  PLACES,
  ROADS,
  SPELLINGS,
  STARTERS,
  VALUES,
  makeCase,
  makeMass,
} from './generator.ts';
import { rollFrom } from './shell-grammar.ts';
import { SCRIPTS } from './stored-scripts.ts';

/** Beside a few of them, each row of each table is tried by itself. */
const MADE = isLong ? countOf(100_000) : 100;
/** So many failures say enough. */
const ENOUGH = 25;

let decide: Decide;

beforeAll(async () => {
  decide = await openDecide();
});

async function failuresOf(count: number, harmful: boolean, seed: number, make = makeCase): Promise<readonly string[]> {
  const roll = rollFrom(seed);
  const failures: string[] = [];
  const isOver = startShare();
  for (let at = 0; at < count && failures.length < ENOUGH && !isOver(); at += 1) {
    const { command, files, of } = make(roll, harmful);
    const { action, by, kept, quiet } = await decide(command, files);
    // What many files lose may be copied first.
    const isSaved = make === makeMass && harmful && kept !== undefined && quiet !== true;
    // Of names that only running it tells single files are asked about, which says nothing of many.
    if (make === makeMass && !harmful && by[0] === 'guard/single-files') continue;
    if ((action === 'deny' || action === 'ask' || isSaved) !== harmful)
      failures.push(`${action} ${by.join()}: ${of.join(' | ')}\n${command}\n${Object.values(files).join('\n')}`);
  }
  return failures;
}

describe('composed commands', () => {
  it(`stops all of at most ${MADE} harmful ones`, async () => {
    expect((await failuresOf(MADE, true, SEED)).join('\n\n')).toBe('');
  });

  it(`passes all of at most ${MADE} harmless ones`, async () => {
    expect((await failuresOf(MADE, false, SEED + 1)).join('\n\n')).toBe('');
  });

  it.each([true, false])('tells losses of many files from work on them: %s', async (harmful) => {
    expect((await failuresOf(MADE >> 1, harmful, SEED + 2, makeMass)).join('\n\n')).toBe('');
  });

  /** Each row of each table by itself, so that a new one is tried at once. */
  const rm = CATASTROPHES[1] as readonly string[];
  const ls = LOOK_ALIKES[0] as readonly string[];
  const tables: Readonly<Record<string, readonly (readonly [string, string, string])[]>> = {
    'the base': [...CATASTROPHES.keys()].map((at) => [
      String(at),
      CATASTROPHES[at]?.join(' ') ?? '',
      (LOOK_ALIKES[at % LOOK_ALIKES.length] ?? []).join(' '),
    ]),
    starters: STARTERS.map((one) => [one.join(' '), [...one, ...rm].join(' '), [...one, ...ls].join(' ')]),
    spellings: Object.entries(SPELLINGS).map(([name, spell]) => [name, spell(rm), spell(ls)]),
    values: Object.entries(VALUES).map(([name, assign]) => [
      name,
      `${assign('/home/dev', '/tmp/x')}; rm -rf "$D"`,
      `${assign('/tmp/y', '/tmp/x')}; rm -rf "$D"`,
    ]),
    roads: Object.entries(ROADS).map(([name, carry]) => [name, carry(rm.join(' ')), carry(ls.join(' '))]),
    'doubtful roads': Object.entries(DOUBTFUL_ROADS).map(([name, carry]) => [name, carry(rm.join(' ')), 'ls']),
    places: Object.entries(PLACES).map(([name, put]) => [name, put(rm.join(' ')), put(ls.join(' '))]),
  };
  /** Catastrophes and look-alikes in a script, by every way to start one: each way has a third of them, and the next way others. */
  const inTurn = <T>(all: readonly T[], turn: number) => (isLong ? all : all.filter((_, at) => (at + turn) % 3 === 0));
  it.each(Object.entries(SCRIPTS).map(([name, store], at) => [name, store, at] as const))(
    'scripts: %s',
    async (_name, store, turn) => {
      for (const argv of inTurn(CATASTROPHES, turn)) {
        const { command, files } = store(argv.join(' '));
        expect(['deny', 'ask'], argv.join(' ')).toContain((await decide(command, files)).action);
      }
      for (const argv of inTurn(LOOK_ALIKES, turn)) {
        const { command, files } = store(argv.join(' '));
        expect((await decide(command, files)).action, argv.join(' ')).not.toMatch(/deny|ask/);
      }
    },
  );

  for (const [table, rows] of Object.entries(tables)) {
    it.each(rows)(`${table}: %s`, async (_name, harmful, harmless) => {
      expect(['deny', 'ask'], harmful).toContain((await decide(harmful)).action);
      const { action, reason } = await decide(harmless);
      expect([action, reason], harmless).toEqual([expect.not.stringMatching(/deny|ask/), reason]);
    });
  }
});
