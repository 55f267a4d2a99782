import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { EXPLORE, grep, INDEXED, openIndexed, seen, SERVER } from '../nudge.fixture.ts';
import type { World } from '../world.fixture.ts';

let world: World;
afterEach(() => world.close());

const UNSEEN = { '.codegraph/codegraph.db': 'x', 'src/a.ts': 'export function parseConfig() {}\n' };
const start = (fields: Readonly<Record<string, unknown>> = {}) =>
  world.event('SessionStart', { source: 'startup', ...fields });

describe('an index at the start of a session', () => {
  it('gets one line for the person where no way to ask it is seen', async () => {
    world = await openIndexed({ files: UNSEEN, turn: 0 });
    const { warn, note } = await start();
    expect(warn).toMatch(
      /^\[codegraph\/server-unseen\] A CodeGraph index covers this project.*Register its tool server codegraph.*program codegraph/,
    );
    expect(warn).not.toContain('\n');
    expect(note).toBe('');
    expect((await start({ source: 'resume' })).warn).toBe('');
    expect(seen(await grep(world))).toBe('pass');
    expect((await start({ session_id: 'session-2', cwd: join(world.root, 'src') })).warn).toContain('CodeGraph');
  });

  it.each<[what: string, files: Readonly<Record<string, string>>, source: string]>([
    ['its server is registered', INDEXED, 'startup'],
    ['there is none', { 'src/a.ts': 'x' }, 'startup'],
    [
      'another one can be asked',
      { ...UNSEEN, '.mcp.json': graphifyAlone(), 'graphify-out/graph.json': '{}' },
      'startup',
    ],
    ['the session only goes on', UNSEEN, 'compact'],
  ])('gets none where %s', async (_, files, source) => {
    world = await openIndexed({ files, turn: 0 });
    expect((await start({ source })).stdout).toBe('');
  });

  it('gets none once a tool of its server was called here', async () => {
    world = await openIndexed({ files: UNSEEN, turn: 0 });
    await world.before(EXPLORE, { query: 'x' });
    expect((await start()).warn).toBe('');
  });

  it('is looked at afresh: what was registered meanwhile counts', async () => {
    world = await openIndexed({ files: UNSEEN, turn: 0 });
    expect((await start()).warn).not.toBe('');
    world.put('.mcp.json', SERVER);
    expect((await start({ session_id: 'session-2' })).warn).toBe('');
  });

  it('says nothing of a program where there is none', async () => {
    world = await openIndexed({ files: { '.repowise/state.json': '{}' }, turn: 0 });
    expect((await start()).warn).toContain('tool server repowise with the agent; `fairlead doctor`');
  });
});

function graphifyAlone(): string {
  return JSON.stringify({ mcpServers: { graphify: { command: 'graphify' } } });
}
