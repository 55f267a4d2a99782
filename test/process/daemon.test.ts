import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { mkdirSync, readdirSync, readlinkSync, renameSync, rmSync, statSync } from 'node:fs';
import type { Readable } from 'node:stream';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { isLong } from '../cases.ts';
import { PATIENCE_MS, until } from '../patience.ts';
import { setTimeout as sleep } from 'node:timers/promises';
import { DatabaseSync } from '@photostructure/sqlite';
import { askDaemon } from '../../src/transport/ask-daemon.ts';
import {
  NO_TOUCH,
  bash,
  decisionOf,
  describeClients,
  ensureDaemon,
  eventIn,
  fairlead,
  findings,
  isLinux,
  newHome,
  put,
  send,
  signal,
} from './daemon-home.ts';
import type { Home } from './daemon-home.ts';
import { readProc } from './proc.ts';
import { isAlive } from '../../src/platform/processes.ts';

/** A daemon looks at its files once a second. */
const LOOKS_MS = 2_500;
/** Between events on a home whose next daemon is coming up. */
const COMES_UP_MS = 500;
const INPUT_BYTES = 64 * 1024 * 1024;
/** How often a large input is sent. */
const ROUNDS = isLong ? 10 : 1;

function homeWithGuard(options: Parameters<typeof newHome>[0] = {}): Home {
  const home = newHome(options);
  home.rule('no-touch', NO_TOUCH);
  return home;
}

/** The daemon of the home has answered an event that must be denied. */
async function begin(home: Home): Promise<number> {
  const { pid } = await ensureDaemon(home);
  expect(decisionOf(await send(home, bash(home, 'touch a')))).toBe('deny');
  return pid;
}

/** Where the descriptors of a process lead, in their order; some come and go. */
function linksOf(pid: number): string[] {
  const numbers = readdirSync(`/proc/${pid}/fd`)
    .map(Number)
    .sort((a, b) => a - b);
  return numbers.flatMap((fd) => {
    try {
      return [readlinkSync(`/proc/${pid}/fd/${fd}`)];
    } catch {
      return [];
    }
  });
}

describeClients('the first event, by the %s client', (client) => {
  it('is answered without a daemon and leaves one that has nothing of the agent, which answers the next', async () => {
    const home = homeWithGuard({ isNew: true });
    const ended: number[] = [];
    const watch = ({ stdio }: ChildProcess): void => {
      for (const at of [3, 4]) (stdio[at] as Readable).on('end', () => ended.push(at)).resume();
    };
    // One of the agent's descriptors under a number far from the others, where Node does not look by itself.
    const before = ['/bin/bash', '-c', 'exec 47>&4 4>&-; exec "$@"', 'bash'];
    const env = { CANARY: 'sings', NODE_OPTIONS: '--no-warnings', CLAUDE_PROJECT_DIR: home.project, TMPDIR: home.dir };
    const ran = await send(home, bash(home, 'touch a'), {
      client,
      before,
      env,
      stdio: ['pipe', 'pipe', 'pipe', 'pipe', 'pipe'],
      onSpawn: watch,
    });
    // It has resolved, so the output is at its end although the daemon lives.
    expect(decisionOf(ran)).toBe('deny');
    const { pid } = await home.daemon();
    expect(await home.status()).toMatchObject({ pid, requests: { socket: 0, aside: 0 }, failures: 0 });
    await until('the pipes of the agent are closed', () => ended.length === 2);
    expectOwn(home, pid, Object.keys(env));

    expect(decisionOf(await send(home, bash(home, 'touch b'), { client }))).toBe('deny');
    expect(await home.status()).toMatchObject({ pid, requests: { socket: 1, aside: 0 }, failures: 0 });
    expect(home.daemons()).toEqual([pid]);
    const { out, code } = await fairlead(home, 'daemon', 'status', '--json');
    expect({ code, status: JSON.parse(out) as unknown }).toMatchObject({
      code: 0,
      status: { running: true, pid, requests: { socket: 1 } },
    });
    for (const [name, mode] of [
      ['', 0o700],
      ['daemon.sock', 0o600],
      ['lock', 0o600],
      ['daemon.json', 0o600],
      ['daemon.log', 0o600],
    ] as const)
      expect([name, statSync(join(home.run, name)).mode & 0o777]).toEqual([name, mode]);
  });

  /** Its streams, directory, terminal and environment are its own. */
  function expectOwn(home: Home, pid: number, ofAgent: readonly string[]): void {
    const links = linksOf(pid);
    expect(links.slice(0, 3)).toEqual(['/dev/null', join(home.run, 'daemon.log'), join(home.run, 'daemon.log')]);
    expect(links.filter((to) => /slot-|\bpts\b|fifo/.test(to))).toEqual([]);
    expect(readlinkSync(`/proc/${pid}/cwd`)).toBe('/');
    const [, , , session, terminal] = readProc(pid, 'stat').split(') ')[1]?.split(' ') ?? [];
    expect({ session, terminal }).toEqual({ session: String(pid), terminal: '0' });
    const names = new Set(readProc(pid, 'environ').split(/=[^\0]*\0/));
    expect(names).toContain('HOME');
    expect(ofAgent.filter((name) => names.has(name))).toEqual([]);
  }

  it('is answered though nobody reads the answer; 64 MB are read to the end, and the daemon stays small', async () => {
    const home = homeWithGuard();
    const { pid } = (await send(home, bash(home, 'touch a'), { client, closeOutput: true }), await home.daemon());
    for (let round = 0; round < 3; round += 1)
      expect(await send(home, bash(home, 'touch a'), { client, closeOutput: true })).toMatchObject({
        code: 0,
        err: '',
      });
    const before = await home.status();
    expect(before).toMatchObject({ pid, requests: { socket: 3 }, failures: 0 });
    expect(home.ledger().filter(({ action }) => action === 'deny')).toHaveLength(4);

    const input = JSON.stringify({ ...bash(home, 'touch a'), filler: 'x'.repeat(INPUT_BYTES) });
    for (let round = 0; round < ROUNDS; round += 1)
      expect(decisionOf(await send(home, bash(home, ''), { client, input }))).toBe('deny');
    const after = await home.status();
    expect(after).toMatchObject({ pid, requests: { socket: 3 + ROUNDS } });
    expect((after?.memoryBytes ?? Infinity) - (before?.memoryBytes ?? 0)).toBeLessThan(INPUT_BYTES / 2);
  });
});

