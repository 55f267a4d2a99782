import { expect, it } from 'vitest';
import { NOW, plainEvent } from '../engine/engine.fixture.ts';
import type { Event } from '../event/event.ts';
import { createPresence } from './daemon.ts';

const HOUR = 3_600_000;
const alive = new Set([10, 11]);
const presence = () => createPresence((pid) => alive.has(pid));

function event(session: string, more: Partial<Event> = {}): Event {
  return plainEvent('turn.stop', { session, ...more });
}

it('counts sessions until they end', () => {
  const seen = presence();
  expect(seen.open(NOW)).toBe(0);
  for (const session of ['a', 'b', 'a']) seen.saw(event(session, { agentPid: 10 }));
  expect(seen.open(NOW)).toBe(2);
  seen.saw(event('a', { name: 'session.end' }));
  seen.saw(event('never seen', { name: 'session.end' }));
  expect(seen.open(NOW)).toBe(1);
});

it('counts a session as over when its agent is gone, however lately it was heard of', () => {
  const seen = presence();
  seen.saw(event('a', { agentPid: 99 }));
  seen.saw(event('b', { agentPid: 11 }));
  expect(seen.open(NOW)).toBe(1);
  expect(seen.open(NOW + 1_000 * HOUR), 'an agent that lives may come back').toBe(1);
});

it('knows the agent of a session from an earlier event, since not every transport tells', () => {
  const seen = presence();
  seen.saw(event('a', { agentPid: 10 }));
  seen.saw(event('a', { receivedAt: NOW + HOUR }));
  expect(seen.open(NOW + 100 * HOUR)).toBe(1);
});

it('forgets a session whose agent nobody knows after half a day of silence', () => {
  const seen = presence();
  seen.saw(event('a'));
  expect(seen.open(NOW + 12 * HOUR)).toBe(1);
  seen.saw(event('a', { receivedAt: NOW + HOUR }));
  expect(seen.open(NOW + 13 * HOUR)).toBe(1);
  expect(seen.open(NOW + 13 * HOUR + 1)).toBe(0);
});

it('waits for no session when an event names none', () => {
  const seen = presence();
  seen.saw(event('none', { hasSession: false }));
  expect(seen.open(NOW)).toBe(0);
});

it('keeps no more than 5,000 sessions, and drops the longest silent', () => {
  const seen = presence();
  for (let at = 0; at < 5_000; at += 1) seen.saw(event(`s${at}`, { agentPid: at === 0 ? 10 : 99 }));
  seen.saw(event('s0', { agentPid: 10, receivedAt: NOW + 1 }));
  seen.saw(event('one more', { agentPid: 11, receivedAt: NOW + 2 }));
  expect(seen.open(NOW), 'of the living, none was dropped').toBe(2);
  for (let at = 0; at < 6_000; at += 1) seen.saw(event(`t${at}`, { agentPid: 10 }));
  expect(seen.open(NOW)).toBe(5_000);
});
