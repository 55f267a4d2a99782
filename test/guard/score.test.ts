import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import { readCases, readList } from './cases.ts';
import { openDecide } from './decide.ts';
import { LIMITS, scoreGuard } from './score.ts';
import type { Score } from './score.ts';

const cases = readCases(fileURLToPath(new URL('../..', import.meta.url)));
let score: Score;

beforeAll(async () => {
  score = await scoreGuard(cases, await openDecide());
});

describe('the guard at default settings', () => {
  it(`blocks at least ${LIMITS.recall * 100} % of the corpus rows to block`, () => {
    expect(cases.rows.filter(({ expected, tier }) => expected === 'block' && tier !== 'soft').length).toBe(426);
    expect(score.recall, score.misses.map(({ command }) => command).join('\n')).toBeGreaterThanOrEqual(LIMITS.recall);
  });

  it(`blocks at most ${LIMITS.falseBlocks * 100} % of the corpus rows to allow`, () => {
    expect(cases.rows.filter(({ expected, tier }) => expected === 'allow' && tier === 'core').length).toBe(2300);
    expect(score.falseBlocks, score.falses.map(({ command }) => command).join('\n')).toBeLessThanOrEqual(
      LIMITS.falseBlocks,
    );
  });

  it('explains every row it decides differently, and no other', () => {
    const unexplained = [...score.misses, ...score.falses].filter(({ why }) => why === undefined);
    expect(unexplained.map(({ command }) => command)).toEqual([]);
    expect(score.stale).toEqual([]);
  });

  it('blocks every catastrophe written by hand', () => {
    expect(score.catastrophes.cases).toBeGreaterThanOrEqual(170);
    expect(score.catastrophes.failed).toEqual([]);
  });

  it('passes every look-alike written by hand', () => {
    expect(score.lookAlikes.cases).toBeGreaterThanOrEqual(170);
    expect(score.lookAlikes.failed).toEqual([]);
  });

  it('names no command twice', () => {
    for (const list of [cases.rows, cases.catastrophes, cases.lookAlikes]) {
      const commands = list.map(({ command }) => command);
      expect(commands.filter((command, at) => commands.indexOf(command) !== at)).toEqual([]);
    }
  });
});

describe('readList', () => {
  it('reads lines, headings and cases of several lines', () => {
    expect(readList('# One\na b\n---\nc\n\n# d\n---\ne\n---\n\n# Two\nf\n')).toEqual([
      { heading: 'One', command: 'a b' },
      { heading: 'One', command: 'c\n\n# d' },
      { heading: 'One', command: 'e' },
      { heading: 'Two', command: 'f' },
    ]);
  });
});
