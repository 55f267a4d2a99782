import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { acceptConfig } from '../../src/workspace/config/accepted.fixture.ts';
import { doctor } from '../../src/cli/commands/doctor.ts';
import { init } from '../../src/cli/commands/init.ts';
import { launchDir } from '../../src/transport/launch-place.ts';
import { isAlive } from '../../src/platform/processes.ts';
import { lacks } from '../lacking.ts';
import { until } from '../patience.ts';
import { copyProduct, ensureDaemon, fairlead, findings as findingsIn, newHome, product } from './daemon-home.ts';
import { plantCode } from './product.ts';
import { plantProject } from '../../src/cli/project.fixture.ts';
import type { PlantedProject } from '../../src/cli/project.fixture.ts';
import type { FakeWorld } from '../../src/cli/world.fixture.ts';
import { environmentIn } from '../../src/cli/doctor/prove-causes.ts';
import type { Proved } from '../../src/cli/doctor/prove-causes.ts';
import { inspectInstall } from '../../src/cli/install/inspect.ts';
import type { Finding } from '../../src/cli/doctor/report.ts';

let planted: PlantedProject;
let local: string;
let cleanUp: (() => void)[];

function plant(): void {
  planted = plantProject();
  plantCode(product, planted.world().paths.state);
  local = join(planted.root, '.claude', 'settings.local.json');
}

async function remove(): Promise<void> {
  endDaemon(planted.world());
  await planted.remove();
}

function endDaemon({ paths }: FakeWorld): number | undefined {
  try {
    const { pid } = JSON.parse(readFileSync(join(paths.run, 'daemon.json'), 'utf8')) as { pid: number };
    process.kill(pid);
    return pid;
  } catch {
    // None was started.
    return undefined;
  }
}

interface Setting {
  readonly transport?: 'http';
  readonly env?: Readonly<Record<string, string>>;
}

const worldOf = ({ env }: Setting = {}): FakeWorld =>
  planted.world({ machineRoot: join(planted.home, 'machine'), env: { PATH: process.env['PATH'], ...env } });

async function installed({ transport, env }: Setting = {}): Promise<FakeWorld> {
  const world = worldOf(env && { env });
  const more = transport === undefined ? [] : ['--transport', transport, '--despite-other-users'];
  expect(await world.run(init, '--yes', ...more)).toBe(0);
  return world;
}

interface Told {
  readonly code: number;
  readonly findings: readonly Finding[];
  readonly events: readonly Proved[];
}

async function prove(world: FakeWorld): Promise<Told> {
  world.printed.out = '';
  const code = await world.run(doctor, '--prove', '--json');
  const { sections } = JSON.parse(world.printed.out) as {
    sections: { title: string; findings: Finding[]; events?: Proved[] }[];
  };
  const proof = sections.find(({ title }) => title === 'Proof');
  return { code, findings: sections.flatMap(({ findings }) => findings), events: proof?.events ?? [] };
}

interface Settings {
  disableAllHooks?: boolean;
  env?: Readonly<Record<string, string>>;
  hooks: Record<string, { matcher?: string; hooks: { type: string; command?: string; args?: string[] }[] }[]>;
}

/** The first group of entries on an event. */
function groupOf({ hooks }: Settings, event: string): Settings['hooks'][string][number] {
  const [group] = hooks[event] ?? [];
  if (!group) throw new Error(`no entry on ${event}`);
  return group;
}

const edit = (path: string, change: (settings: Settings) => void): void => {
  const settings = JSON.parse(readFileSync(path, 'utf8')) as Settings;
  change(settings);
  writeFileSync(path, JSON.stringify(settings));
};
const put = (path: string, text: string): void => {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
};

interface Ill extends Setting {
  readonly name: string;
  make(world: FakeWorld): void | Promise<void>;
  /** In what is found. */
  readonly says: RegExp;
  /** Events that must not have fired; all, where none is named. */
  readonly lost?: readonly string[] | 'none';
  /** What it changes is not in files that are put back. */
  readonly isApart?: true;
}

const managed = (name: string, settings: object) =>
  put(join(planted.home, 'machine/etc/claude-code', name), JSON.stringify(settings));

