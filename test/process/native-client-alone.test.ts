import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { isLong } from '../cases.ts';
import { PATIENCE_MS, until } from '../patience.ts';
import { buildClient } from '../../scripts/build-client.mjs';
import { ASIDE, serveFrames } from './frame-server.ts';
import type { FrameServer } from './frame-server.ts';
import { base, built, CLIENT, endings, newWorld, put, readIfThere, ROOT, STAMP, start } from './start-client.ts';
import type { World } from './start-client.ts';

const SLOTS = 4;

let server: FrameServer | undefined;
afterEach(async () => {
  await server?.close();
  server = undefined;
});

/** Words of a one-shot that ends when the test says so. */
const UNTIL_GO = 'while [ ! -e "$dir/go" ]; do sleep 0.1; done';

/** A one-shot that takes its time and notes how many run beside it. */
const slow = (wait: string): string => `#!/bin/sh
dir=$(dirname "$0")
mkdir -p "$dir/running"
: > "$dir/running/$$"
beside=0
for each in "$dir"/running/*; do kill -0 "\${each##*/}" 2> /dev/null && beside=$((beside + 1)); done
echo "$beside" >> "$dir/counts"
cat > /dev/null
${wait}
rm "$dir/running/$$"
printf 'one-shot\\0'
`;

function countsOf({ dir }: World): number[] {
  return readIfThere(join(dir, 'counts')).trim().split('\n').filter(Boolean).map(Number);
}

/** The first four clients, running by themselves; they end with the world. */
async function fillSlots(world: World): Promise<readonly Promise<unknown>[]> {
  const first = Array.from({ length: SLOTS }, () => start(world.args));
  await until('all slots are taken', () => countsOf(world).length === SLOTS);
  return first;
}

