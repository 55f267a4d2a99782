import { expect, it } from 'vitest';
import { cellId } from './cells.ts';
import { describeStore } from './contract.ts';
import { createMemoryStore, sessionOf } from './memory.ts';

describeStore('memory', () => {
  const rows: string[] = [];
  const store = createMemoryStore(({ id }) => void rows.push(id));
  return { store, rows: () => rows, close: () => store.close() };
});

it.each([
  [cellId('session', 's', 'x'), 's'],
  [cellId('turn', 's\u001emain\u001e3', 'x', 'key'), 's'],
  [cellId('day', '/p\u001e2027-01-15', 'x'), undefined],
  [cellId('workspace', '/p', 'x'), undefined],
  [cellId('user', '', 'x'), undefined],
])('sessionOf %j is %s', (id, session) => {
  expect(sessionOf(id)).toBe(session);
});
