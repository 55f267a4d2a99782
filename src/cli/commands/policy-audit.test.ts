import { statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { drain, exportOf, openStation } from '../../telemetry/otlp/exporter.fixture.ts';
import type { Station } from '../../telemetry/otlp/exporter.fixture.ts';
import { openReceiver } from '../../telemetry/otlp/receiver.fixture.ts';
import type { Receiver } from '../../telemetry/otlp/receiver.fixture.ts';
import { createOtlp } from '../../telemetry/otlp/otlp.ts';
import { OTLP_DEFAULTS } from '../../telemetry/otlp/settings.ts';
import { nodeFiles } from '../../platform/files.ts';
import { row } from '../../state/contract.ts';
import { plantProject } from '../project.fixture.ts';
import type { PlantedProject } from '../project.fixture.ts';
import type { FakeWorld } from '../world.fixture.ts';
import auditing from './policy-audit.ts';
import standing from './policy-machine.ts';

const audit = auditing.verbs['policy audit'];
const machine = standing.verbs['policy machine'];

let project: PlantedProject;
let world: FakeWorld;
let receiver: Receiver;
let station: Station;
beforeEach(async () => {
  project = plantProject();
  world = project.world();
  receiver = await openReceiver();
  station = openStation({ endpoint: receiver.url, metrics: false });
  await station.pass(0);
  for (let at = 0; at < 6; at += 1) {
    station.decide();
    await station.pass(5_000);
  }
  await drain(station);
});
afterEach(async () => {
  station.close();
  await receiver.close();
  await project.remove();
});

const put = (name: string, text: string) => {
  const file = join(world.cwd, name);
  writeFileSync(file, text);
  return file;
};
async function run(...args: readonly string[]): Promise<{ code: number; out: string }> {
  world.printed.out = '';
  const code = await world.run(audit, ...args).catch((error: unknown) => {
    world.out(String(error));
    return (error as { exitCode?: number }).exitCode ?? 2;
  });
  return { code, out: world.printed.out };
}

it('says that all is well, and which keys it took on trust', async () => {
  put('export.jsonl', exportOf(receiver));
  const { code, out } = await run('export.jsonl');
  expect(code).toBe(0);
  expect(out).toContain('1 to 6');
  expect(out).toContain('believed at first sight');
  expect(out).toContain('All of it is as the machines sent it.');
  expect(await world.json(audit, 'export.jsonl')).toMatchObject({ fine: true, records: 7, findings: [] });
});

it('says what was done, to which machine, from where to where', async () => {
  const lines = exportOf(receiver).split('\n');
  put('export.jsonl', [...lines.slice(0, 2), ...lines.slice(4)].join('\n').replace('"deny"', '"allow"'));
  const { code, out } = await run('export.jsonl');
  expect(code).toBe(1);
  const { machine: name, chain } = station.memory().outbox?.state() ?? { machine: '', chain: undefined };
  expect(out).toContain(`${name}: Records 3 to 4 are missing.`);
  expect(out).toContain(`${name}: Record 1 in `);
  const head = ['--machine', name, '--head', `${chain?.sequence}:${chain?.head}`];
  put('cut.jsonl', lines.slice(0, 5).join('\n'));
  expect((await run('cut.jsonl')).code).toBe(0);
  expect(await run('cut.jsonl', ...head)).toMatchObject({ code: 1 });
  expect((await run('cut.jsonl', ...head)).out).toContain(
    'The record ends with 5, and the head that was given goes to 6.',
  );
  put('whole.jsonl', lines.join('\n'));
  expect((await run('whole.jsonl', ...head)).code).toBe(0);
});

it('takes the attributes of a collector as said, and no others', async () => {
  const added = '"attributes":[{"key":"host.name","value":{"stringValue":"a"}},{"key":"fairlead.decision.id"';
  put('export.jsonl', exportOf(receiver).replaceAll('"attributes":[{"key":"fairlead.decision.id"', added));
  expect((await run('export.jsonl')).code).toBe(1);
  expect((await run('export.jsonl', '--added', 'host.name')).code).toBe(0);
});

it('cannot read what is not there, or is no export', async () => {
  put('noise', 'hello there');
  put('other.jsonl', '{"resourceSpans":[]}\n');
  put('broken', '{"resourceLogs":[');
  put('keys', 'x y z');
  put('export.jsonl', exportOf(receiver));
  for (const args of [['gone'], ['noise'], ['other.jsonl'], ['broken'], ['.'], ['export.jsonl', '--keys', 'keys']])
    expect(await run(...args)).toMatchObject({ code: 2 });
  for (const args of [
    ['export.jsonl', '--head', '1:x'],
    ['export.jsonl', '--machine', 'm', '--head', 'x'],
  ])
    await expect(world.run(audit, ...args)).rejects.toThrow(/--head|SEQUENCE:HEAD/);
});

it('a machine says its key and its head, and the audit takes that line', async () => {
  await expect(world.run(machine)).rejects.toThrow(/nothing of this machine is sent/);
  const { memory } = world.engine();
  const otlp = createOtlp({
    userHome: world.userHome,
    ...{ state: world.paths.state, files: nodeFiles, random: () => 1, newId: () => 'm1' },
    ...{ outbox: () => memory.outbox, now: Date.now, askedAt: () => 0, isOff: () => false },
    onFailure: (what, error) => world.err(`${what}: ${String(error)}\n`),
    settings: () => Promise.resolve({ ...OTLP_DEFAULTS, endpoint: receiver.url, metrics: false }),
  });
  receiver.exported.length = 0;
  memory.ledger.record(
    { ...row('d1', 's1'), at: Date.now() - 60_000, action: 'deny', rules: 'a/b' },
    () => ({
      event: {},
      trace: [],
      decision: { action: 'deny', by: ['a/b'], notes: [], warns: [] },
      times: { parse: 0, workspace: 0, select: 0, rules: 0, commit: 0, render: 0 },
      attempts: 1,
    }),
    false,
  );
  memory.ledger.flush();
  await otlp.look();
  otlp.close();
  world.printed.out = '';
  await world.run(machine);
  expect(world.printed.out).toMatch(/^m1 ed25519:\S+ 1:[\da-f]{64}\n$/);
  expect(statSync(join(world.paths.state, 'record', 'm1.key')).mode & 0o777).toBe(0o600);
  put('keys', world.printed.out);
  put('export.jsonl', exportOf(receiver));
  const { code, out } = await run('export.jsonl', '--keys', 'keys');
  expect({ code, out }).toMatchObject({ code: 0, out: expect.stringContaining('its key was given') as string });
  const before = await world.json(machine);
  await world.run(machine, '--new-key');
  expect(await world.json(machine)).toMatchObject({ machine: 'm1', sequence: 1, head: before['head'] });
  expect((await world.json(machine))['key']).not.toBe(before['key']);
});

it('says how far it is where there is much', async () => {
  const [line = ''] = exportOf(receiver).split('\n');
  put('export.jsonl', Array.from({ length: 10_001 }, () => line).join('\n'));
  world.printed.err = '';
  expect((await run('export.jsonl')).code).toBe(0);
  expect((await run('export.jsonl', '--machine', 'nobody')).code).toBe(2);
  expect(world.printed.err).toContain('records so far');
}, 120_000);
