import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { isAlive } from '../../platform/processes.ts';
import { pathsOf } from '../../platform/paths.ts';
import { pause } from '../../platform/timers.ts';
import { askStatus } from '../../transport/ask-daemon.ts';
import { openMeetingPlace } from '../../transport/meeting-place.ts';
import type { DaemonStatus } from '../../transport/status.ts';
import { findFreePort } from '../install/free-port.ts';
import { helpFor } from '../help.ts';
import { fakeWorld } from '../world.fixture.ts';
import { daemonFacts, daemonRun, daemonStart, daemonStatus, daemonStop } from './daemon.ts';

const CLI = fileURLToPath(new URL('../../../dist/cli.js', import.meta.url));

let home: string;
const running: ChildProcess[] = [];
beforeEach(() => {
  home = realpathSync(mkdtempSync(join(tmpdir(), 'fl-verbs-')));
});
afterEach(async () => {
  await stop();
  for (const child of running.splice(0)) child.kill('SIGKILL');
  rmSync(home, { recursive: true });
});

interface Ran {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

function begin(...words: readonly string[]): { child: ChildProcess; ran: Promise<Ran> } {
  const env = { PATH: process.env['PATH'], HOME: home, FAIRLEAD_HOME: join(home, '.fairlead') };
  const child = spawn(process.execPath, [CLI, 'daemon', ...words], {
    cwd: home,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const said = { out: '', err: '' };
  child.stdout.setEncoding('utf8').on('data', (text: string) => (said.out += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (said.err += text));
  const ran = once(child, 'close').then(([code]) => ({ code: code as number | null, ...said }));
  return { child, ran };
}

const cli = (...words: readonly string[]) => begin(...words).ran;
const json = async (...words: readonly string[]) => {
  const { code, out } = await cli(...words, '--json');
  return { code, ...(JSON.parse(out) as Partial<DaemonStatus> & { running: boolean; changed?: boolean }) };
};
/** In this process, since only a person at a terminal may do it from the command line. */
async function stop(...options: readonly string[]): Promise<Ran> {
  const world = fakeWorld({ home, cwd: home });
  const code = await world.run(daemonStop, ...options);
  return { code, ...world.printed };
}

const paths = () => pathsOf(join(home, '.fairlead'));
const status = () => askStatus(openMeetingPlace(paths()).socket, paths().state);

async function statusSoon(): Promise<DaemonStatus> {
  for (;;) {
    const found = await status();
    if (found) return found;
    await pause(20);
  }
}

describe('without a daemon', () => {
  it('status says so and exits with 1, stop changes nothing', async () => {
    expect(await cli('status')).toEqual({ code: 1, out: 'It does not run; the next event starts it.\n', err: '' });
    expect(await json('status')).toEqual({ code: 1, running: false });
    expect(await stop()).toEqual({ code: 0, out: 'It does not run.\n', err: '' });
    expect(JSON.parse((await stop('--json')).out)).toEqual({ running: false, changed: false });
  });

  it('start says why it cannot', async () => {
    mkdirSync(join(home, '.fairlead/state'), { recursive: true });
    writeFileSync(join(home, '.fairlead/state/run'), 'in the way');
    const { code, out, err } = await cli('start');
    expect([code, out]).toEqual([1, '']);
    expect(err).toContain(join(home, '.fairlead/state/run'));
  });
});

it('starts, tells about itself, and ends', async () => {
  const started = await cli('start');
  expect([started.code, started.err]).toEqual([0, '']);
  const { pid = 0, stamp, since, memoryBytes, requests, ...more } = await json('status');
  expect(more).toEqual({ code: 0, running: true, failures: 0, sessions: 0 });
  expect(requests).toEqual({ socket: 0, http: 0, aside: 0, refused: 0 });
  expect(stamp).toMatch(/^\d+\.\d+\.\d+\+\d+\.\w+$/);
  expect(Date.now() - (since ?? 0)).toBeLessThan(600_000);
  expect(memoryBytes).toBeGreaterThan(10_000_000);
  expect(isAlive(pid)).toBe(true);

  expect(started.out.split('\n').slice(0, 2)).toEqual([
    'Started.',
    expect.stringMatching(`^  process    ${pid}, for `),
  ]);
  const shown = await cli('status');
  expect(shown.code).toBe(0);
  expect(shown.out.split('\n').map((line) => line.slice(2, 13).trim())).toEqual([
    'process',
    'version',
    'memory',
    'requests',
    'failures',
    'sessions',
    '',
  ]);
  expect(shown.out).toContain(`${stamp}\n`);

  expect((await cli('start')).out).toMatch(new RegExp(`^It runs already\\.\\n  process    ${pid}, `));
  expect(await json('start')).toMatchObject({ code: 0, running: true, pid });
  const refused = await cli('stop');
  expect([refused.code, refused.err], 'nobody but a person').toEqual([
    3,
    expect.stringContaining('it ends the engine'),
  ]);
  const second = await cli('run');
  expect([second.code, second.err]).toEqual([1, `fairlead: process ${pid} runs already\n`]);

  expect((await stop()).out).toMatch(new RegExp(`^Process ${pid} has ended, after .+\\.\\n$`));
  while (isAlive(pid)) await pause(20);
  expect((await cli('status')).code).toBe(1);

  const again = await json('start');
  expect(again.pid).not.toBe(pid);
  expect(JSON.parse((await stop('--json')).out)).toEqual({ running: false, changed: true, pid: again.pid });
});

it('shows where it listens for HTTP, or why it cannot', async () => {
  const port = await findFreePort();
  const run = join(home, '.fairlead/state/run');
  mkdirSync(run, { recursive: true, mode: 0o700 });
  writeFileSync(join(run, 'port'), `${port}\n`);
  writeFileSync(join(run, 'token'), `${'ab'.repeat(32)}\n`);
  const squatter = createServer();
  await new Promise<void>((resolve) => squatter.listen({ port, host: '127.0.0.1' }, resolve));
  try {
    expect((await cli('start')).out).toContain(`  http       port ${port} cannot be used (`);
  } finally {
    await new Promise((resolve) => squatter.close(resolve));
  }
  await stop();
  expect((await json('start')).http).toEqual({ port });
  expect((await cli('status')).out).toContain(`  http       127.0.0.1:${port}\n`);
});

it('run stays in the foreground until it is stopped', async () => {
  const { child, ran } = begin('run');
  running.push(child);
  const { pid } = await statusSoon();
  expect(child.exitCode).toBeNull();
  expect((await stop()).out).toContain(`Process ${pid} has ended`);
  expect(await ran).toEqual({ code: 0, out: '', err: '' });
});

describe('what is shown', () => {
  const NOW = 1_800_000_000_000;
  const base: DaemonStatus = {
    pid: 42,
    stamp: '1.2.3+4.ab',
    since: NOW - 90_000,
    memoryBytes: 50_000_000,
    requests: { socket: 1, http: 2, aside: 3, refused: 4 },
    failures: 5,
    sessions: 6,
    held: {},
  };

  it('is every number that the daemon keeps', () => {
    expect(Object.fromEntries(daemonFacts(base, NOW))).toEqual({
      process: expect.stringMatching(/^42, for \S/),
      version: '1.2.3+4.ab',
      memory: expect.stringMatching(/^\d+.* ?MB|MiB$/),
      requests: '3 events answered, 2 of them over HTTP; 3 left to the caller, 4 refused',
      failures: '5',
      sessions: '6 open',
    });
    const problem = 'port 1 cannot be used';
    expect(daemonFacts({ ...base, http: { port: 1, problem } }, NOW).at(-1)).toEqual(['http', problem]);
  });

  it.each([
    ['start', daemonStart, 'Nobody needs to: the first event starts it.'],
    ['stop', daemonStop, 'What it has begun to answer is answered.'],
    ['status', daemonStatus, 'Exit code 0 when it runs, 1 when it does not.'],
    ['run', daemonRun, 'ends with Ctrl-C'],
  ])('by --help of %s', async (verb, command, words) => {
    const { code, out } = await cli(verb, '--help');
    expect([code, out]).toEqual([0, helpFor(`daemon ${verb}`, command, { colour: false, columns: Infinity })]);
    expect(out.replaceAll('\n', ' ')).toContain(words);
    expect(out.includes('--json')).toBe(verb !== 'run');
  });

  it('by --help of all', async () => {
    const { code, out } = await cli('--help');
    expect(code).toBe(0);
    for (const verb of ['start', 'stop', 'status', 'run']) expect(out).toContain(`  daemon ${verb} `);
    expect(await cli('restart')).toMatchObject({ code: 2, err: expect.stringContaining('no verb "daemon restart"') });
  });
});
