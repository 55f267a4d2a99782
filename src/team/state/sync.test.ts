import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cases } from '../../../test/cases.ts';
import { cellId } from '../../state/cells.ts';
import { createMemoryStore } from '../../state/memory.ts';
import type { Change, Store } from '../../state/store.ts';
import { QUEUED, seenId } from '../../state/team-queue.ts';
import { createMemoryServer } from './server.fixture.ts';
import type { MemoryServer } from './server.fixture.ts';
import type { TeamServer } from './server.ts';
import { createSync, linkId } from './sync.ts';

const COUNT = cellId('team', 'acme', 'count');
const MODE = cellId('team', 'acme', 'mode');

/** A team whose machines share a clock; time passes when it is told to. */
function startTeam() {
  let time = 1_800_000_000_000;
  const now = () => time;
  const server = createMemoryServer(now);
  function addMachine(link: TeamServer = forOne(server)) {
    const memory = createMemoryStore();
    let lists = 0;
    const store: Store = {
      ...memory,
      list(...words) {
        lists += 1;
        return memory.list(...words);
      },
    };
    const sync = createSync({
      ...{ team: 'acme', store, server: link, now },
      random: () => 0,
      soon: (_, work) => queueMicrotask(work),
      onFailure: (_, error) => {
        throw error;
      },
    });
    const change = (...changes: Change[]) => {
      const reads = new Map(changes.filter(({ op }) => op !== 'add').map(({ id }) => [id, store.get(id, time)]));
      expect(store.commit({ reads, changes, now: time })).toBe(true);
    };
    return {
      ...{ store, sync, change },
      /** How often a part of the store was read whole. */
      lists: () => lists,
      add: (by = 1) => change({ op: 'add', id: COUNT, by, expires: 0 }),
      set: (value: string, expires = 0) => change({ op: 'set', id: MODE, value, expires }),
      get: (id: string) => store.get(id, time),
      waits: () => store.list(QUEUED, time).length,
    };
  }
  const pass = (ms: number) => (time += ms);
  return { server, addMachine, pass, now };
}

/** One machine's own connection: what it closes others keep. */
function forOne(server: MemoryServer): TeamServer {
  return { ...server, close: async () => {} };
}

const looked = async (...machines: readonly { sync: { look(): Promise<void> } }[]) => {
  for (const { sync } of machines) await sync.look();
  await new Promise((resolve) => setImmediate(resolve));
};

