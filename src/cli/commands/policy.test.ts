import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { callWith, plainAdapter, toolEvent } from '../../engine/engine.fixture.ts';
import { handle } from '../../handle.ts';
import { readDetail, readRows } from '../../ledger/read.ts';
import { createKeyPair } from '../../platform/ed25519.ts';
import { nodeFiles } from '../../platform/files.ts';
import { isSwitchedOff } from '../../state/switch.ts';
import { KEYS, signed } from '../../team/policy.fixture.ts';
import { databaseOf } from '../database.ts';
import type { Now } from '../page/shapes.ts';
import { createViews } from '../page/views.ts';
import { plantProject } from '../project.fixture.ts';
import type { PlantedProject } from '../project.fixture.ts';
import type { FakeWorld } from '../world.fixture.ts';
import { allowOnce } from './allow-once.ts';
import { doctor } from './doctor.ts';
import { log } from './log.ts';
import author from './policy-author.ts';
import verbs from './policy.ts';
import { mode } from './rules-set.ts';
import { off } from './switch.ts';

const policy = verbs.verbs;
const RULE = '---\nevent: bash\nwords: [deploy]\naction: deny\n---\nDeploys are for the pipeline.\n';
const FILES = { 'rules/no-deploy.md': RULE };

let machines: PlantedProject[];
let source: string;
beforeEach(() => {
  machines = [plantProject(), plantProject(), plantProject()];
  source = join(machines[0]?.home ?? '', 'acme.policy.json');
});
afterEach(() => Promise.all(machines.map((machine) => machine.remove())));

const publish = (...args: Parameters<typeof signed>) => writeFileSync(source, signed(...args));

async function followers(...labels: readonly (readonly string[])[]): Promise<FakeWorld[]> {
  return Promise.all(
    machines.slice(0, labels.length).map(async (machine, at) => {
      const world = machine.world();
      const given = (labels[at] ?? []).flatMap((label) => ['--label', label]);
      await world.run(policy['policy follow'], source, '--key', KEYS.public, ...given);
      return world;
    }),
  );
}

let calls = 0;
/** What becomes of a call in a new session, with what the record says of the rule. */
async function decided(world: FakeWorld, command = 'deploy now') {
  const engine = world.engine();
  const session = `s${(calls += 1)}`;
  await engine.workspaces.recheck();
  const event = { ...toolEvent({ name: 'shell', command }, { cwd: world.cwd, receivedAt: Date.now() }), session };
  await handle(callWith(event), plainAdapter, engine);
  engine.ledger.flush();
  const row = readRows(databaseOf(world), { session, last: 1 })[0];
  const { trace = [], team } = (row && readDetail(databaseOf(world), row.n)) ?? {};
  return { action: row?.action ?? 'nothing', trace: trace.find(({ rule }) => rule === 'team/no-deploy'), team };
}
const actions = async (worlds: readonly FakeWorld[]) =>
  Promise.all(worlds.map(async (world) => (await decided(world)).action));
/** What the page says of it. */
const shown = async (world: FakeWorld) => ((await createViews(world).answer('now', () => undefined)) as Now).policy;
const said = async (world: FakeWorld) => {
  world.printed.out = '';
  await world.run(doctor);
  return world.printed.out;
};

/** Where a machine keeps the policies that it has followed. */
function keptIn({ paths }: FakeWorld): readonly string[] {
  const dir = join(paths.state, 'team');
  return readdirSync(dir, { withFileTypes: true }).flatMap((each) =>
    each.isDirectory() ? [join(dir, each.name)] : [],
  );
}

