import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { RelayEvent, RelayRecord } from '../event/follow-up.ts';
import { channelOf, toWire } from './wire.ts';

const RECORD: RelayRecord = {
  at: Date.parse('2027-03-02T10:00:00.250Z'),
  event: 'nudge',
  rule: 'context/check-journal',
  variant: 'unexported',
  message: 'context/check-journal: 3 sessions are not exported',
  variables: { count: 3, silenced: false },
  session: 's1',
  root: '/home/me/shop',
};

describe('which channel a record takes', () => {
  const none: RelayEvent[] = [];
  const all: RelayEvent[] = ['relay', 'nudge', 'heartbeat'];
  it.each<[event: string, subscribed: RelayEvent[], channel: RelayEvent | undefined]>([
    ['relay', none, undefined],
    ['relay', ['relay'], 'relay'],
    ['relay', ['nudge'], undefined],
    ['relay', ['heartbeat'], undefined],
    ['relay', ['nudge', 'heartbeat'], undefined],
    ['relay', all, 'relay'],
    ['nudge', none, undefined],
    ['nudge', ['relay'], 'relay'],
    ['nudge', ['nudge'], 'nudge'],
    ['nudge', ['heartbeat'], undefined],
    ['nudge', ['relay', 'nudge'], 'nudge'],
    ['nudge', all, 'nudge'],
    ['heartbeat', none, undefined],
    ['heartbeat', ['relay'], undefined],
    ['heartbeat', ['nudge'], undefined],
    ['heartbeat', ['relay', 'nudge'], undefined],
    ['heartbeat', ['heartbeat'], 'heartbeat'],
    ['heartbeat', all, 'heartbeat'],
  ])('%s to a subscriber of %j: %s', (event, subscribed, channel) => {
    expect(channelOf(event, subscribed)).toBe(channel);
  });
});

describe('a record on its way', () => {
  it('has the fields that readers of such records know', () => {
    expect(toWire(RECORD, 'relay')).toEqual({
      event: 'relay',
      message: 'context/check-journal: 3 sessions are not exported',
      detail: { hook: 'context/check-journal', variant: 'unexported', variables: { count: 3, silenced: false } },
      session_id: 's1',
      timestamp: '2027-03-02T10:00:00.250Z',
      project: 'shop',
    });
  });

  it('leaves out what is not known', () => {
    const { variables: _variables, session: _session, ...bare } = RECORD;
    expect(Object.keys(toWire(bare))).toEqual(['event', 'message', 'detail', 'timestamp', 'project']);
    expect(toWire(bare).detail).toEqual({ hook: RECORD.rule, variant: RECORD.variant });
  });

  it('carries no secret, nothing long and nothing of where the project lies', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 40 }), fc.integer({ min: 0, max: 9_000 }), (text, length) => {
        const secret = `ghp_${'a'.repeat(36)}`;
        const message = `${text} ${secret} ${'x'.repeat(length)}`;
        const sent = JSON.stringify(toWire({ ...RECORD, message, variables: { text: message, api_key: 'plain' } }));
        expect(sent).not.toContain(secret);
        expect(sent).not.toContain('plain');
        expect(sent).not.toContain('/home/me');
        expect(sent.length).toBeLessThan(6_000);
      }),
    );
  });
});