describe.skipIf(!built.built)('many clients and no daemon', () => {
  it('runs four one-shots at a time, and serves or counts every other', async () => {
    // The first eight end at once, all others only with their client.
    const world = newWorld({ script: slow('[ $(wc -l < "$dir/counts") -le 8 ] || while :; do sleep 0.1; done') });
    const args = [...world.args, '--within', '8000'];
    const ran = await Promise.all(Array.from({ length: 30 }, () => start(args, { input: 'x'.repeat(200_000) })));
    const served = ran.filter(({ out }) => out === 'one-shot').length;
    expect(ran.map(({ code, err, unread }) => ({ code, err, unread }))).toEqual(
      ran.map(() => ({ code: 0, err: '', unread: undefined })),
    );
    expect(Math.max(...countsOf(world))).toBeLessThanOrEqual(SLOTS);
    expect(served).toBeGreaterThan(SLOTS);
    expect(served).toBeLessThan(30);
    expect(ran.filter(({ out }) => out === '')).toHaveLength(30 - served);
    expect(world.turnedAway()).toBe('e'.repeat(30 - served));
    for (const { ms, out } of ran) if (out === '') expect(ms).toBeGreaterThan(7_900);
  });

  it('serves those in line as soon as a daemon is there', async () => {
    const world = newWorld({ script: slow(UNTIL_GO) });
    const first = await fillSlots(world);
    const rest = Array.from({ length: 6 }, (_, at) => start(world.args, { input: `event ${at}` }));
    await sleep(200);
    server = await serveFrames(world.socket, () => 'daemon');
    const ran = await Promise.all(rest);
    expect(ran.map(({ out, code }) => [out, code])).toEqual(ran.map(() => ['daemon', 0]));
    const seen = server.requests.map(({ body }) => Buffer.from(body).toString()).sort();
    expect(seen).toEqual(rest.map((_, at) => `event ${at}`));
    put(join(world.dir, 'go'), '');
    await Promise.all(first);
  });

  it('keeps trying a daemon that stands aside, and takes a slot that becomes free', async () => {
    const world = newWorld({ script: slow(UNTIL_GO) });
    const asked = await serveFrames(world.socket, () => ASIDE);
    server = asked;
    const first = await fillSlots(world);
    const inLine = start([...world.args, '--within', '60000'], { input: 'in line' });
    await until('it was tried again', () => asked.requests.filter(({ body }) => body.length === 7).length > 2);
    put(join(world.dir, 'go'), '');
    expect(await inLine).toMatchObject({ code: 0, out: 'one-shot' });
    await Promise.all(first);
  });

  it('waits in line as long as it is told, and leaves the one-shot no more than the usual time', async () => {
    const world = newWorld({ script: slow('sleep 9') });
    const first = await fillSlots(world);
    writeFileSync(join(world.dir, 'node'), '#!/bin/sh\ncat > /dev/null\nprintf "%s\\0" "$*"\n', { mode: 0o755 });
    const ran = await start([...world.args, '--within', '25000']);
    expect(ran.ms).toBeGreaterThan(8_000);
    const left = Number(/--within (\d+)$/.exec(ran.out)?.[1]);
    expect(left).toBeGreaterThan(7_000);
    expect(left).toBeLessThanOrEqual(8_000);
    await Promise.all(first);
  });

  it('frees the slot with the one-shot, whatever that has started', async () => {
    const world = newWorld({ node: process.execPath });
    const launcher = join(world.dir, 'launcher.cjs');
    put(
      launcher,
      `const { spawn } = require('node:child_process');
      spawn('sh', ['-c', 'while [ -e "$0" ]; do sleep 0.5; done', __filename], { detached: true, stdio: 'ignore' }).unref();
      require('node:fs').readFileSync(0);
      process.stdout.write('one-shot\\0', () => process.exit(0));`,
    );
    const args = world.args.map((word) => (word === '/the/launcher' ? launcher : word));
    for (let i = 0; i <= SLOTS; i += 1) {
      const ran = await start([...args, '--within', '60000']);
      expect(ran).toMatchObject({ out: 'one-shot' });
    }
  });

  it('frees the slot when the one-shot is killed, and leaves no feeder behind', async () => {
    const world = newWorld({ script: '#!/bin/sh\necho $$ > "$(dirname "$0")/pid"\nexec sleep 30\n' });
    server = await serveFrames(world.socket, () => ASIDE);
    const ran = start(world.args, { input: Buffer.alloc(1_000_000) });
    await until('it runs', () => readIfThere(join(world.dir, 'pid')).endsWith('\n'));
    process.kill(Number(readIfThere(join(world.dir, 'pid'))), 'SIGKILL');
    expect(await ran).toMatchObject({ code: 0, out: '', err: '' });
    if (process.platform === 'linux') await until('nobody is left', () => holdersOf(CLIENT).length === 0);
  });
});

function holdersOf(program: string): string[] {
  return readdirSync('/proc').filter((pid) => {
    try {
      return /^\d+$/.test(pid) && readFileSync(`/proc/${pid}/cmdline`, 'utf8').startsWith(program);
    } catch {
      return false;
    }
  });
}