describe('a policy', () => {
  it('is built of a directory, signed, checked and followed', async () => {
    const [machine] = machines as [PlantedProject];
    const world = machine.world();
    machine.putProject('team/policy.yaml', 'name: acme\nversion: 3\nexpires: 2100-01-01\n');
    machine.putProject('team/config.yaml', 'rules:\n  guard/destructive-files: enforce\n');
    machine.putProject('team/rules/no-deploy.md', RULE);
    const { key } = (await world.json(author.verbs['policy keygen'], '--out', 'policy.key')) as { key: string };
    await world.run(author.verbs['policy build'], 'team', '--out', 'acme.json');
    expect(await world.run(author.verbs['policy verify'], 'acme.json', '--key', key).catch(String)).toContain(
      'is not signed by a key that counts here',
    );
    await world.run(author.verbs['policy sign'], 'acme.json', '--key', 'policy.key');
    expect(await world.json(author.verbs['policy verify'], 'acme.json', '--key', key)).toMatchObject({
      ...{ valid: true, name: 'acme', version: 3 },
    });
    await world.run(policy['policy follow'], 'acme.json', '--key', key);
    expect((await decided(world)).action).toBe('deny');
    expect(await world.json(policy['policy show'])).toMatchObject({
      stage: 'enforce',
      rules: expect.arrayContaining([{ id: 'team/no-deploy', mode: 'enforce', held: true }]),
    });
  });

  it.each([
    ['policy.yaml', 'name: Acme Inc\nversion: 1\nexpires: 2100-01-01\n', 'small letters'],
    ['policy.yaml', 'name: acme\nversion: 1\nexpires: 2100-01-01\nring: []\n', 'ring'],
    ['config.yaml', 'ledger: { days: 1 }\n', 'is for each machine to say'],
    ['config.yaml', 'rules: [', 'YAML'],
    ['rules/bad.md', 'no head', 'rules/bad.md'],
  ])('is not built with a mistake in %s: %s', async (file, text, why) => {
    const [machine] = machines as [PlantedProject];
    machine.putProject('team/policy.yaml', 'name: acme\nversion: 1\nexpires: 2100-01-01\n');
    machine.putProject(`team/${file}`, text);
    expect(await machine.world().run(author.verbs['policy build'], 'team').catch(String)).toContain(why);
  });

  it('reaches three machines ring by ring, and its next version too', async () => {
    publish({ files: FILES, rings: [{ stage: 'enforce', labels: ['canary'] }] });
    const worlds = await followers(['canary'], ['early'], []);
    expect(await actions(worlds)).toEqual(['deny', 'pass', 'pass']);
    const [, , audits] = worlds as [FakeWorld, FakeWorld, FakeWorld];
    expect((await decided(audits)).trace).toMatchObject({ mode: 'shadow', policy: 'acme@1' });
    const rings = [
      { stage: 'enforce' as const, labels: ['canary', 'early'] },
      { stage: 'warn' as const, share: 100 },
    ];
    publish({ version: 2, files: FILES, rings });
    for (const world of worlds) await world.run(policy['policy refresh']);
    expect(await actions(worlds)).toEqual(['deny', 'deny', 'pass']);
    expect(await decided(audits)).toMatchObject({
      trace: { mode: 'advise', policy: 'acme@2' },
      team: { name: 'acme', version: 2, stage: 'warn', ring: 2 },
    });
    // Also of events on which the policy had nothing to say.
    expect((await decided(audits, 'ls')).team).toMatchObject({ name: 'acme', version: 2 });
    expect(await shown(audits)).toMatchObject({ policy: 'acme@2', stage: 'warn', ring: 2 });
    expect(await said(audits)).toContain('acme@2');
  });

  it('stays as it was where the source is gone, broken, forged, foreign or older', async () => {
    publish({ version: 2, files: FILES });
    const [world] = (await followers([])) as [FakeWorld];
    const texts = [
      signed({ version: 1 }),
      signed({ version: 3 }, createKeyPair()),
      signed({ version: 3, name: 'other' }),
      signed({ version: 3 }).slice(0, 200),
      '',
    ];
    for (const text of texts) {
      writeFileSync(source, text);
      await expect(world.run(policy['policy refresh'])).rejects.toThrow(/refused, and the policy before/);
      expect((await decided(world)).action).toBe('deny');
    }
    rmSync(source);
    await expect(world.run(policy['policy refresh'])).rejects.toThrow(/cannot be read/);
    expect(await said(world)).toContain('cannot be read');
    expect((await decided(world)).action).toBe('deny');
  });

  it('stays in force where what is kept of it was damaged or taken away', async () => {
    publish({ files: FILES });
    const [world] = (await followers([])) as [FakeWorld];
    expect((await decided(world)).action).toBe('deny');
    const kept = join(world.paths.state, 'team');
    rmSync(kept, { recursive: true });
    expect((await decided(world)).action).toBe('deny');
    const again = (machines[0] as PlantedProject).world();
    expect((await decided(again)).action).toBe('deny');
    expect(await said(again)).toContain('What it said last stays in force');
  });

  it('has no way back where what is kept was damaged, taken away, or is followed by another name', async () => {
    const next = createKeyPair();
    publish({ version: 9, files: FILES, keys: { add: [next.public], retire: [KEYS.public] } });
    const [world] = (await followers([])) as [FakeWorld];
    const elsewhere = join(world.cwd, 'copy.json');
    for (const file of [source, elsewhere]) writeFileSync(file, signed({ version: 2 }));
    await expect(world.run(policy['policy follow'], elsewhere, '--key', KEYS.public)).rejects.toThrow(/not signed/);
    writeFileSync(elsewhere, signed({ version: 2 }, next));
    await expect(world.run(policy['policy follow'], elsewhere, '--key', next.public)).rejects.toThrow(/has seen 9/);
    for (const dir of keptIn(world)) rmSync(dir, { recursive: true });
    await expect(world.run(policy['policy refresh'])).rejects.toThrow(/refused/);
    expect((await decided(world)).action).toBe('deny');
  });

  it('counts again when its glass is whole, also where what is kept went meanwhile', async () => {
    publish({ files: FILES });
    const [world] = (await followers([])) as [FakeWorld];
    await world.run(policy['policy break-glass'], '--reason', 'r');
    expect((await decided(world)).action).toBe('pass');
    const [kept = ''] = keptIn(world);
    rmSync(join(kept, 'policy.json'));
    expect((await decided(world)).action).toBe('pass');
    await world.run(policy['policy mend']);
    expect((await decided(world)).action).toBe('deny');
    // Nobody but the verb writes one, and not for longer than a day.
    writeFileSync(join(kept, 'glass.json'), '{"since":0,"until":9e15,"reason":""}');
    expect((await decided(world)).action).toBe('deny');
  });

  it('is not begun with a source that gives nothing', async () => {
    const [machine] = machines as [PlantedProject];
    const world = machine.world();
    await expect(world.run(policy['policy follow'], '/nowhere.json', '--key', KEYS.public)).rejects.toThrow(
      /nothing was changed/,
    );
    expect(existsSync(join(world.paths.config, 'config.yaml'))).toBe(false);
    await expect(world.run(policy['policy follow'], 'http://example.com/p', '--key', KEYS.public)).rejects.toThrow(
      /https/,
    );
  });

  it('comes from an address, and again only where it changed', async () => {
    const asked: (string | undefined)[] = [];
    const server = createServer(({ headers }, response) => {
      asked.push(headers['if-none-match']);
      if (headers['if-none-match'] === '"a"') return response.writeHead(304).end();
      return response.writeHead(200, { etag: '"a"' }).end(signed({ files: FILES }));
    });
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    source = `http://127.0.0.1:${(server.address() as AddressInfo).port}/p`;
    try {
      const [world] = (await followers([])) as [FakeWorld];
      expect(await world.json(policy['policy refresh'])).toMatchObject({ isNew: false });
      expect(asked).toEqual([undefined, '"a"']);
      const [kept = ''] = keptIn(world);
      rmSync(join(kept, 'policy.json'));
      expect(await world.json(policy['policy refresh'])).toMatchObject({ policy: 'acme@1' });
      expect(asked).toEqual([undefined, '"a"', undefined]);
      expect((await decided(world)).action).toBe('deny');
    } finally {
      server.close();
    }
  });
});

