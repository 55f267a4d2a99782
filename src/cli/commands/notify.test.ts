import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { nodeFiles } from '../../platform/files.ts';
import { oldKeyOf, replaceKey } from '../../platform/key-file.ts';
import { openWebhook } from '../../relay/webhook.fixture.ts';
import type { WebhookServer } from '../../relay/webhook.fixture.ts';
import { writeSwitch } from '../../state/switch.ts';
import { CommandError, UsageError } from '../command.ts';
import { plantProject } from '../project.fixture.ts';
import type { PlantedProject } from '../project.fixture.ts';
import { fakeWorld } from '../world.fixture.ts';
import type { FakeWorld } from '../world.fixture.ts';
import { rotateKey, setup, status, test } from './notify.ts';

const URL_TEXT = 'https://hooks.example.com/services/T0/B0?token=abc';
const EVENTS = 'packs:\n  context:\n    enabled: true\n    notify:\n      events: [relay, nudge]\n';
let project: PlantedProject;
let webhook: WebhookServer | undefined;
beforeEach(() => {
  project = plantProject();
  project.putProject('.context/TASKS.md', '');
});
afterEach(async () => {
  await project.remove();
  await webhook?.close();
  webhook = undefined;
});

const enc = () => join(project.root, '.context/.notify.enc');
const key = () => join(project.world().paths.config, 'notify.key');

async function setUp(url = URL_TEXT): Promise<FakeWorld> {
  const world = project.world({ stdin: `${url}\n` });
  expect(await world.run(setup)).toBe(0);
  return world;
}

async function told(world: FakeWorld, command: typeof status): Promise<Record<string, unknown>> {
  world.printed.out = '';
  await world.run(command, '--json');
  return JSON.parse(world.printed.out) as Record<string, unknown>;
}

describe('notify setup', () => {
  it('takes the URL from standard input, makes a key and says the host alone', async () => {
    const { printed } = await setUp();
    expect(printed.out).toContain(`The webhook of ${project.root} is at hooks.example.com`);
    expect(printed.out).toContain('encrypted with a new key');
    expect(printed.out).toContain('the pack context is off here');
    expect(printed.out + readFileSync(enc(), 'utf8')).not.toMatch(/services|token=/);
    expect(statSync(key()).mode & 0o777).toBe(0o600);
  });

  it('asks a person, without showing what is typed', async () => {
    project.putUser('config.yaml', EVENTS);
    const world = project.world({ secret: URL_TEXT });
    await world.run(setup, '--json');
    expect(world.asked).toEqual([expect.stringContaining('not shown')]);
    expect(JSON.parse(world.printed.out)).toEqual({
      root: project.root,
      host: 'hooks.example.com',
      events: ['relay', 'nudge'],
      key: key(),
      newKey: true,
    });
  });

  it('keeps a key that is there', async () => {
    await setUp();
    const before = readFileSync(key());
    expect((await setUp('https://other.example.com/x')).printed.out).not.toContain('new key');
    expect(readFileSync(key())).toEqual(before);
  });

  it('keeps what another program stored under the name, and says so', async () => {
    const theirs = Buffer.from([0, 255, 1, 2, 3]);
    writeFileSync(enc(), theirs);
    const { printed } = await setUp();
    expect(printed.out).toContain('cannot be read here; it is kept as .context/.notify.enc.ctx');
    expect(readFileSync(`${enc()}.ctx`)).toEqual(theirs);
    expect((await setUp()).printed.out).not.toContain('cannot be read here');
    expect(readFileSync(`${enc()}.ctx`)).toEqual(theirs);
  });

  it('says that it replaces an address which another key opens', async () => {
    await setUp();
    rmSync(key());
    expect((await setUp()).printed.out).toContain('replaces an address that could not be opened here');
    expect(existsSync(`${enc()}.ctx`)).toBe(false);
  });

  it.each<[string, string, string[], RegExp]>([
    ['an argument', '', [URL_TEXT], /unexpected argument/],
    ['nothing', ' \n', [], /no URL was given/],
    ['no URL', 'hooks', [], /not a URL/],
    ['a URL that is not encrypted', 'http://hooks.example.com/services', [], /needs an https URL/],
  ])('%s: refused', async (_what, stdin, argv, why) => {
    const world = project.world({ stdin });
    const running = world.run(setup, ...argv);
    await expect(running).rejects.toThrow(why);
    await expect(running).rejects.toBeInstanceOf(UsageError);
    expect(existsSync(enc())).toBe(false);
  });

  it('a key in the project is refused', async () => {
    project.putUser('config.yaml', `packs: { context: { notify: { key_path: ${project.root}/.context/key } } }\n`);
    const running = project.world({ stdin: URL_TEXT }).run(setup);
    await expect(running).rejects.toThrow(/lies in the project/);
    await expect(running).rejects.toBeInstanceOf(CommandError);
    expect(existsSync(join(project.root, '.context/key'))).toBe(false);
  });

  it('a project without its directory is told how to get one', async () => {
    rmSync(join(project.root, '.context'), { recursive: true });
    await expect(project.world({ stdin: URL_TEXT }).run(setup)).rejects.toThrow('fairlead context init');
  });
});

