import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { DatabaseSync } from '@photostructure/sqlite';
import { describe, expect, it } from 'vitest';
import { TEST_LIMIT_MS, until } from '../patience.ts';
import { isLimited, isLong } from '../cases.ts';
import { nodeFiles } from '../../src/platform/files.ts';
import { isAlive } from '../../src/platform/processes.ts';
import { readUnanswered } from '../../src/transport/unanswered-count.ts';
import {
  bash,
  call,
  decisionOf,
  eventIn,
  fairlead,
  findings,
  isLinux,
  newHome,
  NO_TOUCH,
  product,
  send,
  signal,
} from './daemon-home.ts';
import type { Home, Payload, Ran } from './daemon-home.ts';
import { atOnce } from './proc.ts';

const KILLS = isLong && !isLimited ? 1_000 : 10;
/** Agents, each with one event at a time. */
const SENDERS = 2;
/** Callers that need no process of their own, so that a daemon has much to do as long as it lives. */
const CALLERS = 6;
/** Speaks at no event of the test, and counts each of them. */
const COUNTS = '---\nevent: bash\nwords: [count]\nthrottle: every 100000\n---\nThat is many.\n';
const SESSIONS = ['one', 'two', 'three'] as const;

interface Sent {
  readonly kind: 'denied' | 'counted' | 'failed' | 'neutral';
  readonly id: string;
  readonly session: string;
}

let sent = 0;
interface Next {
  readonly kind: Sent['kind'];
  readonly payload: Payload;
}

function nextEvent(home: Home): Next {
  sent += 1;
  const about = { session_id: SESSIONS[sent % SESSIONS.length] };
  switch (sent % 4) {
    case 0:
      return { kind: 'denied', payload: bash(home, `touch ${sent}`, about) };
    case 1:
      return { kind: 'counted', payload: bash(home, `count ${sent}`, about) };
    case 2:
      // The same command, which one of the rules that come with the product counts.
      return { kind: 'failed', payload: eventIn(home, 'PostToolUseFailure/bash.json', about) };
    default:
      return { kind: 'neutral', payload: eventIn(home, 'PostToolUse/read.json', about) };
  }
}

/** The answer of the daemon, if there is one and it answers. */
async function ask(home: Home, payload: Payload): Promise<string | undefined> {
  const { socket, frame, reply } = call(home, payload, product.stamp);
  socket.write(frame);
  const got = await reply;
  return got?.outcome === 'answered' ? new TextDecoder().decode(got.stdout) : undefined;
}

/** The process that says it is the daemon. */
function daemonOf({ run }: Home): number | undefined {
  try {
    return (JSON.parse(readFileSync(join(run, 'daemon.json'), 'utf8')) as { pid: number }).pid;
  } catch {
    return undefined;
  }
}

/** Kills that many daemons, each at some moment of its life; resolves when it has. */
async function killDaemons(home: Home): Promise<number> {
  let killed = 0;
  // Many kills later the system gives the same number to another process, so only the last one is told apart.
  let last: number | undefined;
  while (killed < KILLS) {
    const pid = daemonOf(home);
    if (pid === undefined || pid === last || !isAlive(pid)) {
      await sleep(3);
      continue;
    }
    // More often early than late: most can go wrong while it comes up.
    await sleep(Math.random() ** 2 * 250);
    if (!signal(pid, 'SIGKILL')) continue;
    killed += 1;
    last = pid;
  }
  return killed;
}

