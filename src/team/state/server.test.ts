import { expect, it } from 'vitest';
import { cellId } from '../../state/cells.ts';
import { describeCells } from '../../state/contract.ts';
import { QUEUE, readEntry } from './queue.ts';
import { cellsOf, createMemoryServer } from './server.fixture.ts';

describeCells('a server in memory', () => {
  let time = 1_000_000;
  const now = () => time;
  const server = createMemoryServer(now);
  const store = cellsOf(server, { unitMs: 1, now, advance: (ms) => void (time += ms) });
  return { store, goesBack: false, close: () => server.close() };
});

it.each([
  ['{"delivery":"d","reads":[["a",null]],"changes":[{"op":"add","id":"a","by":1,"expires":0}]}', true],
  ['{"delivery":"d","reads":[]}', false],
  ['{"reads":[],"changes":[]}', false],
  ['[', false],
  ['null', false],
])('an entry of the queue: %s', (value, isOne) => {
  expect(readEntry({ value }) !== undefined).toBe(isOne);
});

it('lists the queue by its prefix', () => {
  expect(cellId('user', '', 'team.out', '0001').startsWith(QUEUE)).toBe(true);
});