describe('what a machine weakens', () => {
  it('is refused where the policy says so, by every verb and in the settings', async () => {
    publish({ files: FILES });
    const [world] = (await followers([])) as [FakeWorld];
    await decided(world);
    await expect(world.run(off)).rejects.toThrow(/the policy acme@1 holds that/);
    await expect(world.run(mode, 'team/no-deploy', 'off', '--for', '1h')).rejects.toThrow(/break-glass/);
    await expect(world.run(allowOnce, '--yes')).rejects.toThrow(/acme@1/);
    await world.run(mode, 'team/no-deploy', 'off');
    expect(world.printed.out).toContain('the policy acme@1');
    await world.run(log);
    expect(world.printed.out).toContain('by the policy acme@1');
    // Neither does it help to write what the verbs would write.
    writeFileSync(join(world.paths.state, 'off'), '{}');
    expect(isSwitchedOff(nodeFiles, world.paths.state, Date.now())).toBe(false);
    const again = (machines[0] as PlantedProject).world();
    expect((await decided(again)).action).toBe('deny');
  });

  it('is said where the policy says so', async () => {
    publish({ files: FILES, weakening: 'report' });
    const [world] = (await followers([])) as [FakeWorld];
    await world.run(mode, 'team/no-deploy', 'advise');
    expect(await decided(world)).toMatchObject({ action: 'pass', trace: { lowered: 'enforce', policy: 'acme@1' } });
    expect(await said(world)).toContain('team/no-deploy is advise here; the policy acme@1 wants enforce.');
  });

  it('counts while the glass is broken, with a reason on record, and no longer', async () => {
    publish({ files: FILES });
    const [world] = (await followers([])) as [FakeWorld];
    await expect(world.run(policy['policy break-glass'])).rejects.toThrow(/--reason/);
    await world.run(policy['policy break-glass'], '--for', '1h', '--reason', 'the site is down');
    expect((await decided(world)).action).toBe('pass');
    expect(await said(world)).toContain('the site is down');
    expect((await decided(world)).team).toEqual({ name: 'acme', version: 1, stage: 'broken glass', ring: 1 });
    expect((await shown(world))?.glass?.reason).toBe('the site is down');
    await world.run(policy['policy mend']);
    expect((await decided(world)).action).toBe('deny');
    const { acts } = (await world.json(policy['policy show'])) as { acts: { did: string; reason?: string }[] };
    expect(acts.map(({ did }) => did)).toEqual(['accepted', 'followed', 'broke glass', 'mended glass']);
    expect(acts[2]?.reason).toBe('the site is down');
  });

  it('is told where somebody stops following in the settings', async () => {
    publish({ files: FILES });
    const [world] = (await followers([])) as [FakeWorld];
    const file = join(world.paths.config, 'config.yaml');
    expect(readFileSync(file, 'utf8')).toContain('team:');
    writeFileSync(file, '{}\n');
    const again = (machines[0] as PlantedProject).world();
    expect(await said(again)).toContain('the policy of the team is no longer followed');
  });
});

it('leave ends it', async () => {
  publish({ files: FILES });
  const [world] = (await followers([])) as [FakeWorld];
  await world.run(policy['policy leave']);
  expect((await decided(world)).action).toBe('pass');
  await expect(world.run(policy['policy show'])).rejects.toThrow(/follows no policy/);
  expect(await shown(world)).toBeUndefined();
  expect((await decided(world)).team).toBeUndefined();
});
