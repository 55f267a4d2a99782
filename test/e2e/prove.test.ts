import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { spawnSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import type { Proved } from '../../src/cli/doctor/prove-causes.ts';
import { CHECKOUT, clientProgram, TRANSPORTS } from './home.ts';
import type { Home } from './home.ts';
import { inHome } from './in-home.ts';

/** As a person types it, with the client on PATH. */
function prove(home: Home): { readonly code: number | null; readonly played: readonly Proved[]; readonly all: string } {
  const bin = join(home.dir, 'client');
  mkdirSync(bin, { recursive: true });
  writeFileSync(join(bin, 'claude'), `#!/bin/sh\nexec '${clientProgram()}' "$@"\n`, { mode: 0o755 });
  const { status, stdout } = spawnSync(
    process.execPath,
    [join(CHECKOUT, 'bin/fairlead'), 'doctor', '--prove', '--json'],
    {
      cwd: home.project,
      env: { ...home.env, PATH: `${home.env['PATH']}:${bin}`, ANTHROPIC_AUTH_TOKEN: 'secret' },
      encoding: 'utf8',
    },
  );
  const { sections } = JSON.parse(stdout) as { sections: { title: string; events?: Proved[] }[] };
  const events = sections.find(({ title }) => title === 'Proof')?.events ?? [];
  return { code: status, played: events.filter(({ by }) => by === 'agent'), all: stdout };
}

const fate = (played: readonly Proved[]) =>
  Object.fromEntries(played.map(({ event, fired, delivered }) => [event, `${fired ? 'fired' : 'lost'} ${delivered}`]));

const WELL = {
  SessionStart: 'fired whole',
  UserPromptSubmit: 'fired whole',
  PreToolUse: 'fired whole',
  PostToolUse: 'fired whole',
  PostToolUseFailure: 'fired whole',
  PostToolBatch: 'fired whole',
  Stop: 'fired none',
  SessionEnd: 'fired none',
};

const files = (dir: string): string[] =>
  readdirSync(dir, { recursive: true, encoding: 'utf8' }).filter((name) => !/fairlead|^client|\.git\//.test(name));

it.each(TRANSPORTS)('plays a session in which the model is told all, over %s, and leaves nothing', (transport) =>
  inHome({ transport }, async (home) => {
    // What must not be used, nor be run.
    const trap = join(home.dir, 'trap');
    writeFileSync(trap, `#!/bin/sh\ntouch '${trap}.sprung'\necho key\n`);
    chmodSync(trap, 0o755);
    const user = join(home.dir, '.claude', 'settings.json');
    mkdirSync(dirname(user), { recursive: true });
    writeFileSync(user, JSON.stringify({ apiKeyHelper: trap, env: { ANTHROPIC_BASE_URL: 'http://127.0.0.1:9' } }));
    const before = files(home.dir);
    const { played } = prove(home);
    expect(fate(played)).toEqual(WELL);
    expect(existsSync(`${trap}.sprung`)).toBe(false);
    expect(files(home.dir)).toEqual(before);
    expect(readdirSync(tmpdir()).filter((name) => name.startsWith('fairlead-prove-'))).toEqual([]);
    expect(home.ledger()).toEqual([]);
  }),
);

const settingsOf = ({ project }: Home): string => join(project, '.claude', 'settings.local.json');

/** A hook of the person's own, in the file that no project can write. */
function addHook(home: Home, event: string, output: object): void {
  const path = join(home.dir, '.claude', 'settings.json');
  mkdirSync(dirname(path), { recursive: true });
  const hook = { type: 'command', command: `echo '${JSON.stringify(output)}'` };
  writeFileSync(path, JSON.stringify({ hooks: { [event]: [{ hooks: [hook] }] } }));
}

it('names another hook that stops the call first', () =>
  inHome({ transport: 'command' }, async (home) => {
    addHook(home, 'PreToolUse', {
      hookSpecificOutput: {
        hookEventName: 'PreToolUse',
        permissionDecision: 'deny',
        permissionDecisionReason: 'Not on a Tuesday',
      },
    });
    const { code, played, all } = prove(home);
    expect(code).toBe(1);
    expect(fate(played)).toMatchObject({ PreToolUse: 'fired whole', PostToolUse: 'lost dropped' });
    expect(all).toMatch(/A hook stops it first, and says: .*Not on a Tuesday/);
  }));

it('plays nothing where a file of the project names a hook of others', () =>
  inHome({ transport: 'command' }, async (home) => {
    const sprung = join(home.dir, 'sprung');
    const hook = { type: 'command', command: `touch '${sprung}'` };
    writeFileSync(
      join(home.project, '.claude', 'settings.json'),
      JSON.stringify({ hooks: { SessionStart: [{ hooks: [hook] }] } }),
    );
    const { played, all } = prove(home);
    expect([played, existsSync(sprung)]).toEqual([[], false]);
    expect(all).toMatch(/iles in this project name hooks of others, which claude would start/);
  }));

it('names another hook that stops the prompt first', () =>
  inHome({ transport: 'command' }, async (home) => {
    addHook(home, 'UserPromptSubmit', { decision: 'block', reason: 'No prompts today' });
    const { played, all } = prove(home);
    expect(fate(played)).toMatchObject({ UserPromptSubmit: 'fired dropped', PreToolUse: 'lost dropped' });
    expect(all).toMatch(/A hook stops it first, and says: .*No prompts today/);
  }));

it('sees that the client itself calls nobody where hooks are switched off', () =>
  inHome({ transport: 'command' }, async (home) => {
    const path = settingsOf(home);
    const settings = JSON.parse(readFileSync(path, 'utf8')) as object;
    writeFileSync(path, JSON.stringify({ ...settings, disableAllHooks: true }));
    const { played } = prove(home);
    expect(new Set(Object.values(fate(played)))).toEqual(new Set(['lost dropped']));
  }));
