import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { recorded } from '../../test/fixtures/claude-code.ts';
import { VARIABLES } from '../adapters/forwarded.ts';
import { openEngine } from '../assembly/open-engine.ts';
import type { OpenedEngine } from '../assembly/open-engine.ts';
import { pathsOf } from '../platform/paths.ts';
import { createBatching } from './batching.ts';
import { createDaemon } from './daemon.ts';
import type { Daemon } from './daemon.ts';
import type { FrameReply, Request } from './frame.ts';
import type { DaemonStatus } from './status.ts';

const STAMP = '1.2.0+500.aaaa';
const NO_DEPLOY = '---\nname: no-deploy\nevent: bash\nwords: [deploy]\naction: deny\n---\nNot from here.\n';

let dir: string;
let project: string;
let bare: OpenedEngine;
let now: number;
let living: Set<number>;
let stops: number;
let daemon: Daemon;

beforeEach(() => {
  dir = realpathSync(mkdtempSync(join(tmpdir(), 'fairlead-daemon-')));
  project = join(dir, 'project');
  mkdirSync(join(project, '.git'), { recursive: true });
  put('home/config/rules/no-deploy.md', NO_DEPLOY);
  bare = openEngine({ paths: pathsOf(join(dir, 'home')), userHome: dir, resident: true });
  now = Date.now();
  living = new Set();
  stops = 0;
  daemon = start(bare);
});
afterEach(() => {
  bare.close();
  rmSync(dir, { recursive: true });
});

function start(engine: OpenedEngine): Daemon {
  return createDaemon({
    batching: createBatching(Date.now),
    engine: { ...engine, clock: { ...engine.clock, now: () => now } },
    stamp: STAMP,
    pid: 77,
    userHome: dir,
    isAlive: (pid) => living.has(pid),
    memoryBytes: () => 123,
    onStop: () => void (stops += 1),
  });
}

function put(path: string, text: string): void {
  mkdirSync(dirname(join(dir, path)), { recursive: true });
  writeFileSync(join(dir, path), text);
}

let calls = 0;

function payload(file: string, more: Record<string, unknown> = {}): Buffer {
  return Buffer.from(JSON.stringify({ ...recorded(file), tool_use_id: `t${(calls += 1)}`, cwd: project, ...more }));
}

function requestOf(body: Uint8Array, more: Partial<Request> = {}): Request {
  return {
    verb: 'hook',
    stamp: STAMP,
    state: bare.paths.state,
    args: ['--agent', 'claude-code', '--event', 'PreToolUse'],
    cwd: project,
    env: {},
    size: body.length,
    body,
    ...more,
  };
}

const shell = (command: string, more: Record<string, unknown> = {}) =>
  payload('PreToolUse/bash.json', { tool_input: { command }, ...more });
const textOf = ({ stdout }: FrameReply) => Buffer.from(stdout).toString();
const ask = (more: Partial<Request> = {}) => daemon.reply(requestOf(shell('make deploy'), more));
const ASIDE = { outcome: 'aside', exitCode: 0, stdout: new Uint8Array() };

describe('an event over the socket', () => {
  it('is answered by nothing from the moment that everything is switched off', async () => {
    expect(textOf(await ask())).toContain('Not from here.');
    put('home/state/off', '');
    await ask({ verb: 'recheck' });
    expect(textOf(await ask())).toBe('');
    rmSync(join(dir, 'home/state/off'));
    expect(textOf(await ask()), 'on again').toContain('Not from here.');
  });

  it('is answered by the engine', async () => {
    const reply = await ask();
    expect(reply).toMatchObject({ outcome: 'answered', exitCode: 0 });
    expect(textOf(reply)).toContain('Not from here.');
    expect(textOf(await daemon.reply(requestOf(shell('ls'))))).toBe('');
    expect(daemon.status().requests).toEqual({ socket: 2, http: 0, aside: 0, refused: 0 });
  });

  it.each<[string, Partial<Request>]>([
    ['of a newer build', { stamp: '1.3.0+400.bbbb' }],
    ['of a later build of this version', { stamp: '1.2.0+501.bbbb' }],
    ['of another home', { state: '/elsewhere' }],
    ['of no home', { state: '' }],
    ['with a verb that nobody knows', { verb: 'shutdown' }],
  ])('%s is left to the caller', async (_, more) => {
    expect(await ask(more)).toEqual(ASIDE);
    expect([daemon.status().requests, stops]).toEqual([{ socket: 0, http: 0, aside: 1, refused: 0 }, 0]);
  });

  it.each<[string, Partial<Request>]>([
    ['of an older build', { stamp: '1.1.0+900.bbbb' }],
    ['of a build without a stamp', { stamp: '' }],
    ['without a directory', { cwd: undefined }],
  ])('%s is answered', async (_, more) => {
    expect(textOf(await ask(more))).toContain('Not from here.');
  });

  it.each<[string, Partial<Request>]>([
    ['no agent', { args: [] }],
    ['a flag without a value', { args: ['--agent'] }],
    ['an agent that nobody knows', { args: ['--agent', 'none'] }],
  ])('with %s is answered by nothing, and counts as a failure', async (_, more) => {
    const reply = await ask(more);
    expect([reply.outcome, textOf(reply)]).toEqual(['answered', '']);
    expect(daemon.status().failures).toBe(1);
    expect(textOf(await ask()), 'the next one is answered').toContain('Not from here.');
  });

  it.each<[string, string]>([
    ['nothing on stdin', ''],
    ['half of JSON', '{"a'],
    ['no object', '[1]'],
    ['deep nesting', `{"tool_input":${'['.repeat(6_000)}${']'.repeat(6_000)}}`],
    ['too many values', `{"tool_input":{"a":[${'1,'.repeat(200_000)}1]}}`],
  ])('with %s is stopped where a rule must not be skipped, and counts as a failure', async (_, text) => {
    const reply = await ask({ body: Buffer.from(text), size: text.length });
    expect(JSON.parse(textOf(reply))).toMatchObject({ hookSpecificOutput: { permissionDecision: 'deny' } });
    expect(daemon.status().failures).toBe(1);
    expect(textOf(await ask()), 'the next one is answered').toContain('Not from here.');
  });

  it('knows its event by its words when its body is too big to read', async () => {
    const body = Buffer.from('{"session_id":"s1","cwd":"/w","tool_name":"Bash","tool_input":{"command":"');
    const reply = await ask({ body, size: 20_000_000 });
    expect(JSON.parse(textOf(reply))).toMatchObject({ hookSpecificOutput: { permissionDecision: 'deny' } });
  });

  it('takes the project from its variables', async () => {
    put('project/.fairlead/rules/zap.md', NO_DEPLOY.replace('no-deploy', 'zap').replace('deploy', 'zap'));
    const body = payload('SessionStart/startup.json', { cwd: '/' });
    const opening = requestOf(body, {
      args: ['--agent', 'claude-code'],
      cwd: '/',
      env: { CLAUDE_PROJECT_DIR: project },
    });
    expect(textOf(await daemon.reply(opening)), 'it is not trusted').toContain('fairlead trust');
  });
});

