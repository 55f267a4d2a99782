import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { DatabaseSync } from '@photostructure/sqlite';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { until } from '../patience.ts';
import { isLimited, isLong, SEED } from '../cases.ts';
import { lacks } from '../lacking.ts';
import { countWaiting } from '../../src/ledger/outbox.ts';
import { nodeFiles } from '../../src/platform/files.ts';
import { decisionsIn, expectAll, exportOf, idsIn } from '../../src/telemetry/otlp/exporter.fixture.ts';
import { KEYS, signed } from '../../src/team/policy.fixture.ts';
import { openReceiver } from '../../src/telemetry/otlp/receiver.fixture.ts';
import type { Behaviour, Receiver } from '../../src/telemetry/otlp/receiver.fixture.ts';
import { acceptProject, listProject } from '../../src/workspace/config/trust.ts';
import {
  bash,
  clients,
  decisionOf,
  ensureDaemon,
  fairlead,
  newHome,
  NO_TOUCH,
  put,
  query,
  send,
  signal,
  withoutDaemon,
} from './daemon-home.ts';
import type { Home } from './daemon-home.ts';
import { letPost } from './posted.ts';

const RESTARTS = isLong && !isLimited ? 100 : 3;
const TRACE = '0af7651916cd43dd8448eb211c80319c';
const SPAN = 'b7ad6b7169203331';

let receiver: Receiver;
beforeEach(async () => {
  receiver = await openReceiver();
});
afterEach(() => receiver.close());

function sendingHome(intervalSeconds = 1, more = ''): Home {
  const home = newHome({
    config: `${more}telemetry:\n  otlp:\n    endpoint: ${receiver.url}\n    intervalSeconds: ${intervalSeconds}\n    timeoutSeconds: 2\n`,
  });
  home.rule('no-touch', NO_TOUCH);
  return home;
}

/** The decisions that the ledger has. */
function recorded({ state }: Home): string[] {
  const db = new DatabaseSync(join(state, 'state.db'), { readOnly: true });
  try {
    const rows = db.prepare(`SELECT id FROM events WHERE action <> 'pass' OR rules <> '' ORDER BY n`).all();
    return (rows as { id: string }[]).map(({ id }) => id);
  } finally {
    db.close();
  }
}

/** How many of them have not been sent, as the engine has noted. */
function waiting({ state }: Home): number {
  const db = new DatabaseSync(join(state, 'state.db'), { readOnly: true });
  try {
    return countWaiting(db);
  } finally {
    db.close();
  }
}

/** Why the last request came to nothing. */
function problem({ state }: Home): string | null {
  const [found] = query(state, 'SELECT problem FROM outbox') as { problem: string | null }[];
  return found?.problem ?? null;
}

async function telemetryFacts(home: Home): Promise<Readonly<Record<string, string>>> {
  const { out } = await fairlead(home, 'doctor', '--json');
  const { sections } = JSON.parse(out) as { sections: { title: string; facts: Record<string, string> }[] };
  return sections.find(({ title }) => title === 'Telemetry')?.facts ?? {};
}

const touch = (home: Home, name: string, env: Readonly<Record<string, string>> = {}) =>
  send(home, bash(home, `touch ${name}`), { env }).then(decisionOf);

