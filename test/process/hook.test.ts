import { spawn, spawnSync } from 'node:child_process';
import type { SpawnOptions } from 'node:child_process';
import {
  chmodSync,
  closeSync,
  constants,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  realpathSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { DatabaseSync } from '@photostructure/sqlite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isLong, some } from '../cases.ts';
import { isValidReply } from '../../src/adapters/claude-code/reply-schema.ts';
import { createFailureLog } from '../../src/ledger/failures.ts';
import { nodeFiles } from '../../src/platform/files.ts';
import { MAX_BODY_BYTES } from '../../src/transport/limits.ts';
import { readRecorded, recorded } from '../fixtures/claude-code.ts';
import { removeTree } from '../../src/platform/remove-tree.fixture.ts';

const BIN = fileURLToPath(new URL('../../bin/fairlead', import.meta.url));
const EXAMPLES = fileURLToPath(new URL('../../examples/rules', import.meta.url));
const AT_ONCE = 8;
const NO_STATUS = '---\nevent: bash\npattern: git status\naction: deny\n---\nNo `{match}` in `{command}`.\n';

let base: string;
let project: string;
let shared: string;
let made = 0;

beforeAll(async () => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'fairlead-hook-')));
  project = join(base, 'project');
  mkdirSync(join(project, '.git'), { recursive: true });
  shared = newHome();
  cpSync(EXAMPLES, join(shared, 'config/rules'), { recursive: true });
  put(join(shared, 'config/rules/no-status.md'), NO_STATUS);
  await run(direct(shared), lockFile());
});
afterAll(() => removeTree(base));

/** The path of a home that does not exist yet. */
function newHome(): string {
  made += 1;
  return join(base, `home-${made}`, 'fairlead');
}

/** A home in which the code of a one-shot is compiled already, for tests that are about something else. */
function warmHome(): string {
  const home = newHome();
  cpSync(join(shared, 'state/code'), join(home, 'state/code'), { recursive: true });
  return home;
}

