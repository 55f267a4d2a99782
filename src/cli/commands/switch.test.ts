import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { own } from '../../engine/api/message-values.ts';
import { activeRule, callWith, plainAdapter, policyOf, toolEvent } from '../../engine/engine.fixture.ts';
import { pausedId } from '../../engine/session/pause.ts';
import { handle } from '../../handle.ts';
import { readRows } from '../../ledger/read.ts';
import { UsageError } from '../command.ts';
import { databaseOf } from '../database.ts';
import { plantProject } from '../project.fixture.ts';
import type { PlantedProject } from '../project.fixture.ts';
import type { FakeWorld } from '../world.fixture.ts';
import { off, on } from './switch.ts';

let project: PlantedProject;
let world: FakeWorld;
beforeEach(() => {
  project = plantProject();
  world = project.world();
});
afterEach(() => project.remove());

describe('off --session', () => {
  const guards = activeRule('test/guards', (_, { deny }) => deny('said', { text: own('No.') }), { guard: true });

  /** What a rule that protects decides on a call of each session. */
  async function decided(...sessions: readonly string[]): Promise<readonly string[]> {
    const engine = world.engine();
    const answers: string[] = [];
    for (const session of sessions) {
      const event = {
        ...toolEvent({ name: 'shell', command: 'x' }, { cwd: project.root, receivedAt: Date.now() }),
        session,
      };
      await handle(callWith(event), plainAdapter, {
        ...engine,
        locate: async (each, at) => ({ ...(await engine.locate(each, at)), policy: policyOf([guards]) }),
      });
      engine.ledger.flush();
      answers.push(readRows(databaseOf(world), { session, last: 1 })[0]?.action ?? '');
    }
    return answers;
  }

  it('silences every rule in that session, and nowhere else, until on', async () => {
    expect(await decided('one', 'two')).toEqual(['deny', 'deny']);
    await world.run(off, '--session', 'one');
    expect(world.printed.out).toBe('Every rule is off in session one. `fairlead on` ends it.\n');
    expect(await decided('one', 'two')).toEqual(['pass', 'deny']);
    expect(isOff()).toBe(false);
    await world.run(on);
    expect(world.printed.out).toContain('The rules are on again in session one.\n');
    expect(await decided('one', 'two')).toEqual(['deny', 'deny']);
  });

  it('ends by itself, also when turns were counted', async () => {
    await decided('one');
    const { until } = (await world.json(off, '--session', '--for', '1h')) as { until: number };
    expect(until).toBeGreaterThan(Date.now() + 3_500_000);
    const { store } = world.engine();
    expect(store.get(pausedId('one'), until - 1_000)).toBeDefined();
    expect(store.get(pausedId('one'), until + 1_000)).toBeUndefined();
  });

  it('that no verb wrote has the guards stay', async () => {
    const { store, clock } = world.engine();
    const value = JSON.stringify({ since: 1, turns: 0, all: true });
    store.commit({
      reads: new Map(),
      changes: [{ op: 'set', id: pausedId('one'), value, expires: 0 }],
      now: clock.now(),
    });
    expect(await decided('one')).toEqual(['deny']);
  });

  it('knows no other sessions', async () => {
    await expect(world.run(off, '--session', 'nope')).rejects.toThrow('no session "nope"');
    await expect(world.run(off, '--session')).rejects.toThrow('no session was active');
  });
});

function isOff(inMs = 0): boolean {
  return world.engine().isOff(Date.now() + inMs);
}

describe('off and on', () => {
  it('is off until it is on again', async () => {
    await world.run(off);
    expect(isOff(365 * 86_400_000)).toBe(true);
    expect(world.printed.out).toContain('`fairlead on` ends it');
    await world.run(on);
    expect(isOff()).toBe(false);
    expect(world.printed.out).toContain('on again');
    await world.run(on);
    expect(world.printed.out).toContain('Nothing was off');
  });

  it('ends by itself after its time', async () => {
    await world.run(off, '--for', '1h');
    expect(isOff(3_590_000)).toBe(true);
    expect(isOff(3_610_000)).toBe(false);
    expect(world.printed.out).toMatch(/off until \d{4}-\d\d-\d\d \d\d:\d\d:\d\d/);
  });

  it('tells as data what changed', async () => {
    const told = async (...[command, ...argv]: Parameters<FakeWorld['run']>) => {
      world.printed.out = '';
      await world.run(command, ...argv, '--json');
      return JSON.parse(world.printed.out) as { since: number; until: number };
    };
    const { since, until, ...rest } = await told(off, '--for', '1h');
    expect(rest).toEqual({ off: true });
    expect(until - since).toBe(3_600_000);
    expect(isOff()).toBe(true);
    expect(await told(on)).toEqual({ off: false, changed: true, since });
    expect(await told(on)).toEqual({ off: false, changed: false });
  });

  it.each(['', '5', 'soon', '0s', '-1h', '9999999d'])('refuses to be off for "%s"', async (text) => {
    await expect(async () => world.run(off, `--for=${text}`)).rejects.toThrow(UsageError);
    expect(isOff()).toBe(false);
  });
});