describe.skipIf(lacks('linux'))('the record', () => {
  it('goes on from the trace of the agent', async () => {
    const home = sendingHome();
    const env = { TRACEPARENT: `00-${TRACE}-${SPAN}-01` };
    const each = async (name: string) => {
      for (const client of clients) await send(home, bash(home, `touch ${name}`), { client, env });
    };
    // Once by a process of its own, once by the engine.
    const letStart = withoutDaemon(home);
    await each('a');
    letStart();
    const { port, token } = await letPost(home);
    await ensureDaemon(home);
    await each('b');
    const sent = 2 * clients.length;
    await until('all arrived', () => new Set(idsIn(receiver)).size === sent);

    // Of an agent that posts it is in a header.
    await until('somebody listens', async () => (await home.status())?.http?.port === port);
    const answer = await fetch(`http://127.0.0.1:${port}/hook/claude-code`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, connection: 'close', traceparent: `00-${TRACE}-${SPAN}-01` },
      body: JSON.stringify(bash(home, 'touch c')),
    });
    expect(JSON.stringify(await answer.json())).toContain('"deny"');
    await until('it arrived', () => new Set(idsIn(receiver)).size === sent + 1);
    for (const record of decisionsIn(receiver)) expect(record).toMatchObject({ trace: TRACE, span: SPAN });
    expectAll(recorded(home), receiver);
  });

  it(`is whole after ${RESTARTS} kills, whatever the receiver did meanwhile`, async () => {
    const home = sendingHome();
    const does: readonly Behaviour[] = [200, 'reset', 'hang', 503, { status: 200, body: 'no message' }];
    for (let time = 0; time < RESTARTS; time += 1) {
      const dice = (SEED * 31 + time * 7_919) % 997;
      receiver.behaviours = [does[dice % does.length] ?? 200];
      // The first and the last event are answered by processes of their own.
      if (time > 0) await ensureDaemon(home);
      expect(await touch(home, `x${time}`)).toBe('deny');
      const { pid } = await home.daemon();
      expect(await touch(home, `y${time}`)).toBe('deny');
      // Long enough that some are killed in the middle of a request, and some after it.
      await sleep((dice * 7) % 2_200);
      signal(pid, 'SIGKILL');
      await until('it is gone', () => !home.daemons().includes(pid));
    }
    receiver.behaviours = [200];
    expect(await touch(home, 'last')).toBe('deny');
    const ids = recorded(home);
    await until('all arrived', () => new Set(idsIn(receiver)).size >= ids.length);
    expectAll(ids, receiver);
    expect(ids.length).toBeGreaterThanOrEqual(2 * RESTARTS + 1);
    await until('it is noted', () => waiting(home) === 0);
    expect(await telemetryFacts(home)).toMatchObject({ waiting: '0', lost: '0, refused 0' });
  });

  it('holds no event up when the receiver hangs, and says so', async () => {
    const home = sendingHome();
    receiver.behaviours = ['hang'];
    await ensureDaemon(home);
    await touch(home, 'first');
    await until('a request hangs', () => receiver.requests.length > 0);
    for (let at = 0; at < 20; at += 1) expect(await touch(home, String(at))).toBe('deny');
    const status = await home.daemon();
    expect(status.requests.socket).toBeGreaterThanOrEqual(20);
    await until('the request was given up', () => problem(home) !== null);
    const { out } = await fairlead(home, 'doctor');
    expect(out).toContain('wait in the ledger');
    expect(out).toContain(receiver.url);
    expect(out).toContain('no answer within 2000 ms');
  });

  it('is not for a project to direct, even a trusted one', async () => {
    const home = newHome();
    home.rule('no-touch', NO_TOUCH);
    put(
      join(home.project, '.fairlead/config.yaml'),
      `telemetry:\n  otlp:\n    endpoint: ${receiver.url}\n    intervalSeconds: 1\n`,
    );
    const deps = { files: nodeFiles, state: home.state, now: Date.now };
    expect(acceptProject(listProject(home.project, deps), deps)).toEqual({ accepted: true });
    await ensureDaemon(home);
    await touch(home, 'a');
    await touch(home, 'b');
    await sleep(3_000);
    expect(receiver.requests).toEqual([]);
    expect(await telemetryFacts(home)).toEqual({});
  });

  it('is whole and signed, with the policy of each event, and damage to it is found', async () => {
    const source = join(newHome().dir, 'acme.json');
    put(source, signed({ version: 7, rings: [{ stage: 'enforce' }] }));
    const home = sendingHome(1, `team:\n  policy: ${source}\n  keys: ['${KEYS.public}']\n`);
    expect((await fairlead(home, 'policy', 'refresh')).out).toContain('acme@7');
    for (const time of [0, 1]) {
      receiver.behaviours = [time === 1 ? 'reset' : 200];
      if (time > 0) await ensureDaemon(home);
      expect(await touch(home, `x${time}`)).toBe('deny');
      const { pid } = await home.daemon();
      for (const name of ['y', 'z']) expect(await touch(home, name)).toBe('deny');
      await until('a request was made', () => receiver.requests.length > 2 * time);
      signal(pid, 'SIGKILL');
      await until('it is gone', () => !home.daemons().includes(pid));
    }
    receiver.behaviours = [200];
    expect(await touch(home, 'last')).toBe('deny');
    await until('all arrived', () => new Set(idsIn(receiver)).size >= 7);
    await until('it is noted', () => waiting(home) === 0);
    for (const { attributes } of decisionsIn(receiver))
      expect(attributes).toMatchObject({ 'fairlead.policy.name': 'acme', 'fairlead.policy.version': 7 });

    const file = join(home.project, 'export.jsonl');
    const keys = join(home.project, 'keys');
    put(keys, (await fairlead(home, 'policy', 'machine')).out);
    const record = readFileSync(keys, 'utf8').trim().split(' ').at(-1);
    expect(await telemetryFacts(home)).toMatchObject({ waiting: '0', record });
    const lines = exportOf(receiver).split('\n');
    const audit = async (text: string) => {
      put(file, text);
      const { code, out } = await fairlead(home, 'policy', 'audit', file, '--keys', keys);
      return { code, out };
    };
    expect(await audit(lines.join('\n'))).toMatchObject({ code: 0 });
    expect(await audit(lines.join('\n').replace('"deny"', '"pass"'))).toMatchObject({ code: 1 });
    const { code, out } = await audit(lines.slice(0, 1).join('\n'));
    expect(code).toBe(1);
    expect(out).toContain('The tail was cut off');
  });

  it('is sent before an engine ends that was asked to', async () => {
    // Nothing is due again while the test runs.
    const home = sendingHome(3_600);
    const { pid } = await ensureDaemon(home);
    await touch(home, 'a');
    await until('the first arrived', () => idsIn(receiver).length === 1);
    await touch(home, 'b');
    expect(signal(pid, 'SIGTERM')).toBe(true);
    await until('both arrived', () => new Set(idsIn(receiver)).size === 2);
    expectAll(recorded(home), receiver);
  });
});