it.each(VARIABLES)('the engine is told the %s of each event, whoever started it', async (name) => {
  const seen: unknown[] = [];
  daemon = start({ ...bare, locate: (event, ...known) => (seen.push(known[1]), bare.locate(event, ...known)) });
  for (const value of ['/one', '/two']) await ask({ env: { PATH: '/bin', [name]: value } });
  expect(seen).toEqual(['/one', '/two'].map((value) => ({ PATH: '/bin', [name]: value })));
});

it('answers events over HTTP, and counts them and those refused', async () => {
  const body = shell('make deploy');
  expect((await daemon.answerHttp({ agent: 'claude-code', body, size: body.length })).stdout).toContain(
    'Not from here.',
  );
  daemon.refusedHttp();
  expect(daemon.status().requests).toEqual({ socket: 0, http: 1, aside: 0, refused: 1 });
});

describe('its status', () => {
  it('tells who it is to whatever build asks', async () => {
    living.add(5);
    await ask({ env: { CLAUDE_PID: '5' } });
    const reply = await ask({ verb: 'status', stamp: '9.0.0+1.cc' });
    const status = JSON.parse(textOf(reply)) as DaemonStatus;
    expect(status).toMatchObject({ pid: 77, stamp: STAMP, since: now, memoryBytes: 123, failures: 0, sessions: 1 });
    expect(status.http).toBeUndefined();
    const session = String(recorded('PreToolUse/bash.json')['session_id']);
    expect(Object.keys(status.held), 'numbers taken ahead').toEqual([session]);
  });

  it('is asked for without counting as an event', async () => {
    now += 1_000;
    await ask({ verb: 'status' });
    expect([daemon.idleMs(), daemon.status().requests.socket]).toEqual([1_000, 0]);
  });
});

describe('being asked to stop', () => {
  it('is heard from its own home alone', async () => {
    expect(await ask({ verb: 'stop', state: '/elsewhere' })).toEqual(ASIDE);
    expect(stops).toBe(0);
    expect(await ask({ verb: 'stop', stamp: '' })).toMatchObject({ outcome: 'answered' });
    expect(stops).toBe(1);
  });

  it('finishes what is under way and leaves the rest to the callers', async () => {
    let release = () => {};
    const locating = new Promise<void>((resolve) => {
      release = resolve;
    });
    daemon = start({ ...bare, locate: async (...where) => (await locating, bare.locate(...where)) });
    const begun = ask();
    let finished = false;
    const finishing = daemon.finish().then(() => (finished = true));
    expect(await ask()).toEqual(ASIDE);
    await new Promise(setImmediate);
    expect([finished, daemon.idleMs()]).toEqual([false, 0]);
    release();
    expect(textOf(await begun)).toContain('Not from here.');
    await finishing;
  });

  it('is done at once when nothing is under way', async () => {
    await daemon.finish();
    expect(await ask()).toEqual(ASIDE);
    expect(await ask({ verb: 'status' })).toMatchObject({ outcome: 'answered' });
  });
});

describe('idle time', () => {
  const HOUR = 3_600_000;

  it('counts from the last event, and not while a session may come back', async () => {
    expect(daemon.idleMs()).toBe(0);
    now += 500;
    expect(daemon.idleMs()).toBe(500);
    living.add(5);
    await ask({ env: { CLAUDE_PID: '5' } });
    now += HOUR;
    expect(daemon.idleMs(), 'its agent lives').toBe(0);
    living.delete(5);
    expect(daemon.idleMs()).toBe(HOUR);
  });

  it('counts again when the last session has ended', async () => {
    living.add(5);
    await ask({ env: { CLAUDE_PID: '5' } });
    const end = payload('SessionEnd/other.json', { session_id: recorded('PreToolUse/bash.json')['session_id'] });
    await daemon.reply(requestOf(end, { args: ['--agent', 'claude-code'] }));
    now += 7;
    expect([daemon.idleMs(), daemon.status().sessions]).toEqual([7, 0]);
  });

  it('is not held up by what names no session', async () => {
    await ask({ body: Buffer.from('{}'), size: 2 });
    now += 9;
    expect(daemon.idleMs()).toBe(9);
  });
});
