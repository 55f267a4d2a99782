import { EVENT_NAMES } from '../event/event.ts';
import { expect, it } from 'vitest';
import { testAdapter } from './contract.ts';
import { minimal } from './minimal-agent.fixture.ts';

const payload = (event: string, more: object = {}) => ({ event, session: 's1', dir: '/home/dev/project', ...more });

testAdapter(minimal, {
  fixtures: [
    { file: 'began', canonical: 'session.start', payload: payload('began') },
    { file: 'calls', canonical: 'tool.before', payload: payload('calls', { command: 'ls' }) },
    { file: 'ended', canonical: 'turn.stop', payload: payload('ended') },
  ],
  isValidReply(_, stdout) {
    if (stdout === '') return true;
    const keys = Object.keys(JSON.parse(stdout) as object);
    return keys.every((key) => key === 'stop' || key === 'note') || `unknown field in ${stdout}`;
  },
});

it('has nothing but what every agent has', () => {
  expect(Object.keys(minimal)).toEqual([
    ...['name', 'events', 'toolKinds', 'parse', 'render', 'capabilities', 'process', 'program', 'settings'],
  ]);
  expect(EVENT_NAMES.length).toBeGreaterThan(minimal.events.length);
});