describe.runIf(isLinux)('a daemon that can make nothing of its state file', () => {
  it('remembers for itself, and is not followed by one that could no more', async () => {
    const home = homeWithGuard();
    mkdirSync(home.state, { recursive: true, mode: 0o700 });
    const db = new DatabaseSync(join(home.state, 'state.db'));
    db.exec('CREATE TABLE events (n INTEGER PRIMARY KEY)');
    db.close();
    const pid = await begin(home);
    await sleep(LOOKS_MS);
    expect(decisionOf(await send(home, bash(home, 'touch b')))).toBe('deny');
    expect(home.daemons()).toEqual([pid]);
  });
});

describe.runIf(isLinux)('a daemon whose files are taken away', () => {
  // Each test leaves a daemon to the next one, or takes all of the state away.
  let home: Home;
  beforeAll(() => {
    home = homeWithGuard({ lasts: 'file' });
  });

  it.each<[string, (home: Home) => void]>([
    ['its socket', ({ run }) => rmSync(join(run, 'daemon.sock'))],
    ['its lock', ({ run }) => rmSync(join(run, 'lock'))],
    ['the run directory', ({ run }) => rmSync(run, { recursive: true })],
    ['the state file', ({ state }) => rmSync(join(state, 'state.db'))],
    ['the state directory', ({ state }) => rmSync(state, { recursive: true })],
    [
      'the state directory, for another',
      ({ state, dir }) => {
        rmSync(join(dir, 'old'), { recursive: true, force: true });
        renameSync(state, join(dir, 'old'));
        mkdirSync(join(state, 'run'), { recursive: true, mode: 0o700 });
      },
    ],
  ])('%s: ends by itself, and a new one takes over', async (_, take) => {
    const pid = await begin(home);
    take(home);
    // At once, while the old one is still there.
    expect(decisionOf(await send(home, bash(home, 'touch b')))).toBe('deny');
    await until('the old daemon is gone', () => !isAlive(pid));
    const next = await until('a new daemon answers', async () => {
      const status = await home.status();
      if (status && status.pid !== pid) return status;
      expect(decisionOf(await send(home, bash(home, 'touch c')))).toBe('deny');
      // What that event may have started is on its way; another one would be answered by a process of its own.
      await sleep(COMES_UP_MS);
      return undefined;
    });
    await until('it is the only one', () => home.daemons().join() === String(next.pid));
    expect(decisionOf(await send(home, bash(home, 'touch d')))).toBe('deny');
    expect((await home.status())?.requests.socket).toBeGreaterThan(0);
  });

  it('leaves soon, also when nobody calls', async () => {
    const pid = await begin(home);
    rmSync(home.state, { recursive: true });
    // It looks once a second; without a look it would stay for half an hour.
    const later = spawn('sleep', ['120'], { stdio: 'ignore' });
    await until('it is gone', () => !isAlive(pid));
    expect(later.exitCode).toBeNull();
    later.kill();
    expect(home.daemons()).toEqual([]);
  });
});

