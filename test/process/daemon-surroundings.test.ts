import { chmodSync, chownSync, lstatSync, mkdirSync, readdirSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { createServer } from 'node:net';
import type { AddressInfo, Server } from 'node:net';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { until } from '../patience.ts';
import { lacks } from '../lacking.ts';
import { createFailureLog } from '../../src/ledger/failures.ts';
import { nodeFiles } from '../../src/platform/files.ts';
import {
  bash,
  clients,
  copyProduct,
  decisionOf,
  describeClients,
  ensureDaemon,
  eventIn,
  fairlead,
  findings,
  isLinux,
  newHome,
  NO_TOUCH,
  send,
  usual,
  withoutDaemon,
} from './daemon-home.ts';
import type { Home } from './daemon-home.ts';
import { letPost } from './posted.ts';
import { atOnce } from './proc.ts';
import { fill, makeRoom, mountSmall, unmountAfterEach } from './small-disk.ts';

const NOBODY = 65_534;

function guarded(options: Parameters<typeof newHome>[0] = {}): Home {
  const home = newHome(options);
  home.rule('no-touch', NO_TOUCH);
  return home;
}

const LONG = { prefix: 'a-home-far-down-'.repeat(10) };

describe.skipIf(lacks('linux'))('a very long home path', () => {
  it('has its socket in a short directory, whichever client asks', async () => {
    const home = guarded(LONG);
    expect(home.state.length).toBeGreaterThan(150);
    // All but the usual one, whose event leaves the daemon.
    const letStart = withoutDaemon(home);
    for (const client of clients.filter((each) => each !== usual))
      expect(decisionOf(await send(home, bash(home, 'touch a'), { client }))).toBe('deny');
    letStart();
    expect(decisionOf(await send(home, bash(home, 'touch a'), { client: usual }))).toBe('deny');
    const { pid } = await home.daemon();
    expect(home.meeting).toMatch(/^\/tmp\/fairlead-\d+-[0-9a-f]{16}$/);
    expect(lstatSync(home.meeting).mode & 0o777).toBe(0o700);
    expect(lstatSync(join(home.meeting, 'daemon.sock')).mode & 0o777).toBe(0o600);
    expect(readdirSync(home.run)).toEqual(expect.arrayContaining(['daemon.json', 'lock']));
    for (const client of clients) expect(decisionOf(await send(home, bash(home, 'touch b'), { client }))).toBe('deny');
    expect(await home.status()).toMatchObject({ pid, requests: { socket: clients.length } });
    expect(JSON.parse((await fairlead(home, 'daemon', 'status', '--json')).out)).toMatchObject({ running: true, pid });
  });

  it('does without a short directory that is a link', async () => {
    const home = guarded(LONG);
    const victim = join(home.dir, 'victim');
    mkdirSync(victim, { mode: 0o700 });
    symlinkSync(victim, home.meeting);
    await expectAlone(home);
    expect(readdirSync(victim)).toEqual([]);
  });

  it.skipIf(lacks('root'))('does without a short directory of somebody else', async () => {
    const home = guarded(LONG);
    mkdirSync(home.meeting, { mode: 0o700 });
    chownSync(home.meeting, NOBODY, NOBODY);
    await expectAlone(home);
    expect(readdirSync(home.meeting)).toEqual([]);
  });

  /** Each event is answered, by either client and again, no daemon stays, and the reason can be read. */
  async function expectAlone(home: Home): Promise<void> {
    for (const client of [...clients, usual])
      expect(decisionOf(await send(home, bash(home, `touch ${client}`), { client }))).toBe('deny');
    await until('no daemon is left', () => home.daemons().length === 0);
    expect(await home.status()).toBeUndefined();
    const found = await findings(home);
    expect(found.filter(({ what }) => /fairlead-\d+-[0-9a-f]{16} cannot be used/.test(what))).toHaveLength(1);
  }
});

describeClients('a home that cannot be written, with the %s client', (client) => {
  it.skipIf(lacks('root'))('answers each event by itself and starts no daemon', async () => {
    const home = guarded({ isNew: true });
    const readable = copyProduct({ ownModules: true });
    // The client runs as another user, who may read the settings and write nothing.
    for (const path of [home.config, join(home.config, 'rules')]) chmodSync(path, 0o755);
    chmodSync(join(home.config, 'rules/no-touch.md'), 0o644);
    mkdirSync(home.state, { mode: 0o755 });
    const short = `/tmp/fairlead-${NOBODY}-${home.shortName}`;
    try {
      const EVENTS = client === 'native' ? 12 : 4;
      let most = 0;
      let daemons = 0;
      let over = false;
      const watch = until('all are answered', () => {
        const deciding = atOnce(home.processes()).filter(
          ({ args }) => args.includes('--direct') || args[1]?.endsWith('/fairlead'),
        );
        most = Math.max(most, deciding.length);
        daemons += home.daemons().length;
        return over;
      });
      const ran = await Promise.all(
        Array.from({ length: EVENTS }, (_, at) =>
          send(home, bash(home, at % 2 ? 'touch a' : 'ls'), {
            client,
            user: NOBODY,
            product: readable,
          }),
        ),
      );
      over = true;
      await watch;
      expect(ran.map(decisionOf)).toEqual(ran.map((_, at) => (at % 2 ? 'deny' : 'none')));
      expect(daemons).toBe(0);
      // Node as a client is a process of its own kind from the start; only how many decide is limited. Those that have
      // replied may still be ending beside the four.
      if (client === 'native') expect(most).toBeLessThan(EVENTS - 3);
      expect(readdirSync(home.state)).toEqual([]);
      expect(statSync(short).mode & 0o777).toBe(0o700);
    } finally {
      rmSync(short, { recursive: true, force: true });
    }
  });
});

describe.skipIf(lacks('linux', 'root', 'mount'))('no space left', () => {
  unmountAfterEach();

  it('later on: events are answered, and state works again once there is room', async () => {
    const home = guarded();
    home.rule('counts', '---\nevent: bash\nwords: [count]\nthrottle: every 1000\n---\nThat is a thousand.\n');
    mountSmall(home);
    const count = () => send(home, bash(home, 'count'));
    const counted = () => Number(home.cell('throttle:user/counts') ?? 0);
    expect(decisionOf(await count())).toBe('none');
    const { pid } = await home.daemon();
    expect(decisionOf(await count())).toBe('none');
    expect(counted()).toBe(2);

    fill(home);
    for (let at = 0; at < 20; at += 1) expect(decisionOf(await send(home, bash(home, `touch ${at}`)))).toBe('deny');
    for (const client of clients) expect(decisionOf(await send(home, bash(home, 'touch a'), { client }))).toBe('deny');
    expect(await home.status()).toMatchObject({ pid });
    expect((await home.status())?.failures).toBeGreaterThan(0);

    makeRoom(home);
    const before = counted();
    expect(decisionOf(await count())).toBe('none');
    expect(counted()).toBe(before + 1);
    expect(await home.status()).toMatchObject({ pid });
    expect(decisionOf(await send(home, bash(home, 'touch z')))).toBe('deny');
    const log = createFailureLog(home.state, nodeFiles, Date.now).read();
    expect(log.every(({ message }) => message !== '')).toBe(true);
  });

  it('from the start: a daemon answers, and keeps what it is told once there is room', async () => {
    const home = guarded();
    mountSmall(home);
    fill(home);
    expect(decisionOf(await send(home, bash(home, 'touch a')))).toBe('deny');
    const { pid } = await home.daemon();
    for (const client of clients) expect(decisionOf(await send(home, bash(home, 'touch b'), { client }))).toBe('deny');
    expect(await home.status()).toMatchObject({ pid, requests: { socket: clients.length } });
    makeRoom(home);
    await until('another one has taken over', async () => {
      const status = await home.status();
      return status !== undefined && status.pid !== pid;
    });
    const payload = bash(home, 'touch c');
    expect(decisionOf(await send(home, payload))).toBe('deny');
    expect((await home.status())?.requests.socket).toBe(1);
    expect(home.ledger().filter(({ call }) => call === payload['tool_use_id'])).toHaveLength(1);
    await until('it is the only one', () => home.daemons().length === 1);
  });
});

describe.runIf(isLinux)('a port that is taken', () => {
  let server: Server | undefined;
  afterEach(() => void server?.close());

  it('is told once per session at its prompt, and used once it is free', async () => {
    const home = guarded();
    const taken = createServer();
    server = taken;
    await new Promise<void>((resolve) => {
      taken.listen(0, '127.0.0.1', resolve);
    });
    const { port } = taken.address() as AddressInfo;
    const { token } = await letPost(home, port);
    await ensureDaemon(home);
    const http = await until('it has tried the port', async () => (await home.status())?.http);
    expect(http).toMatchObject({ port, problem: expect.stringContaining(`port ${port} cannot be used`) });
    const shown = JSON.parse((await fairlead(home, 'daemon', 'status', '--json')).out) as object;
    expect(shown).toMatchObject({ http: { port, problem: expect.stringContaining('EADDRINUSE') } });
    expect((await findings(home)).filter(({ what }) => /HTTP transport is closed/.test(what))).toHaveLength(1);

    let prompts = 0;
    const prompt = async (session_id: string) => {
      prompts += 1;
      const changes = { session_id, prompt_id: `prompt-${prompts}` };
      return (await send(home, eventIn(home, 'UserPromptSubmit/plain.json', changes))).out;
    };
    for (const session of ['one', 'two']) {
      expect(await prompt(session)).toContain(`port ${port} cannot be used`);
      expect(await prompt(session)).not.toContain('cannot be used');
    }

    taken.close();
    await until('the port is used', async () => {
      const used = (await home.status())?.http;
      return used !== undefined && used.problem === undefined;
    });
    const answer = await fetch(`http://127.0.0.1:${port}/hook/claude-code`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, connection: 'close' },
      body: JSON.stringify(bash(home, 'touch a')),
    });
    expect(JSON.stringify(await answer.json())).toContain('"deny"');
    expect(await prompt('three')).not.toContain('cannot be used');
  });
});