describe.skipIf(!built.built)('a home that cannot be written', () => {
  const noHome = (options: Parameters<typeof newWorld>[0] = {}): World => {
    const world = newWorld(options);
    rmSync(world.state, { recursive: true });
    writeFileSync(world.state, 'a file where the directory should be');
    return world;
  };

  it('counts in the short directory', async () => {
    const world = noHome({ script: slow(UNTIL_GO) });
    const first = await fillSlots(world);
    await Promise.all(Array.from({ length: 4 }, () => start([...world.args, '--within', '700'])));
    expect(endings(join(world.short, 'turned-away'))).toMatch(/^[da]{4}$/);
    expect(readdirSync(world.short).sort()).toEqual([...slotNames(), 'turned-away']);
    put(join(world.dir, 'go'), '');
    await Promise.all(first);
  });

  it('runs four one-shots at a time, whichever client makes the directory', async () => {
    for (let round = 0; round < (isLong ? 10 : 3); round += 1) {
      const world = noHome({ script: slow('sleep 0.2') });
      await Promise.all(Array.from({ length: 8 }, () => start(world.args)));
      expect(Math.max(...countsOf(world))).toBeLessThanOrEqual(SLOTS);
    }
  });

  it.each([
    ['a link', ({ short, dir }: World) => symlinkSync(dir, short)],
    ['open to others', ({ short }: World) => (mkdirSync(short), chmodSync(short, 0o770))],
    ['a file', ({ short }: World) => writeFileSync(short, '')],
  ])('does without when the short directory is %s', async (_name, spoil) => {
    const world = noHome();
    spoil(world);
    expect(await start(world.args)).toMatchObject({ code: 0, out: 'one-shot', err: '' });
    expect(existsSync(join(world.dir, 'slot-0'))).toBe(false);
    expect(existsSync(join(world.short, 'slot-0'))).toBe(false);
  });

  it('follows no link to write its count', async () => {
    const world = noHome({ node: '/no/such/node' });
    mkdirSync(world.short, { mode: 0o700 });
    put(join(world.dir, 'victim'), 'kept');
    symlinkSync(join(world.dir, 'victim'), join(world.short, 'turned-away'));
    const { code, out } = await start(world.args);
    expect([code, out]).toEqual([0, expect.stringContaining('"deny"')]);
    expect(readIfThere(join(world.dir, 'victim'))).toBe('kept');
  });

  it('makes the directories of a home that was never used', async () => {
    const world = newWorld();
    rmSync(world.state, { recursive: true });
    const state = join(world.state, 'a', 'b');
    const args = world.args.map((word) => (word === world.state ? state : word));
    expect(await start(args)).toMatchObject({ out: 'one-shot' });
    expect(readdirSync(join(state, 'run'))).toEqual(['slot-0']);
  });
});

function slotNames(): string[] {
  return Array.from({ length: SLOTS }, (_, at) => `slot-${at}`);
}

describe.skipIf(!built.built)('the deadline', () => {
  it('holds for a daemon that never answers', async () => {
    const world = newWorld();
    server = await serveFrames(world.socket, () => undefined);
    const ran = await start([...world.args, '--within', '400'], { input: 'x'.repeat(300_000) });
    expect(ran).toEqual({ code: 0, out: '', err: '', ms: ran.ms });
    expect(ran.ms).toBeGreaterThan(390);
    expect(ran.ms).toBeLessThan(PATIENCE_MS);
    expect(world.turnedAway()).toBe('e');
    expect(world.oneShot()).toBeUndefined();
  });

  it('holds for an agent that does not close the input, with and without the kill switch', async () => {
    const world = newWorld();
    server = await serveFrames(world.socket, () => 'never');
    const args = [...world.args, '--within', '300'];
    const ran = await Promise.all([
      start(args, { keepInputOpen: true }),
      start(args, { keepInputOpen: true, env: { FAIRLEAD_DISABLED: '1' } }),
    ]);
    for (const { code, out, ms } of ran) {
      expect([code, out]).toEqual([0, '']);
      expect(ms).toBeLessThan(PATIENCE_MS);
    }
    expect(world.turnedAway()).toBe('e');
  });

  it.each(['0', '-5', 'soon', '5x', '99999999999999999999'])('is the usual one when told %s', async (within) => {
    const world = newWorld();
    expect(await start([...world.args, '--within', within])).toMatchObject({ out: 'one-shot' });
    const left = Number(world.oneShot()?.words.at(-1));
    expect(left).toBeGreaterThan(2_000);
    expect(left).toBeLessThanOrEqual(8000);
  });
});

