import { spawn } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, realpathSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { nodeFiles } from '../../platform/files.ts';
import { failClosedReply } from '../../transport/fail-closed.ts';
import { goneDir } from '../../transport/launch-place.ts';
import { launcherScript, takeOutCommand } from './launcher-script.ts';

/** Whatever `sh` is, it must do; these are the ones that it usually is. */
const SHELLS = [['/bin/sh'], ['/bin/dash'], ['/bin/bash', '--posix'], ['/bin/busybox', 'sh']].filter(([path = '']) =>
  existsSync(path),
);

let dir: string;
let root: string;
let node: string;
let state: string;
let run: string;
let project: string;
let script: string;

beforeEach(() => {
  // A name with whatever a shell could take apart.
  dir = realpathSync(mkdtempSync(join(tmpdir(), `fairlead it's "$HOME" `)));
  root = join(dir, 'v1', 'lib', 'node_modules', 'fairlead');
  node = join(dir, 'v1', 'bin', 'node');
  state = join(dir, 'state');
  run = join(state, 'run');
  project = join(dir, 'project');
  script = join(dir, 'place', 'fairlead');
  mkdirSync(project);
  put(join(root, 'bin/fairlead'), '');
  put(join(root, 'dist/hook.js'), '');
  put(node, '#!/bin/sh\necho "$0|$1|$2|$3|$PATH"\n/bin/cat\n');
  put(script, launcherScript({ stamp: '1.0.0+1.a', node, root, state, run }));
});
afterEach(() => rmSync(dir, { recursive: true }));

function put(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text, { mode: 0o755 });
}

function removePackage(): void {
  rmSync(join(dir, 'v1'), { recursive: true });
}

/** No event waits any more whether the package comes back. */
function counted(): void {
  put(join(goneDir(run), 'since'), '');
}

