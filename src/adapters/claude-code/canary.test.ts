import { expect, it } from 'vitest';
import { readRecorded } from '../../../test/fixtures/claude-code.ts';
import { CANARIES } from './canary.ts';
import { WIRED } from './install-events.ts';
import { EVENTS } from './names.ts';
import { parse } from './parse.ts';

const place = { session: 's', cwd: '/home/dev/project', transcript: '/home/dev/s.jsonl' };
const recorded = readRecorded();
/** Whether the client adds it depends on the model, the call or the version. */
const MAY_LACK = new Set(['effort', 'prompt_id', 'permission_mode', 'agent_id', 'agent_type', 'file_path', 'source']);

it('there is one for every event that an installation listens to', () => {
  expect(WIRED.filter((event) => CANARIES.payload(event, place) === undefined)).toEqual([]);
});

// Nobody calls an entry that is never installed.
it.each(EVENTS.filter(({ name, wiring }) => wiring !== 'never' && recorded.some(({ event }) => event === name)))(
  '$name has the fields that the client was recorded to send, and no others',
  (event) => {
    const made = CANARIES.payload(event, place);
    const seen = recorded.filter((each) => each.event === event.name).map(({ payload }) => Object.keys(payload));
    const known = new Set(seen.flat());
    const always = seen.reduce((a, b) => a.filter((key) => b.includes(key))).filter((key) => !MAY_LACK.has(key));
    expect(Object.keys(made ?? {}).filter((key) => !known.has(key))).toEqual([]);
    expect(Object.keys(made ?? {})).toEqual(expect.arrayContaining(always));
    const { name, session, cwd } = parse({ payload: made, cwd: '/', home: '/home/dev', depth: 0, receivedAt: 1 });
    expect({ name, session, cwd }).toEqual({ name: event.canonical, session: 's', cwd: place.cwd });
  },
);
