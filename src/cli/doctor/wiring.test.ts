import { chmodSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { EventName } from '../../event/event.ts';
import { aboutLaunched, launchDir } from '../../transport/launch-place.ts';
import { init } from '../commands/init.ts';
import { statusline } from '../commands/statusline.ts';
import { heardAt } from '../install/heard.ts';
import { plantProject } from '../project.fixture.ts';
import type { PlantedProject } from '../project.fixture.ts';
import type { FakeWorld } from '../world.fixture.ts';
import type { Finding } from './report.ts';
import { checkWiring } from './wiring.ts';

const OWN_WORDS = `${JSON.stringify(process.execPath)}, "args": [${JSON.stringify(join(process.cwd(), 'bin/fairlead'))}`;
const DESPITE = '--despite-other-users';
const POSTS = /^\.claude\/settings\.local\.json posts events, so another user of this machine can answer/;

let planted: PlantedProject;
let file: string;
beforeEach(() => {
  planted = plantProject();
  // Its rules fail closed, which belongs into the settings; here each case says by itself whether one does.
  planted.putUser('config.yaml', 'packs:\n  guard: off\n');
  file = join(planted.root, '.claude', 'settings.local.json');
});
afterEach(() => planted.remove());

async function installed(transport: string): Promise<FakeWorld> {
  const world = planted.world({ env: { PATH: process.env['PATH'] } });
  expect(await world.run(init, '--yes', '--transport', transport, ...(transport === 'http' ? [DESPITE] : []))).toBe(0);
  return world;
}

async function check(world: FakeWorld, closed: readonly EventName[] = []) {
  const heard = await heardAt(planted.root, world);
  return checkWiring(planted.root, world, (_, event) => closed.includes(event), heard);
}

function edit(change: (text: string) => string): void {
  const before = readFileSync(file, 'utf8');
  const after = change(before);
  expect(after).not.toBe(before);
  writeFileSync(file, after);
}

it.each([
  ['http', /^\d+ events by http in \.claude\/settings\.local\.json$/],
  ['command', /^\d+ events by (native|node) client in /],
])('%s is well after an installation', async (transport, fact) => {
  const section = await check(await installed(transport));
  expect(withoutRisk(section.findings)).toEqual([]);
  expect(section.facts).toEqual([[expect.stringContaining('local'), expect.stringMatching(fact)]]);
});

/** What doctor says of every file that posts. */
const withoutRisk = (findings: readonly Finding[]) => findings.filter(({ what }) => !POSTS.test(what));

it('says since when nobody is guarded by a file that calls Fairlead no more', async () => {
  const world = await installed('command');
  await check(world);
  rmSync(file);
  const [first] = (await check(world)).findings.filter(({ what }) => what.includes('any more'));
  expect(first?.what).toMatch(
    /^\.claude\/settings\.local\.json does not call Fairlead any more: unguarded since \d\d:\d\d\.$/,
  );
  const line = planted.world({ stdin: JSON.stringify({ workspace: { project_dir: planted.root } }) });
  await line.run(statusline);
  expect(line.printed.out).toMatch(/ · unguarded since \d\d:\d\d · /);
});

it('names posts that others can answer: a note where somebody has accepted it', async () => {
  const world = await installed('http');
  const risk = async () => (await check(world)).findings.filter(({ what }) => POSTS.test(what));
  expect(await risk()).toMatchObject([{ level: 'note', next: 'fairlead init' }]);
  // As an older version has left it.
  rmSync(join(world.paths.run, 'other-users-accepted'));
  expect(await risk()).toMatchObject([{ level: 'attention', next: 'fairlead init' }]);
  rmSync(join(world.paths.run, 'token'));
  expect(withoutRisk((await check(world)).findings)).toMatchObject([{ next: 'fairlead init' }]);
  // Asked for again with the risk named, although nothing else is to be done.
  expect(await world.run(init, '--yes', '--transport', 'http', DESPITE)).toBe(0);
  expect(await risk()).toMatchObject([{ level: 'note' }]);
  expect(await world.run(init, '--yes')).toBe(0);
  expect(await risk()).toEqual([]);
});

interface Ill {
  readonly name: string;
  readonly transport?: string;
  make(world: FakeWorld): void;
  /** Events on which a rule fails closed. */
  readonly closed?: readonly EventName[];
  readonly what: RegExp;
  readonly next?: string;
  readonly level?: string;
}

const user = (text: string) => () => {
  mkdirSync(join(planted.home, '.claude'), { recursive: true });
  writeFileSync(join(planted.home, '.claude', 'settings.json'), text);
};

const ILLS: readonly Ill[] = [
  {
    name: 'no token',
    make: ({ paths }) => rmSync(join(paths.run, 'token')),
    what: /another port or with another token/,
  },
  {
    name: 'another port',
    make: ({ paths }) => writeFileSync(join(paths.run, 'port'), '20001\n'),
    what: /another port or with another token/,
  },
  { name: 'an open file', make: () => chmodSync(file, 0o640), what: /^Others can read \.claude/ },
  {
    name: 'limited addresses',
    make: user('{"allowedHttpHookUrls":[]}'),
    what: /does not allow http:\/\/127/,
    next: 'add the address to allowedHttpHookUrls, or use fairlead init --transport command',
  },
  {
    name: 'a rule that fails closed since',
    make: () => {},
    closed: ['tool.before', 'tool.after', 'turn.stop', 'prompt.submit'],
    what: /lets the agent go on when Fairlead cannot start or answer, on PreToolUse, PermissionRequest\.$/,
  },
  {
    name: 'a rule that is gone',
    make: () => edit((text) => text.replace(/("PreToolUse":.*?"timeout": 60)/, '$1, "onFailure": "block"')),
    what: /stops the agent when Fairlead cannot start or answer, on PreToolUse\.$/,
  },
  {
    name: 'a command of an older version, and a rule that fails closed',
    transport: 'command',
    make: () => {},
    closed: ['tool.before', 'permission.request', 'tool.after', 'prompt.submit', 'config.changed'],
    what: /lets the agent go on when Fairlead cannot start or answer, on PreToolUse, PermissionRequest\.$/,
    next: 'fairlead init',
  },
  {
    name: 'a command that stops the agent for a rule that is gone',
    transport: 'command',
    make: () => edit((text) => text.replace(/("PreToolUse":.*?"timeout": 60)/, '$1, "onFailure": "block"')),
    what: /stops the agent when Fairlead cannot start or answer, on PreToolUse\.$/,
    next: 'fairlead init',
  },
  {
    name: 'an entry of another kind',
    make: () =>
      edit((text) => {
        const value = JSON.parse(text) as { hooks: Record<string, { hooks: object[] }[]> };
        const [start] = value.hooks['SessionStart'] ?? [];
        return JSON.stringify({ hooks: { ...value.hooks, Stop: [start] } });
      }),
    what: /calls Fairlead in several ways/,
    level: 'note',
  },
  {
    name: 'a client that is gone',
    make: () => edit((text) => text.replaceAll(/"command": "[^"]*"/g, '"command": "/gone/fairlead-client"')),
    what: /cannot start: \/gone\/fairlead-client does not exist/,
  },
  {
    name: 'entries that start a copy itself, as an older version wrote them',
    transport: 'command',
    make: () =>
      edit((text) =>
        text
          .replaceAll(/"command": "[^"]*", "args": \[("[^"]*current\/fairlead", )?/g, `"command": ${OWN_WORDS}, `)
          .replaceAll(/, "--launcher", "[^"]*"/g, ''),
      ),
    what: /start files of one copy of Fairlead/,
    level: 'note',
    next: 'fairlead init',
  },
  {
    name: 'a copy that is gone',
    transport: 'command',
    make(world) {
      const about = aboutLaunched({ stamp: '1.0.0+1.a', root: '/gone', node: process.execPath });
      writeFileSync(join(launchDir(world.paths.state), about.name), about.text);
    },
    what: /cannot start: \/gone\/bin\/fairlead does not exist/,
    next: 'fairlead init',
  },
  {
    name: 'a client for another machine',
    transport: 'command',
    make(world) {
      const path = join(world.paths.state, 'fairlead-client');
      const bytes = readFileSync(process.execPath).subarray(0, 4_096);
      bytes.writeUInt16LE(bytes.readUInt16LE(18) ^ 1, 18);
      writeFileSync(path, bytes, { mode: 0o755 });
      edit((text) => text.replaceAll(/"command": "[^"]*"/g, `"command": ${JSON.stringify(path)}`));
    },
    what: /cannot start: .*\/fairlead-client was built for another kind of machine/,
    next: 'fairlead init',
  },
];

it.each(ILLS)('$name', async ({ make, closed = [], what, transport = 'http', level = 'attention', next }) => {
  const world = await installed(transport);
  make(world);
  const findings = withoutRisk((await check(world, closed)).findings);
  expect(findings, JSON.stringify(findings, null, 1)).toHaveLength(1);
  expect(findings[0]).toMatchObject({
    level,
    what: expect.stringMatching(what),
    next: next ?? `fairlead init --transport http ${DESPITE}`,
  });
});

it('a proxy in the way', async () => {
  await installed('http');
  const { findings } = await check(planted.world({ env: { http_proxy: 'http://p' } }));
  expect(withoutRisk(findings)).toMatchObject([{ what: expect.stringMatching(/^http_proxy is set/) }]);
});