const ILL: readonly Ill[] = [
  {
    name: 'hooks disabled in settings',
    make: () => edit(local, (settings) => (settings.disableAllHooks = true)),
    says: /DisableAllHooks in .*settings\.local\.json keeps hooks from running/,
  },
  {
    name: 'managed-only policy',
    make: () => managed('managed-settings.json', { allowManagedHooksOnly: true }),
    says: /AllowManagedHooksOnly in .*managed-settings\.json keeps hooks from running/,
  },
  {
    name: 'several managed sources',
    make() {
      managed('managed-settings.json', {});
      managed('managed-settings.d/10-strict.json', { disableAllHooks: true });
    },
    says: /has 2 files of the machine's administrator: .*10-strict\.json.*10-strict\.json keeps hooks from running/s,
  },
  {
    name: 'broken settings',
    make: () => writeFileSync(local, readFileSync(local, 'utf8').slice(0, -40)),
    says: /not valid JSON/,
  },
  {
    name: 'one broken entry that silences the file',
    make: () => edit(local, (settings) => settings.hooks['PreToolUse']?.push({ hooks: [{ type: 'commando' }] })),
    says: /The agent ignores the whole file: hooks\.PreToolUse\.1\.hooks\.0\.type must be one of/,
  },
  {
    name: 'untrusted project',
    make: () => void planted.putProject('.fairlead/rules/a.md', '---\nevent: bash\n---\nNo.\n'),
    says: /This project brings 1 file that is not trusted/,
    lost: 'none',
  },
  {
    name: 'missing client binary',
    isApart: true,
    make: ({ paths }) => rmSync(join(paths.state, 'bin'), { recursive: true }),
    // Without a native client a shell is started, and it is the shell that finds nothing.
    says: /It cannot start: spawn .* ENOENT|It ended with \d+: .*[Nn]o such file/,
  },
  {
    name: 'wrong matcher',
    make: () => edit(local, (settings) => (groupOf(settings, 'PreToolUse').matcher = 'Rea')),
    says: /matcher "Rea" fits nothing.*Its matcher "Rea" fits nothing, so the agent never calls it/s,
    lost: ['PreToolUse'],
  },
  {
    name: 'port taken',
    isApart: true,
    transport: 'http',
    async make({ paths }) {
      const server = createServer((socket) => socket.destroy());
      const port = Number(readFileSync(join(paths.run, 'port'), 'utf8'));
      const pid = endDaemon(planted.world());
      await until('the port is free', () => pid === undefined || !isAlive(pid));
      await new Promise<void>((resolve) => void server.listen(port, '127.0.0.1', resolve));
      cleanUp.push(() => server.close());
    },
    says: /The engine cannot listen on port \d+/,
    lost: ['PreToolUse', 'PostToolUse'],
  },
  {
    name: 'over-long text',
    isApart: true,
    make({ paths }) {
      const text = 'attention:\n  event: 700\n';
      planted.putUser('config.yaml', text);
      acceptConfig(text, paths);
    },
    says: /UserPromptSubmit of .* had its text cut.*attention\.event in the settings allows: 700 characters/s,
    lost: 'none',
  },
  {
    name: 'switched off by the environment in settings',
    make: () => edit(local, (settings) => (settings.env = { FAIRLEAD_DISABLED: '1' })),
    says: /Env\.FAIRLEAD_DISABLED in .*settings\.local\.json switches hooks off/,
  },
  {
    name: 'switched off by the environment of the shell',
    env: { FAIRLEAD_DISABLED: '1' },
    make: () => {},
    says: /FAIRLEAD_DISABLED=1 in this shell switches hooks off/,
  },
  {
    name: 'a program of the project in the place of ours',
    make: () =>
      edit(local, (settings) => {
        for (const entry of groupOf(settings, 'Stop').hooks) entry.command = join(planted.root, 'fairlead-client');
      }),
    says: /Not tried: .*starts a program that is not known to be Fairlead's/,
    lost: ['Stop'],
  },
  {
    name: 'a program of the project that is given ours',
    make: ({ paths }) =>
      edit(local, (settings) => {
        const ours = join(launchDir(paths.state), 'fairlead');
        for (const entry of groupOf(settings, 'Stop').hooks) {
          entry.command = '/bin/mkdir';
          entry.args = [
            join(planted.root, 'ran'),
            ours,
            ...(entry.args ?? []).slice((entry.args ?? []).indexOf('hook')),
          ];
        }
      }),
    says: /Not tried: .*starts a program that is not known to be Fairlead's/,
    lost: ['Stop'],
  },
  {
    name: 'a program of the project behind a path that begins as ours does',
    make: ({ paths }) =>
      edit(local, (settings) => {
        const away = `${launchDir(paths.state)}/../../../../../../../../../..${planted.root}/fairlead-client`;
        for (const entry of groupOf(settings, 'Stop').hooks) entry.command = away;
      }),
    says: /Not tried: .*starts a program that is not known to be Fairlead's/,
    lost: ['Stop'],
  },
  ...['--launcher', '--node'].map((option) => ({
    name: `a program of the project that ours is told to start by ${option}`,
    make: () =>
      edit(local, (settings) => {
        for (const entry of groupOf(settings, 'Stop').hooks) {
          const args = entry.args ?? [];
          const verb = args.indexOf('hook');
          // The first one counts.
          const named = [option, join(planted.root, 'fairlead')];
          entry.args = [...args.slice(0, verb + 3), ...named, ...args.slice(verb + 3)];
        }
      }),
    says: /Not tried: .*starts a program that is not known to be Fairlead's/,
    lost: ['Stop'],
  })),
];

