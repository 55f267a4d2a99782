import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  addReminder,
  dismissReminders,
  dueReminders,
  highestId,
  parseStore,
  remindersIn,
  storeText,
} from './reminders.ts';
import type { ReminderStore } from './reminders.ts';

const TODAY = '2026-03-10';
const one = (more: object) => [{ id: 1, message: 'x', created: '2026-03-01T00:00:00Z', ...more }];

describe('due', () => {
  it.each<[string, unknown, boolean]>([
    ['at once', null, true],
    ['no day given', undefined, true],
    ['tomorrow', '2026-03-11', false],
    ['today', TODAY, true],
    ['yesterday', '2026-03-09', true],
    ['a time of tomorrow', '2026-03-11T00:00:00Z', false],
    ['no day of the calendar', '2026-02-30', true],
    ['a word', 'soon', true],
    ['a number', 7, true],
  ])('%s', (_name, after, isDue) => {
    expect(dueReminders(one({ after }), TODAY)).toHaveLength(isDue ? 1 : 0);
  });
});

describe('reading', () => {
  it.each<[string, string | undefined, number | undefined]>([
    ['no file', undefined, 0],
    ['an empty file', ' \n', 0],
    ['an empty list', '[]', 0],
    ['null', 'null', 0],
    ['what another program wrote', '[{"id":3,"message":"m","created":"2026-02-01T10:00:00Z","after":null}]', 1],
    ['a byte order mark', '\ufeff[{"id":3,"message":"m"}]', 1],
    ['members that are none', '[1, null, "x", {}, {"id":"1","message":"m"}, {"id":-1,"message":"m"}, {"id":2}]', 0],
    ['no list', '{"id":1}', undefined],
    ['no JSON', '[{', undefined],
  ])('%s', (_name, text, count) => {
    const store = parseStore(text);
    expect(store && remindersIn(store).length).toBe(count);
  });
});

it('writes back what it does not understand', () => {
  const store = parseStore('[{"id":1,"message":"a","tag":"mine"},"stray",{"id":2,"message":"b"}]') ?? [];
  const { store: rest, dismissed, unknown } = dismissReminders(store, [2, 9]);
  expect(dismissed.map(({ id }) => id)).toEqual([2]);
  expect(unknown).toEqual([9]);
  expect(parseStore(storeText(rest))).toEqual([{ id: 1, message: 'a', tag: 'mine' }, 'stray']);
});

it('gives ids that only grow, and loses nothing that was not dismissed', () => {
  const step = fc.oneof(
    fc.record({ add: fc.string() }),
    fc.record({ dismiss: fc.array(fc.integer({ min: 0, max: 12 }), { maxLength: 3 }) }),
    fc.constant({ all: true as const }),
  );
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), fc.integer({ min: 0, max: 9 }), (steps, firstId) => {
      let store: ReminderStore = firstId === 0 ? [] : one({ id: firstId, after: null });
      let lastId = 0;
      const model = new Map<number, string>(firstId === 0 ? [] : [[firstId, 'x']]);
      for (const each of steps) {
        if ('add' in each) {
          const added = addReminder(store, lastId, { message: each.add, after: null, created: 'now' });
          expect(added.reminder.id).toBeGreaterThan(Math.max(lastId, highestId(store)));
          lastId = added.reminder.id;
          store = added.store;
          model.set(lastId, each.add);
        } else {
          const ids = 'all' in each ? 'all' : each.dismiss;
          lastId = Math.max(lastId, highestId(store));
          store = dismissReminders(store, ids).store;
          for (const id of [...model.keys()]) if (ids === 'all' || ids.includes(id)) model.delete(id);
        }
        store = parseStore(storeText(store)) ?? [];
        expect(remindersIn(store).map(({ id, message }) => [id, message])).toEqual(
          [...model].toSorted(([a], [b]) => a - b),
        );
      }
    }),
  );
});