function put(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

interface Ran {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
  /** Set when the process did not read its input to the end. */
  readonly unread?: string;
}

interface Start extends SpawnOptions {
  readonly command?: readonly string[];
  readonly closeOutput?: boolean;
}

const direct = (home: string): string[] => ['hook', '--agent', 'claude-code', '--direct', '--home', home];

/** Starts a hook with next to nothing in its environment; HOME is an empty directory of the test. */
function run(args: readonly string[], input: string | Uint8Array, start: Start = {}): Promise<Ran> {
  const { command = [BIN], closeOutput = false, ...options } = start;
  const [program = BIN, ...first] = command;
  const env = { PATH: process.env['PATH'], HOME: join(base, 'person'), ...options.env };
  return new Promise((resolve, reject) => {
    const child = spawn(program, [...first, ...args], { cwd: project, ...options, env });
    let out = '';
    let err = '';
    let unread: string | undefined;
    child.on('error', reject);
    if (closeOutput) child.stdout?.destroy();
    child.stdout?.setEncoding('utf8').on('data', (text: string) => (out += text));
    child.stderr?.setEncoding('utf8').on('data', (text: string) => (err += text));
    child.stdin?.on('error', (error) => (unread = error.message));
    child.stdin?.end(input);
    child.on('close', (code) => resolve({ code, out, err, ...(unread === undefined ? {} : { unread }) }));
  });
}

async function inTurns<T>(cases: readonly T[], work: (each: T) => Promise<void>): Promise<void> {
  const left = [...cases];
  const worker = async (): Promise<void> => {
    for (let next = left.shift(); next !== undefined; next = left.shift()) await work(next);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
}

const QUIET = { code: 0, err: '' };
const NOTHING = { ...QUIET, out: '' };

let calls = 0;
/** A call that the built-in guard of lock files asks a person about, whatever the home holds. */
function lockFile(): string {
  calls += 1;
  const tool_input = { file_path: join(project, 'package-lock.json'), content: '{}' };
  return JSON.stringify({
    ...recorded('PreToolUse/write.json'),
    cwd: project,
    tool_input,
    tool_use_id: `call-${calls}`,
  });
}

const ASKED = { ...QUIET, valid: true, decision: 'ask' };

function decided({ out, ...rest }: Ran): object {
  const { hookSpecificOutput } = JSON.parse(out || '{}') as { hookSpecificOutput?: Record<string, unknown> };
  return { ...rest, valid: isValidReply('PreToolUse', out), decision: hookSpecificOutput?.['permissionDecision'] };
}

const failuresIn = (home: string) => createFailureLog(join(home, 'state'), nodeFiles, Date.now).read();

/** Every file and directory below, with its size and times. */
function snapshot(dir: string): Record<string, readonly number[]> {
  const names = readdirSync(dir, { recursive: true, encoding: 'utf8' }).sort();
  return Object.fromEntries(
    ['.', ...names].map((name) => {
      const { size, mtimeMs, ctimeMs } = statSync(join(dir, name));
      return [name, [size, mtimeMs, ctimeMs]];
    }),
  );
}

interface Sent {
  readonly name: string;
  readonly event: string;
  readonly input: string | Uint8Array;
}

/** Bytes that differ from run to run of this file in nothing: a generator small enough to be read. */
function noise(length: number, seed: number): Uint8Array {
  let state = seed;
  return Uint8Array.from({ length }, () => (state = (state * 48_271) % 2_147_483_647) & 255);
}

describe('every payload is answered as the contract allows, with exit code 0 and nothing on stderr', () => {
  async function expectValid(cases: readonly Sent[]): Promise<Map<string, string>> {
    const replies = new Map<string, string>();
    await inTurns(cases, async ({ name, event, input }) => {
      const { out, ...rest } = await run(direct(shared), input);
      expect({ name, ...rest, valid: isValidReply(event, out) }).toEqual({ name, ...QUIET, valid: true });
      replies.set(name, out);
    });
    return replies;
  }

  it('as recorded', async () => {
    const told = readRecorded().filter(({ file }) => file === 'PreToolUse/bash.json');
    const others = some(readRecorded()).filter(({ file }) => file !== 'PreToolUse/bash.json');
    const cases = [...told, ...others].map(({ file, event, payload }) => ({
      name: file,
      event,
      input: JSON.stringify(payload).replaceAll('/home/dev/project', project),
    }));
    const replies = await expectValid(cases);
    expect(replies.get('PreToolUse/bash.json')).toContain('No `git status` in');
    // Of processes that write at once, one may wait longer than a row without a decision is worth.
    expect(failuresIn(shared)).toEqual(
      failuresIn(shared).map(() => expect.objectContaining({ message: 'database is locked' })),
    );
  });

  it('cut off, and with a byte changed', async () => {
    const cases = some(readRecorded()).flatMap(({ file, payload }, at): Sent[] => {
      const bytes = new TextEncoder().encode(JSON.stringify(payload));
      const place = (at * 7919) % bytes.length;
      const changed = Uint8Array.from(bytes, (byte, index) => (index === place ? byte ^ 0x80 : byte));
      const both = [
        { name: `${file} cut`, event: eventIn(bytes.subarray(0, place)), input: bytes.subarray(0, place) },
        { name: `${file} changed`, event: eventIn(changed), input: changed },
      ];
      return isLong ? both : both.slice(at % 2, (at % 2) + 1);
    });
    const before = failuresIn(shared).length;
    await expectValid(cases);
    expect(failuresIn(shared).length - before).toBeGreaterThanOrEqual(cases.length / 2);
  });

  it('empty, binary, deep, of the wrong kind, and up to 10 MB', async () => {
    const command = `git status ${'x'.repeat(10_000_000)}`;
    const long = { ...recorded('PreToolUse/bash.json'), cwd: project, tool_input: { command }, tool_use_id: 'long' };
    const cases: Sent[] = [
      ...['', ' \n', 'null', '[]', '0', '"text"', '{', '\u0000', '[['.repeat(20_000)].map((input) => ({
        name: input.slice(0, 30),
        event: 'PreToolUse',
        input,
      })),
      ...[1, 100, 70_000, 10_000_000].map((length) => ({
        name: `${length} bytes of noise`,
        event: 'PreToolUse',
        input: noise(length, 7),
      })),
      { name: 'long command', event: 'PreToolUse', input: JSON.stringify(long) },
    ];
    const replies = await expectValid(cases);
    expect(replies.get('long command')).toContain('No `git status` in');
    const others = [...replies].filter(([name]) => name !== 'long command');
    expect(others.every(([, out]) => /"(deny|ask)"/.test(out))).toBe(true);
  });

  /** What nobody can read counts as a tool call, unless its beginning says otherwise. */
  function eventIn(bytes: Uint8Array): string {
    const text = new TextDecoder().decode(bytes);
    try {
      const name = (JSON.parse(text) as Record<string, unknown>)['hook_event_name'];
      return typeof name === 'string' ? name : '';
    } catch {
      return /"hook_event_name":"(\w+)"/.exec(text)?.[1] ?? 'PreToolUse';
    }
  }
});

describe('a payload over 16 MB is not read', () => {
  it.each([
    ['PreToolUse/write.json', 'PreToolUse', '"deny"'],
    ['PostToolUse/write-create.json', 'PostToolUse', ''],
    ['SessionEnd/other.json', 'SessionEnd', ''],
  ])('%s: it is stopped where a rule must not be skipped', async (file, event, part) => {
    const home = warmHome();
    const input = JSON.stringify({ ...recorded(file), cwd: project, filler: 'x'.repeat(MAX_BODY_BYTES) });
    const { out, ...rest } = await run(direct(home), input);
    expect(rest).toEqual(QUIET);
    expect(isValidReply(event, out)).toBe(true);
    if (part === '') expect(out).toBe('');
    else expect(out).toContain(part);
    expect(failuresIn(home)).toMatchObject([
      { what: 'reading a payload', message: expect.stringContaining(String(input.length)) },
    ]);
  });
});

describe('pipes', () => {
  it('whose reader is gone', async () => {
    expect(await run(direct(warmHome()), lockFile(), { closeOutput: true })).toEqual(NOTHING);
  });

  it('that are closed, or were never given', async () => {
    const stopped = { ...NOTHING, out: expect.stringContaining('"deny"') as string };
    expect(await run(direct(warmHome()), '')).toEqual(stopped);
    expect(await run(direct(warmHome()), '', { stdio: ['ignore', 'pipe', 'pipe'] })).toEqual(stopped);
    const closed = ['/bin/sh', '-c', 'exec "$0" "$@" <&- >&-', BIN];
    // Nobody reads the pipe then, so writing to it may fail; the agent's side of that is no fault of the hook.
    expect(await run(direct(warmHome()), '', { command: closed })).toMatchObject(NOTHING);
  });

  it.runIf(process.platform !== 'win32').each([
    ['a hook', {}, ASKED],
    ['a hook that is off', { FAIRLEAD_DISABLED: '1' }, { ...QUIET, valid: true }],
  ])('that do not block, and fill only later: %s', async (name, env, expected) => {
    const pipe = join(base, name);
    spawnSync('mkfifo', [pipe]);
    const reader = openSync(pipe, constants.O_RDONLY | constants.O_NONBLOCK);
    const writer = openSync(pipe, constants.O_WRONLY);
    const ran = run(direct(warmHome()), '', { stdio: [reader, 'pipe', 'pipe'], env });
    // Node has made it blocking for its child; opened as a socket, what both share does not block any more.
    const held = new Socket({ fd: reader, readable: false, writable: false });
    let ended = false;
    void ran.then(() => (ended = true));
    await new Promise((resolve) => setTimeout(resolve, 500));
    expect(ended).toBe(false);
    writeFileSync(writer, lockFile());
    closeSync(writer);
    expect(decided(await ran)).toEqual(expected);
    held.destroy();
  });
});

describe('arguments', () => {
  it('that name an agent nobody knows: a failure, which is kept', async () => {
    const home = warmHome();
    expect(await run(['hook', '--home', home, '--agent', 'nobody'], lockFile())).toMatchObject({
      code: 1,
      out: '',
      err: expect.stringContaining('no agent named nobody') as string,
    });
    expect(failuresIn(home)).toMatchObject([{ what: 'choosing an adapter', message: 'no agent named nobody' }]);
  });

  it('that name none: a failure, since there are several', async () => {
    const named = { code: 1, out: '', err: expect.stringContaining('the call names no agent') as string };
    for (const flags of [[], ['--agent']])
      expect(await run(['hook', '--home', warmHome(), ...flags], lockFile())).toMatchObject(named);
  });
});

describe('switched off', () => {
  it('by the environment: reads its input to the end and writes nothing', async () => {
    const home = newHome();
    const big = 'x'.repeat(3_000_000);
    for (const input of [lockFile(), big, '']) {
      expect(await run(direct(home), input, { env: { FAIRLEAD_DISABLED: '1' } })).toEqual(NOTHING);
    }
    expect(existsSync(dirname(home))).toBe(false);
    expect(decided(await run(direct(home), lockFile(), { env: { FAIRLEAD_DISABLED: '0' } }))).toEqual(ASKED);
  });

  it('by the switch: writes nothing, whatever comes in', async () => {
    const home = newHome();
    put(join(home, 'state/off'), '{"since":1}\n');
    const before = snapshot(home);
    for (const input of [lockFile(), '', 'no JSON']) expect(await run(direct(home), input)).toEqual(NOTHING);
    expect(snapshot(home)).toEqual(before);
    writeFileSync(join(home, 'state/off'), '{"since":1,"until":2}\n');
    expect(decided(await run(direct(home), lockFile()))).toEqual(ASKED);
  });
});

describe('surroundings', () => {
  it('take their home from HOME, and from no other variable', async () => {
    const person = join(base, 'someone');
    put(join(person, '.config/fairlead/rules/no-status.md'), NO_STATUS);
    const elsewhere = join(base, 'elsewhere');
    const input = JSON.stringify({ ...recorded('PreToolUse/bash.json'), cwd: project });
    const names = ['FAIRLEAD_HOME', 'XDG_CONFIG_HOME', 'XDG_STATE_HOME', 'XDG_RUNTIME_DIR', 'APPDATA', 'LOCALAPPDATA'];
    const env = { HOME: person, ...Object.fromEntries(names.map((name) => [name, elsewhere])) };
    const { out, ...rest } = await run(['hook', '--agent', 'claude-code', '--direct'], input, { env });
    expect(rest).toEqual(QUIET);
    expect(out).toContain('No `git status` in');
    expect(existsSync(elsewhere)).toBe(false);
    expect(existsSync(join(person, '.local/state/fairlead/state.db'))).toBe(true);
  });

  it.each<[string, (home: string) => string]>([
    ['missing', (home) => home],
    ['a file', (home) => (put(home, ''), home)],
    ['below a file', (home) => (put(dirname(home), ''), home)],
    ['read-only', (home) => (mkdirSync(home, { recursive: true }), chmodSync(home, 0o555), home)],
    [
      'with a directory where the state file goes',
      (home) => (mkdirSync(join(home, 'state/state.db'), { recursive: true }), home),
    ],
    ['with a damaged state file', (home) => (put(join(home, 'state/state.db'), 'no database'.repeat(500)), home)],
    [
      'behind a link that leads nowhere',
      (home) => (mkdirSync(dirname(home)), symlinkSync(join(base, 'unmounted/disk'), home), home),
    ],
  ])('a home that is %s: the guards hold', async (_, make) => {
    const home = make(newHome());
    expect(decided(await run(direct(home), lockFile()))).toEqual(ASKED);
    expect(decided(await run(direct(home), lockFile()))).toEqual(ASKED);
  });

  it('without HOME', async () => {
    expect(decided(await run(direct(warmHome()), lockFile(), { env: { HOME: undefined } }))).toEqual(ASKED);
  });

  it('in a directory that was deleted', async () => {
    const gone = join(base, 'gone');
    mkdirSync(gone);
    const command = ['/bin/sh', '-c', `rmdir '${gone}' && exec "$0" "$@"`, BIN];
    expect(decided(await run(direct(warmHome()), lockFile(), { command, cwd: gone }))).toEqual(ASKED);
  });

  it('with several hooks at once on a home that is not there yet', async () => {
    for (let round = 0; round < (isLong ? 10 : 1); round += 1) {
      const home = newHome();
      const all = await Promise.all([
        run(direct(home), lockFile()),
        run(direct(home), lockFile()),
        run(direct(home), lockFile()),
      ]);
      expect(all.map(decided)).toEqual([ASKED, ASKED, ASKED]);
      expect(failuresIn(home)).toEqual([]);
      const db = new DatabaseSync(join(home, 'state/state.db'));
      expect(db.prepare('SELECT seq, action FROM events ORDER BY seq').all()).toMatchObject(
        [1, 2, 3].map((seq) => ({ seq, action: 'ask' })),
      );
      db.close();
    }
  });
});
