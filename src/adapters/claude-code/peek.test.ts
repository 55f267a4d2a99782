import { describe, expect, it } from 'vitest';
import { readRecorded } from '../../../test/fixtures/claude-code.ts';
import { peek } from './peek.ts';

describe('peek', () => {
  it.each(readRecorded().map(({ file, payload }) => [file, payload] as const))(
    'tells the event of %s from its first bytes',
    (_, payload) => {
      const head = JSON.stringify(payload).slice(0, 64 * 1024);
      expect(peek(head)['hook_event_name']).toBe((payload as Record<string, unknown>)['hook_event_name']);
    },
  );

  it.each([
    ['', {}],
    [
      '{"session_id":"a\\"b","hook_event_name":"PreToolUse","tool_input":{"content":"xxxx',
      { session_id: 'a"b', hook_event_name: 'PreToolUse' },
    ],
    ['{"hook_event_name": 7}', {}],
    ['{"hook_event_name":"cut of', {}],
  ])('%s', (head, expected) => {
    expect(peek(head)).toEqual(expected);
  });
});
