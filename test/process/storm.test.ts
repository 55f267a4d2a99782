import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { isLong } from '../cases.ts';
import { until } from '../patience.ts';
import {
  bash,
  copyProduct,
  decisionOf,
  eventIn,
  findings,
  isLinux,
  newHome,
  reasonOf,
  send,
  signal,
  usual,
} from './daemon-home.ts';
import type { Home, Payload, Ran, Send } from './daemon-home.ts';
import { atOnce, isDaemon, readProc, residentBytes } from './proc.ts';

const EDITS = isLong ? 200 : 40;
const CALLS = isLong ? 60 : 12;
/** No client gives up within this test, unless it is told to. */
const WITHIN_MS = 120_000;
/** For a daemon that says nothing. */
const WAITS_MS = 3_000;
const SILENT_MS = 4_000;
const MB = 1024 * 1024;
/** Counts every edit of a session, and says nothing within the test. */
const EDITED = '---\nevent: file\nthrottle: every 100000\n---\nThat is many.\n';
const CLOSED = '---\nevent: bash\nwords: [deploy]\naction: deny\nonError: block\n---\nNot by `{command}`.\n';

const edit = (home: Home, at: number | string): Payload =>
  eventIn(home, 'PreToolUse/edit.json', {
    tool_input: { file_path: join(home.project, `src/file-${at}.ts`), old_string: 'a', new_string: 'b' },
  });

interface Seen {
  /** Processes that run Node, the daemon among them. */
  engines: number;
  waiting: number;
  bytes: number;
  waitingBytes: number;
  daemons: Set<number>;
}

/** Looks at the processes of a home every few milliseconds for as long as work goes on, and keeps the most of each. */
async function watching<T>(home: Home, work: () => Promise<T>): Promise<{ readonly result: T; readonly seen: Seen }> {
  const seen: Seen = { engines: 0, waiting: 0, bytes: 0, waitingBytes: 0, daemons: new Set() };
  let over = false;
  const watch = (async () => {
    while (!over) {
      const all = atOnce(home.processes()).flatMap((each) => {
        const { pid, args } = each;
        const bytes = residentBytes(pid);
        const line = args.join('\0');
        const parent = Number(/^PPid:\s+(\d+)/m.exec(readProc(pid, 'status'))?.[1]);
        // One that has become something else in the meantime, or is about to, is seen next time.
        if (readProc(pid, 'cmdline') !== line || readProc(parent, 'cmdline') === line) return [];
        const isClient = args[0]?.endsWith('/fairlead-client') === true;
        return [{ pid, bytes, isClient, isResident: isDaemon(each) }];
      });
      const waiting = all.filter(({ isClient }) => isClient);
      for (const { pid, isResident } of all) if (isResident) seen.daemons.add(pid);
      seen.engines = Math.max(seen.engines, all.length - waiting.length);
      seen.waiting = Math.max(seen.waiting, waiting.length);
      seen.bytes = Math.max(
        seen.bytes,
        all.reduce((sum, { bytes }) => sum + bytes, 0),
      );
      seen.waitingBytes = Math.max(seen.waitingBytes, ...waiting.map(({ bytes }) => bytes));
      await sleep(3);
    }
  })();
  try {
    return { result: await work(), seen };
  } finally {
    over = true;
    await watch;
  }
}

/** A burst of edits with other calls in between, all started at once, and one edit that comes last. */
async function burst(home: Home, options: Send): Promise<{ edits: Ran[]; calls: Ran[]; last: Ran; lastId: string }> {
  const edits = Array.from({ length: EDITS }, (_, at) => send(home, edit(home, at), options));
  const calls = Array.from({ length: CALLS }, (_, at) =>
    send(home, at % 2 ? bash(home, `deploy ${at}`) : eventIn(home, 'PostToolUse/read.json'), options),
  );
  const payload = edit(home, 'last');
  const last = send(home, payload, { ...options, withinMs: WITHIN_MS });
  return {
    edits: await Promise.all(edits),
    calls: await Promise.all(calls),
    last: await last,
    lastId: String(payload['tool_use_id']),
  };
}

function report(what: string, ran: readonly Ran[], seen: Seen): void {
  const times = ran.map(({ ms }) => ms).sort((a, b) => a - b);
  const at = (part: number) => Math.round(times[Math.floor((times.length - 1) * part)] ?? 0);
  process.stderr.write(
    `${what}: ${ran.length} events, p50 ${at(0.5)} ms, p95 ${at(0.95)} ms, last ${at(1)} ms; at most ${seen.engines} ` +
      `Node processes and ${seen.waiting} clients, ${Math.round(seen.bytes / MB)} MB in all, ` +
      `${(seen.waitingBytes / MB).toFixed(2)} MB in the largest client, ${seen.daemons.size} daemons\n`,
  );
}

function homeForStorm(options: Parameters<typeof newHome>[0] = {}): Home {
  const home = newHome(options);
  home.rule('edited', EDITED);
  home.rule('no-deploy', CLOSED);
  return home;
}

const counted = (home: Home): number => Number(home.cell('throttle:user/edited'));