describe('the copy of a team’s state', () => {
  it('has what all machines count and set, and is known to be whole', async () => {
    const { addMachine, now } = startTeam();
    const [here, there] = [addMachine(), addMachine()];
    await looked(here, there);
    here.add(2);
    there.add(3);
    here.set('"careful"');
    expect([here.get(COUNT), there.get(COUNT)], 'each knows its own at once').toEqual(['2', '3']);
    await looked(here, there);
    for (const machine of [here, there]) {
      expect([machine.get(COUNT), machine.get(MODE), machine.waits()]).toEqual(['5', '"careful"', 0]);
      expect(machine.get(seenId('acme'))).toBe(String(now()));
    }
  });

  it('keeps what waits while the server is away, and brings it once', async () => {
    const { server, addMachine, pass } = startTeam();
    const [here, there] = [addMachine(), addMachine()];
    await looked(here, there);
    const seen = here.get(seenId('acme'));
    server.leave();
    pass(10_000);
    here.add();
    await looked(here);
    here.add();
    await looked(here);
    expect([here.get(COUNT), here.waits(), here.get(seenId('acme'))]).toEqual(['2', 2, seen]);
    expect(JSON.parse(here.get(linkId('acme')) ?? '')).toMatchObject({ problem: 'the server is away' });
    server.comeBack();
    pass(60_000);
    await looked(here, there);
    expect([here.get(COUNT), here.waits(), there.get(COUNT)]).toEqual(['2', 0, '2']);
    expect(JSON.parse(here.get(linkId('acme')) ?? '')).not.toHaveProperty('problem');
  });

  it('brings what a long outage has left without reading it all for each part', async () => {
    const { addMachine } = startTeam();
    const here = addMachine();
    for (let nth = 0; nth < 2_000; nth += 1) here.add();
    await looked(here);
    expect([here.get(COUNT), here.waits()]).toEqual(['2000', 0]);
    expect(here.lists()).toBeLessThan(10);
  });

  it('counts nothing twice when an answer is lost', async () => {
    const { server, addMachine, pass } = startTeam();
    let losing = true;
    const link = forOne(server);
    const here = addMachine({
      ...link,
      async commit(commits) {
        const verdicts = await link.commit(commits);
        if (losing) throw new Error('cut off');
        return verdicts;
      },
    });
    here.add();
    here.set('1');
    await looked(here);
    losing = false;
    pass(60_000);
    await looked(here);
    expect([here.get(COUNT), here.get(MODE), here.waits()]).toEqual(['1', '1', 0]);
  });

  it('takes the server’s word where two set the same, and keeps what is counted', async () => {
    const { addMachine } = startTeam();
    const [here, there] = [addMachine(), addMachine()];
    await looked(here, there);
    here.set('"here"');
    there.change({ op: 'set', id: MODE, value: '"there"', expires: 0 }, { op: 'add', id: COUNT, by: 1, expires: 0 });
    await looked(here, there);
    for (const machine of [here, there])
      expect([machine.get(MODE), machine.get(COUNT), machine.waits()]).toEqual(['"here"', '1', 0]);
  });

  it('forgets what the server has forgotten, and what has expired', async () => {
    const { server, addMachine, pass } = startTeam();
    const [here, there] = [addMachine(), addMachine()];
    await looked(here, there);
    here.add();
    here.set('1', 1_800_000_000_000 + 90_000);
    await looked(here, there);
    server.leave();
    server.comeBack();
    await looked(there);
    pass(60_000);
    there.change({ op: 'delete', id: COUNT });
    await looked(there, here);
    expect([here.get(COUNT), here.get(MODE)]).toEqual([undefined, '1']);
    pass(30_000);
    expect(here.get(MODE)).toBeUndefined();
  });

  it('reads all again when it has missed a push', async () => {
    const { server, addMachine, pass } = startTeam();
    let deaf = false;
    const link = forOne(server);
    const watch: TeamServer['watch'] = (onPush, onGap) => link.watch((push) => deaf || onPush(push), onGap);
    const [here, there] = [addMachine({ ...link, watch }), addMachine()];
    await looked(here, there);
    deaf = true;
    there.add();
    await looked(there);
    deaf = false;
    there.set('1');
    await looked(there, here);
    await looked(here);
    expect([here.get(COUNT), here.get(MODE)], 'a later push shows it').toEqual(['1', '1']);
    deaf = true;
    there.add();
    await looked(there);
    pass(6_000);
    await looked(here);
    await looked(here);
    expect(here.get(COUNT), 'the number of the newest shows it').toBe('2');
  });

  it('leaves what is damaged, and what belongs to another team', async () => {
    const { addMachine, now } = startTeam();
    const here = addMachine();
    here.change({ op: 'add', id: cellId('team', 'other', 'count'), by: 1, expires: 0 });
    here.store.commit({
      reads: new Map(),
      changes: [{ op: 'set', id: `${QUEUED}0`, value: '{', expires: 0 }],
      now: now(),
    });
    here.add();
    await looked(here);
    expect([here.waits(), here.get(COUNT)]).toEqual([1, '1']);
  });

  it('comes to the same on all machines, whatever is lost on the way', async () => {
    const step = fc.record({
      at: fc.nat(2),
      does: fc.constantFrom('add', 'set', 'delete', 'look', 'leave', 'back', 'lose'),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
        const { server, addMachine, pass } = startTeam();
        let losing = false;
        const unreliable = (): TeamServer => {
          const link = forOne(server);
          return {
            ...link,
            async commit(commits) {
              const verdicts = await link.commit(commits);
              if (losing) throw new Error('cut off');
              return verdicts;
            },
          };
        };
        const machines = [0, 1, 2].map(() => addMachine(unreliable()));
        let added = 0;
        for (const [nth, { at, does }] of steps.entries()) {
          const machine = machines[at] ?? addMachine();
          pass(1);
          if (does === 'add') machine.add(++added && 1);
          else if (does === 'set') machine.set(String(nth));
          else if (does === 'delete') machine.change({ op: 'delete', id: MODE });
          else if (does === 'look') await looked(machine);
          else if (does === 'leave') server.leave();
          else if (does === 'back') server.comeBack();
          else losing = !losing;
        }
        server.comeBack();
        losing = false;
        for (let round = 0; round < 3; round += 1) {
          pass(60_000);
          await looked(...machines);
        }
        const [mode] = await server.read([MODE]);
        for (const machine of machines) {
          expect([machine.get(COUNT) ?? '0', machine.waits()]).toEqual([String(added), 0]);
          expect(machine.get(MODE)).toBe(mode?.value);
        }
      }),
      cases(2_000),
    );
  });
});
