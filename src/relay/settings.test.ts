import { describe, expect, it } from 'vitest';
import { readRelaySettings, relayWanted } from './settings.ts';

const DEFAULT = { events: [], timeoutMs: 5_000, keyRotationDays: 90, eventLog: false };

describe('what a person wrote', () => {
  it.each<[string, Record<string, unknown>, object]>([
    ['nothing', {}, {}],
    ['events', { notify: { events: ['heartbeat', 'relay'] } }, { events: ['relay', 'heartbeat'] }],
    ['events nobody knows', { notify: { events: ['relay', 'all', 3, null] } }, { events: ['relay'] }],
    ['events that are no list', { notify: { events: 'relay' } }, {}],
    ['no map', { notify: ['relay'] }, {}],
    ['a limit', { notify: { timeout_ms: 200 } }, { timeoutMs: 200 }],
    ['a limit of no use', { notify: { timeout_ms: 0 } }, {}],
    ['a limit in words', { notify: { timeout_ms: '5s' } }, {}],
    ['a key', { notify: { key_path: '~/k' } }, { keyPath: '~/k' }],
    ['a key that is none', { notify: { key_path: 7 } }, {}],
    ['keys that stay', { notify: { key_rotation_days: 0 } }, { keyRotationDays: 0 }],
    ['a log', { event_log: true }, { eventLog: true }],
    ['a log in words', { event_log: 'yes' }, {}],
  ])('%s', (_what, options, expected) => {
    expect(readRelaySettings(options)).toEqual({ ...DEFAULT, ...expected });
  });
});

describe('who listens', () => {
  const options = { notify: { events: ['nudge'] } };
  it.each<[string, Parameters<typeof relayWanted>[0], boolean]>([
    ['no pack', undefined, false],
    ['a pack that is not on', { options }, false],
    ['a pack that is off', { enabled: false, options }, false],
    ['a pack in mode off', { enabled: true, mode: 'off', options }, false],
    ['a pack that is on', { enabled: true, options }, true],
    ['a pack that only watches', { enabled: true, mode: 'shadow', options }, true],
    ['a pack without subscribers', { enabled: true }, false],
    ['a pack with a log', { enabled: true, options: { event_log: true } }, true],
  ])('%s: %s', (_what, pack, wanted) => {
    expect(relayWanted(pack) !== undefined).toBe(wanted);
  });
});
