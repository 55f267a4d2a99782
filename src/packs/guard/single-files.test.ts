import { expect, it } from 'vitest';
import type { Effect } from '../../event/effect.ts';
import type { Event } from '../../event/event.ts';
import type { Look } from '../../event/facts.ts';
import { NO_FACTS } from '../../event/facts.ts';
import type { KeepResult } from '../../event/keeping.ts';
import { send } from '../../engine/engine.fixture.ts';
import { edit, guardEngine, shell, write } from '../guard.fixture.ts';

const CHANGED: Look = { lost: [{ what: 'changed', count: 1, names: ['notes.txt'] }] };
const KEPT: KeepResult = { kept: { number: 3, names: ['notes.txt'], files: 1, bytes: 9 } };

async function kept(event: Event, look: Look = CHANGED, result = KEPT) {
  const wanted: Effect[] = [];
  const engine = Object.assign(guardEngine({ files: { 'notes.txt': 'x' } }), {
    facts: { ...NO_FACTS, losses: async (effects: readonly Effect[]) => effects.map(() => look) },
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
  ['a move over it', shell('mv other notes.txt')],
  ['a copy over it', shell('cp other notes.txt')],
  ['a truncation', shell('truncate -s 0 notes.txt')],
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

it('nothing is copied of what commits have, and nothing is held up where nobody could look or copy', async () => {
  const event = shell('rm notes.txt');
  expect(await kept(event, { lost: [] })).toEqual(NOTHING);
  expect(await kept(shell('rm notes.txt'), { unseen: 'it took too long' })).toEqual(NOTHING);
  expect(await kept(shell('rm notes.txt'), CHANGED, { unkept: 'there is no room' })).toEqual(QUIETLY);
});
