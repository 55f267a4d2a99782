import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { recorded as codexPayload } from './fixtures/codex.ts';
import { answer } from '../src/transport/answer.ts';
import { callWith, plainAdapter, plainEvent, promptEvent, toolEvent } from '../src/engine/engine.fixture.ts';
import { pausedId } from '../src/engine/session/pause.ts';
import type { Event } from '../src/event/event.ts';
import type { Decision } from '../src/event/verdict.ts';
import { handle } from '../src/handle.ts';
import { readRows } from '../src/ledger/read.ts';
import { openWorld } from '../src/packs/world.fixture.ts';
import type { World } from '../src/packs/world.fixture.ts';

/** What is shared by project and what is kept apart by session, whatever agents there are. */
let world: World;
afterEach(() => world.close());

const note = (throttle: string): string =>
  `---\nevent: bash\nwords: [make]\nthrottle: ${throttle}\n---\nSaid ${throttle}.\n`;

function open(throttle = 'once per session'): void {
  world = openWorld();
  world.put(join(world.paths.config, 'rules', 'told.md'), note(throttle));
  world.restart();
}

const make = (session: string) => world.before('Bash', { command: 'make all' }, { session_id: session });
const isTold = async (session: string) => (await make(session)).note.includes('Said ');

/** Another agent, whose payloads are events. */
async function other(event: Event): Promise<Decision | undefined> {
  const at = { ...event, agent: 'other', cwd: world.root, receivedAt: (world.now += 1_000) };
  const { stdout } = await handle(callWith(at, { cwd: world.root, home: world.home }), plainAdapter, world.engine);
  return stdout === '' ? undefined : (JSON.parse(stdout) as Decision);
}
const otherMakes = async (session: string) =>
  ((await other(toolEvent({ command: 'make all' }, { session })))?.notes ?? []).length > 0;
const otherEdits = async (session: string, path: string): Promise<readonly string[]> => {
  const edits = [{ path, operation: 'replace', old: 'a line', new: 'b' }] as const;
  const before = toolEvent({ kind: 'edit', paths: [path], edits }, { session });
  const told = await other(before);
  await other({ ...before, name: 'tool.after' });
  return told?.notes.map(({ text }) => text) ?? [];
};

describe('the same session resumed', () => {
  it('is the same: what it was told and its turns go on, in another process too', async () => {
    open();
    await world.event('SessionStart', { session_id: 's1', source: 'startup' });
    await world.prompt('One.', { session_id: 's1' });
    expect(await isTold('s1')).toBe(true);
    await world.event('SessionEnd', { session_id: 's1', reason: 'other' });
    world.restart();
    await world.event('SessionStart', { session_id: 's1', source: 'resume' });
    await world.prompt('Two.', { session_id: 's1' });
    expect(await isTold('s1')).toBe(false);
    expect(world.cells('turn')['s1']).toMatchObject({ count: 2 });
    expect(await isTold('s2'), 'another one is not').toBe(true);
  });
});

describe('two agents in one directory', () => {
  it('have their own sessions, throttles, turns and pauses', async () => {
    open();
    await world.prompt('One.', { session_id: 's1' });
    await other(promptEvent('One.', { session: 'o1' }));
    await other(promptEvent('Two.', { session: 'o1' }));
    expect([await isTold('s1'), await otherMakes('o1')]).toEqual([true, true]);
    expect([await isTold('s1'), await otherMakes('o1')]).toEqual([false, false]);
    expect(world.cells('turn')).toMatchObject({ s1: { count: 1 }, o1: { count: 2 } });
    const pause = JSON.stringify({ since: world.now, turns: 0 });
    world.engine.store.commit({
      reads: new Map(),
      changes: [{ op: 'set', id: pausedId('o2'), value: pause, expires: 0 }],
      now: world.now,
    });
    expect([await isTold('s2'), await otherMakes('o2')]).toEqual([true, false]);
  });

  it('share what belongs to the project: a rule that speaks once a day, the packs, the record', async () => {
    open('once per day');
    expect([await isTold('s1'), await otherMakes('o1')]).toEqual([true, false]);
    expect((await world.before('Bash', { command: 'rm -rf /' }, { session_id: 's1' })).action).toBe('deny');
    expect((await other(toolEvent({ command: 'rm -rf /' }, { session: 'o1' })))?.action).toBe('deny');
    world.engine.ledger.flush();
    const { db } = world.engine.memory;
    const rows = db ? readRows(db, { root: world.root, last: 10 }) : [];
    expect(new Set(rows.map(({ agent, session }) => `${agent} ${session}`))).toEqual(
      new Set(['claude-code s1', 'other o1']),
    );
  });

  it('hear of each other', async () => {
    open();
    const path = world.put('src/app.ts', 'a line\n');
    await otherEdits('o1', path);
    const edit = () =>
      world.before('Edit', { file_path: path, old_string: 'a', new_string: 'b' }, { session_id: 's1' });
    expect((await edit()).note).toContain(
      'src/app.ts was changed less than a minute ago by another session (other "o1")',
    );
    await world.after('Edit', { file_path: path, old_string: 'a', new_string: 'b' }, {}, { session_id: 's1' });
    expect(await otherEdits('o1', path)).toEqual([expect.stringContaining('(claude-code "s1")')]);
  });

  it('that name no session share no project', async () => {
    open();
    const elsewhere = join(world.home, 'elsewhere');
    world.put(join(elsewhere, 'package.json'), '{}');
    await other(plainEvent('session.start', { session: 'unknown', hasSession: false }));
    const { project } = await world.engine.locate(
      toolEvent({ command: 'ls' }, { session: 'unknown', hasSession: false, cwd: elsewhere }),
      world.cells('project')['unknown'] as string | undefined,
    );
    expect(project).toBe(elsewhere);
  });
});

