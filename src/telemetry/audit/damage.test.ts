import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createKeyPair } from '../../platform/ed25519.ts';
import { KEY, MACHINE } from '../record/chain.ts';
import { openStation } from '../otlp/exporter.fixture.ts';
import type { Station } from '../otlp/exporter.fixture.ts';
import { openReceiver } from '../otlp/receiver.fixture.ts';
import type { Receiver } from '../otlp/receiver.fixture.ts';
import {
  attribute,
  auditBytes,
  recordsIn,
  rehash,
  resourceIn,
  scopeIn,
  sequenceOf,
  versionOf,
} from './damage.fixture.ts';
import type { Line, Record } from './damage.fixture.ts';
import { batchIn, chained, changes, dropped, isVictims, resign, rowIn, victim, victims } from './changes.fixture.ts';
import type { Damage } from './changes.fixture.ts';
import type { KnownMachine } from './known-machines.ts';

const TRACEPARENT = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
const TEAM = { name: 'acme', version: 3, stage: 'enforce', ring: 1 } as const;
const HOUR = 3_600_000;

let receiver: Receiver;
let stations: readonly [Station, Station];
let lines: readonly string[];
let known: readonly KnownMachine[];

/** Two machines, each with an outage that cost decisions, restarts, and batches of one and of several. */
beforeAll(async () => {
  receiver = await openReceiver();
  stations = [openStation({ endpoint: receiver.url, bodies: true }), openStation({ endpoint: receiver.url })];
  const decide = (station: Station, many: number) => {
    for (let at = 0; at < many; at += 1) {
      const decision = { action: 'deny', by: ['guard/git', 'a/b'], notes: [], warns: [], reason: `no ${at}` };
      station.decide('deny', { traceparent: TRACEPARENT, team: TEAM, decision });
    }
  };
  for (const station of stations) await station.pass(0);
  for (const round of [1, 2, 3, 4])
    for (const station of stations) {
      decide(station, 4);
      await station.pass(5_000);
      if (round === 2) {
        receiver.behaviours = [503];
        decide(station, 6);
        await station.pass(5_000);
        station.rotate(30, 3);
        receiver.behaviours = [200];
        station.restart();
      }
    }
  for (const station of stations) {
    decide(station, 4);
    await station.pass(HOUR);
  }
  lines = receiver.exported.filter(({ signal }) => signal === 'logs').map(({ line }) => line);
  const { machines } = await auditBytes(lines.join('\n'));
  known = machines.map(({ machine, key = '' }) => ({ machine, keys: [key] }));
  victim.machine = known[0]?.machine ?? '';
});
afterAll(async () => {
  for (const station of stations) station.close();
  await receiver.close();
});

const parsed = (): Line[] => lines.map((line) => JSON.parse(line) as Line);
const removals: readonly Damage[] = [
  ['the first record', 'removed', (all) => dropped(all, (record) => isVictims(record) && sequenceOf(record) === 1)],
  [
    'a record in the middle',
    'removed',
    (all) => {
      const gone = sequenceOf(rowIn(all));
      return dropped(all, (record) => isVictims(record) && sequenceOf(record) === gone);
    },
  ],
  ['the first batch', 'removed', (all) => all.filter((line) => line !== victims(all)[0])],
  [
    'a batch in the middle',
    'removed',
    (all) => {
      const gone = batchIn(all);
      return all.filter((line) => line !== gone);
    },
  ],
  [
    'every other record',
    'removed',
    (all) => dropped(all, (record) => isVictims(record) && sequenceOf(record) % 2 === 0),
  ],
  [
    'what tells of a loss',
    'removed',
    (all) => dropped(all, (record) => isVictims(record) && record.eventName === 'fairlead.decisions.lost'),
  ],
  [
    'what tells that it resumed',
    'removed',
    (all) => dropped(all, (record) => isVictims(record) && record.eventName === 'fairlead.record.resumed'),
  ],
  [
    'the last record',
    'cut',
    (all) => {
      const last = Math.max(...chained(all).map(sequenceOf));
      return dropped(all, (record) => isVictims(record) && sequenceOf(record) === last);
    },
  ],
  [
    'the last five records',
    'cut',
    (all) => {
      const last = Math.max(...chained(all).map(sequenceOf));
      return dropped(all, (record) => isVictims(record) && sequenceOf(record) > last - 5);
    },
  ],
  ['the last batch with its checkpoint', 'cut', (all) => all.filter((line) => line !== victims(all).at(-1))],
  [
    'the tail, with an old checkpoint at its end',
    'cut',
    (all) => {
      const old = structuredClone(victims(all)[0] as Line);
      scopeIn(old).logRecords = recordsIn(old).filter(({ eventName }) => eventName === 'fairlead.checkpoint');
      return [...all.filter((line) => line !== victims(all).at(-1)), old];
    },
  ],
  [
    'all but the checkpoints',
    'cut',
    (all) => dropped(all, (record) => isVictims(record) && record.eventName !== 'fairlead.checkpoint'),
  ],
  ['all of a machine', 'cut', (all) => dropped(all, isVictims)],
  [
    'a record in both of its copies',
    'removed',
    (all) => {
      const gone = sequenceOf(rowIn(all));
      return dropped(
        [...all, structuredClone(batchIn(all))],
        (record) => isVictims(record) && sequenceOf(record) === gone,
      );
    },
  ],
];

