import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { activeRule, callWith, plainAdapter, policyOf, toolEvent } from '../engine/engine.fixture.ts';
import type { Later, RelayEvent, RelayRecord } from '../event/follow-up.ts';
import type { Engine, Seen } from '../engine/engine.ts';
import type { Mode } from '../event/verdict.ts';
import { handle } from '../handle.ts';
import { readRelays } from '../ledger/relays.ts';
import { openEngine } from '../assembly/open-engine.ts';
import type { OpenedEngine } from '../assembly/open-engine.ts';
import { nodeFiles } from '../platform/files.ts';
import { pathsOf } from '../platform/paths.ts';
import { pause } from '../platform/timers.ts';
import { writeSwitch } from '../state/switch.ts';
import { acceptProject, listProject } from '../workspace/config/trust.ts';
import { readHealth } from './health.ts';
import { createRelay } from './relay.ts';
import { openWebhook } from './webhook.fixture.ts';
import type { WebhookServer } from './webhook.fixture.ts';
import { writeWebhook } from './webhook.ts';

let dir: string;
let root: string;
let engine: OpenedEngine;
let webhook: WebhookServer;
let calls = 0;

beforeEach(async () => {
  dir = realpathSync(mkdtempSync(join(tmpdir(), 'fairlead-relay-')));
  root = join(dir, 'shop');
  mkdirSync(join(root, '.git'), { recursive: true });
  mkdirSync(join(root, '.context'));
  webhook = await openWebhook();
});
afterEach(async () => {
  engine.close();
  await webhook.close();
  rmSync(dir, { recursive: true });
});

const paths = () => pathsOf(join(dir, 'home'));
const subscribe = (...events: RelayEvent[]) => `{ notify: { events: [${events.join()}], timeout_ms: 60000 } }`;

function configure(context: string | undefined, config = join(paths().config, 'config.yaml')): void {
  mkdirSync(join(config, '..'), { recursive: true });
  if (context !== undefined) writeFileSync(config, `packs:\n  context: ${context.replace('{', '{ enabled: true,')}\n`);
}

/** An engine in this home, with a webhook that is set up in the project. */
function open(context: string | undefined, resident = true): void {
  configure(context);
  const { config } = paths();
  writeWebhook({ files: nodeFiles, root, config, userHome: dir }, new URL(webhook.url));
  engine = openEngine({ paths: paths(), userHome: dir, resident });
}

const SAY = (later: Later, event: RelayEvent): void => later.relay('due', 'two are due', { count: 2 }, event);

/** An event at which a rule relays, under the settings of this home. */
async function relayed(event: RelayEvent, mode: Mode = 'enforce', more: Partial<Engine> = {}): Promise<void> {
  const rule = activeRule(
    'test/tells',
    (_event, { later, pass }) => {
      SAY(later, event);
      return pass();
    },
    {},
    mode,
  );
  const now = Date.now();
  const told = toolEvent({ id: `call-${(calls += 1)}` }, { cwd: root, receivedAt: now });
  await handle(callWith(told, { receivedAt: now, home: dir, cwd: root }), plainAdapter, {
    ...engine,
    async locate(each, project) {
      const place = await engine.locate(each, project);
      const { relay } = place.policy;
      return { ...place, policy: policyOf([rule], relay && { relay }) };
    },
    ...more,
  });
}

const health = () => readHealth(engine.store, root, Date.now());
const failures = () => engine.failures.read().filter(({ what }) => what.includes('webhook'));
function logged(): RelayRecord[] {
  engine.ledger.flush();
  return engine.memory.db ? readRelays(engine.memory.db) : [];
}

describe('what a rule relays', () => {
  it.each<[RelayEvent, RelayEvent[], string[]]>([
    ['nudge', ['relay', 'nudge'], ['nudge']],
    ['nudge', ['relay'], ['relay']],
    ['relay', ['nudge'], []],
    ['heartbeat', ['heartbeat'], ['heartbeat']],
    ['heartbeat', [], []],
  ])('%s, to a subscriber of %j: %j', async (event, subscribed, sent) => {
    open(subscribe(...subscribed));
    await relayed(event);
    await engine.finishLate(5_000);
    expect(webhook.received.map(({ record }) => record.event)).toEqual(sent);
    expect(logged().map((record) => record.event)).toEqual([event]);
    expect(health().sent).toBe(sent.length);
  });

  it('arrives in its wire form', async () => {
    open(subscribe('nudge'));
    await relayed('nudge');
    await webhook.got(1);
    expect(webhook.received[0]?.record).toEqual({
      event: 'nudge',
      message: 'test/tells: two are due',
      detail: { hook: 'test/tells', variant: 'due', variables: { count: 2 } },
      session_id: 's1',
      timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      project: 'shop',
    });
  });

  it('of a rule that only watches is logged and not sent', async () => {
    open(subscribe('relay'));
    await relayed('relay', 'shadow');
    await engine.finishLate(1_000);
    expect(logged()).toHaveLength(1);
    expect(webhook.received).toEqual([]);
  });

  it.each([
    ['a project that is not trusted', false, 0],
    ['a trusted project', true, 1],
  ])('subscriptions of %s', async (_what, isTrusted, sent) => {
    configure(subscribe('relay'), join(root, '.fairlead/config.yaml'));
    const deps = { files: nodeFiles, state: paths().state, now: Date.now };
    if (isTrusted) expect(acceptProject(listProject(root, deps), deps)).toEqual({ accepted: true });
    open(undefined);
    await relayed('relay');
    await engine.finishLate(5_000);
    expect(webhook.received).toHaveLength(sent);
  });

  it('of a job or an observer, which know no settings, takes the same way', async () => {
    open(subscribe('relay'));
    const relay = createRelay({
      log() {},
      policyAt: engine.workspaces.policyAt,
      store: engine.store,
      files: nodeFiles,
      config: paths().config,
      userHome: dir,
      now: Date.now,
      soon() {},
      isOff: () => false,
      onFailure: (what, error) => expect.fail(`${what}: ${String(error)}`),
    });
    relay.take({ at: 0, event: 'relay', rule: 'a/b', variant: 'c', message: 'a/b: d', root });
    relay.take({ at: 0, event: 'relay', rule: 'a/b', variant: 'c', message: 'a/b: d', root: dir });
    await relay.idle();
    expect(webhook.received.map(({ record }) => record.project)).toEqual(['shop']);
    relay.close();
  });
});