/** What is wrong is found, and only events of it are lost. Returns the exit code. */
async function proveIll(world: FakeWorld, { make, says, lost }: Ill): Promise<number> {
  await make(world);
  const { code, findings, events } = await prove(world);
  expect(findings.map(({ what, why }) => `${what} ${why}`).join('\n')).toMatch(says);
  const fired = events.filter((each) => each.fired).map(({ event }) => event);
  if (lost === 'none') expect(fired.length).toBe(events.length);
  else if (lost === undefined) expect(fired).toEqual([]);
  else expect(fired.filter((event) => lost.includes(event))).toEqual([]);
  return code;
}

describe('in a home of its own', () => {
  beforeEach(() => {
    plant();
    cleanUp = [];
  });
  afterEach(async () => {
    for (const done of cleanUp) done();
    await remove();
  });

  it.each([undefined, 'http'] as const)(
    'every event fires and every text comes back whole, over %s',
    async (transport) => {
      const world = await installed({ ...(transport && { transport }) });
      const { events, findings } = await prove(world);
      expect(events.length).toBeGreaterThan(10);
      expect(events.filter(({ fired, delivered }) => !fired || delivered === 'cut' || delivered === 'dropped')).toEqual(
        [],
      );
      expect(events.filter(({ delivered }) => delivered === 'whole').map(({ event }) => event)).toEqual(
        expect.arrayContaining(['SessionStart', 'UserPromptSubmit', 'PreToolUse', 'PostToolUse', 'Stop']),
      );
      expect(new Set(events.map(({ by }) => by))).toEqual(new Set(transport ? ['command', 'http'] : ['command']));
      expect(findings.filter(({ what }) => !what.includes('posts events'))).toEqual([]);
    },
  );

  it.each(ILL.filter(({ isApart }) => isApart))('$name is found', async (ill) => {
    expect(await proveIll(await installed(ill), ill)).toBe(1);
  });

  it('a double install is found, and both entries answer', async () => {
    const world = await installed();
    expect(await world.run(init, '--yes', '--scope', 'user')).toBe(0);
    const { findings, events } = await prove(world);
    expect(findings.map(({ what }) => what).join('\n')).toMatch(/calls Fairlead twice on/);
    const prompts = events.filter(({ event }) => event === 'UserPromptSubmit');
    expect(prompts.map(({ delivered }) => delivered)).toEqual(['whole', 'whole']);
  });
});

describe('in one home with one engine, whose files are put back', () => {
  let before: string;
  beforeAll(async () => {
    plant();
    await installed();
    before = readFileSync(local, 'utf8');
  });
  afterEach(() => {
    for (const place of [join(planted.home, 'machine'), join(planted.root, '.fairlead')])
      rmSync(place, { recursive: true, force: true });
    writeFileSync(local, before);
  });
  afterAll(remove);

  it('leaves nothing in the ledger, in what rules remember, or in the statistics', async () => {
    const world = worldOf();
    await prove(world);
    const { memory, store, clock } = world.engine();
    for (const table of ['events', 'details', 'fates', 'sequences', 'released'])
      expect([table, memory.db?.prepare(`SELECT count(*) AS n FROM ${table}`).get()]).toEqual([table, { n: 0 }]);
    expect(['session', 'turn', 'day', 'workspace'].flatMap((scope) => store.list(scope, clock.now()))).toEqual([]);
  });

  it.each(ILL.filter(({ isApart }) => !isApart))('$name is found', async (ill) => {
    expect(await proveIll(worldOf(ill), ill)).toBe(1);
  });

  it('takes no variable of a file in the project but its own', async () => {
    const world = worldOf();
    edit(local, (settings) => (settings.env = { LD_PRELOAD: './x.so', PATH: '.', FAIRLEAD_DISABLED: '1' }));
    expect(environmentIn('claude-code', inspectInstall(planted.root, world))).toEqual({ FAIRLEAD_DISABLED: '1' });
  });
});

const older = copyProduct({ builtAt: 1_600_000_000_000 });

it.skipIf(lacks('linux'))('a stale engine is found, and so is that a new one has taken its place', async () => {
  const home = newHome();
  const { pid } = await ensureDaemon(home, older);
  expect((await findingsIn(home)).map(({ what }) => what).join('\n')).toMatch(
    `It is older than this program (${older.stamp}).`,
  );
  expect(await fairlead(home, 'init', '--agent', 'claude-code', '--yes')).toMatchObject({ code: 0 });
  const { out } = await fairlead(home, 'doctor', '--prove', '--json');
  const { sections } = JSON.parse(out) as { sections: { title: string; events?: Proved[] }[] };
  const events = sections.find(({ title }) => title === 'Proof')?.events ?? [];
  expect(events.length).toBeGreaterThan(10);
  expect(events.filter(({ fired }) => !fired)).toEqual([]);
  expect((await home.daemon()).pid).not.toBe(pid);
});