describe.runIf(isLinux)(`a daemon that is killed ${KILLS} times under load`, () => {
  it('leaves no event unanswered, and loses nothing that was answered', { timeout: 12 * TEST_LIMIT_MS }, async () => {
    const home = newHome();
    home.rule('no-touch', NO_TOUCH);
    home.rule('counts', COUNTS);
    const all: Sent[] = [];
    let over = false;
    let most = 0;
    let again = 0;
    const ofClients: [Sent['kind'], Ran][] = [];
    const keep = ({ kind, payload }: Next): void =>
      void all.push({ kind, id: String(payload['tool_use_id']), session: String(payload['session_id']) });
    const sender = async (): Promise<void> => {
      while (!over) {
        const next = nextEvent(home);
        ofClients.push([next.kind, await send(home, next.payload)]);
        keep(next);
        most = Math.max(most, atOnce(home.processes()).length);
      }
    };
    const caller = async (): Promise<void> => {
      while (!over) {
        const next = nextEvent(home);
        // As a client does whose daemon broke off: the same event once more, to whoever answers.
        for (let isAnswered = false; !isAnswered; again += isAnswered ? 0 : 1) {
          isAnswered = (await ask(home, next.payload)) !== undefined;
          if (!isAnswered) await sleep(15);
        }
        keep(next);
      }
    };
    const began = performance.now();
    const senders = [...Array.from({ length: SENDERS }, sender), ...Array.from({ length: CALLERS }, caller)];
    const killed = await killDaemons(home).finally(() => (over = true));
    // A caller that waits for an answer gets it from the next daemon.
    const living = sender();
    await Promise.all([...senders, living]);
    const seconds = (performance.now() - began) / 1_000;

    for (const [kind, ran] of ofClients)
      expect([kind, decisionOf(ran)]).toEqual([
        kind,
        kind === 'denied' ? 'deny' : kind === 'failed' && ran.out !== '' ? 'told' : 'none',
      ]);

    // One event more brings up one daemon, with no help.
    expect(decisionOf(await send(home, bash(home, 'touch last')))).toBe('deny');
    const { pid } = await until('a daemon answers', home.status);
    await until('it is the only one', () => home.daemons().join() === String(pid));
    await until('no other process is left', () => home.processes().length === 1);
    expect((await fairlead(home, 'daemon', 'status')).code).toBe(0);

    const rows = home.ledger().filter(({ copy }) => copy === 0);
    const timesOf = new Map<string, number>();
    for (const { call: id = '' } of rows) timesOf.set(id, (timesOf.get(id) ?? 0) + 1);
    const committing = all.filter(({ kind }) => kind !== 'neutral');
    expect(
      committing.filter(({ id }) => timesOf.get(id) !== 1).map(({ kind, id }) => [kind, id, timesOf.get(id)]),
    ).toEqual([]);
    expect(rows.filter(({ action }) => action === 'deny')).toHaveLength(
      all.filter(({ kind }) => kind === 'denied').length + 1,
    );
    for (const session of SESSIONS) {
      const of = (kind: Sent['kind']) => all.filter((each) => each.session === session && each.kind === kind).length;
      expect([session, cellOf(home, session, 'throttle:user/counts')]).toEqual([session, of('counted')]);
      expect([session, cellOf(home, session, 'basics.failures')]).toEqual([session, of('failed')]);
    }
    const seqs = home.ledger().map(({ session, seq }) => `${session} ${seq}`);
    expect(new Set(seqs).size).toBe(seqs.length);
    expect(integrityOf(home)).toBe('ok');
    const found = await findings(home);
    expect(found.filter(({ what }) => /no engine in time|start of the engine failed|×/.test(what))).toEqual([]);
    expect(readUnanswered(nodeFiles, [home.run])).toMatchObject({ empty: 0, denied: 0 });
    // What changed nothing is written after its answer; what a killed daemon had not written yet is shown as missing.
    const shown = found.reduce((sum, { why }) => sum + Number(/up to (\d+) neutral/.exec(why)?.[1] ?? 0), 0);
    // What the living one has not written yet, it is about to.
    const stored = () => home.ledger().filter(({ copy }) => copy === 0).length;
    // After few kills a gap at the end of a session can stay unseen, so only many of them judge the sum.
    if (KILLS >= 100) await until('the rest is written', () => all.length + 1 - stored() <= shown);
    process.stderr.write(
      `killed ${killed} daemons in ${seconds.toFixed(1)} s; ${all.length} events, ${ofClients.length} of them by a client, ` +
        `${committing.length} committed, ${again} asked again; ` +
        `at most ${most} processes; slowest client ${Math.round(Math.max(...ofClients.map(([, { ms }]) => ms)))} ms; ` +
        `${rows.length} rows, ${home.ledger().length - rows.length} copies\n`,
    );
  });
});

function query(home: Home, sql: string): unknown[] {
  const db = new DatabaseSync(join(home.state, 'state.db'), { readOnly: true });
  try {
    return db.prepare(sql).all();
  } finally {
    db.close();
  }
}

function cellOf(home: Home, session: string, name: string): number {
  const cells = query(home, 'SELECT id, value FROM cells') as { id: string; value: string }[];
  const own = cells.filter(({ id }) => id.includes(session) && id.includes(name));
  return own.reduce((sum, { value }) => sum + Number(value), 0);
}

function integrityOf(home: Home): string {
  const [{ integrity_check: found }] = query(home, 'PRAGMA integrity_check') as [{ integrity_check: string }];
  return found;
}
