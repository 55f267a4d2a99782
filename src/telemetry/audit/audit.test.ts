import { rmSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { countOf, startShare } from '../../../test/cases.ts';
import { nodeFiles } from '../../platform/files.ts';
import { row } from '../../state/contract.ts';
import { drain, exportOf, openStation } from '../otlp/exporter.fixture.ts';
import type { Station } from '../otlp/exporter.fixture.ts';
import { linkAll } from '../otlp/send-logs.ts';
import { decisionRecord } from '../otlp/log-records.ts';
import { openReceiver, partialSuccess } from '../otlp/receiver.fixture.ts';
import type { Behaviour, Receiver } from '../otlp/receiver.fixture.ts';
import { encodeRequest } from '../otlp/requests.ts';
import { keyPath, openMachineKey, replaceMachineKey } from '../record/machine-key.ts';
import { auditBytes } from './damage.fixture.ts';
import { knownHead, readKnown } from './known-machines.ts';
import { readExport } from './read-export.ts';

const HOUR = 3_600_000;
let receiver: Receiver;
let station: Station;
let others: Station[];

beforeEach(async () => {
  receiver = await openReceiver();
  station = openStation({ endpoint: receiver.url, metrics: false });
  others = [];
  await station.pass(0);
});
afterEach(async () => {
  for (const each of [station, ...others]) each.close();
  await receiver.close();
});

const chain = (of = station) => of.memory().outbox?.state()?.chain;
const machineOf = (of = station) => of.memory().outbox?.state()?.machine ?? '';
const keyOf = (of: Station) => keyPath(of.folder, machineOf(of));
const kinds = (report: Awaited<ReturnType<typeof auditBytes>>) => report.findings.map(({ kind }) => kind);
async function decide(many: number, of = station): Promise<void> {
  for (let at = 0; at < many; at += 1) of.decide();
  await of.pass(5_000);
}
async function expectFine(): Promise<Awaited<ReturnType<typeof auditBytes>>> {
  const report = await auditBytes(exportOf(receiver));
  expect(report.findings).toEqual([]);
  for (const of of [station, ...others]) {
    const { last, head } = report.machines.find(({ machine }) => machine === machineOf(of)) ?? {};
    expect({ last, head }).toEqual({ last: chain(of)?.sequence, head: chain(of)?.head });
  }
  return report;
}

describe('nothing is found where', () => {
  it.each<[string, readonly Behaviour[]]>([
    ['the acknowledgement was lost', ['reset', 200]],
    ['the receiver failed for a while', [503, 500, 401, 200]],
    ['the receiver left some out', [partialSuccess(2, 'too old'), 200]],
    ['the receiver takes small batches alone', [413, 413, 200]],
    ['the receiver does not take one of them', [413, 413, 413, 400, 200]],
    ['the receiver takes nothing for a while', [...Array.from({ length: 9 }, () => 400), 200]],
  ])('%s', async (_what, behaviours) => {
    receiver.behaviours = [...behaviours];
    await decide(6);
    await drain(station);
    await decide(3);
    await drain(station);
    await station.pass(2 * HOUR);
    expect(receiver.exported).not.toEqual([]);
    await expectFine();
  });

  it('engines were killed in the middle of requests, and settings changed meanwhile', async () => {
    for (let at = 0; at < 30; at += 1) {
      station.decide();
      receiver.behaviours = [at % 3 === 0 ? 'reset' : at % 3 === 1 ? 'hang' : 200];
      station.now += 5_000;
      // What is sent again would read differently now, and so it is not sent again in its place.
      station.settings = { ...station.settings, bodies: at % 4 < 2 };
      station.begin();
      await new Promise((resolve) => setTimeout(resolve, at % 7));
      station.restart();
    }
    // On a slow machine none of them had sent anything by then; this one has.
    receiver.behaviours = ['hang'];
    station.decide();
    station.now += HOUR;
    const before = receiver.requests.length;
    station.begin();
    await expect.poll(() => receiver.requests.length, { timeout: 60_000 }).toBeGreaterThan(before);
    station.restart();
    station.settings = { ...station.settings, bodies: !station.settings.bodies };
    receiver.behaviours = [200];
    await drain(station);
    await decide(2);
    await expectFine();
    expect(new Set(receiver.records.map(({ name }) => name))).toContain('fairlead.record.resumed');
  });

  it('rows were deleted that may have arrived, once and again', async () => {
    for (const rows of [4, 2, 3]) {
      receiver.behaviours = ['reset'];
      await decide(8);
      station.rotate(30, rows);
      await station.pass(HOUR);
      await decide(2);
    }
    receiver.behaviours = [200];
    await drain(station);
    const { machines } = await expectFine();
    expect(machines[0]?.lost).toBe(station.memory().outbox?.state()?.lost);
  });

  it('several machines send at once, and one of them changes its key', async () => {
    others = [openStation({ endpoint: receiver.url }), openStation({ endpoint: receiver.url })];
    for (const of of others) await of.pass(0);
    for (let round = 0; round < 4; round += 1) {
      for (const of of [station, ...others]) await decide(3, of);
      if (round % 2 === 1) replaceMachineKey(keyOf(station), nodeFiles);
    }
    const { machines } = await expectFine();
    expect(machines.find(({ machine }) => machine === machineOf())?.notes.join('\n')).toContain('handed over to');
  });

  it('a machine had sent records before there was a chain', async () => {
    station.memory().db?.exec('UPDATE outbox SET sent = 120');
    await decide(3);
    const { machines } = await expectFine();
    expect(machines[0]).toMatchObject({ first: 121, last: 123 });
  });

  it('nothing happened for hours, which a checkpoint says', async () => {
    await decide(1);
    const before = receiver.exported.length;
    for (let hour = 0; hour < 5; hour += 1) await station.pass(HOUR + 1);
    expect(receiver.exported.length).toBe(before + 5);
    const { machines } = await expectFine();
    expect(machines[0]?.lastAt).toBe(station.now);
  });

  it('there are very many', async () => {
    const many = countOf(100_000);
    const key = openMachineKey(`${station.folder}/other.key`, nodeFiles);
    if ('problem' in key) throw new Error(key.problem);
    let after = { sequence: 0, head: '' };
    const lines: Uint8Array[] = [];
    while (after.sequence < many) {
      const unlinked = Array.from({ length: 500 }, (_, at) => ({
        contentAt: (sequence: number) =>
          decisionRecord({ ...row(`d${at}`, 's1'), n: at, seq: at }, false, { machine: 'm', sequence }),
      }));
      const links = await linkAll('m', after, unlinked, key);
      after = links.at(-1) ?? after;
      const request = encodeRequest(
        'm',
        links.map(({ record }) => record),
        key.public,
      );
      const size = Buffer.alloc(4);
      size.writeUInt32BE(request.length);
      lines.push(size, request);
    }
    const { findings, records, machines } = await auditBytes(gzipSync(Buffer.concat(lines)));
    expect(findings).toEqual([]);
    expect(records).toBe(after.sequence);
    expect(machines[0]).toMatchObject({ first: 1, last: after.sequence, head: after.head });
  }, 600_000);
});

describe('told from damage to single records', () => {
  it('a copied state directory: two histories under one name', async () => {
    await decide(3);
    others = [openStation({ endpoint: receiver.url, metrics: false }, station)];
    await decide(2);
    await decide(3, others[0]);
    const report = await auditBytes(exportOf(receiver));
    expect(report.findings).toMatchObject([{ kind: 'fork', from: 4, to: 5 }]);
    expect(report.findings[0]?.means).toContain('copied');
  });

  it('a key that was made anew', async () => {
    await decide(3);
    rmSync(keyOf(station));
    await decide(2);
    const report = await auditBytes(exportOf(receiver));
    expect(report.findings).toMatchObject([{ kind: 'key', from: 4, to: 5 }]);
  });

  it('an old key that is used after it was handed over', async () => {
    await decide(3);
    const old = nodeFiles.readText(keyOf(station)) ?? '';
    replaceMachineKey(keyOf(station), nodeFiles);
    await decide(2);
    nodeFiles.writeAtomic(keyOf(station), old, 0o600);
    await decide(2);
    expect((await auditBytes(exportOf(receiver))).findings).toMatchObject([{ kind: 'key', from: 6, to: 7 }]);
  });

  it('a record that goes on after a head that was known, and one that does not', async () => {
    await decide(3);
    const known = (text: string) => readKnown(`# machines\n\n${machineOf()} ${text}\n`);
    const { sequence, head } = chain() ?? { sequence: 0, head: '' };
    const { machines } = await auditBytes(exportOf(receiver));
    const key = machines[0]?.key ?? '';
    await decide(3);
    const tail = exportOf(receiver).split('\n').slice(1).join('\n');
    expect(kinds(await auditBytes(tail))).toEqual(['removed']);
    expect(kinds(await auditBytes(tail, known(key)))).toEqual(['removed']);
    expect(kinds(await auditBytes(tail, known(`${key} ${sequence}:${head}`)))).toEqual([]);
    expect(kinds(await auditBytes(tail, known(`${key} ${sequence}:${'0'.repeat(64)}`)))).toEqual(['fork']);
    expect(kinds(await auditBytes(tail, known(`${key} 99:${head}`)))).toContain('cut');
    expect(() => readKnown('x')).toThrow(/line 1/);
    expect(() => readKnown(`m ${key} 4`)).toThrow(/line 1/);
    expect(knownHead('4:x')).toBeUndefined();
  });

  it('a tail that the metrics still have', async () => {
    station.settings = { endpoint: receiver.url };
    await decide(3);
    await decide(3);
    await station.pass(HOUR);
    const [first = ''] = exportOf(receiver).split('\n');
    expect(kinds(await auditBytes(first))).toEqual([]);
    const metrics = exportOf(receiver, 'metrics');
    const { findings } = await auditBytes(`${first}\n${metrics}`);
    expect(findings).toMatchObject([{ kind: 'cut', from: 4, to: 6 }]);
    const bytes = receiver.exported.findLast(({ signal }) => signal === 'metrics')?.bytes ?? new Uint8Array();
    expect(kinds(await auditBytes(bytes))).toEqual(['cut']);
  });
});

describe('an export', () => {
  it('is read as JSON, as protobuf, and out of gzip', async () => {
    await decide(4);
    await decide(2);
    const text = exportOf(receiver);
    const requests = receiver.exported.map(({ bytes }) => bytes);
    const sized = Buffer.concat(
      requests.flatMap((bytes) => {
        const size = Buffer.alloc(4);
        size.writeUInt32BE(bytes.length);
        return [size, bytes];
      }),
    );
    const [first = ''] = text.split('\n');
    const whole = await auditBytes(text);
    for (const other of [
      gzipSync(text),
      sized,
      gzipSync(sized),
      Buffer.concat([gzipSync(`${first}\n`), gzipSync(text)]),
    ])
      expect(await auditBytes(other)).toMatchObject({ findings: [], machines: [{ head: whole.machines[0]?.head }] });
    for (const one of [requests[0] ?? '', JSON.stringify(JSON.parse(first), undefined, 2), `[${first}]`])
      expect(await auditBytes(one)).toMatchObject({ findings: [], machines: [{ last: 4 }] });
    expect(kinds(await auditBytes(gzipSync(text).subarray(0, -40)))).toContain('unreadable');
    expect(kinds(await auditBytes(sized.subarray(0, -40)))).toContain('unreadable');
  });

  it('of others is passed over', async () => {
    const other = '{"resourceLogs":[{"resource":{"attributes":[]},"scopeLogs":[{"logRecords":[{"body":{}}]}]}]}';
    expect(await auditBytes(`${other}\n\n{"resourceSpans":[]}\n`)).toMatchObject({ records: 0, findings: [] });
  });

  it.each(['/nowhere/at/all', '/'])('at %s cannot be read', async (path) => {
    await expect(readExport(path).next()).rejects.toThrow(/ENOENT|EISDIR/);
  });

  it('of anybody is damaged or fine, and never breaks the reader', async () => {
    await decide(1);
    const text = exportOf(receiver);
    const bytes = receiver.exported[0]?.bytes ?? new Uint8Array();
    const isOver = startShare();
    for (let at = 0; at < countOf(2_000) && !isOver(at); at += 1)
      for (const source of [Buffer.from(text), Buffer.from(bytes)]) {
        const spoiled = Buffer.from(source);
        const place = (at * 7_919) % spoiled.length;
        spoiled[place] = ((spoiled[place] ?? 0) + 1 + (at % 200)) % 256;
        expect((await auditBytes(spoiled)).records).toBeLessThan(10);
      }
  });
});
