import { own } from '../../engine/api/message-values.ts';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { activeRule, callWith, plainAdapter, policyOf, toolEvent } from '../../engine/engine.fixture.ts';
import type { ActiveRule } from '../../engine/match/rule-index.ts';
import { handle } from '../../handle.ts';
import { UsageError } from '../command.ts';
import { createStage } from '../played.fixture.ts';
import type { Stage } from '../played.fixture.ts';
import { log } from './log.ts';

let stage: Stage;
beforeEach(() => {
  stage = createStage();
});
afterEach(() => stage.remove());

/** Sends calls through the engine of this home, with these rules in force. */
async function send(rules: readonly ActiveRule[], ...commands: readonly string[]): Promise<void> {
  const world = stage.world();
  const engine = world.engine();
  const now = engine.clock.now();
  for (const [at, command] of commands.entries()) {
    const event = toolEvent({ id: `call-${at}`, name: 'shell', command }, { cwd: stage.project, receivedAt: now });
    await handle(callWith(event), plainAdapter, {
      ...engine,
      async locate(each, project) {
        return { ...(await engine.locate(each, project)), policy: policyOf(rules) };
      },
    });
    engine.ledger.flush();
  }
  world.close();
}

async function logged(columns: number, ...argv: readonly string[]): Promise<string[]> {
  const world = stage.world({ columns });
  await world.run(log, ...argv);
  return world.printed.out.trimEnd().split('\n');
}

describe('remarks', () => {
  const detects = activeRule('test/detects', (event, { pass }) =>
    event.tool?.command === 'edit' ? pass('method payload, 12 ms old', 'remark') : pass('nothing to look at'),
  );
  const stops = activeRule('test/stops', (event, { deny, pass }) =>
    event.tool?.command === 'stop' ? deny('said', { text: own('No.') }) : pass(),
  );

  test('a rule that passed with a remark has a line of its own under the event', async () => {
    await send([detects, stops], 'list', 'edit', 'stop');
    const lines = await logged(120);
    expect(lines.map((line) => line.slice(0, 60).trim())).toEqual([
      expect.stringMatching(/^time/),
      expect.stringMatching(/ 1 {2}tool\.before +shell +pass/),
      expect.stringMatching(/ 2 {2}tool\.before +shell +pass/),
      'test/detects: method payload, 12 ms old',
      expect.stringMatching(/ 3 {2}tool\.before +shell +deny/),
    ]);
  });

  test('in a narrow terminal it is cut', async () => {
    await send([activeRule('test/long', (_, { pass }) => pass(`first\n${'long '.repeat(60)}`, 'remark'))], 'edit');
    const [, , remark = ''] = await logged(100);
    expect(remark).toMatch(/^ {10}test\/long: first ⏎ long .*…$/);
    expect(remark.length).toBeLessThanOrEqual(100);
  });

  test('JSON carries them with their event', async () => {
    await send([detects], 'list', 'edit');
    const [list, edit] = (await logged(100, '--json')).map((line) => JSON.parse(line) as object);
    expect(list).not.toHaveProperty('remarks');
    expect(edit).toMatchObject({
      outcome: 'pass',
      rules: '',
      remarks: [{ rule: 'test/detects', reason: 'method payload, 12 ms old' }],
    });
  });

  test('--rule finds events in which the rule only remarked', async () => {
    await send([detects, stops], 'list', 'edit', 'stop');
    const found = (await logged(100, '--rule', 'test/detects', '--json')).map(
      (line) => JSON.parse(line) as { seq: number },
    );
    expect(found.map(({ seq }) => seq)).toEqual([2]);
  });
});

describe('--kind relay', () => {
  const relays = activeRule('test/relays', (event, { later, pass }) => {
    later.relay('changed', `increment ${event.tool?.command ?? ''} changed`, { tasks: 2 });
    return pass();
  });
  const alsoRelays = activeRule('test/also', (_, { later, pass }) => {
    later.relay('other', 'the other one');
    return pass();
  });

  test('an empty log says so', async () => {
    expect(await logged(100, '--kind', 'relay')).toEqual(['No rule has relayed anything.']);
  });

  test('one line per record, newest last', async () => {
    await send([relays, alsoRelays], '0001-demo', '0002-next');
    const lines = await logged(120, '--kind', 'relay');
    expect(lines[0]).toMatch(/^time +session +workspace +event +variant +message$/);
    expect(lines.slice(1).map((line) => line.replace(/^(\d\d-\d\d )?[\d:]{8} +/, ''))).toEqual([
      's1       project    relay  other    test/also: the other one',
      's1       project    relay  changed  test/relays: increment 0001-demo changed',
      's1       project    relay  other    test/also: the other one',
      's1       project    relay  changed  test/relays: increment 0002-next changed',
    ]);
    expect(await logged(120, '--kind', 'decisions')).toHaveLength(3);
  });

  test.each<[readonly string[], number]>([
    [['--all'], 4],
    [['--last', '1'], 1],
    [['--rule', 'test/relays'], 2],
    [['--session', 's'], 4],
    [['--since', '1h'], 4],
    [['--rule', 'test/also', '--last', '1'], 1],
  ])('%j shows %i', async (argv, count) => {
    await send([relays, alsoRelays], 'one', 'two');
    const found = (await logged(100, '--kind', 'relay', '--json', ...argv)).map((line) => JSON.parse(line) as object);
    expect(found).toHaveLength(count);
    expect(found.at(-1)).toMatchObject({ event: 'relay', session: 's1', root: stage.project });
  });

  test('JSON has the whole record', async () => {
    await send([relays], 'one');
    const [line = ''] = await logged(100, '--kind', 'relay', '--json');
    expect(JSON.parse(line)).toEqual({
      n: 1,
      at: expect.any(Number) as number,
      event: 'relay',
      rule: 'test/relays',
      variant: 'changed',
      message: 'test/relays: increment one changed',
      variables: { tasks: 2 },
      session: 's1',
      root: stage.project,
    });
  });

  test.each([
    [['--kind', 'relays'], /no kind of record is called "relays"; there is decisions, relay/],
    [['--kind', 'relay', '--event', 'tool.before'], /--event is about decisions/],
    [['--kind', 'relay', '--action', 'deny'], /--action is about decisions/],
    [['--kind', 'relay', '--session', 'nope'], /no session "nope"/],
    [['--kind', 'relay', '--rule', 'no/such'], /no rule "no\/such"/],
    [['--kind', 'relay', '--last', 'x'], /--last wants a number/],
  ])('%j is a mistake', async (argv, message) => {
    await expect(logged(100, ...argv)).rejects.toThrow(message);
    await expect(logged(100, ...argv)).rejects.toBeInstanceOf(UsageError);
  });
});
