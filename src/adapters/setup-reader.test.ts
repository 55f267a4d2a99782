import { expect, it } from 'vitest';
import { createSetupReader } from './setup-reader.ts';
import { ADAPTERS } from './registry.ts';
import { plainEvent } from '../engine/engine.fixture.ts';

it('reads the settings of an agent once a minute for each workspace, and again when a session starts', () => {
  let now = 0;
  let server = 'a';
  const reader = createSetupReader({
    adapters: ADAPTERS,
    files: { readText: (path) => (path.endsWith('.mcp.json') ? `{"mcpServers":{"${server}":{}}}` : undefined) },
    home: '/home/dev',
    env: {},
    now: () => now,
  });
  const event = (name: 'session.start' | 'turn.stop', agent = 'claude-code') => plainEvent(name, { agent });
  const servers = (root = '/p') => reader.setupOf(event('turn.stop'), root).servers.map(({ name }) => name);

  expect(servers()).toEqual(['a']);
  server = 'b';
  expect(servers('/q')).toEqual(['b']);
  now = 59_999;
  reader.saw(event('turn.stop'));
  expect(servers()).toEqual(['a']);
  now = 60_000;
  expect(servers()).toEqual(['b']);
  server = 'c';
  reader.saw(event('session.start'));
  expect(servers()).toEqual(['c']);
  expect(reader.setupOf(event('turn.stop', 'nobody'), '/p')).toEqual({ servers: [], hooks: [] });
});