it.skipIf(!built.built)('reads its input and says nothing when the kill switch is set', async () => {
  const world = newWorld();
  server = await serveFrames(world.socket, () => 'never');
  const ran = await start(world.args, { input: 'x'.repeat(20_000_000), env: { FAIRLEAD_DISABLED: '1' } });
  expect(ran).toEqual({ code: 0, out: '', err: '', ms: ran.ms });
  expect(server.requests).toEqual([]);
  expect(await start(world.args, { env: { FAIRLEAD_DISABLED: '0' } })).toMatchObject({ out: 'never' });
});

describe.skipIf(!built.built)('what cannot be decided', () => {
  const line = (event: string, reply: string, agent = 'claude-code'): string => `${agent} ${event} ${reply}\n`;
  const DENY = '{"deny": "see fairlead doctor ü"}';
  const denyIn = (root: string): string => `${root}\n${line('Stop', 'other')}${line('PreToolUse', DENY)}`;
  const cases: readonly {
    readonly name: string;
    readonly files: Readonly<Record<string, string>>;
    readonly denied: boolean;
    readonly project?: string;
    readonly gone?: boolean;
  }[] = [
    { name: 'nothing is closed', files: {}, denied: false },
    { name: 'the directory is the root', files: { a: denyIn('HERE/p/quay') }, denied: true },
    { name: 'the directory is below the root', files: { a: denyIn('HERE') }, denied: true },
    { name: 'the root is everywhere', files: { a: denyIn('/') }, denied: true },
    { name: 'the directory is gone, and the root everywhere', files: { a: denyIn('/') }, denied: true, gone: true },
    {
      name: 'the directory is gone, and the root not everywhere',
      files: { a: denyIn('HERE') },
      denied: false,
      gone: true,
    },
    { name: 'the root is a sibling', files: { a: denyIn('HERE/p/quay2') }, denied: false },
    { name: 'the root begins alike', files: { a: denyIn('HERE/p/q') }, denied: false },
    {
      name: 'the project is below the root',
      files: { a: denyIn('HERE/other') },
      denied: true,
      project: 'HERE/other/x',
    },
    {
      name: 'the project is a link to the root',
      files: { a: denyIn('HERE/other') },
      denied: true,
      project: 'HERE/link',
    },
    { name: 'the project is elsewhere', files: { a: denyIn('HERE/other') }, denied: false, project: 'HERE/others' },
    { name: 'only another event is closed', files: { a: `/\n${line('PreToolUse2', DENY)}` }, denied: false },
    { name: 'only another agent is closed', files: { a: `/\n${line('PreToolUse', DENY, 'other')}` }, denied: false },
    { name: 'one of several files fits', files: { a: denyIn('/x'), b: denyIn('/y'), c: denyIn('/') }, denied: true },
    { name: 'the file is cut off', files: { a: `/\nclaude-code PreToolUse ${DENY}` }, denied: false },
    { name: 'the file is empty', files: { a: '', b: '\n' }, denied: false },
    { name: 'the file is not finished', files: { '.a': denyIn('/') }, denied: false },
    {
      name: 'the file is long',
      files: { a: `/\n${line('Stop', 'x'.repeat(200_000))}${line('PreToolUse', DENY)}` },
      denied: true,
    },
  ];

  it.each(cases)('is answered by what was left for it: $name', async ({ files, denied, project, gone }) => {
    const world = newWorld({ node: '/no/such/node' });
    const here = (text: string): string => text.replaceAll('HERE', world.dir);
    for (const [name, text] of Object.entries(files)) put(join(world.run, 'closed', name), here(text));
    mkdirSync(join(world.dir, 'other/x'), { recursive: true });
    symlinkSync(join(world.dir, 'other/x'), join(world.dir, 'link'));
    const cwd = join(world.dir, 'p/quay');
    mkdirSync(cwd, { recursive: true });
    const input = 'x'.repeat(1_000_000);
    const ran = await start(world.args, {
      cwd,
      input,
      ...(project === undefined ? {} : { env: { CLAUDE_PROJECT_DIR: here(project) } }),
      ...(gone ? { around: 'rmdir "$PWD" && exec "$@"' } : {}),
    });
    const out = denied ? Buffer.from(DENY).toString('latin1') : '';
    expect(ran).toEqual({ code: 0, out, err: '', ms: ran.ms });
    expect(world.turnedAway()).toBe(denied ? 'd' : 'e');
  });

  it.each([
    ['no Node', (args: readonly string[]) => args.slice(0, -4)],
    ['no event', (args: readonly string[]) => args.filter((word) => word !== '--event' && word !== 'PreToolUse')],
  ])('ends at once with %s in its words', async (_name, change) => {
    const world = newWorld({ node: '/no/such/node' });
    const ran = await start(change(world.args), { input: 'x'.repeat(1_000_000) });
    expect(ran).toEqual({ code: 0, out: '', err: '', ms: ran.ms });
    expect(world.turnedAway()).toBe('e');
  });
});