describe('two real agents', () => {
  let calls = 0;
  /** What Codex is told before a call, which it then makes. */
  const codex = async (tool: string, command: string): Promise<string> => {
    const fields = { tool_input: { command }, tool_use_id: `codex-${(calls += 1)}`, session_id: 'x1', cwd: world.root };
    const replies: string[] = [];
    for (const name of ['PreToolUse', 'PostToolUse']) {
      const body = Buffer.from(JSON.stringify({ ...codexPayload(`${name}/${tool}.json`), ...fields }));
      world.now += 1_000;
      const request = { agent: 'codex', body, size: body.length, cwd: world.root, home: world.home, env: {} };
      replies.push((await answer(request, world.engine)).stdout);
    }
    return replies[0] ?? '';
  };
  const patch = () =>
    codex('apply-patch-update', '*** Begin Patch\n*** Update File: src/app.ts\n@@\n-a line\n+b\n*** End Patch\n');

  it('hear of each other, and of what the other has read by its shell', async () => {
    open();
    const path = world.put('src/app.ts', 'a line\n');
    const edit = async () => {
      const input = { file_path: path, old_string: 'a line', new_string: 'b' };
      world.now += 1_000;
      const { note: told } = await world.before('Edit', input, { session_id: 's1' });
      await world.after('Edit', input, {}, { session_id: 's1' });
      return told;
    };
    expect(await patch()).toBe('');
    expect(await edit()).toContain('by another session (codex "x1"): edited near "a line"');
    expect(await patch()).toContain('by another session (claude-code \\"s1\\")');
    expect(await edit()).toContain('codex "x1"');
    await codex('bash', 'sed -n 1,20p src/app.ts');
    expect(await patch()).toBe('');
    await edit();
    await codex('bash', 'sed -i s/a/b/ src/app.ts');
    expect(await edit()).toContain('codex "x1"): by `sed -i s/a/b/ src/app.ts`');
  });
});

describe('one agent started by another', () => {
  const child = (payload: Readonly<Record<string, unknown>>) => {
    const body = Buffer.from(JSON.stringify({ session_id: 'child', cwd: world.root, ...payload }));
    // It has the environment of the session that it was started in.
    const env = { CLAUDE_CODE_SESSION_ID: 'parent', CLAUDE_PROJECT_DIR: world.root };
    return answer(
      { agent: 'claude-code', body, size: body.length, cwd: world.root, home: world.home, env },
      world.engine,
    );
  };
  const tool = (name: string, tool_name: string, tool_input: object) =>
    child({ hook_event_name: name, tool_name, tool_input, tool_use_id: `child-${(calls += 1)}` });
  let calls = 0;

  it('is a session of its own, and its end is not the end of the other', async () => {
    open();
    await world.prompt('One.', { session_id: 'parent' });
    expect(await isTold('parent')).toBe(true);
    expect((await tool('PreToolUse', 'Bash', { command: 'make all' })).stdout).toContain('Said ');
    await child({ hook_event_name: 'SessionEnd', reason: 'other' });
    expect(await isTold('parent')).toBe(false);
    expect(Object.keys(world.cells('turn'))).toEqual(['parent']);
  });

  it('is heard of as long as it runs', async () => {
    open();
    const path = world.put('src/app.ts', 'a line\n');
    const input = { file_path: path, old_string: 'a', new_string: 'b' };
    const edit = () => world.before('Edit', input, { session_id: 'parent' });
    await tool('PostToolUse', 'Edit', input);
    expect((await edit()).note).toContain('another session (claude-code "child")');
    await tool('PostToolUse', 'Edit', input);
    await child({ hook_event_name: 'SessionEnd', reason: 'other' });
    expect((await edit()).note).toBe('');
  });
});
