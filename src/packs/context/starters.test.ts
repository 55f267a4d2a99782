import { expect, it } from 'vitest';
import { readEntries, readIndex } from './entries.ts';
import { LOAD_ORDER } from './files.ts';
import { STARTERS } from './starters.ts';
import { openTasks } from './tasks.ts';

it.each(LOAD_ORDER)('%s is short and says what it is', (name) => {
  const lines = STARTERS[name].trimEnd().split('\n');
  expect(lines.length).toBeLessThanOrEqual(25);
  expect(lines[0]).toMatch(/^# \w/);
  expect(STARTERS[name].endsWith('\n')).toBe(true);
});

it('starters are read by those who read them', () => {
  expect(openTasks(STARTERS['TASKS.md'])).toHaveLength(1);
  for (const name of ['DECISIONS.md', 'LEARNINGS.md'] as const) {
    expect(readIndex(STARTERS[name])).toBe('');
    expect(readEntries(STARTERS[name])).toEqual([]);
  }
});