const orders: readonly Damage[] = [
  [
    'two records of a batch',
    'reordered',
    (all) => void recordsIn(batchIn(all)).splice(1, 2, rowIn(all, 2), rowIn(all, 1)),
  ],
  [
    'a batch the other way round',
    'reordered',
    (all) => void (scopeIn(batchIn(all)).logRecords = recordsIn(batchIn(all)).toReversed()),
  ],
  [
    'the last record at the beginning',
    'reordered',
    (all) => {
      const records = recordsIn(batchIn(all));
      records.unshift(records.pop() as Record);
    },
  ],
  [
    'two records of two batches',
    'reordered',
    (all) => {
      const [one, other] = victims(all).slice(-2).map(recordsIn) as [Record[], Record[]];
      const last = one.length - 1;
      [one[last], other[0]] = [other[0] as Record, one[last] as Record];
    },
  ],
  [
    'a record in the batch after its own',
    'reordered',
    (all) => {
      const [one, other] = victims(all).slice(-2).map(recordsIn) as [Record[], Record[]];
      other.push(...one.splice(1, 1));
    },
  ],
  [
    'a record under another machine',
    'changed',
    (all) => {
      const other = all.find((line) => !victims(all).includes(line)) as Line;
      recordsIn(other).push(...recordsIn(batchIn(all)).splice(1, 1));
    },
  ],
];

const STRANGER = createKeyPair();
const keys: readonly Damage[] = [
  [
    'one record, by a key of their own',
    'changed',
    (all) => {
      attribute(rowIn(all), 'fairlead.decision').stringValue = 'allow';
      rehash([rowIn(all)], STRANGER.secret, versionOf(batchIn(all)));
    },
  ],
  [
    'a tail, by a key of their own',
    'key',
    (all) => {
      attribute(rowIn(all), 'fairlead.decision').stringValue = 'allow';
      resign(all, STRANGER, sequenceOf(recordsIn(batchIn(all))[0] as Record));
    },
  ],
  [
    'all of a machine, by a key of their own',
    'key',
    (all) => {
      attribute(rowIn(all), 'fairlead.decision').stringValue = 'allow';
      resign(all, STRANGER);
    },
  ],
  [
    'a machine that nobody knows',
    'key',
    (all) => {
      const copies = structuredClone(victims(all));
      for (const line of copies) {
        attribute({ attributes: resourceIn(line) }, 'service.instance.id').stringValue = 'other';
        for (const record of recordsIn(line)) attribute(record, MACHINE).stringValue = 'other';
      }
      rehash(copies.flatMap(recordsIn), STRANGER.secret, versionOf(copies[0] as Line));
      for (const line of copies) attribute({ attributes: resourceIn(line) }, KEY).stringValue = STRANGER.public;
      return [...all, ...copies];
    },
  ],
  [
    'the key of another machine in the resource',
    'changed',
    (all) => {
      attribute({ attributes: resourceIn(batchIn(all)) }, KEY).stringValue = known[1]?.keys[0] ?? '';
    },
  ],
];

const cuts: readonly Damage[] = [
  [
    'a line in its middle',
    'unreadable',
    (all) => {
      const texts = all.map((line) => JSON.stringify(line));
      texts[3] = (texts[3] ?? '').slice(0, 500);
      return texts.join('\n');
    },
  ],
  [
    'the file in its last line',
    'unreadable',
    (all) =>
      all
        .map((line) => JSON.stringify(line))
        .join('\n')
        .slice(0, -200),
  ],
  [
    'two lines run together',
    'unreadable',
    (all) =>
      all
        .map((line) => JSON.stringify(line))
        .join('\n')
        .replace('\n', ''),
  ],
  [
    'a line that is something else',
    'removed',
    (all) => {
      const gone = all.indexOf(batchIn(all));
      return all.map((line, at) => (at === gone ? '{"resourceLogs":[]}' : JSON.stringify(line))).join('\n');
    },
  ],
];

const ALL: readonly (readonly [string, readonly Damage[]])[] = [
  ['changed', changes],
  ['removed', removals],
  ['moved', orders],
  ['signed', keys],
  ['cut', cuts],
];

it('is of a hundred kinds and more', () => {
  const names = ALL.flatMap(([, list]) => list.map(([what]) => what));
  expect(new Set(names).size).toBeGreaterThanOrEqual(100);
});

it('an export as it was written has none, in which order and how often ever', async () => {
  const fine = async (text: string) => expect((await auditBytes(text, known)).findings).toEqual([]);
  expect(lines.length).toBeGreaterThanOrEqual(10);
  await fine(lines.join('\n'));
  await fine(`${lines.join('\n')}\n`);
  await fine(lines.toReversed().join('\n'));
  await fine([...lines, ...lines.slice(2, 6)].join('\n'));
  const report = await auditBytes(lines.join('\n'));
  expect(report.findings).toEqual([]);
  for (const { lost } of report.machines) expect(lost).toBeGreaterThan(0);
});

describe.each(ALL)('what was %s', (_name, list) => {
  it.each(list)('%s', async (_what, kind, damage) => {
    const all = parsed();
    const made = damage(all) ?? all;
    const text = typeof made === 'string' ? made : made.map((line) => JSON.stringify(line)).join('\n');
    expect(text).not.toBe(lines.join('\n'));
    // How far each machine is, as it says itself.
    const heads = stations.map((station) => station.memory().outbox?.state());
    const pinned = known.map((one) => {
      const { sequence, head } = heads.find((state) => state?.machine === one.machine)?.chain ?? {
        sequence: 0,
        head: '',
      };
      return { ...one, at: { sequence, head } };
    });
    const asked = kind === 'cut' ? pinned : known;
    const { findings } = await auditBytes(text, asked);
    expect(findings.map((finding) => finding.kind)).toContain(kind);
    for (const { what, means } of findings) expect(`${what} ${means}`).not.toContain('undefined');
  });
});
