import { expect, it } from 'vitest';
import { ONE_RUN } from './one-run.ts';

it.each<[string, string | undefined, string]>([
  ['claude -p hello', undefined, 'claude --settings FILE -p hello'],
  ['claude', undefined, 'claude --settings FILE'],
  ['claude -p --settings mine.json hello', 'mine.json', 'claude -p --settings FILE hello'],
  ['claude --settings={"a":1} -p', '{"a":1}', 'claude --settings FILE -p'],
  ['claude --settings a --settings b', 'b', 'claude --settings a --settings FILE'],
  ['claude -p -- --settings', undefined, 'claude --settings FILE -p -- --settings'],
])('%s', (line, given, started) => {
  const words = line.split(' ');
  expect(ONE_RUN.given(words)).toBe(given);
  expect(ONE_RUN.start(words, 'FILE').join(' ')).toBe(started);
});
