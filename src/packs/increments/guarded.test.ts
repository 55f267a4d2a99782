import { symlinkSync } from 'node:fs';
import { afterEach, describe, expect, it } from 'vitest';
import { send, toolEvent } from '../../engine/engine.fixture.ts';
import { DEMO, demoWorld, editOf, metadata, SPEC, TASKS, tick } from './increment.fixture.ts';
import { openWorld } from '../world.fixture.ts';
import type { World, WorldOptions } from '../world.fixture.ts';

let world: World;
afterEach(() => world.close());
const open = (options?: WorldOptions) => (world = demoWorld(options));

const DONE = { [`${DEMO}/tasks.md`]: tick(TASKS), [`${DEMO}/spec.md`]: tick(SPEC) };
const state = `${DEMO}/metadata.json`;
const complete = () => world.before('Edit', editOf(world, state, '"active"', '"completed"'));
const rewrite = () => world.before('Write', { file_path: `${world.root}/${state}`, content: metadata('completed') });

it.each([
  ['packs: { guard: off, basics: off }', 'pass'],
  ['', 'deny'],
])('an edit that names nothing completes none; under `%s` it is answered with %s', async (config, action) => {
  open({ config });
  expect((await world.before('Edit', {})).action).toBe(action);
});

describe('an increment with open tasks', () => {
  it('an edit that completes it is denied, with numbers and the next step', async () => {
    open();
    const { action, reason } = await complete();
    expect(action).toBe('deny');
    expect(reason).toContain('0001-demo');
    expect(reason).toContain('2 open tasks (T-001, T-002), 2 unticked criteria (AC-US1-01, AC-US1-02)');
    expect(reason).toContain('Next is T-001 ("Parse the file")');
    expect(reason).toContain('fairlead increment done 0001-demo');
    expect(reason).toContain('fairlead allow-once');
  });

  it('so is a whole new file', async () => {
    open();
    expect((await rewrite()).action).toBe('deny');
  });

  it.each([
    `jq '.status="completed"' m.json > ${state}`,
    `sed -i 's/active/completed/' ${state}`,
    `echo '{"status":"completed"}' | tee ${state}`,
    `cp completed.json ${state}`,
    `cd .specweave/increments/0001-demo && mv completed.json metadata.json`,
  ])('`%s` is asked about', async (command) => {
    open();
    expect(await world.before('Bash', { command })).toMatchObject({
      action: 'ask',
      reason: '[increments/completion-guard] This call writes the state of 0001-demo and speaks of completion.',
    });
  });

  it.each([
    `cat ${state} | grep completed`,
    `echo completed > notes.txt`,
    `jq '.type="bug"' m.json > ${state}`,
    `git commit -m "set metadata.json to completed"`,
  ])('`%s` passes', async (command) => {
    open();
    expect((await world.before('Bash', { command })).action).toBe('pass');
  });

  it.each([
    [`find .specweave -name metadata.json -exec sed -i s/active/completed/ {} +`, 'increments'],
    [`find . -name metadata.json | xargs sed -i s/active/completed/`, 'increments'],
    [`sed -i s/active/completed/ .specweave/increments/*/metadata.json`, 'increments'],
    [`mv /tmp/completed/metadata.json ${DEMO}`, '0001-demo'],
    [`cp -r /tmp/completed/. ${DEMO}`, '0001-demo'],
    [`rsync -a /tmp/completed/ ${DEMO}/`, '0001-demo'],
    [`python3 -c "open('${state}', 'w').write('completed')"`, '0001-demo'],
    [`node -e "require('fs').writeFileSync('${state}', 'completed')"`, '0001-demo'],
    [`tar -xf completed.tar -C ${DEMO}`, '0001-demo'],
  ])('`%s` is asked about too', async (command, named) => {
    open();
    const reply = await world.before('Bash', { command });
    expect(reply).toMatchObject({ action: 'ask', reason: expect.stringContaining(`the state of ${named} and speaks`) });
  });

  it.each([
    `mv ${DEMO} .specweave/increments/_completed/`,
    `mkdir -p .specweave/increments/0002-completed-orders`,
    `cp completed.md ${DEMO}`,
    `find . -name metadata.json -exec grep completed {} +`,
    `find . -name package.json -exec sed -i s/active/completed/ {} +`,
    `echo completed > metadata.json`,
    `sed -i s/active/completed/ ../metadata.json`,
  ])('`%s` passes as well', async (command) => {
    open({ config: 'packs: { guard: off }' });
    expect((await world.before('Bash', { command })).action).toBe('pass');
  });

  it('a command at the top of a repository is asked about as well', async () => {
    const path = `packages/api/${state}`;
    world = openWorld({ files: { [path]: metadata('active') } });
    expect((await world.before('Bash', { command: `sed -i s/active/completed/ ${path}` })).action).toBe('ask');
  });

  it.each([
    ['mcp__filesystem__write_file', { content: metadata('completed') }, 'ask'],
    ['mcp__filesystem__edit_file', { edits: [{ oldText: 'active', newText: 'completed' }] }, 'ask'],
    ['mcp__filesystem__write_file', { content: metadata('paused') }, 'pass'],
    ['mcp__filesystem__read_text_file', { note: 'completed' }, 'pass'],
  ])('a tool of another server, %s %j: %s', async (tool, input, action) => {
    open();
    expect((await world.before(tool, { path: `${world.root}/${state}`, ...input })).action).toBe(action);
  });

  it.each([
    ['a file', `${DEMO}/metadata.json`, 'state.json', ''],
    ['a directory', DEMO, 'current', '/metadata.json'],
  ])('a write through a link to %s', async (_name, target, link, rest) => {
    open();
    symlinkSync(`${world.root}/${target}`, `${world.root}/${link}`);
    const at = `${link}${rest}`;
    const write = { file_path: `${world.root}/${at}`, content: metadata('completed') };
    expect((await world.before('Write', write)).action).toBe('deny');
    expect((await world.before('Edit', editOf(world, at, '"active"', '"completed"'))).reason).toContain('0001-demo');
    expect((await world.before('Edit', editOf(world, at, '"active"', '"paused"'))).action).toBe('pass');
  });

  it('files that cannot be read are no sign of being done', async () => {
    open({ files: DONE });
    world.put(`${DEMO}/tasks.md`, 'x'.repeat(2_000_000));
    expect((await complete()).reason).toContain('tasks.md');
  });

  it('after two denials of the same content a person decides', async () => {
    open();
    const actions = [(await complete()).action, (await complete()).action, (await complete()).action];
    expect(actions).toEqual(['deny', 'deny', 'ask']);
    expect(
      (await world.before('Edit', editOf(world, state, 'active', 'completed'), { session_id: 'other' })).action,
    ).toBe('deny');
  });

  it('also where the agent mostly sends no arguments', async () => {
    open();
    const value = JSON.stringify({ bits: '0'.repeat(100), state: 'blind', since: 1 });
    const id = ['user', '', 'increments.ring', 'claude-code/PreToolUse'].join('\u001f');
    world.engine.store.commit({ reads: new Map(), changes: [{ op: 'set', id, value, expires: 0 }], now: world.now });
    expect((await complete()).action).toBe('deny');
  });

  it('one file among others of the same call', async () => {
    open();
    const paths = ['src/a.ts', `${DEMO}/tasks.md`, state].map((path) => `${world.root}/${path}`);
    const edits = paths.map((path) => ({ path, operation: 'replace' as const, old: 'active', new: 'completed' }));
    const call = { kind: 'edit', name: 'patch', paths, edits } as const;
    const where = { cwd: world.root, receivedAt: world.now };
    expect(await send(world.engine, toolEvent(call, where))).toMatchObject({ action: 'deny' });
    const others = { ...call, edits: edits.slice(0, 2) };
    expect(await send(world.engine, toolEvent(others, where))).toMatchObject({ action: 'pass' });
  });

  it('a conflict alone stops it too', async () => {
    open({ files: { [`${DEMO}/tasks.md`]: TASKS, [`${DEMO}/spec.md`]: tick(SPEC) } });
    expect((await complete()).reason).toContain('ticked with tasks open');
  });

  it('in mode ask the person decides, and where nobody is asked it stays denied', async () => {
    open({ config: 'packs: { increments: ask }' });
    expect((await complete()).action).toBe('ask');
    expect(
      (
        await world.before('Edit', editOf(world, state, '"active"', '"completed"'), {
          permission_mode: 'dontAsk',
        })
      ).action,
    ).toBe('deny');
  });

  it('a pause of the advice does not lift it', async () => {
    open();
    const id = ['session', 'session-1', 'paused', ''].join('\u001f');
    world.engine.store.commit({
      reads: new Map(),
      changes: [{ op: 'set', id, value: '{"since":1,"turns":0}', expires: 0 }],
      now: world.now,
    });
    expect((await complete()).action).toBe('deny');
  });
});

