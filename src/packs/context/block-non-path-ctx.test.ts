import { chmodSync, mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { Answer, World } from '../world.fixture.ts';
import { contextWorld } from './context.fixture.ts';
import type { ContextWorldOptions } from './context.fixture.ts';
import { judge, pauseSession, relaysOf } from './session.fixture.ts';

const RULE = 'block-non-path-ctx';
const worldOf = (more: ContextWorldOptions = {}): World => contextWorld({ only: [RULE], ...more });
const run = (world: World, command: string, more?: Readonly<Record<string, unknown>>): Promise<Answer> =>
  world.before('Bash', { command }, more);

const GO = 'deny go-run';
const DOT = 'deny dot-slash';
const ABSOLUTE = 'deny absolute-path';

it.each<[string, string]>([
  ['./ctx status', DOT],
  ['../bin/ctx', DOT],
  ['dist/ctx status', DOT],
  ['go run ./cmd/ctx status', GO],
  ['a && /var/x/ctx', ABSOLUTE],
  ['~/go/src/ctx/ctx status', ABSOLUTE],
  ['"$HOME/src/ctx" status', ABSOLUTE],
  ['/tmp/ctx-test/ctx x', 'pass'],
  ['/usr/local/bin/ctx status', 'pass'],
  ['echo ./ctx', 'pass'],
  ['./ctxx', 'pass'],
  ['cat ./ctx/main.go', 'pass'],
  ["bash -c './ctx status'", DOT],
  ['env A=1 ./ctx', DOT],
  ['x=$(./ctx v)', DOT],
  ['', 'pass'],
  ['ctx status', 'pass'],
  ['ls\n./ctx status', DOT],
  ['echo "run ./ctx status" # then ./ctx', 'pass'],
  ['cat <<E\n./ctx status\nE', 'pass'],
  ['bash <<E\n./ctx status\nE', DOT],
  ['ls | xargs ./ctx add', DOT],
  ['sudo /opt/x/ctx', ABSOLUTE],
  ['X=./ctx; $X status', DOT],
  ['$(which ctx) status', 'pass'],
  ['/usr/local/bin/../../../var/x/ctx', ABSOLUTE],
  ['/usr/local/bin/x/ctx', ABSOLUTE],
  ['go run -race -tags x ./cmd/ctx/main.go ./cmd/ctx/more.go status', GO],
  ['cd cmd/ctx && go run . status', GO],
  ['go run cmd/ctx/main.go status', GO],
  ['go -C cmd run ./ctx status', GO],
  ['go run ./cmd/other ctx', 'pass'],
  ['go build ./cmd/ctx', 'pass'],
  ['go run example.org/x/cmd/ctx@latest', 'pass'],
  ['/var/x/ctx; ./ctx; go run ./cmd/ctx', GO],
  ['/var/x/ctx; ./ctx', DOT],
  ['./node_modules/.bin/ctx', 'pass'],
  ['/srv/app/node_modules/.bin/ctx', 'pass'],
])('%j: %s', async (command, expected) => {
  expect(await judge(worldOf(), command)).toBe(expected);
});

it('is there in a project that is not initialised, in a paused session, and in other agents of it', async () => {
  const world = worldOf({ uninitialised: true });
  pauseSession(world);
  expect(await judge(world, 'cd x && ./dist/ctx agent')).toBe(DOT);
  expect((await run(world, './ctx', { agent_id: 'a1', agent_type: 'explorer' })).action).toBe('deny');
});

it('says what to type instead, why, who can allow it, and where the project says so', async () => {
  const world = worldOf();
  const { reason } = await run(world, 'A=./ctx B=2 ./ctx add "a  b" > out');
  expect(reason).toContain('`A=./ctx B=2 ./ctx add "a b" > out` runs ctx by a relative path');
  expect(reason).toContain('only the copy on PATH is supported; see .context/CONSTITUTION.md.\n');
  expect(reason).toContain('\nInstead: A=./ctx B=2 ctx add "a  b" > out\n');
  expect(reason).toContain('fairlead allow-once');
  expect((await run(world, 'go run -race ./cmd/ctx status -v | cat')).reason).toContain('\nInstead: ctx status -v\n');
  expect((await run(world, '{./ctx,add} a')).reason).toContain('\nInstead: ctx add a\n');
  const long = (await run(world, `./ctx ${'x'.repeat(500)}`)).reason;
  expect(long.length).toBeLessThanOrEqual(700);
});

it.each<[string, string, number, Readonly<Record<string, unknown>>]>([
  ['of any length is cut at a line end', `${'x'.repeat(99)}\n`.repeat(20), 699, { name: 'ctx', cut: 1_999 }],
  ['that fits stays', 'Use the one on PATH.', 20, { name: 'ctx' }],
])('a reason in other words %s', async (_, wording, length, relayed) => {
  const world = worldOf();
  world.put(`${world.paths.config}/messages/context/${RULE}/dot-slash.md`, wording);
  const { action, reason } = await run(world, './ctx status');
  const said = reason.replace(/\nA person can let it through: `fairlead allow-once \w{6}`\.$/, '');
  expect([action, said]).toEqual(['deny', `[context/${RULE}] ${wording.slice(0, length)}`]);
  expect(relaysOf(world).map(({ variables }) => variables)).toEqual([relayed]);
});

it('points to no constitution where there is none', async () => {
  const world = worldOf();
  const { reason } = await run(world, './ctx', { cwd: world.home });
  expect(reason).toContain('Instead: ctx');
  expect(reason).not.toContain('CONSTITUTION');
});

it('lets the file pass that the bare name would run, also through a link', async () => {
  const world = worldOf();
  const [tools, store] = [join(world.home, 'tools'), join(world.home, 'store')];
  for (const dir of [tools, store]) mkdirSync(dir);
  chmodSync(world.put(join(store, 'ctx'), ''), 0o755);
  symlinkSync(join(store, 'ctx'), join(tools, 'ctx'));
  const call = { variables: { PATH: `bin:/none:${tools}` } };
  const send = async (command: string) => {
    const payload = { session_id: 's', cwd: world.root, hook_event_name: 'PreToolUse', tool_name: 'Bash' };
    return (await world.send({ ...payload, tool_input: { command } }, call)).action;
  };
  expect(await send(`${tools}/ctx status`)).toBe('pass');
  expect(await send(`${store}/ctx status`)).toBe('pass');
  expect(await send('~/tools/ctx status')).toBe('pass');
  expect(await send(`${world.home}/other/ctx status`)).toBe('deny');
});

it.each<[string, string, string]>([
  ['binaries: [ctx, fairlead]', './bin/fairlead status', DOT],
  ['binaries: [fairlead]', './ctx', 'pass'],
  ['binaries: []', './ctx', 'pass'],
  ['binaries: 7', './ctx', DOT],
  ['system_dirs: [~/tools]', '~/tools/ctx', 'pass'],
  ['system_dirs: [/opt]', '/usr/bin/ctx', ABSOLUTE],
  ['system_dirs: { a: b }', '/usr/bin/ctx', 'pass'],
  ['test_prefixes: [/scratch]', '/scratch/a/ctx', 'pass'],
  ['test_prefixes: [/scratch]', '/scratch/../var/ctx', ABSOLUTE],
  ['test_prefixes: []', '/tmp/ctx-test/ctx', ABSOLUTE],
  ['allow: [cmd/*]', 'go run ./cmd/ctx', 'pass'],
  ['allow: [/var/x/*]', '/var/x/ctx', 'pass'],
  ['allow: []', './node_modules/.bin/ctx', DOT],
  ['allow: [7, "dist/*"]', './dist/ctx', 'pass'],
])('%s: %s: %s', async (options, command, expected) => {
  expect(await judge(worldOf({ options }), command)).toBe(expected);
});

it.each<[string, string]>([
  ['./ctx status "', 'ask dot-slash'],
  ['./ctx a\nif then', 'ask dot-slash'],
  ['$TOOLS/ctx status', 'ask absolute-path'],
  ['$TOOLS/ctx; /var/x/ctx', 'deny absolute-path'],
  ['ctx status "', 'pass'],
])('what cannot be told is asked about: %j: %s', async (command, expected) => {
  expect(await judge(worldOf(), command)).toBe(expected);
});

it('denies where nobody would be asked', async () => {
  expect(await judge(worldOf(), './ctx "', { permission_mode: 'dontAsk' })).toBe(DOT);
});

it.each<[string | undefined, string]>([
  [undefined, 'nudge'],
  ['relay: { blocks: relay }', 'relay'],
  ['relay: { blocks: nudge+relay }', 'nudge'],
  ['relay: { blocks: nobody }', 'nudge'],
  ['relay: 7', 'nudge'],
])('is relayed; with %s as %s', async (options, event) => {
  const world = worldOf(options === undefined ? {} : { options });
  await run(world, './ctx add "a secret"');
  expect(relaysOf(world)).toMatchObject([
    { event, rule: `context/${RULE}`, variant: 'dot-slash', variables: { name: 'ctx' } },
  ]);
  expect(relaysOf(world)[0]?.message).toBe(`context/${RULE}: ctx was called by a relative path`);
});

it('has no cost for commands without the name: nothing is looked at', async () => {
  const world = worldOf();
  await run(world, './ctx');
  world.work.stat.length = 0;
  expect((await run(world, 'make test')).action).toBe('pass');
  expect(world.work.stat).toEqual([]);
});