interface Options {
  readonly event?: string;
  readonly session?: string;
  readonly cwd?: string;
  readonly shell?: readonly string[];
  readonly after?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

function send({
  event = 'PreToolUse',
  session = 's1',
  cwd = project,
  shell = ['/bin/sh'],
  after = [],
  env = {},
}: Options = {}) {
  return start([...shell, script, 'hook', '--agent', 'claude-code', '--event', event, ...after], cwd, {
    ...{ PATH: '/nowhere', CLAUDE_CODE_SESSION_ID: session, CLAUDE_PROJECT_DIR: cwd },
    ...env,
  });
}

function start([program = '', ...args]: readonly string[], cwd: string, env: Readonly<Record<string, string>>) {
  return new Promise<{ code: number | null; out: string; err: string }>((resolve, reject) => {
    const child = spawn(program, args, { cwd, env });
    let [out, err] = ['', ''];
    child.stdout.setEncoding('utf8').on('data', (text: string) => (out += text));
    child.stderr.setEncoding('utf8').on('data', (text: string) => (err += text));
    child.on('error', reject);
    child.stdin.on('error', () => {});
    child.on('close', (code) => resolve({ code, out, err }));
    child.stdin.end('{"an":"event"}'.padEnd(200_000));
  });
}

const decisionIn = (out: string): unknown =>
  out === ''
    ? 'none'
    : (JSON.parse(out) as { hookSpecificOutput: { permissionDecision: string } }).hookSpecificOutput.permissionDecision;

async function decision(options: Options = {}): Promise<unknown> {
  const { code, out, err } = await send(options);
  expect({ code, err }).toEqual({ code: 0, err: '' });
  return decisionIn(out);
}

it.each(SHELLS)('starts the copy with its arguments, its input and the PATH of the caller: %s', async (...shell) => {
  const { code, out, err } = await send({ shell });
  const [first, rest] = [out.slice(0, out.indexOf('\n')), out.slice(out.indexOf('\n') + 1)];
  expect({ code, err, first }).toEqual({
    code: 0,
    err: '',
    first: `${node}|${root}/bin/fairlead|hook|--agent|/nowhere`,
  });
  expect(rest.trimEnd()).toBe('{"an":"event"}');
});

it.each(SHELLS)(
  'starts a client that lies beside it, with or without the package, but not for a client: %s',
  async (...shell) => {
    put(join(dirname(script), 'client.cjs'), '');
    const started = async (after: readonly string[] = []) => (await send({ shell, after })).out.split('|').slice(1, 3);
    expect(await started()).toEqual([join(dirname(script), 'client.cjs'), 'hook']);
    expect(await started(['--direct'])).toEqual([`${root}/bin/fairlead`, 'hook']);
    rmSync(root, { recursive: true });
    expect(await started()).toEqual([join(dirname(script), 'client.cjs'), 'hook']);
  },
);

describe.each(SHELLS)('when the package is gone, by %s', (...shell) => {
  it('an entry for hooks of others fails every time, and says how they come back', async () => {
    removePackage();
    counted();
    for (const session of ['s1', 's1', 's2'])
      expect(await send({ shell, session, after: ['--adopted', 'set'] })).toMatchObject({
        code: 1,
        out: '',
        err: expect.stringContaining(takeOutCommand(state)) as string,
      });
  });

  it('the first call of a session is asked about, and names the way out; later ones pass', async () => {
    removePackage();
    counted();
    const first = await send({ shell });
    expect(decisionIn(first.out)).toBe('ask');
    const reason = JSON.parse(first.out) as { hookSpecificOutput: { permissionDecisionReason: string } };
    const lines = reason.hookSpecificOutput.permissionDecisionReason.split('\n');
    expect(lines).toHaveLength(3);
    expect(lines.at(-1)).toContain(takeOutCommand(state));
    expect(await decision({ shell })).toBe('none');
    expect(await decision({ shell, session: 's2' })).toBe('ask');
    expect(await decision({ shell, session: 's2' })).toBe('none');
  });
});

it.each<[string, () => void, Options, string]>([
  ['an event that no rule guards', () => {}, { event: 'PostToolUse' }, 'none'],
  ['a request that the agent shows to the person anyway', () => {}, { event: 'PermissionRequest' }, 'none'],
  ['hooks that are switched off', () => {}, { env: { FAIRLEAD_DISABLED: '1' } }, 'none'],
  ['an agent that nobody knows', () => {}, { after: ['--agent', 'other'] }, 'none'],
  ['a session with a name that is a path', () => {}, { session: '../../x' }, 'ask'],
  ['a home that cannot remember', () => put(run, ''), {}, 'ask'],
])('%s', async (_, prepare, options, expected) => {
  removePackage();
  prepare();
  if (!existsSync(run)) counted();
  expect(await decision(options)).toBe(expected);
});

/** What the engine leaves: the root, then the replies by event. */
const CLOSED = 'claude-code PreToolUse {"deny"}\nclaude-code PreToolUse? {"ask"}\n';

it.each<[string, Record<string, string>, string]>([
  ['nothing is known', {}, 'ask'],
  ['no rule must hold anywhere', { a: '/\n' }, 'none'],
  ['a rule must hold everywhere', { a: `/\n${CLOSED}` }, 'ask'],
  ['a rule must hold here', { a: '/\n', b: `PROJECT\n${CLOSED}` }, 'ask'],
  ['a rule must hold above', { a: '/\n', b: `DIR\n${CLOSED}` }, 'ask'],
  ['a rule must hold beside', { a: '/\n', b: `PROJECT-2\n${CLOSED}` }, 'none'],
  ['a rule must hold on another event', { a: '/\nclaude-code ConfigChange {}\n' }, 'none'],
])('where %s the launcher guards as the clients do', async (_, files, expected) => {
  removePackage();
  counted();
  for (const [name, text] of Object.entries(files))
    put(join(run, 'closed', name), text.replace('PROJECT', project).replace('DIR', dir));
  const call = { agent: 'claude-code', event: 'PreToolUse', places: [project], asks: false };
  const isClosed = failClosedReply(nodeFiles, { run, marks: run }, call) !== undefined;
  expect(isClosed ? 'ask' : 'none').toBe(expected);
  expect(await decision()).toBe(expected);
});

it('says behind a watched reply that it is whole', async () => {
  removePackage();
  counted();
  expect((await send({ after: ['--watched'] })).out).toMatch(/^\{.*\}\0$/);
  expect((await send({ after: ['--watched'] })).out).toBe('\0');
});

it('waits for a package that is being updated, and once only for one that is gone', async () => {
  // Not beside it, where it would count as the copy of another version.
  mkdirSync(join(dir, 'elsewhere'));
  const away = join(dir, 'elsewhere', 'v1');
  renameSync(join(dir, 'v1'), away);
  mkdirSync(run, { recursive: true });
  // Back in one step: half a copy, with the package but not yet its Node, would start another Node.
  const back = () => renameSync(away, join(dir, 'v1'));
  const [early] = await Promise.all([send(), new Promise((resolve) => setTimeout(resolve, 600)).then(back)]);
  expect(early.out).toContain(`${node}|`);
  removePackage();
  const timed = async (session: string): Promise<number> => {
    const began = performance.now();
    expect(await decision({ session })).toBe('ask');
    return performance.now() - began;
  };
  const first = await timed('s1');
  expect(await timed('s2')).toBeLessThan(first);
});

it('finds the copy beside another Node of a version manager', async () => {
  cpSync(join(dir, 'v1'), join(dir, 'v2'), { recursive: true });
  removePackage();
  expect((await send()).out).toContain(
    `${join(dir, 'v2/bin/node')}|${join(dir, 'v2/lib/node_modules/fairlead')}/bin/fairlead|`,
  );
});

it('takes another Node where its own is gone', async () => {
  rmSync(node);
  const usual = ['/opt/homebrew/bin/node', '/usr/local/bin/node', '/usr/bin/node'].find((path) => existsSync(path));
  if (usual === undefined) return;
  writeFileSync(join(root, 'bin/fairlead'), 'console.log(process.argv[2])');
  expect((await send()).out).toBe('hook\n');
});

it.each<[string, (command: string) => object]>([
  ['uninstall', () => ({ code: 0, out: `take-out.mjs|${state}\n`, err: '' })],
  ['statusline', () => ({ code: 0, out: '', err: '' })],
  ['doctor', (command) => ({ code: 1, out: '', err: expect.stringContaining(command) })],
])('%s starts what is left, is silent, or says what to do', async (verb, expected) => {
  rmSync(root, { recursive: true });
  put(node, '#!/bin/sh\necho "${1##*/}|$2"\n');
  expect(await start(['/bin/sh', script, verb], project, { PATH: '' })).toEqual(expected(takeOutCommand(state)));
});
