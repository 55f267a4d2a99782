import { expect, it } from 'vitest';
import type { Effect } from '../../event/effect.ts';
import type { Event } from '../../event/event.ts';
import type { KeepResult } from '../../event/keeping.ts';
import { send } from '../../engine/engine.fixture.ts';
import { edit, guardEngine, shell, write } from '../guard.fixture.ts';

const KEPT: KeepResult = { kept: { number: 3, names: ['notes.txt'], files: 1, bytes: 9 } };

async function kept(event: Event, result = KEPT) {
  const wanted: Effect[] = [];
  const engine = Object.assign(guardEngine({ files: { 'notes.txt': 'x' } }), {
    keep: async (effects: readonly Effect[]) => (wanted.push(...effects), result),
  });
  Object.assign(engine.files, {
    stat: (path: string) => (path.endsWith('/notes.txt') ? { kind: 'file', mtimeMs: 0, size: 1 } : undefined),
  });
  const { action, notes, warns } = await send(engine, event);
  return { action, said: [...notes, ...warns].length, kept: wanted.map(({ path = '' }) => path.split('/').at(-1)) };
}

const QUIETLY = { action: 'pass', said: 0, kept: ['notes.txt'] };
const NOTHING = { action: 'pass', said: 0, kept: [] };

it.each<[string, Event]>([
  ['a deletion', shell('rm notes.txt')],
  ['a redirect', shell('echo x > notes.txt')],
  ['a copy over it', shell('cp other notes.txt')],
  ['a truncation', shell('truncate -s 0 notes.txt')],
  ['an edit in place', shell('sed -i s/x/y/ notes.txt')],
  ['what empties it', shell('> notes.txt')],
  ['a file tool that replaces all of it', write('notes.txt', 'y')],
])('%s of what no commit has is copied, quietly', async (_, event) => {
  expect(await kept(event)).toEqual(QUIETLY);
});

it.each<[string, Event]>([
  ['a new file', shell('echo x > new.txt')],
  ['what is added', shell('echo x >> notes.txt')],
  ['an ordinary edit', edit('notes.txt', 'x', 'y')],
  ['reading', shell('cat notes.txt')],
])('nothing is copied for %s', async (_, event) => {
  expect(await kept(event)).toEqual(NOTHING);
});

it('of a move what it replaces is copied, with what it moves', async () => {
  expect((await kept(shell('mv plan.txt notes.txt'))).kept).toEqual(['notes.txt', 'plan.txt']);
});

it('what the same call moves to a place and takes from there is copied where it lies before', async () => {
  expect((await kept(shell('mv plan.txt other && rm other'))).kept).toEqual(['other', 'plan.txt', 'other']);
});

it('a call passes where the copier finds nothing to lose, and is asked about where it cannot copy', async () => {
  const event: Event = { ...shell('rm notes.txt'), asksPerson: true };
  expect(await kept(event, { nothing: true })).toMatchObject({ action: 'pass', said: 0 });
  expect(await kept(event, { unkept: 'there is no room' })).toMatchObject({ action: 'ask' });
  expect(await kept({ ...event, asksPerson: false }, { unkept: 'there is no room' })).toMatchObject({ action: 'deny' });
});
