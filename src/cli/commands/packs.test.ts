import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { CommandError, UsageError } from '../command.ts';
import { plantProject } from '../project.fixture.ts';
import type { PlantedProject } from '../project.fixture.ts';
import { fakeWorld } from '../world.fixture.ts';
import { list, off, on } from './packs.ts';

let project: PlantedProject;
beforeEach(() => void (project = plantProject()));
afterEach(() => project.remove());

async function packs(): Promise<Record<string, string>> {
  const { packs: found } = (await project.world().json(list)) as {
    packs: readonly { pack: string; on: boolean; by: string }[];
  };
  return Object.fromEntries(found.map((one) => [one.pack, `${one.on ? 'on' : 'off'}, ${one.by}`]));
}

const inProject = () => join(project.root, '.fairlead/config.yaml');

describe('packs list', () => {
  it('says of every pack whether it is on, and what it does', async () => {
    expect(await packs()).toMatchObject({ guard: 'on, default', codegraph: 'off, default', context: 'off, default' });
    const world = project.world();
    await world.run(list);
    expect(world.printed.out).toMatch(/^guard +on +\d+\/\d+ +stops or asks about what would destroy work/m);
  });

  it('says of a pack that is on what it has nothing to do without', async () => {
    const world = project.world();
    await world.run(list);
    expect(world.printed.out).toMatch(/^increments +on, waits for \.specweave +\d/m);
    project.putProject('.specweave/config.json', '{}');
    world.printed.out = '';
    await world.run(list);
    expect(world.printed.out).toMatch(/^increments +on +\d/m);
  });

  it('has a pack on whose settings do not say so', async () => {
    project.putUser('config.yaml', 'packs: { context: { task: { interval: 3 } }, diagrams: { enabled: false } }\n');
    expect(await packs()).toMatchObject({ context: 'on, user', diagrams: 'off, user' });
    project.putProject('.fairlead/config.yaml', 'packs: { diagrams: { limit: 3 }, codegraph: { after: 2 } }\n');
    project.trust();
    expect(await packs()).toMatchObject({ context: 'on, user', diagrams: 'off, user', codegraph: 'on, project' });
  });

  it('suggests those that fit', async () => {
    project.putProject('.codegraph/codegraph.db', 'x');
    const world = project.world();
    await world.run(list);
    expect(world.printed.out).toContain('.codegraph, an index of CodeGraph: `fairlead packs on codegraph`\n');
    await world.run(on, 'codegraph');
    world.printed.out = '';
    await world.run(list);
    expect(world.printed.out).not.toContain('packs on codegraph');
  });
});

describe('packs on and off', () => {
  it('are for this project, and for every one with --user', async () => {
    const world = project.world();
    expect(await world.run(on, 'codegraph', 'diagrams')).toBe(0);
    expect(world.printed.out).toBe('.fairlead/config.yaml: codegraph, diagrams on\n');
    expect(readFileSync(inProject(), 'utf8')).toBe('packs:\n  codegraph: on\n  diagrams: on\n');
    expect(existsSync(join(world.paths.config, 'config.yaml'))).toBe(false);
    expect(await packs()).toMatchObject({ codegraph: 'on, project', diagrams: 'on, project' });
    await world.run(off, 'diagrams');
    await world.run(on, 'context', '--user');
    expect(project.readUser('config.yaml')).toBe('packs:\n  context: on\n');
    expect(await packs()).toMatchObject({ codegraph: 'on, project', diagrams: 'off, project', context: 'on, user' });
  });

  it('of the code graph say how the agent comes to its tools', async () => {
    const world = project.world();
    await world.run(on, 'autocontext');
    expect(world.printed.out).toContain('`fairlead init` tells the agent of its tools as well.');
  });

  it('keep what else is said, and say when it says so already', async () => {
    project.putUser('config.yaml', '# mine\npacks:\n  guard: { mode: ask }\n');
    const world = project.world();
    await world.run(off, 'guard', '--user');
    expect(project.readUser('config.yaml')).toContain('# mine');
    expect(await packs()).toMatchObject({ guard: 'off, user' });
    await world.run(on, 'guard', '--user');
    world.printed.out = '';
    await world.run(on, 'guard', '--user');
    expect(world.printed.out).toContain('already says so');
  });

  it('of a project wait for trust when an agent asks, or when somebody else changed it', async () => {
    const agent = project.world({ byAgent: true });
    await agent.run(on, 'codegraph');
    expect(agent.printed.out).toContain('once a person has accepted it with `fairlead trust`');
    expect(await packs()).toMatchObject({ codegraph: 'off, default' });
    const person = project.world();
    await person.run(on, 'diagrams');
    expect(person.printed.out).toContain('`fairlead trust`');
    expect(await packs()).toMatchObject({ codegraph: 'off, default', diagrams: 'off, default' });
  });

  it('say what is above them', async () => {
    await project.world().run(off, 'codegraph');
    await expect(project.world().run(on, 'codegraph', '--user')).rejects.toThrow(CommandError);
    await expect(project.world().run(on, 'codegraph', '--user')).rejects.toThrow(
      "codegraph stays off, because of the project's config.yaml",
    );
  });

  it('refuse what is no pack, and a place that is no project', async () => {
    await expect(project.world().run(on, 'gaurd')).rejects.toThrow('did you mean "guard"');
    await expect(project.world().run(on, 'gaurd')).rejects.toThrow(UsageError);
    const home = fakeWorld({ home: project.home, cwd: project.home });
    await expect(home.run(on, 'guard')).rejects.toThrow('--user');
  });
});
