import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { teamCarefulId } from '../../engine/careful/team-careful.ts';
import { LEASE } from '../../engine/session/leases.ts';
import { cellId } from '../../state/cells.ts';
import { QUEUED } from '../../state/team-queue.ts';
import { UsageError } from '../command.ts';
import type { Command } from '../command.ts';
import { plantProject } from '../project.fixture.ts';
import type { PlantedProject } from '../project.fixture.ts';
import type { FakeWorld } from '../world.fixture.ts';
import { checkCareful } from './doctor.ts';
import { off, on, status } from './careful.ts';
import { list, release } from './lease.ts';
import { enable, mode } from './rules-set.ts';

/** Nobody listens there. */
const TEAM = 'state:\n  team: { url: redis://127.0.0.1:1, name: acme, person: alice }\n';

let project: PlantedProject;
let world: FakeWorld;
beforeEach(() => {
  project = plantProject();
  project.putUser('config.yaml', TEAM);
  world = project.world();
});
afterEach(() => project.remove());

const printed = async (command: Command, ...argv: string[]) => {
  world.printed.out = '';
  await world.run(command, ...argv);
  return world.printed.out;
};
const get = (id: string) => world.engine().store.get(id, world.engine().clock.now());
const waiting = () => world.engine().store.list(QUEUED, world.engine().clock.now()).length;

describe('with a team', () => {
  it('careful mode is on for all of it, and off again', async () => {
    expect(await printed(on, '--team', '--for', '1h')).toMatch(
      /on for the whole team, until .*`fairlead careful off --team`/,
    );
    expect(get(teamCarefulId('acme'))).toContain('"by":"user"');
    expect(waiting()).toBe(1);
    expect(await printed(status)).toContain('Careful mode is on for the whole team since');
    expect(await checkCareful(project.root, world)).toMatchObject({
      facts: expect.arrayContaining([['careful mode', 'on']]),
      findings: [{ what: expect.stringMatching(/on for the whole team/), next: expect.stringMatching(/off --team,/) }],
    });
    expect(await printed(off)).toContain('still on for the team; `fairlead careful off --team`');
    expect(await printed(off, '--team')).toBe('Careful mode is off for the whole team.\n');
    expect(get(teamCarefulId('acme'))).toBeUndefined();
    expect(waiting()).toBe(2);
    expect(await printed(off, '--team')).toBe('Careful mode was not on for the whole team.\n');
  });

  it('a rule is quiet for all of it, until somebody ends that', async () => {
    await printed(mode, 'guard/git', 'off', '--for', '1h', '--team');
    expect(get(cellId('team', 'acme', 'exceptions'))).toContain('guard/git');
    expect(await printed(enable, 'guard/git')).toContain('Ended: ');
    expect(get(cellId('team', 'acme', 'exceptions'))).toBeUndefined();
    await expect(async () => world.run(mode, 'guard/git', 'off', '--team')).rejects.toThrow(/--team goes with --for/);
  });

  it('a lease stays where the server cannot be asked', async () => {
    const { store, clock } = world.engine();
    const now = clock.now();
    const held = { holder: 'bob@desk s1', fence: 7, since: now, until: now + 600_000 };
    const id = cellId('team', 'acme', LEASE, 'deploy');
    const change = { op: 'set', id, value: JSON.stringify(held), expires: held.until } as const;
    store.commit({ reads: new Map(), changes: [change], now, fromTeam: true });
    expect(await printed(list)).toMatch(/deploy +7 +bob@desk, session s1 .* acme/);
    await expect(async () => world.run(release, 'deploy')).rejects.toThrow(/does not answer .*; the lease stays/);
    expect(get(id)).toBeDefined();
  });
});

it('without a team there is nobody else', async () => {
  project.putUser('config.yaml', '');
  world = project.world();
  await expect(async () => world.run(on, '--team')).rejects.toThrow(UsageError);
});
