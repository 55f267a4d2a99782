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

describe('what was done', () => {
  const quiet = activeRule('test/quiet', (_, { pass }) => pass());
  const stops = activeRule('test/stops', (event, { deny, pass }) =>
    event.tool?.command?.startsWith('npm publish') === true ? deny('said', { text: own('No.') }) : pass(),
  );
  const wordsOf = (lines: readonly string[]) => lines.slice(1).map((line) => line.split(/ {2,}/).slice(1, -1));

  test('a line names project, event, command, decision and rule', async () => {
    await send([stops], 'npm test', 'npm publish --dry-run');
    const lines = await logged(120);
    expect(lines[0]).toMatch(/^time +project +event +what +decision +rule +id$/);
    expect(wordsOf(lines)).toEqual([
      ['project', 'tool.before', 'npm test', 'pass'],
      ['project', 'tool.before', 'npm publish --dry-run', 'deny', 'test/stops'],
    ]);
  });

  test('secrets are not in it, and nothing in it moves the cursor', async () => {
    await send([quiet], `curl -u me:hunter22 x\u001b[2Jy`, 'export API_TOKEN=abcdefgh12345678');
    const text = (await logged(Infinity)).join('\n');
    for (const secret of ['hunter22', 'abcdefgh12345678', '\u001b']) expect(text).not.toContain(secret);
    expect(text).toContain('curl -u [redacted]');
    expect(text).toContain('\\u001b[2Jy');
  });

  test('a pipe gets the whole command, a terminal as much as it is wide', async () => {
    const command = `echo ${'word '.repeat(40)}end`;
    await send([stops], command, 'npm publish');
    expect((await logged(Infinity))[1]).toContain(command);
    for (const columns of [200, 120, 100, 80, 60])
      for (const line of await logged(columns)) expect(line.length, line).toBeLessThanOrEqual(columns);
  });

  test('--grep finds what is shown, however far back', async () => {
    await send([stops], 'npm publish', ...Array.from({ length: 60 }, (_, at) => `echo ${at}`), 'git push');
    expect(wordsOf(await logged(120, '--grep', 'PUBLISH')).map((words) => words[2])).toEqual(['npm publish']);
    expect(wordsOf(await logged(120, '--grep', 'echo', '-n', '2')).map((words) => words[2])).toEqual([
      'echo 58',
      'echo 59',
    ]);
    expect(await logged(120, '--grep', 'test/stops', '--json')).toHaveLength(1);
    expect(await logged(120, '--grep', 'echo', '-n', 'all', '--json')).toHaveLength(60);
  });

  test('this project by default, --all for every one, and a session wherever it was', async () => {
    await send([quiet], 'npm test');
    const elsewhere = stage.world({ cwd: stage.home });
    await elsewhere.run(log);
    expect(elsewhere.printed.out).toBe(`No event matches in ${stage.home}; \`--all\` looks in every project.\n`);
    for (const argv of [['--all'], ['-a'], ['--session', 's1']]) {
      elsewhere.printed.out = '';
      await elsewhere.run(log, ...argv);
      expect(elsewhere.printed.out).toContain('npm test');
    }
  });

  test('JSON says what was done', async () => {
    await send([stops], 'npm publish');
    expect(JSON.parse((await logged(100, '--json'))[0] ?? '')).toMatchObject({
      what: 'npm publish',
      outcome: 'deny',
      rules: 'test/stops',
      root: stage.project,
    });
  });
});

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
      expect.stringMatching(/ tool\.before +list +pass/),
      expect.stringMatching(/ tool\.before +edit +pass/),
      'test/detects: method payload, 12 ms old',
      expect.stringMatching(/ tool\.before +stop +deny/),
    ]);
  });

  test('in a narrow terminal it is cut', async () => {
    await send([activeRule('test/long', (_, { pass }) => pass(`first\n${'long '.repeat(60)}`, 'remark'))], 'edit');
    const [, , remark = ''] = await logged(100);
    expect(remark).toMatch(/^ {10}test\/long: first ⏎ long .*…$/);
    expect(remark.length).toBeLessThanOrEqual(100);
  });

  test('in a pipe it is whole', async () => {
    await send([activeRule('test/long', (_, { pass }) => pass('long '.repeat(60), 'remark'))], 'edit');
    expect((await logged(Infinity))[2]).toBe(`          test/long: ${'long '.repeat(60)}`.trimEnd());
  });

  test('what a rule in shadow would have said is one', async () => {
    await send([{ ...stops, mode: 'shadow' }], 'list', 'stop');
    expect((await logged(120)).slice(2).map((line) => line.trim())).toEqual([
      expect.stringMatching(/ stop +pass /),
      'test/stops: in shadow, would deny: No.',
    ]);
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
    expect(lines[0]).toMatch(/^time +session +project +event +variant +message$/);
    expect(lines.slice(1).map((line) => line.replace(/^(\d\d-\d\d )?[\d:]{8} +/, ''))).toEqual([
      's1       project  relay  other    test/also: the other one',
      's1       project  relay  changed  test/relays: increment 0001-demo changed',
      's1       project  relay  other    test/also: the other one',
      's1       project  relay  changed  test/relays: increment 0002-next changed',
    ]);
    expect(await logged(120, '--kind', 'decisions')).toHaveLength(3);
  });

  test.each<[readonly string[], number]>([
    [['-n', 'all'], 4],
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
    [['--kind', 'relay', '--grep', 'x'], /--grep is about decisions/],
    [['--kind', 'relay', '--session', 'nope'], /no session "nope"/],
    [['--kind', 'relay', '--rule', 'no/such'], /no rule "no\/such"/],
    [['--kind', 'relay', '--last', 'x'], /--last wants a number/],
  ])('%j is a mistake', async (argv, message) => {
    await expect(logged(100, ...argv)).rejects.toThrow(message);
    await expect(logged(100, ...argv)).rejects.toBeInstanceOf(UsageError);
  });
});
