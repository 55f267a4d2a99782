import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { until } from '../patience.ts';
import { nodeFiles } from '../../src/platform/files.ts';
import { shortDir } from '../../src/transport/meeting-place.ts';
import { readUnrecorded } from '../../src/ledger/unrecorded.ts';
import { lacks } from '../lacking.ts';
import {
  bash,
  clients,
  decisionOf,
  ensureDaemon,
  findings,
  newHome,
  NO_TOUCH,
  send,
  withoutDaemon,
} from './daemon-home.ts';
import type { Finding, Home } from './daemon-home.ts';
import { fill, makeRoom, mountSmall, unmountAfterEach } from './small-disk.ts';

const missed = ({ run, state }: Home) => {
  const { events, decided } = readUnrecorded(nodeFiles, [run, shortDir(state)]);
  return { events, decided };
};
const toldIn = (found: readonly Finding[]) =>
  found.flatMap(({ what }) => /(\d+) events? could not be recorded; .* (\d+) of/.exec(what)?.slice(1) ?? []);

/** What was answered while the disk was full is in the ledger, or doctor says that it is not. */
describe.skipIf(lacks('linux', 'root', 'mount'))('on a full disk', () => {
  unmountAfterEach();

  async function fullHome(before: 'nothing' | 'events'): Promise<Home> {
    const home = newHome();
    home.rule('no-touch', NO_TOUCH);
    mountSmall(home);
    if (before === 'events') {
      await ensureDaemon(home);
      expect(decisionOf(await send(home, bash(home, 'touch a')))).toBe('deny');
      await until('there is room to count', () => existsSync(join(home.run, 'unrecorded')));
    }
    return home;
  }
  const denied = async (home: Home, times: number) => {
    for (let at = 0; at < times; at += 1) expect(decisionOf(await send(home, bash(home, 'touch a')))).toBe('deny');
  };
  const recorded = (home: Home) => home.ledger().length;
  async function kill(home: Home): Promise<void> {
    for (const pid of home.daemons()) process.kill(pid, 'SIGKILL');
    await until('it is gone', () => home.daemons().length === 0);
  }

  it('an engine counts what it cannot write, and uncounts what it writes once there is room, without another event', async () => {
    const home = await fullHome('events');
    fill(home);
    await denied(home, 5);
    await until('all are counted', () => missed(home).events === 5);
    expect(toldIn(await findings(home))).toEqual(['5', '5']);
    makeRoom(home);
    await until('all are written', () => recorded(home) === 6);
    await until('none is counted', () => missed(home).events === 0 && missed(home).decided === 0);
    const found = await findings(home);
    expect(toldIn(found)).toEqual([]);
    expect(found.filter(({ what }) => /lacks the numbers/.test(what))).toEqual([]);
  });

  it('an engine that is killed leaves the count behind, and doctor says what the gap holds', async () => {
    const home = await fullHome('events');
    await until('it is written', () => recorded(home) === 1);
    fill(home);
    await denied(home, 4);
    for (let at = 0; at < 3; at += 1) await send(home, bash(home, 'ls'));
    await until('all are counted', () => missed(home).events === 7);
    await kill(home);
    makeRoom(home);
    expect(decisionOf(await send(home, bash(home, 'touch b')))).toBe('deny');
    expect(missed(home)).toEqual({ events: 7, decided: 4 });
    const found = await findings(home);
    expect(found.filter(({ why }) => /neutral events are not|not lost/.test(why))).toEqual([]);
    expect(toldIn(found)).toEqual(['7', '4']);
  });

  it.each(clients)('one-shots of the %s client count, also where nothing had been written before', async (client) => {
    const home = await fullHome('nothing');
    // No engine counts beside them.
    withoutDaemon(home);
    fill(home);
    for (let at = 0; at < 3; at += 1)
      expect(decisionOf(await send(home, bash(home, 'touch a'), { client }))).toBe('deny');
    expect(home.daemons()).toEqual([]);
    expect(missed(home).events).toBeGreaterThanOrEqual(3);
    expect(missed(home).decided).toBe(missed(home).events);
    rmSync(shortDir(home.state), { recursive: true, force: true });
  });

  it('an engine that started on it tells who it is once there is room, and the next one records', async () => {
    const home = await fullHome('events');
    await kill(home);
    rmSync(join(home.run, 'daemon.json'));
    fill(home);
    await denied(home, 1);
    const { pid } = await home.daemon();
    await denied(home, 3);
    expect(existsSync(join(home.run, 'daemon.json'))).toBe(false);
    makeRoom(home);
    const about = await until(
      'it is told',
      () => existsSync(join(home.run, 'daemon.json')) && readFileSync(join(home.run, 'daemon.json'), 'utf8'),
    );
    const told = JSON.parse(about) as { pid: number };
    expect(home.daemons()).toContain(told.pid);
    await until('what the engine kept is written', () => recorded(home) + missed(home).events === 5);
    expect([pid, (await home.status())?.pid]).toContain(told.pid);
    await denied(home, 1);
    await until('and what comes now', () => recorded(home) + missed(home).events === 6);
  });
});