describe('notify test', () => {
  it('sends one record', async () => {
    webhook = await openWebhook();
    const world = await setUp(webhook.url);
    expect(await world.run(test)).toBe(0);
    expect(webhook.received.map(({ record }) => record)).toEqual([
      {
        event: 'test',
        message: 'fairlead: a test of the webhook',
        detail: { hook: 'fairlead', variant: 'test' },
        timestamp: expect.any(String),
        project: 'project',
      },
    ]);
    expect(world.printed.out).toContain(`${webhook.host} took the record.`);
    expect(await told(world, status)).toMatchObject({ health: { sent: 1 } });
  });

  it('says why it did not arrive', async () => {
    webhook = await openWebhook(500);
    const world = await setUp(webhook.url);
    expect(await world.run(test)).toBe(1);
    expect(world.printed.err).toBe(`fairlead: ${webhook.host} did not take the record: answered with status 500\n`);
    expect(await told(world, test)).toEqual({
      host: webhook.host,
      arrived: false,
      problem: 'answered with status 500',
    });
    expect(webhook.received, 'one attempt each').toHaveLength(2);
  });

  it('sends nothing while Fairlead is off', async () => {
    webhook = await openWebhook();
    const world = await setUp(webhook.url);
    writeSwitch(nodeFiles, world.paths.state, { since: 0 });
    await expect(world.run(test)).rejects.toThrow('Fairlead is off');
    expect(webhook.received).toEqual([]);
  });

  it('needs a webhook', async () => {
    await expect(project.world().run(test)).rejects.toThrow('fairlead notify setup');
  });
});

describe('notify rotate-key', () => {
  it('encrypts every address with the new key', async () => {
    webhook = await openWebhook();
    const world = await setUp(webhook.url);
    const other = join(project.home, 'other');
    mkdirSync(join(other, '.context'), { recursive: true });
    writeFileSync(join(other, 'package.json'), '{}');
    const there = fakeWorld({ home: project.home, cwd: other, stdin: webhook.url });
    await there.run(setup);
    const before = readFileSync(key());
    expect(await told(world, rotateKey)).toEqual({ key: key(), encrypted: [project.root, other], kept: [], lost: [] });
    expect(readFileSync(key())).not.toEqual(before);
    expect(statSync(key()).mode & 0o777).toBe(0o600);
    expect(await world.run(test)).toBe(0);
    expect(await there.run(test)).toBe(0);
    expect(existsSync(oldKeyOf(key()))).toBe(false);
    there.close();
  });

  it.each<[string, (world: FakeWorld) => Promise<unknown>]>([
    ['the next rotation', (world) => world.run(rotateKey)],
    ['setup', () => setUp('https://other.example.com/x')],
  ])('cut short before anything is encrypted anew, it is finished by %s', async (_what, finish) => {
    const world = await setUp();
    const other = join(project.home, 'other');
    mkdirSync(join(other, '.context'), { recursive: true });
    writeFileSync(join(other, 'package.json'), '{}');
    const there = fakeWorld({ home: project.home, cwd: other, stdin: 'https://there.example.com/x' });
    await there.run(setup);
    replaceKey(key());
    expect(await told(there, status)).toMatchObject({ webhook: 'ready', host: 'there.example.com' });
    expect(statSync(oldKeyOf(key())).mode & 0o777).toBe(0o600);
    await finish(world);
    expect(existsSync(oldKeyOf(key()))).toBe(false);
    expect(await told(there, status)).toMatchObject({ webhook: 'ready', host: 'there.example.com' });
    expect(await told(world, status)).toMatchObject({ webhook: 'ready' });
    there.close();
  });

  it('names what it could not save', async () => {
    const world = await setUp();
    writeFileSync(enc(), '{}');
    world.printed.out = '';
    expect(await world.run(rotateKey)).toBe(1);
    expect(world.printed.out).toContain(`${project.root}: its address cannot be opened`);
  });

  it('leaves a key of another path alone', async () => {
    const world = await setUp();
    project.putUser('config.yaml', 'packs: { context: { notify: { key_path: ~/elsewhere.key } } }\n');
    const fresh = project.world();
    await expect(fresh.run(rotateKey)).rejects.toThrow('is missing');
    expect(existsSync(key())).toBe(true);
    world.close();
  });
});

describe('notify status', () => {
  it('shows the host and what became of the records, never the path', async () => {
    project.putUser('config.yaml', EVENTS);
    const world = await setUp();
    world.printed.out = '';
    expect(await world.run(status)).toBe(0);
    const lines = world.printed.out.trimEnd().split('\n');
    expect(lines.map((line) => line.split(/ {2,}/))).toEqual([
      ['webhook', 'hooks.example.com'],
      ['events', 'relay, nudge'],
      ['key', expect.stringMatching(/notify\.key, 0 days old$/)],
      ['sent', '0'],
      ['failed', '0'],
      ['dropped', '0'],
      ['event log', 'off'],
    ]);
  });

  it.each<[string, () => void, RegExp, string]>([
    ['the key is gone', () => rmSync(key()), /missing/, 'none yet'],
    ['the key is open to others', () => chmodSync(key(), 0o644), /can be read by others/, 'which cannot be used'],
    ['the address is not ours', () => writeFileSync(enc(), '{}'), /cannot be opened/, '0 days old'],
  ])('exit code 1 when %s', async (_what, harm, why, keyIs) => {
    const world = await setUp();
    harm();
    world.printed.out = '';
    expect(await world.run(status)).toBe(1);
    expect(world.printed.out).toMatch(why);
    expect(world.printed.out).toContain(`notify.key, ${keyIs}\n`);
    expect((await told(world, status))['problem']).toMatch(why);
  });

  it('without anything', async () => {
    const world = project.world();
    expect(await world.run(status)).toBe(0);
    expect(world.printed.out).toContain('none is set up');
    expect(await told(world, status)).toMatchObject({ webhook: 'absent', events: [], packOn: false });
    expect(existsSync(dirname(key())) && existsSync(key())).toBe(false);
  });
});
