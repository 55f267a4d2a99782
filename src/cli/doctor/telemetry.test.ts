import { afterEach, beforeEach, expect, it } from 'vitest';
import { knownRules } from '../known-rules.ts';
import { plantProject } from '../project.fixture.ts';
import type { PlantedProject } from '../project.fixture.ts';
import type { FakeWorld } from '../world.fixture.ts';
import { checkTelemetry } from './telemetry.ts';

let project: PlantedProject;
let world: FakeWorld;
beforeEach(() => {
  project = plantProject();
});
afterEach(() => project.remove());

async function look(otlp: string) {
  project.putUser('config.yaml', `telemetry:\n  otlp: ${otlp}\n`);
  world = project.world();
  const known = await knownRules(world);
  return () => {
    const [section] = checkTelemetry(known, undefined, world);
    expect(JSON.stringify(section ?? '')).not.toContain('secret');
    return section;
  };
}

it('says nothing where nobody asked, whatever a project says', async () => {
  project.putProject('.fairlead/config.yaml', 'telemetry: { otlp: { endpoint: "https://evil.example" } }\n');
  expect((await look('{ logs: events }'))()).toBeUndefined();
});

it.each<[string, string, string | undefined]>([
  ['https', '{ endpoint: "https://otlp.example" }', undefined],
  ['this machine', '{ endpoint: "http://127.0.0.1:4318" }', undefined],
  [
    'plain text',
    '{ endpoint: "http://otlp.example" }',
    'attention: Nothing can be sent: the endpoint is http and not on this machine',
  ],
  [
    'plain text, said',
    '{ endpoint: "http://otlp.example", insecure: true }',
    'note: The record goes to http://otlp.example as plain text.',
  ],
  [
    'a password',
    '{ endpoint: "https://me:secret@otlp.example" }',
    'attention: Nothing can be sent: the endpoint has a password',
  ],
  ['no address', '{ endpoint: "secret" }', 'attention: Nothing can be sent: the endpoint is no http or https address'],
  ['no file', '{ endpoint: "https://otlp.example", headersFile: ~/gone }', 'attention: Nothing can be sent: '],
  [
    'no place',
    '{ endpoint: "https://otlp.example", headersFile: gone }',
    'attention: Nothing can be sent: headersFile has to be absolute',
  ],
])('%s', async (_what, otlp, expected) => {
  const findings = (await look(otlp))()?.findings.map(({ level, what }) => `${level}: ${what}`) ?? [];
  expect(findings.map((line) => line.slice(0, expected?.length))).toEqual(expected === undefined ? [] : [expected]);
});

it('says how far it got, and what is missing', async () => {
  const see = await look('{ endpoint: "https://otlp.example/secret-path" }');
  const { memory, clock } = world.engine();
  const now = clock.now();
  const { outbox, db } = memory;
  outbox?.begin('m', false, { now, from: now });
  const state = outbox?.state();
  if (!state || !outbox) throw new Error('no state');
  outbox.arrived(state, {
    n: 0,
    sent: 7,
    refused: 1,
    told: 0,
    at: now - 60_000,
    chain: { sequence: 7, head: 'ab', openings: [] },
  });
  db?.exec('UPDATE outbox SET lost = 3');
  outbox.failed('answered with status 503', now - 5_000);
  const { facts = [], findings = [] } = see() ?? {};
  expect(Object.fromEntries(facts)).toMatchObject({
    receiver: 'https://otlp.example',
    arrived: expect.stringMatching(/^7, the last .* ago$/) as string,
    waiting: '0',
    lost: '3, refused 1',
  });
  expect(findings.map(({ level, what }) => `${level}: ${what}`)).toEqual([
    expect.stringMatching(/^attention: The last attempt failed, .* ago: answered with status 503\.$/),
    'note: The receiver lacks 4 decisions: 3 deleted before they could be sent, 1 not taken by it.',
  ]);
});