describe('a webhook that is dead', () => {
  it('is not even asked before the reply is there', async () => {
    webhook.answers = ['hang'];
    open(subscribe('relay'));
    for (let count = 0; count < 20; count += 1) {
      await relayed('relay');
      // One record is on its way from the second event on; no reply waits for it, and none adds a request.
      expect(webhook.received.length).toBeLessThanOrEqual(count === 0 ? 0 : 1);
    }
    await webhook.got(1);
    engine.close();
    expect(webhook.received).toHaveLength(1);
    engine = openEngine({ paths: paths(), userHome: dir, resident: true });
    expect(health()).toMatchObject({ sent: 0, failed: 0, dropped: 20 });
  });

  it('is told once in the log of failures, and counted', async () => {
    webhook.answers = [404];
    open(subscribe('relay'));
    await relayed('relay');
    await relayed('relay');
    await engine.finishLate(5_000);
    expect(health()).toMatchObject({ sent: 0, failed: 2, problem: 'answered with status 404' });
    expect(failures().map(({ message }) => message)).toEqual(['answered with status 404']);
    webhook.answers = [204];
    await relayed('relay');
    await engine.finishLate(5_000);
    expect(health()).toMatchObject({ sent: 1, failed: 2 });
    expect(health().problem).toBeUndefined();
  });

  it('is tried again after a second', async () => {
    webhook.answers = [503, 204];
    open(subscribe('relay'));
    await relayed('relay');
    await engine.finishLate(10_000);
    const [first, second] = webhook.received.map(({ at }) => at);
    expect((second ?? 0) - (first ?? 0)).toBeGreaterThanOrEqual(950);
    expect(health()).toMatchObject({ sent: 1, failed: 0 });
  });

  it('an address that cannot be opened fails like one that does not answer', async () => {
    open(subscribe('relay'));
    rmSync(join(paths().config, 'notify.key'));
    await relayed('relay');
    await engine.finishLate(5_000);
    expect(failures()[0]?.message).toContain('is missing');
    expect(failures()[0]?.message).not.toContain('secret');
  });
});

describe('a process for one event', () => {
  it('sends when its reply is out', async () => {
    open(subscribe('relay'), false);
    await relayed('relay');
    await pause(20);
    expect(webhook.received).toEqual([]);
    await engine.finishLate(5_000);
    expect(webhook.received).toHaveLength(1);
  });

  it('gives up in time, and the next ones do not wait again', async () => {
    webhook.answers = ['hang'];
    open(subscribe('relay'), false);
    await relayed('relay');
    await engine.finishLate(250);
    engine.close();
    engine = openEngine({ paths: paths(), userHome: dir, resident: false });
    expect(health()).toMatchObject({ sent: 0, failed: 1, dropped: 0 });
    expect(failures()).toHaveLength(1);
    await relayed('relay');
    await engine.finishLate(60_000);
    expect(webhook.received).toHaveLength(1);
    expect(health()).toMatchObject({ failed: 1, dropped: 1 });
  });
});

describe('nothing is sent', () => {
  it('while Fairlead is off', async () => {
    open(subscribe('relay'));
    let seen: Seen | undefined;
    await relayed('relay', 'enforce', { after: (each) => void (seen = each) });
    writeSwitch(nodeFiles, paths().state, { since: 0 });
    engine.look();
    if (seen) engine.after?.(seen);
    await engine.finishLate(1_000);
    await relayed('relay');
    await engine.finishLate(1_000);
    expect(seen?.followUps).toHaveLength(1);
    expect(webhook.received).toEqual([]);
  });

  it('where no webhook is set up, and nothing is counted', async () => {
    open(subscribe('relay'));
    rmSync(join(root, '.context/.notify.enc'));
    await relayed('relay');
    await engine.finishLate(1_000);
    expect(engine.failures.read()).toEqual([]);
    expect(health()).toEqual({ sent: 0, failed: 0, dropped: 0 });
  });
});

it('the project can have a log of its own', async () => {
  open('{ event_log: true }');
  await relayed('nudge');
  await relayed('heartbeat');
  await engine.finishLate(1_000);
  const lines = readFileSync(join(root, '.context/state/events.jsonl'), 'utf8').trimEnd().split('\n');
  expect(lines.map((line) => (JSON.parse(line) as { event: string }).event)).toEqual(['nudge', 'heartbeat']);
  expect(webhook.received).toEqual([]);
});