describe.runIf(isLinux && usual === 'native')('a burst of edits and parallel calls', () => {
  it('with a daemon: all are answered by it', async () => {
    const home = homeForStorm();
    await send(home, bash(home, 'ls'));
    const { pid } = await home.daemon();
    const { result, seen } = await watching(home, () => burst(home, { withinMs: WITHIN_MS }));
    const { edits, calls, last, lastId } = result;
    report('with a daemon', [...edits, ...calls, last], seen);
    expect(new Set([...edits, last].map(decisionOf))).toEqual(new Set(['none']));
    expect(calls.map(decisionOf)).toEqual(calls.map((_, at) => (at % 2 ? 'deny' : 'none')));
    expect(counted(home)).toBe(EDITS + 1);
    expect(home.ledger().filter(({ call }) => call === lastId)).toHaveLength(1);
    // Whoever had to wait for longer than a client does was answered by another process.
    if (Math.max(...[...edits, ...calls, last].map(({ ms }) => ms)) < WAITS_MS) {
      expect(await home.status()).toMatchObject({ pid, requests: { socket: EDITS + CALLS + 1 }, failures: 0 });
      expect(seen.engines).toBe(1);
    }
    expect([...seen.daemons]).toEqual([pid]);
    expect(seen.waitingBytes).toBeLessThan(MB);
    expect(seen.bytes).toBeLessThan(500 * MB);
  });

  it('with a daemon that is silent for a while: it answers those that wait once it speaks', async () => {
    const home = homeForStorm();
    await send(home, bash(home, 'ls'));
    const { pid } = await home.daemon();
    signal(pid, 'SIGSTOP');
    const ran = watching(home, () => burst(home, { withinMs: WITHIN_MS }));
    // Each of them has given it up by then, and none has had the time to end it.
    await sleep(SILENT_MS);
    signal(pid, 'SIGCONT');
    const { result, seen } = await ran;
    const all = [...result.edits, ...result.calls, result.last];
    report('with a silent daemon', all, seen);
    const { requests } = await home.daemon();
    process.stderr.write(`  ${requests.socket} requests of them\n`);
    // In a long one most have not had a slot by then, and ask a second time.
    if (isLong) expect(requests.socket).toBeGreaterThan(all.length + CALLS);
    expect(all.filter((each) => decisionOf(each) !== 'none')).toHaveLength(CALLS / 2);
    expect(counted(home)).toBe(EDITS + 1);
    // Those that answer by themselves start one while it is silent; it finds the other alive again, and ends.
    expect(seen.daemons.size).toBeLessThanOrEqual(12);
    expect(Math.max(...all.map(({ ms }) => ms))).toBeLessThan(WITHIN_MS / 2);
  });

  it('on a cold home: all are answered, and one daemon is left', async () => {
    const home = homeForStorm({ isNew: true });
    const { result, seen } = await watching(home, () => burst(home, { withinMs: WITHIN_MS }));
    const { edits, calls, last, lastId } = result;
    report('on a cold home', [...edits, ...calls, last], seen);
    expect(new Set([...edits, last].map(decisionOf))).toEqual(new Set(['none']));
    expect(calls.map(decisionOf)).toEqual(calls.map((_, at) => (at % 2 ? 'deny' : 'none')));
    expect(counted(home)).toBe(EDITS + 1);
    expect(home.ledger().filter(({ call, copy }) => call === lastId && copy === 0)).toHaveLength(1);
    expect(seen.engines).toBeLessThanOrEqual(4 + 2);
    // Each of the four may start one; all but one end at once.
    expect(seen.daemons.size).toBeLessThanOrEqual(4);
    expect(seen.bytes).toBeLessThan(900 * MB);
    const { pid } = await home.daemon();
    await until('one daemon is left', () => home.daemons().join() === String(pid));
  });

  // With few events nobody is turned away.
  if (!isLong) return;
  it('with a daemon that cannot start: few processes, and each event is answered or counted', async () => {
    const home = homeForStorm();
    const broken = copyProduct({ daemon: 'process.exit(1);\n' });
    const withinMs = 4_000;
    // Brings up what a client answers by when nobody decides in time.
    expect(decisionOf(await send(home, bash(home, 'deploy'), { product: broken }))).toBe('deny');
    const { result, seen } = await watching(home, () => burst(home, { product: broken, withinMs }));
    const { edits, calls, last, lastId } = result;
    const all = [...edits, ...calls, last];
    report('with a daemon that cannot start', all, seen);

    // 4 one-shots, and now and then a daemon that ends at once.
    expect(seen.engines).toBeLessThanOrEqual(4 + 2);
    expect(seen.daemons.size).toBeLessThanOrEqual(3);
    expect(seen.waitingBytes).toBeLessThan(MB);
    expect(seen.bytes).toBeLessThan(900 * MB);

    expect(decisionOf(last)).toBe('none');
    expect(home.ledger().filter(({ call, copy }) => call === lastId && copy === 0)).toHaveLength(1);
    const decided = calls.map(decisionOf);
    // Denied by the rule, or because no engine was there, which is asked about after a few: never let through.
    expect(decided.filter((each, at) => at % 2 === 1 && each !== 'deny' && each !== 'ask')).toEqual([]);
    const stopped = [...edits, ...calls].filter(
      (ran) => decisionOf(ran) === 'deny' && reasonOf(ran).includes('could not be looked at in time'),
    );
    const rows = home.ledger().filter(({ copy, event }) => copy === 0 && event.startsWith('tool.'));
    const told = (await findings(home)).find(({ what }) => what.includes('no engine in time'))?.what ?? '';
    const away = Number(/^\d+/.exec(told)?.[0] ?? 0);
    expect(stopped.length).toBeGreaterThan(0);
    expect(told).toContain(`${stopped.length} were denied`);
    // One that is stored while its client gives up is in both; none is in neither, and none is stored twice.
    expect(rows.length + away).toBeGreaterThanOrEqual(all.length + 1);
    expect([rows.length <= all.length + 1, away <= all.length]).toEqual([true, true]);
    const ids = rows.flatMap(({ call }) => call ?? []);
    expect(new Set(ids).size).toBe(ids.length);
    expect(counted(home)).toBe(rows.filter(({ tool }) => tool === 'Edit').length);
    process.stderr.write(`  ${rows.length} decided, ${away} turned away, ${stopped.length} of them denied\n`);
  });
});