describe('what completes nothing, or rightly', () => {
  it('everything is done and ticked', async () => {
    open({ files: DONE });
    expect((await complete()).stdout).toBe('');
    expect((await rewrite()).stdout).toBe('');
  });

  it('another field of a completed increment', async () => {
    open({ files: { [state]: metadata('completed') } });
    expect((await world.before('Edit', editOf(world, state, 'feature', 'bug'))).stdout).toBe('');
  });

  it.each([
    ['another status', '"active"', '"paused"'],
    ['text that is not there', '"nothing"', '"completed"'],
    ['a result that is no JSON', '"active"', '"completed'],
  ])('%s', async (_name, before, after) => {
    open();
    expect((await world.before('Edit', editOf(world, state, before, after))).action).toBe('pass');
  });
});

describe('settings', () => {
  it('`guard.require: command` leaves it to the command', async () => {
    open({ config: 'packs: { increments: { guard: { require: command } } }', files: DONE });
    const { action, reason } = await complete();
    expect(action).toBe('deny');
    expect(reason).toContain('fairlead increment done 0001-demo');
  });

  it('`guard.transitions` wants a review first', async () => {
    open({ config: 'packs: { increments: { guard: { transitions: true } } }', files: DONE });
    expect((await complete()).reason).toContain('ready_for_review');
    world.put(state, metadata('ready_for_review'));
    expect((await world.before('Edit', editOf(world, state, '"ready_for_review"', '"completed"'))).action).toBe('pass');
  });

  it('`tasks.complete_when: status` believes the status line of a task', async () => {
    const told = TASKS.replaceAll('- [ ]', '**Status**: [x]\n- [ ]');
    open({
      config: 'packs: { increments: { tasks: { complete_when: status } } }',
      files: { [`${DEMO}/tasks.md`]: told, [`${DEMO}/spec.md`]: tick(SPEC) },
    });
    expect((await complete()).action).toBe('pass');
  });
});

it('the prompt line is off until it is asked for, and says only what has changed', async () => {
  const status = (completed: number) =>
    JSON.stringify({ current: { id: '0001-demo', completed, total: 2, acsCompleted: 0, acsTotal: 2 } });
  open({ files: { '.specweave/state/status-line.json': status(0) } });
  expect((await world.prompt('Go on.')).note).toBe('');
  world.close();

  open({ config: 'rules: { increments/prompt-line: on }', files: { '.specweave/state/status-line.json': status(0) } });
  expect((await world.prompt('Go on.')).note).toContain('0001-demo: 0 of 2 tasks done, 0 of 2 criteria ticked');
  expect((await world.prompt('Go on.')).note).toBe('');
  world.put('.specweave/state/status-line.json', status(1));
  expect((await world.prompt('Go on.')).note).toContain('1 of 2 tasks');
});
