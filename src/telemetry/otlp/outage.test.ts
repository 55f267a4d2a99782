import { statSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { countOf, isLimited, isLong, startShare } from '../../../test/cases.ts';
import { auditBytes } from '../audit/damage.fixture.ts';
import { countWaiting } from '../../ledger/outbox.ts';
import { databaseOf, decisionsIn, drain, expectAll, exportOf, idsIn, openStation, START } from './exporter.fixture.ts';
import type { Station } from './exporter.fixture.ts';
import { openReceiver } from './receiver.fixture.ts';
import type { Receiver } from './receiver.fixture.ts';

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

describe('an outage', () => {
  /** As many decisions as a busy day has. */
  const HOURLY = isLong && !isLimited ? 60 : 6;

  it('of a day and many restarts loses nothing', async () => {
    await station.pass(0);
    const { port } = receiver;
    station.decide();
    await station.pass(5_000);
    await receiver.close();
    const before = size();
    for (let hour = 0; hour < 24; hour += 1) {
      for (let at = 0; at < HOURLY; at += 1) {
        station.decide();
        for (let neutral = 0; neutral < 4; neutral += 1) station.neutral();
        await station.pass(HOUR / HOURLY);
      }
      if (hour % 6 === 5) station.restart();
    }
    expect(state()).toMatchObject({ sent: 1, lost: 0 });
    expect(countWaiting(db())).toBe(24 * HOURLY);
    // What waits takes no room of its own: each row is in the ledger anyway.
    expect((size() - before) / (24 * HOURLY * 5)).toBeLessThan(1_500);
    const got = decisions().length;
    receiver = await openReceiver(port);
    await drain(station);
    expect(got).toBe(1);
    expect(receiver.requests.filter(({ path }) => path === '/v1/logs').length).toBeLessThan(5);
    station.ids.shift();
    expectAllArrived();
  });

  const size = () => {
    station.memory().gatherIn();
    const [{ file }] = db().prepare('PRAGMA database_list').all() as [{ file: string }];
    return statSync(file).size;
  };

  it('restarts in the middle of a request repeat, and leave nothing out', async () => {
    await station.pass(0);
    const isOver = startShare();
    let tried = 0;
    for (let at = 0; at < countOf(500) && !isOver(at); at += 1) {
      tried += 1;
      station.decide();
      receiver.behaviours = [at % 3 === 0 ? 'reset' : at % 3 === 1 ? 'hang' : 200];
      station.now += 5_000;
      station.begin();
      await new Promise((resolve) => setTimeout(resolve, at % 7));
      station.restart();
    }
    receiver.behaviours = [200];
    await drain(station);
    expectAllArrived();
    expect(receiver.records.length).toBeGreaterThanOrEqual(tried);
    expect(state()).toMatchObject({ sent: tried, lost: 0 });
  });

  it('that is longer than the ledger keeps rows is counted and told', async () => {
    await station.pass(0);
    receiver.behaviours = [503];
    for (let at = 0; at < 10; at += 1) {
      station.decide();
      await station.pass(5_000);
    }
    station.rotate(30, 4);
    expect(state()).toMatchObject({ sent: 0, lost: 6 });
    receiver.behaviours = [200];
    await drain(station);
    expect(idsGot()).toEqual(station.ids.slice(6));
    expect(decisions().map(({ attributes }) => attributes['fairlead.sequence'])).toEqual([13, 14, 15, 16]);
    const [told, ...more] = receiver.records.filter(({ name }) => name === 'fairlead.decisions.lost');
    expect(told?.attributes).toMatchObject({ 'fairlead.decisions.lost': 6, 'fairlead.machine.id': state()?.machine });
    expect(more).toEqual([]);
    // Those that were sent may have arrived, so their numbers are not given again.
    expect(receiver.records.find(({ name }) => name === 'fairlead.record.resumed')?.attributes).toMatchObject({
      'fairlead.sequence': 11,
      'fairlead.sequence.from': 1,
      'fairlead.sequence.to': 10,
    });
    await station.pass(HOUR);
    expect(receiver.metrics.findLast(({ name }) => name === 'fairlead.outbox.lost')?.points[0]?.value).toBe(6);
  });

  it.each([
    ['before anything leaves', ''],
    ['after it arrived', 'WHEN new.sent <> old.sent'],
  ])('a full disk, %s, repeats at worst', async (_when, when) => {
    await station.pass(0);
    station.decide();
    await station.pass(5_000);
    db().exec(
      `CREATE TRIGGER full BEFORE UPDATE ON outbox ${when} BEGIN SELECT RAISE(ABORT, 'database or disk is full'); END`,
    );
    for (let at = 0; at < 3; at += 1) {
      station.decide();
      await station.pass(HOUR);
    }
    expect(station.failures.join('\n')).toContain('disk is full');
    expect(decisions().length).toBe(when === '' ? 1 : 1 + 1 + 2 + 3);
    db().exec('DROP TRIGGER full');
    await drain(station);
    expectAllArrived();
    expect(await auditBytes(exportOf(receiver))).toMatchObject({ findings: [], machines: [{ last: 4 }] });
  });

  it('a clock that was set back by a day does not stop it', async () => {
    await station.pass(0);
    receiver.behaviours = [503];
    station.decide();
    await station.pass(5_000);
    receiver.behaviours = [200];
    expect(state()?.sent).toBe(0);
    station.now -= 24 * HOUR;
    station.decide();
    await drain(station, 60_000);
    expectAllArrived();
  });
});

describe('sums', () => {
  const newest = (name: string) => receiver.metrics.findLast((metric) => metric.name === name)?.points ?? [];

  it('say what happened since the first, over restarts and failures', async () => {
    await station.pass(0);
    for (let at = 0; at < 3; at += 1) {
      station.decide('deny', {
        decision: { action: 'deny', by: ['guard/git'], notes: [{ rule: 'a/b', text: 'four', priority: 1 }], warns: [] },
      });
      station.neutral();
      receiver.behaviours = [at === 1 ? 'reset' : 200];
      await station.pass(HOUR);
      station.restart();
    }
    receiver.behaviours = [200];
    await station.pass(HOUR);
    expect(newest('fairlead.events')).toEqual([
      {
        attributes: { 'gen_ai.agent.name': 'test', 'fairlead.event': 'tool.before' },
        value: 6,
        start: START,
        at: station.now,
        counts: [],
      },
    ]);
    const values = (name: string) =>
      newest(name).map(({ attributes, value }) => `${Object.values(attributes).join(' ')} ${value}`);
    expect(values('fairlead.decisions').toSorted()).toEqual(['a/b note 3', 'guard/git deny 3']);
    expect(values('fairlead.attention')).toEqual(['a/b 12']);
    const [duration] = newest('fairlead.event.duration');
    expect(duration).toMatchObject({ value: 6, start: START });
    expect(duration?.counts).toEqual([0, 0, 0, 6, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
    expect(newest('fairlead.outbox.rows')[0]?.value).toBe(0);
  });

  it('count what became of decisions, by rule', async () => {
    await station.pass(0);
    station.decide();
    const open = station.memory().fates?.open('s1') ?? [];
    station.memory().fates?.keep(open.map(({ n }) => ({ n, traces: ['denied'], fate: 'denied' })));
    await station.pass(HOUR);
    expect(newest('fairlead.fates')).toMatchObject([
      { attributes: { 'fairlead.rule.id': 'guard/git', 'fairlead.fate': 'denied' }, value: 1 },
    ]);
  });

  it('alone, where no rows are to be sent: none of these is lost', async () => {
    station.settings = { ...station.settings, logs: 'off' };
    await station.pass(0);
    station.decide();
    await station.pass(HOUR);
    station.rotate(30, 0);
    expect(state()?.lost).toBe(0);
    expect(receiver.records).toEqual([]);
    expect(newest('fairlead.decisions')).toHaveLength(1);
  });

  it('have a bound, however many rules there are', async () => {
    await station.pass(0);
    for (let at = 0; at < 2_100; at += 1)
      station.decide('deny', { decision: { action: 'deny', by: [`project/r${at}`], notes: [], warns: [] } });
    await station.pass(HOUR);
    const points = newest('fairlead.decisions');
    expect(points).toHaveLength(1_998);
    expect(points.find(({ attributes }) => attributes['otel.metric.overflow'])?.value).toBe(103);
  });
});
