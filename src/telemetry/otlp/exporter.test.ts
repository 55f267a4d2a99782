import { chmodSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { countWaiting } from '../../ledger/outbox.ts';
import { forgetSession } from '../../ledger/rows.ts';
import { databaseOf, decisionsIn, drain, expectAll, idsIn, openStation, START } from './exporter.fixture.ts';
import type { Station } from './exporter.fixture.ts';
import { openReceiver, partialSuccess } from './receiver.fixture.ts';
import type { Behaviour, Receiver } from './receiver.fixture.ts';

const HOUR = 3_600_000;
let receiver: Receiver;
let station: Station;

beforeEach(async () => {
  receiver = await openReceiver();
  station = openStation({ endpoint: receiver.url });
});
afterEach(async () => {
  station.close();
  await receiver.close();
});

const decisions = () => decisionsIn(receiver);
const idsGot = () => idsIn(receiver);
const state = () => station.memory().outbox?.state();
const db = () => databaseOf(station);
const expectAllArrived = () => expectAll(station.ids, receiver);

describe('a decision', () => {
  const TRACE = '0af7651916cd43dd8448eb211c80319c';
  const SPAN = 'b7ad6b7169203331';

  it('arrives with its names, and without its texts', async () => {
    await station.pass(0);
    station.decide('deny', { traceparent: `00-${TRACE}-${SPAN}-01` });
    station.neutral();
    await station.pass(5_000);
    const [record, ...more] = decisions();
    expect(more).toEqual([]);
    expect(record).toMatchObject({ at: START, severity: 'WARN', trace: TRACE, span: SPAN });
    expect(record?.attributes).toMatchObject({
      'fairlead.decision.id': 'd1',
      'fairlead.machine.id': state()?.machine,
      'fairlead.sequence': 1,
      'fairlead.decision': 'deny',
      'fairlead.rule.id': 'guard/git',
      'fairlead.delivery': 'sent',
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.tool.call.id': 'call-1',
      'gen_ai.conversation.id': 's1',
    });
    expect(JSON.stringify(record)).not.toContain('rm x');
    const request = receiver.requests.find(({ path }) => path === '/v1/logs');
    expect(request?.resource).toMatchObject({ 'service.name': 'fairlead' });
    expect(request?.headers).toMatchObject({ 'content-type': 'application/x-protobuf', 'content-encoding': 'gzip' });
    expect(new Set(request?.schemas)).toEqual(new Set(['https://opentelemetry.io/schemas/1.41.0']));
  });

  it('brings the texts of the ledger where that was asked for', async () => {
    station.settings = { ...station.settings, bodies: true, gzip: false };
    await station.pass(0);
    station.decide();
    await station.pass(5_000);
    expect(decisions()[0]).toMatchObject({
      body: 'no',
      attributes: { 'gen_ai.tool.call.arguments': '{"command":"rm x"}' },
    });
  });

  it.each(['', 'x', `00-${'0'.repeat(32)}-${SPAN}-01`, `00-${TRACE}-${'0'.repeat(16)}-01`, `ff-${TRACE}-${SPAN}-01`])(
    'has no trace where the agent told %j',
    async (traceparent) => {
      await station.pass(0);
      station.decide('deny', { traceparent });
      await station.pass(5_000);
      expect(decisions()[0]).toMatchObject({ trace: '', span: '' });
    },
  );

  it('is not sent from before it was asked for, nor while it was not', async () => {
    station.now = START - HOUR;
    station.decide();
    station.now = START;
    station.ids.length = 0;
    await station.pass(0);
    station.decide();
    await station.pass(5_000);
    expectAllArrived();
    const { endpoint: _gone, ...off } = station.settings;
    const on = station.settings;
    station.settings = off;
    await station.pass(5_000);
    expect(state()?.isOn).toBe(false);
    station.decide();
    station.ids.pop();
    station.rotate(30, 0);
    expect(state()?.lost).toBe(0);
    station.settings = on;
    await station.pass(HOUR);
    station.decide();
    await drain(station);
    expectAllArrived();
  });

  it('of a trial is not sent, and those whose numbers come again are', async () => {
    await station.pass(0);
    station.decide('deny', { isTrial: true });
    station.ids.pop();
    await station.pass(5_000);
    forgetSession(db(), 's1');
    expect(receiver.records).toEqual([]);
    station.decide();
    station.decide();
    await drain(station);
    expectAllArrived();
  });

  it('every event, where that was asked for', async () => {
    station.settings = { ...station.settings, logs: 'events' };
    await station.pass(0);
    station.neutral();
    station.decide();
    await station.pass(5_000);
    expect(decisions().map(({ attributes }) => attributes['fairlead.decision'])).toEqual(['pass', 'deny']);
  });
});

describe('a receiver', () => {
  it.each<[string, Behaviour]>([
    ['that is overloaded', { status: 503, headers: { 'retry-after': '120' } }],
    ['that wants another key', 401],
    ['that is not there yet', 404],
    ['that leads elsewhere', { status: 302, headers: { location: 'http://127.0.0.1:9/' } }],
    ['that hangs up after it took them', 'reset'],
    ['that fails', 500],
  ])('%s gets all of it later', async (_what, behaviour) => {
    receiver.behaviours = [behaviour];
    await station.pass(0);
    for (let at = 0; at < 5; at += 1) {
      station.decide();
      await station.pass(5_000);
    }
    expect(state()).toMatchObject({ sent: 0, refused: 0 });
    expect(state()?.problem).toBeDefined();
    receiver.behaviours = [200];
    await drain(station);
    expectAllArrived();
    expect(state()).toMatchObject({ sent: 5, lost: 0, refused: 0 });
    expect(state()?.problem).toBeUndefined();
    expect(station.failures.length).toBeLessThan(4);
  });

  it('is waited for as long as it says, and at most an hour', async () => {
    receiver.behaviours = [{ status: 429, headers: { 'retry-after': '99999999' } }, 200];
    station.settings = { ...station.settings, metrics: false };
    await station.pass(0);
    station.decide();
    await station.pass(5_000);
    await station.pass(HOUR - 10_000);
    expect(receiver.requests).toHaveLength(1);
    await station.pass(20_000);
    expectAllArrived();
  });

  it.each<Behaviour>(['hang', 'drip', 'flood'])('that does %s is left at the limit', async (behaviour) => {
    receiver.behaviours = [behaviour];
    station.settings = { ...station.settings, timeoutSeconds: 1, metrics: false };
    await station.pass(0);
    station.decide();
    await station.pass(5_000);
    // A flood is an answer with status 200, of which 64 kB are read.
    expect(state()?.problem === undefined).toBe(behaviour === 'flood');
    receiver.behaviours = [200];
    station.decide();
    await drain(station);
    expect(new Set(idsGot()).has('d2')).toBe(true);
  });

  it('may leave some out, which are counted and not sent again', async () => {
    await station.pass(0);
    receiver.behaviours = [partialSuccess(1, 'too old'), 200];
    station.decide();
    station.decide();
    await station.pass(5_000);
    expect(state()).toMatchObject({ sent: 2, refused: 1, problem: 'left out 1: too old' });
    await station.pass(HOUR);
    expect(idsGot()).toEqual(station.ids);
  });

  it('that takes small requests alone gets small ones; one that it never takes holds nothing up', async () => {
    await station.pass(0);
    for (let at = 0; at < 6; at += 1) station.decide();
    station.settings = { ...station.settings, metrics: false };
    // 6, 3 and 2 are too many, then the first one by itself is refused.
    receiver.behaviours = [413, 413, 413, 400, 200];
    await drain(station);
    expect(state()).toMatchObject({ sent: 6, refused: 1 });
    expect(idsGot()).toEqual(station.ids.slice(1));
  });

  it.each([
    'http://example.com:4318',
    'ftp://127.0.0.1',
    'http://me:secret@127.0.0.1',
    'nonsense',
    'https://a.example/?key=secret',
  ])('at %s is not used', async (endpoint) => {
    station.settings = { endpoint };
    await station.pass(0);
    station.decide();
    await station.pass(5_000);
    expect(state()?.problem).toMatch(/^the endpoint /);
    expect(state()?.problem).not.toContain('secret');
    expect(countWaiting(db())).toBe(1);
  });

  it('gets the headers of a file that is closed to others', async () => {
    const file = join(mkdtempSync(join(tmpdir(), 'fairlead-headers-')), 'headers');
    writeFileSync(file, '# a key\nAuthorization: Bearer abc\nHost: elsewhere\ncontent-type: text/plain\n', {
      mode: 0o644,
    });
    chmodSync(file, 0o644);
    station.settings = { ...station.settings, headersFile: file };
    await station.pass(0);
    station.decide();
    await station.pass(5_000);
    expect(state()?.problem).toMatch(/can be read by others/);
    chmodSync(file, 0o600);
    await drain(station);
    expect(receiver.requests.at(-1)?.headers).toMatchObject({
      authorization: 'Bearer abc',
      'content-type': 'application/x-protobuf',
    });
    for (const text of ['no pair', 'bad: a\u0001b']) {
      writeFileSync(file, text);
      station.decide();
      await station.pass(5_000);
      expect(state()?.problem).toBeDefined();
    }
  });
});
