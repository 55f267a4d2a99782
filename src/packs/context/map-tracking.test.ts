import { expect, it } from 'vitest';
import { parseMapTracking } from './map-tracking.ts';

it.each<[string, string | undefined, number | undefined, boolean]>([
  ['a date', '{"opted_out": false, "last_run": "2026-02-07"}', new Date(2026, 1, 7).getTime(), false],
  ['a time', '{"last_run": "2026-02-23T20:00:00Z", "coverage": {}}', Date.UTC(2026, 1, 23, 20), false],
  ['opted out', '{"opted_out": true, "last_run": "2026-02-07"}', new Date(2026, 1, 7).getTime(), true],
  ['a word for yes', '{"opted_out": "yes", "last_run": "2026-02-07"}', new Date(2026, 1, 7).getTime(), false],
  ['no time', '{"opted_out": false}', undefined, false],
  ['a time that is none', '{"last_run": "long ago"}', undefined, false],
  ['a number', '{"last_run": 5}', undefined, false],
  ['no object', '[]', undefined, false],
  ['null', 'null', undefined, false],
  ['no JSON', '{', undefined, false],
  ['no file', undefined, undefined, false],
])('%s', (_name, text, lastRun, optedOut) => {
  expect(parseMapTracking(text)).toEqual(lastRun === undefined ? undefined : { lastRun, optedOut });
});
