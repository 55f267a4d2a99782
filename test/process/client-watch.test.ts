import { cpSync, existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { PATIENCE_MS, until } from '../patience.ts';
import { built, newWorld, put, ROOT, start as startClient } from './start-client.ts';
import type { World } from './start-client.ts';
import { serveFrames } from './frame-server.ts';

/** The one for Node starts the script beside it with a shell; the native one what the entry names. */
function byNode(world: World): readonly string[] {
  const client = join(world.dir, 'client.cjs');
  cpSync(join(ROOT, 'dist/client.cjs'), client);
  cpSync(join(world.dir, 'node'), join(world.dir, 'fairlead'));
  return [process.execPath, client];
}

/** Until the test says so. */
const WAIT = 'until [ -e "$(dirname "$0")/go" ]; do sleep 0.05; done';

const CLIENTS = [
  ['native', () => undefined],
  ['node', byNode],
] as const;

describe.each(CLIENTS.slice(built.built ? 0 : 1))('a one-shot that gives no whole reply to the client: %s', (_, by) => {
  const start = (world: World, args: readonly string[]) => {
    const client = by(world);
    return startClient(args, client ? { client } : {});
  };
  const DENY = { hookSpecificOutput: { permissionDecision: 'deny' } };

  it.each([
    ['hangs', 'exec sleep 30'],
    ['is in an endless loop', 'while :; do :; done'],
    ['crashes', 'kill -SEGV $$'],
    ['fails', 'exit 1'],
    ['ends without a word', 'exit 0'],
    ['ends in the middle', 'printf half; exit 0'],
    ['ignores its end', "trap '' TERM INT HUP; printf half; while :; do sleep 1; done"],
  ])('%s: a guarded call is stopped in time, and its slot is free', async (__, body) => {
    const world = newWorld({ script: `#!/bin/sh\ncat > /dev/null\n${body}\n` });
    rmSync(join(world.run, 'closed'), { recursive: true });
    for (let time = 0; time < 2; time += 1) {
      const { code, out, err, ms } = await start(world, [...world.args, '--within', '500']);
      expect([code, err, JSON.parse(out)]).toMatchObject([0, '', DENY]);
      expect(ms).toBeLessThan(PATIENCE_MS);
    }
    const { out } = await start(world, [...world.args.filter((word) => word !== '--event'), '--within', '500']);
    expect(JSON.parse(out)).toMatchObject(DENY);
    expect(world.turnedAway()).toBe('ddd');
  });

  it('cannot be told from none, where a file is in the place of the state: a call is stopped', async () => {
    const world = newWorld({ script: '#!/bin/sh\ncat > /dev/null\nexit 1\n' });
    const place = join(world.dir, 'file');
    writeFileSync(place, '');
    const args = world.args.map((word, at) => (world.args[at - 1] === '--state' ? place : word));
    const { code, out, err } = await start(world, [...args, '--within', '500']);
    expect([code, err, JSON.parse(out)]).toMatchObject([0, '', DENY]);
  });

  it('fails, and meanwhile a daemon is there: that one answers', async () => {
    const world = newWorld({ script: `#!/bin/sh\ncat > /dev/null\n: > "$(dirname "$0")/begun"\n${WAIT}\nexit 1\n` });
    const running = start(world, [...world.args, '--within', '60000']);
    await until('the one-shot runs', () => existsSync(join(world.dir, 'begun')));
    const server = await serveFrames(world.socket, () => 'daemon');
    put(join(world.dir, 'go'), '');
    try {
      expect(await running).toMatchObject({ code: 0, out: 'daemon', err: '' });
      expect(world.turnedAway()).toBe('');
    } finally {
      await server.close();
    }
  });

  it('ends after its reply as it likes, and is not waited for beyond the deadline', async () => {
    const script = `#!/bin/sh\ncat > /dev/null\nprintf 'whole\\0'\n${WAIT}\n: > "$(dirname "$0")/after"\n`;
    const world = newWorld({ script });
    expect(await start(world, [...world.args, '--within', '6000'])).toMatchObject({ code: 0, out: 'whole', err: '' });
    expect(existsSync(join(world.dir, 'after'))).toBe(false);
    put(join(world.dir, 'go'), '');
    await until('it has ended', () => existsSync(join(world.dir, 'after')));
  });

  it('gives a reply of any length', async () => {
    const script = `#!/bin/sh\ncat > /dev/null\nhead -c 3000000 /dev/zero | tr '\\0' x\nprintf '\\0'\n`;
    const world = newWorld({ script });
    const { out } = await start(world, world.args);
    expect(out.length).toBe(3_000_000);
  });
});
