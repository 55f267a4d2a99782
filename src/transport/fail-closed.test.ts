import { spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { PATIENCE_MS } from '../../test/patience.ts';
import { activeRule, policyOf } from '../engine/engine.fixture.ts';
import type { Policy } from '../engine/engine.ts';
import { nodeFiles } from '../platform/files.ts';
import { homePaths } from '../platform/paths.ts';
import { openMeetingPlace, shortDir } from './meeting-place.ts';
import { failClosedReply, createFailClosedKeeper } from './fail-closed.ts';
import { replyUnanswered } from './reply-unanswered.ts';
import { removeTree } from '../platform/remove-tree.fixture.ts';

const CLIENT = fileURLToPath(new URL('../../dist/fairlead-client', import.meta.url));
const DENY = '{"deny": "see fairlead doctor ü"}';

let dir: string;
let run: string;
beforeEach(() => {
  dir = realpathSync(mkdtempSync(join(tmpdir(), 'fl-closed-')));
  run = join(dir, 'state/run');
  mkdirSync(join(run, 'closed'), { recursive: true, mode: 0o700 });
  mkdirSync(join(dir, 'p/quay'), { recursive: true });
  mkdirSync(join(dir, 'other/x'), { recursive: true });
  symlinkSync(join(dir, 'other/x'), join(dir, 'link'));
});
afterEach(() => removeTree(dir));

const here = (text: string) => text.replaceAll('HERE', dir);
const line = (event: string, reply: string, agent = 'claude-code') => `${agent} ${event} ${reply}\n`;
const denyIn = (root: string) => `${root}\n${line('Stop', 'other')}${line('PreToolUse', DENY)}`;

interface Case {
  readonly name: string;
  readonly files: Readonly<Record<string, string>>;
  readonly denied: boolean;
  readonly project?: string;
}

const cases: readonly Case[] = [
  { name: 'nothing is closed', files: {}, denied: false },
  { name: 'the directory is the root', files: { a: denyIn('HERE/p/quay') }, denied: true },
  { name: 'the directory is below the root', files: { a: denyIn('HERE') }, denied: true },
  { name: 'the root is everywhere', files: { a: denyIn('/') }, denied: true },
  { name: 'the root begins alike', files: { a: denyIn('HERE/p/q') }, denied: false },
  { name: 'the root is a sibling', files: { a: denyIn('HERE/p/quay2') }, denied: false },
  { name: 'the root is below the directory', files: { a: denyIn('HERE/p/quay/deep') }, denied: false },
  { name: 'the project is below the root', files: { a: denyIn('HERE/other') }, denied: true, project: 'HERE/other/x' },
  { name: 'the project is a link', files: { a: denyIn('HERE/other/x') }, denied: true, project: 'HERE/link' },
  { name: 'the project is gone', files: { a: denyIn('HERE/gone') }, denied: true, project: 'HERE/gone/x' },
  { name: 'the project is elsewhere', files: { a: denyIn('HERE/other') }, denied: false, project: 'HERE/others' },
  { name: 'only another event is closed', files: { a: `/\n${line('PreToolUse2', DENY)}` }, denied: false },
  { name: 'only another agent is closed', files: { a: `/\n${line('PreToolUse', DENY, 'other')}` }, denied: false },
  { name: 'one of several files fits', files: { a: denyIn('/x'), b: denyIn('/y'), c: denyIn('/') }, denied: true },
  { name: 'the last line is cut off', files: { a: `/\nclaude-code PreToolUse ${DENY}` }, denied: false },
  { name: 'the root is cut off', files: { a: '/' }, denied: false },
  { name: 'the files are empty', files: { a: '', b: '\n', c: `\n${line('PreToolUse', DENY)}` }, denied: false },
  { name: 'the file is still being written', files: { '.a': denyIn('/') }, denied: false },
];

/** An engine has been here, and found nothing that holds everywhere. */
const NOTHING_EVERYWHERE = '/\n';

function plant({ files }: Case): void {
  writeFileSync(join(run, 'closed', '0'), NOTHING_EVERYWHERE);
  for (const [name, text] of Object.entries(files)) writeFileSync(join(run, 'closed', name), here(text));
}

it.each(cases)('a client reads what was left for it: $name', (one) => {
  plant(one);
  const places = [join(dir, 'p/quay'), ...(one.project === undefined ? [] : [here(one.project)])];
  const reply = failClosedReply(
    nodeFiles,
    { run, marks: run },
    { agent: 'claude-code', event: 'PreToolUse', places, asks: false },
  );
  expect(reply).toBe(one.denied ? DENY : undefined);
});

it.skipIf(!existsSync(CLIENT))('the native client reads the same', () => {
  for (const one of cases) {
    rmSync(join(run, 'closed'), { recursive: true });
    rmSync(join(run, 'turned-away'), { force: true });
    mkdirSync(join(run, 'closed'));
    plant(one);
    const words = ['--agent', 'claude-code', '--event', 'PreToolUse', '--state', join(dir, 'state')];
    const nowhere = ['--node', '/no/such/node', '--launcher', '/no/such/launcher'];
    const env = one.project === undefined ? {} : { CLAUDE_PROJECT_DIR: here(one.project) };
    const ran = spawnSync(CLIENT, ['hook', ...words, ...nowhere], { cwd: join(dir, 'p/quay'), env, input: '{}' });
    expect([one.name, ran.stdout.toString(), ran.status]).toEqual([one.name, one.denied ? DENY : '', 0]);
  }
});

/** Whoever opens one of them and waits, waits for ever. */
function plantPipes(): void {
  const pipes = ['closed/0', 'closed/z', 'turned-away', 'slot-0', 'slot-0.pid', 'daemon.log'].map((name) =>
    join(run, name),
  );
  expect(spawnSync('mkfifo', pipes).status).toBe(0);
}

it('a pipe in the place of a file holds up no client', () => {
  plantPipes();
  writeFileSync(join(run, 'closed/a'), denyIn('/'));
  const event = { agent: 'claude-code', event: 'PreToolUse', places: [dir], asks: false };
  expect(failClosedReply(nodeFiles, { run, marks: run }, event)).toBe(DENY);
  expect(() => nodeFiles.append(join(run, 'turned-away'), 'd')).toThrow('turned-away');
  if (!existsSync(CLIENT)) return;
  const words = ['--agent', 'claude-code', '--event', 'PreToolUse', '--state', join(dir, 'state')];
  const nowhere = ['--node', '/no/such/node', '--launcher', '/no/such/launcher'];
  const ran = spawnSync(CLIENT, ['hook', ...words, ...nowhere], {
    cwd: dir,
    env: {},
    input: '{}',
    timeout: PATIENCE_MS,
  });
  expect([ran.stdout.toString(), ran.status]).toEqual([DENY, 0]);
});

it('is found in the short directory when the home takes no file', () => {
  const state = join('/proc', dir, 'state');
  const marks = shortDir(state);
  mkdirSync(join(marks, 'closed'), { recursive: true, mode: 0o700 });
  try {
    writeFileSync(join(marks, 'closed/a'), denyIn('/'));
    const event = { agent: 'claude-code', event: 'PreToolUse', places: [dir], asks: false };
    expect(failClosedReply(nodeFiles, { run: join(state, 'run'), marks }, event)).toBe(DENY);
    if (!existsSync(CLIENT)) return;
    const words = ['--agent', 'claude-code', '--event', 'PreToolUse', '--state', state];
    const nowhere = ['--node', '/no/such/node', '--launcher', '/no/such/launcher'];
    expect(spawnSync(CLIENT, ['hook', ...words, ...nowhere], { input: '{}' }).stdout.toString()).toBe(DENY);
  } finally {
    rmSync(marks, { recursive: true });
  }
});

it('everywhere is also where the directory is gone', () => {
  writeFileSync(join(run, 'closed/a'), denyIn('/'));
  const event = { agent: 'claude-code', event: 'PreToolUse', places: [], asks: false };
  expect(failClosedReply(nodeFiles, { run, marks: run }, event)).toBe(DENY);
  writeFileSync(join(run, 'closed/a'), denyIn(dir));
  writeFileSync(join(run, 'closed/b'), NOTHING_EVERYWHERE);
  expect(failClosedReply(nodeFiles, { run, marks: run }, event)).toBeUndefined();
});

it('a session that was denied often enough is asked, by either client', () => {
  writeFileSync(join(run, 'closed/a'), `/\n${line('PreToolUse', DENY)}${line('PreToolUse?', '{"ask": 1}')}`);
  const event = { agent: 'claude-code', event: 'PreToolUse', places: [dir], asks: true };
  expect(failClosedReply(nodeFiles, { run, marks: run }, event)).toBe('{"ask": 1}');
  if (!existsSync(CLIENT)) return;
  const words = ['--agent', 'claude-code', '--event', 'PreToolUse', '--state', join(dir, 'state')];
  const nowhere = ['--node', '/no/such/node', '--launcher', '/no/such/launcher'];
  const replyTo = (session: string) =>
    spawnSync(CLIENT, ['hook', ...words, ...nowhere], { env: { CLAUDE_CODE_SESSION_ID: session }, input: '{}' });
  const replies = ['a', 'a', 'b', 'a', 'a', 'b'].map((session) => replyTo(session).stdout.toString());
  expect(replies).toEqual([DENY, DENY, DENY, DENY, '{"ask": 1}', DENY]);
  const call = { args: words, body: Buffer.from('{}'), cwd: dir, env: { CLAUDE_CODE_SESSION_ID: 'a' } };
  expect(replyUnanswered(call, { run, marks: run })).toBe('{"ask": 1}');
  expect(replyUnanswered({ ...call, env: {} }, { run, marks: run })).toBe(DENY);
});

it.each([
  ['nothing is known, and the payload names no event', '{}', 'deny'],
  ['nothing is known of a tool call', '{"hook_event_name": "PreToolUse"}', 'deny'],
  ['the payload is cut off', '{"session_id": "a", "hook_ev', 'deny'],
  [
    'a call tells of another event',
    '{"tool_input": {"hook_event_name": "Stop"}, "hook_event_name": "PreToolUse"}',
    'deny',
  ],
  ['it is another event', '{"hook_event_name": "UserPromptSubmit"}', ''],
])('an entry that names no event, %s', (_name, body, expected) => {
  rmSync(run, { recursive: true });
  // What has the state to be in is a file.
  writeFileSync(join(dir, 'file'), '');
  for (const state of [join(dir, 'state'), join(dir, 'file')]) {
    const words = ['--agent', 'claude-code', '--state', state];
    const call = { args: words, body: Buffer.from(body), cwd: dir, env: {} };
    const place = openMeetingPlace({ ...homePaths({ HOME: dir }, 'linux'), state, run: join(state, 'run') });
    const replies = [replyUnanswered(call, place)];
    if (existsSync(CLIENT))
      for (const named of [words, words.slice(0, 2)]) {
        const nowhere = ['--node', '/no/such/node', '--launcher', '/no/such/launcher', '--within', '200'];
        replies.push(
          spawnSync(CLIENT, ['hook', ...named, ...nowhere], { cwd: dir, env: {}, input: body }).stdout.toString(),
        );
      }
    for (const reply of replies)
      if (expected === '') expect(reply).toBe('');
      else expect(JSON.parse(reply)).toMatchObject({ hookSpecificOutput: { permissionDecision: expected } });
  }
});

describe('the files of the rules in force', () => {
  const rule = (onError: 'pass' | 'block', event: 'tool.before' | 'turn.stop' | 'tool.after' = 'tool.before') =>
    policyOf([activeRule('test/guard', () => undefined, { onError, on: [{ event }] })]);
  const open = rule('pass');
  let everywhere: Policy;
  const keeperOver = (files = nodeFiles) =>
    createFailClosedKeeper(
      files,
      () => run,
      async () => everywhere,
    );
  const ask = (place: string, event = 'PreToolUse') =>
    failClosedReply(nodeFiles, { run, marks: run }, { agent: 'claude-code', event, places: [place], asks: false });
  const names = () => (existsSync(join(run, 'closed')) ? readdirSync(join(run, 'closed')) : []);
  beforeEach(() => {
    everywhere = open;
    rmSync(join(run, 'closed'), { recursive: true });
  });

  it('say that no rule must be kept, which is more than nobody having looked', async () => {
    const keeper = keeperOver();
    expect(ask(dir)).toContain('"deny"');
    expect(ask(dir, 'Stop')).toBeUndefined();
    keeper.saw({ project: dir, policy: open });
    await keeper.keep();
    expect(names().map((name) => readFileSync(join(run, 'closed', name), 'utf8'))).toEqual(['/\n']);
    expect(ask(dir)).toBeUndefined();
  });

  it('hold a whole reply that stops the call and names the way out, for its events alone', async () => {
    const keeper = keeperOver();
    keeper.saw({ project: dir, policy: rule('block') });
    await keeper.keep();
    const reply = JSON.parse(ask(join(dir, 'p')) ?? '') as { hookSpecificOutput: Record<string, string> };
    expect(reply.hookSpecificOutput).toMatchObject({ hookEventName: 'PreToolUse', permissionDecision: 'deny' });
    expect(reply.hookSpecificOutput['permissionDecisionReason']).toContain('`fairlead doctor`');
    expect(ask(dir, 'Stop')).toBeUndefined();
    expect(ask('/elsewhere')).toBeUndefined();
    expect(names().map((name) => statSync(join(run, 'closed', name)).mode & 0o777)).toEqual([0o600, 0o600]);
  });

  it('follow the rules: written, taken away, and for what holds everywhere', async () => {
    const keeper = keeperOver();
    keeper.saw({ project: dir, policy: rule('block', 'turn.stop') });
    await keeper.keep();
    expect(JSON.parse(ask(dir, 'Stop') ?? '')).toMatchObject({ decision: 'block' });
    keeper.saw({ project: dir, policy: open });
    await keeper.keep();
    expect(names()).toHaveLength(1);
    everywhere = rule('block');
    keeper.saw({ project: dir, policy: everywhere });
    await keeper.keep();
    expect(ask('/elsewhere')).toContain('deny');
    expect(names()).toHaveLength(2);
  });

  it('say nothing about events on which the agent cannot be stopped', async () => {
    const keeper = keeperOver();
    keeper.saw({ project: dir, policy: rule('block', 'tool.after') });
    await keeper.keep();
    expect(names()).toHaveLength(1);
  });

  it('are written once, and again only when they are wrong', async () => {
    let writes = 0;
    const keeper = keeperOver({
      ...nodeFiles,
      writeAtomic(...file) {
        writes += 1;
        nodeFiles.writeAtomic(...file);
      },
    });
    const policy = rule('block');
    for (let at = 0; at < 3; at += 1) {
      keeper.saw({ project: dir, policy });
      await keeper.keep();
    }
    keeper.saw({ project: dir, policy: rule('block') });
    await keeper.keep();
    expect(writes).toBe(2);
  });

  it('that could not be written are tried again', async () => {
    const keeper = keeperOver();
    writeFileSync(join(run, 'closed'), 'in the way');
    keeper.saw({ project: dir, policy: rule('block') });
    await expect(keeper.keep()).rejects.toThrow('EEXIST');
    rmSync(join(run, 'closed'));
    await keeper.keep();
    expect(ask(dir)).toContain('deny');
    const roots = names().map((name) => readFileSync(join(run, 'closed', name), 'utf8').split('\n')[0]);
    expect(new Set(roots)).toEqual(new Set(['/', dir]));
  });
});