describe('building the client', () => {
  it.skipIf(!built.built)('makes one that tells its stamp, in a directory that was not there', () => {
    const out = join(base, 'made/for/it/client');
    expect(buildClient({ root: ROOT, out, stamp: STAMP })).toEqual({ built: true, static: built.static });
    expect(spawnSync(out, ['--version'], { encoding: 'utf8' }).stdout).toBe(`${STAMP}\n`);
    expect(readdirSync(join(base, 'made/for/it'))).toEqual(['client']);
  });

  it.skipIf(!built.built)('gives no warning', () => {
    const flags = [
      '-Wall',
      '-Wextra',
      '-Wpedantic',
      '-Wconversion',
      '-Wshadow',
      '-std=c11',
      '-O2',
      '-c',
      '-o',
      '/dev/null',
    ];
    const cc = process.env['CC'] ?? 'cc';
    const ran = spawnSync('/bin/sh', ['-c', `${cc} "$@"`, 'sh', ...flags, 'native/client.c'], {
      cwd: ROOT,
      encoding: 'utf8',
    });
    expect([ran.status, ran.stderr]).toEqual([0, '']);
  });

  it.each([
    ['no compiler', '/no/such/cc', /^no C compiler found$/],
    ['a compiler that fails', 'false', /^false: exit code 1$/],
    ['a compiler that complains', 'sh COMPLAIN', /^sh .*: client\.c:1: error: not today$/],
    ['a compiler whose programs do not run', 'sh BROKEN', /does not start/],
    ['a compiler whose programs say something else', 'sh OTHER', /does not tell its version/],
  ])('leaves what was there and says why: %s', (_name, cc, why) => {
    const dir = join(base, 'compilers');
    const toLast = 'while [ "$1" != -o ]; do shift; done; out=$2';
    put(join(dir, 'COMPLAIN'), 'echo "in function main" >&2; echo "client.c:1: error: not today" >&2; exit 1');
    put(join(dir, 'BROKEN'), `${toLast}; echo nonsense > "$out"`);
    put(join(dir, 'OTHER'), `${toLast}; printf '#!/bin/sh\\necho 1.0\\n' > "$out"; chmod 755 "$out"`);
    const out = join(dir, 'out/client');
    put(out, 'the one before');
    const [program, script] = cc.split(' ');
    const result = buildClient({ root: ROOT, out, stamp: STAMP, cc: script ? `${program} ${join(dir, script)}` : cc });
    expect(result).toEqual({ built: false, static: false, why: expect.stringMatching(why) });
    expect(readdirSync(join(dir, 'out'))).toEqual(['client']);
    expect(readFileSync(out, 'utf8')).toBe('the one before');
  });

  it.skipIf(!built.built)('is refused by a caller that is no agent', () => {
    const ran = spawnSync(CLIENT, ['status'], { encoding: 'utf8' });
    expect(ran).toMatchObject({ status: 1, stdout: '', stderr: expect.stringContaining('fairlead --help') });
  });
});