describe.runIf(isLinux)('a daemon that nobody needs', () => {
  const config = 'daemon: { idleSeconds: 1 }\n';
  const IDLE_MS = 4_000;
  const startup = (home: Home, session_id: string) => eventIn(home, 'SessionStart/startup.json', { session_id });
  const end = (home: Home, session_id: string) => eventIn(home, 'SessionEnd/other.json', { session_id });

  it('ends when the last session has ended', async () => {
    const home = homeWithGuard({ config });
    await ensureDaemon(home);
    const env = { CLAUDE_PID: String(process.pid) };
    const pid = await knowing(home, 2, async () => {
      await send(home, startup(home, 'one'), { env });
      await send(home, startup(home, 'two'), { env });
    });
    await send(home, end(home, 'one'));
    await stays(home, pid, 2_500);
    await send(home, end(home, 'two'));
    await until('it is gone', () => !isAlive(pid));
    expect(home.daemons()).toEqual([]);
    expect(readdirSync(home.run)).not.toContain('daemon.sock');
    expect(readdirSync(home.run)).not.toContain('daemon.json');
  });

  it('ends when the agent of the last session is gone', async () => {
    const home = homeWithGuard({ config });
    await ensureDaemon(home);
    const agent = spawn('sleep', ['1000'], { stdio: 'ignore' });
    try {
      const env = { CLAUDE_PID: String(agent.pid) };
      const pid = await knowing(home, 1, () => send(home, startup(home, 'one'), { env }));
      await stays(home, pid, 2_500);
    } finally {
      agent.kill('SIGKILL');
    }
    await until('it is gone', () => home.daemons().length === 0);
    expect(readdirSync(home.run)).not.toContain('daemon.sock');
  });

  it('stays as long as events come', async () => {
    const home = homeWithGuard({ config: `daemon: { idleSeconds: ${IDLE_MS / 1_000} }\n` });
    await until('events came all the time', async () => {
      const { pid } = await ensureDaemon(home);
      let longest = 0;
      let before = performance.now();
      for (const last = before + 2 * IDLE_MS; before < last;) {
        expect(decisionOf(await send(home, end(home, 'none')))).toBe('none');
        longest = Math.max(longest, performance.now() - before);
        before = performance.now();
        await sleep(IDLE_MS / 16);
      }
      const status = await home.status();
      // On a busy machine an event may be as late as that; then it was right to leave.
      if (longest > IDLE_MS / 2) return false;
      expect(status?.pid).toBe(pid);
      return true;
    });
    await until('it is gone', () => home.daemons().length === 0);
  });

  /** The daemon that knows of so many sessions. The first event is not its own, and until the next it may leave again. */
  async function knowing(home: Home, sessions: number, tell: () => Promise<unknown>): Promise<number> {
    const { pid } = await until('it knows of the sessions', async () => {
      await tell();
      const status = await home.status();
      return status?.sessions === sessions && status;
    });
    return pid;
  }

  async function stays(home: Home, pid: number, ms: number): Promise<void> {
    const last = Date.now() + ms;
    await until('time has passed', async () => {
      expect((await home.status())?.pid).toBe(pid);
      await sleep(100);
      return Date.now() > last;
    });
  }
});

describe.runIf(isLinux)('a daemon that is asked to end', () => {
  it('by a signal: removes its socket, and its ledger has no gap', async () => {
    const home = homeWithGuard();
    const pid = await begin(home);
    for (const command of ['ls', 'touch a', 'pwd', 'touch b', 'ls']) await send(home, bash(home, command));
    signal(pid, 'SIGTERM');
    await until('it is gone', () => home.daemons().length === 0);
    expect(readdirSync(home.run).filter((name) => /^(daemon\.(sock|json)|s\d+)$/.test(name))).toEqual([]);
    expect(home.ledger().filter(({ event }) => event === 'tool.before')).toHaveLength(6);
    expect((await findings(home)).filter(({ what }) => /lacks the numbers|failed|×/.test(what))).toEqual([]);
  });
});

it.runIf(isLinux)(
  'a daemon hears at once of what a verb has changed, and ends when its own home is named',
  async () => {
    const home = homeWithGuard();
    const pid = await begin(home);
    expect(decisionOf(await send(home, bash(home, 'touch a')))).toBe('deny');
    put(join(home.config, 'config.yaml'), 'rules:\n  user/no-touch: { mode: off }\n');
    await until('it has looked', async () => decisionOf(await send(home, bash(home, 'touch b'))) === 'none');
    expect((await fairlead(home, 'rules', 'enable', 'user/no-touch')).code).toBe(0);
    expect(decisionOf(await send(home, bash(home, 'touch c')))).toBe('deny');
    expect((await home.status())?.pid).toBe(pid);
    await askDaemon(join(home.run, 'daemon.sock'), { verb: 'stop', state: '/elsewhere' }, PATIENCE_MS);
    expect((await home.daemon()).pid).toBe(pid);
    await askDaemon(join(home.run, 'daemon.sock'), { verb: 'stop', state: home.state }, PATIENCE_MS);
    await until('it is gone', () => home.daemons().length === 0);
  },
);
