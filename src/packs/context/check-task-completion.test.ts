import { describe, expect, it } from 'vitest';
import type { World } from '../world.fixture.ts';
import { contextWorld, nextIn } from './context.fixture.ts';
import { pauseSession } from './session.fixture.ts';

const CELL = 'context.task_edits';
const only = ['check-task-completion'];

type Fields = Readonly<Record<string, unknown>>;

const edit = (world: World, path = 'src/app.ts', more: Fields = {}) =>
  world.after('Edit', { file_path: `${world.root}/${path}`, old_string: 'a', new_string: 'b' }, {}, more);
const write = (world: World) => world.after('Write', { file_path: `${world.root}/src/new.ts`, content: 'a' }, {});
const counted = (world: World, session = 'session-1') => world.cells(CELL)[session] ?? 0;

/** A project with so many edits behind it. */
async function after(edits: number, options?: string): Promise<World> {
  const world = contextWorld({ only, ...(options === undefined ? {} : { options }) });
  for (let at = 0; at < edits; at += 1) expect((await edit(world)).note).toBe('');
  return world;
}

describe('rows of the specification', () => {
  it('counter 3, an edit: passes, counter 4', async () => {
    const world = await after(3);
    expect(counted(world)).toBe(3);
    expect((await edit(world)).stdout).toBe('');
    expect(counted(world)).toBe(4);
  });

  it('counter 4, a written file: tells, counter 0', async () => {
    const world = await after(4);
    const { note, warn, action } = await write(world);
    expect(note).toContain('last mentioned: 5.');
    expect(note).toContain('Open boxes in it: 2.');
    expect(note).toMatch(/^> Parse the file$/m);
    expect(nextIn(note)).toBe(`${world.root}/.context/TASKS.md`);
    expect([warn, action]).toEqual(['', 'pass']);
    expect(counted(world)).toBe(0);
  });

  it('12 edits in a row: tells at 5 and 10', async () => {
    const world = contextWorld({ only });
    const told: number[] = [];
    for (let at = 1; at <= 12; at += 1) if ((await edit(world)).note !== '') told.push(at);
    expect(told).toEqual([5, 10]);
    expect(counted(world)).toBe(2);
  });

  it.each(['0', '-1'])('interval %s: 10 edits pass', async (interval) => {
    const world = await after(10, `task: { interval: ${interval} }`);
    expect(world.cells(CELL)).toEqual({});
  });

  it('counter 4, an edit of a sub-agent: passes, counter 5; it stays there and the next main edit tells', async () => {
    const world = await after(4);
    for (const _ of [1, 2, 3]) {
      expect((await edit(world, 'src/app.ts', { agent_id: 'a1', agent_type: 'general' })).stdout).toBe('');
      expect(counted(world)).toBe(5);
    }
    expect((await edit(world)).note).toContain('last mentioned: 6.');
    expect(counted(world)).toBe(0);
  });

  it('counter 4, TASKS.md itself: passes, counter 0', async () => {
    const world = await after(4);
    expect((await edit(world, '.context/TASKS.md')).stdout).toBe('');
    expect(counted(world)).toBe(0);
    expect((await edit(world)).note).toBe('');
  });

  it('paused, counter 4: passes, counter 4', async () => {
    const world = await after(4);
    pauseSession(world);
    expect((await edit(world)).stdout).toBe('');
    expect(counted(world)).toBe(4);
  });
});

describe('around them', () => {
  it('every tool that edits counts, and no other', async () => {
    const world = contextWorld({ only });
    await world.after('MultiEdit', { file_path: `${world.root}/a`, edits: [{ old_string: 'a', new_string: 'b' }] }, {});
    await world.after('NotebookEdit', { notebook_path: `${world.root}/a.ipynb`, new_source: 'b' }, {});
    await world.after('Read', { file_path: `${world.root}/a` }, {});
    await world.after('Bash', { command: 'touch a' }, {});
    await world.failed('Edit', { file_path: `${world.root}/a`, old_string: 'a', new_string: 'b' }, 'not found');
    expect(counted(world)).toBe(2);
  });

  it('an edit that is reported as failed does not count', async () => {
    const world = contextWorld({ only });
    const input = { file_path: `${world.root}/a`, old_string: 'a', new_string: 'b' };
    await world.after('Edit', input, '<tool_use_error>String not found</tool_use_error>');
    expect(counted(world)).toBe(0);
  });

  it('a project that is not initialised is left alone', async () => {
    const world = contextWorld({ only, uninitialised: true });
    for (let at = 0; at < 6; at += 1) expect((await edit(world)).stdout).toBe('');
    expect(world.cells(CELL)).toEqual({});
  });

  it.each(['task: { interval: often }', 'task: 3', 'task: []'])('the usual interval for %s', async (options) => {
    const world = await after(4, options);
    expect((await edit(world)).note).toContain('last mentioned: 5.');
  });

  it('the interval is a setting', async () => {
    const world = await after(1, 'task: { interval: 2 }');
    expect((await edit(world)).note).toContain('last mentioned: 2.');
  });

  it('two sessions count for themselves', async () => {
    const world = contextWorld({ only });
    for (let at = 0; at < 4; at += 1) {
      expect((await edit(world)).note).toBe('');
      expect((await edit(world, 'src/app.ts', { session_id: 'session-2' })).note).toBe('');
    }
    expect((await edit(world)).note).not.toBe('');
    expect([counted(world), counted(world, 'session-2')]).toEqual([0, 4]);
    expect((await edit(world, 'src/app.ts', { session_id: 'session-2' })).note).not.toBe('');
  });

  it('a list without open boxes, and a very long title', async () => {
    const none = contextWorld({
      only,
      options: 'task: { interval: 1 }',
      files: { '.context/TASKS.md': '- [x] Done\n' },
    });
    expect((await edit(none)).note).toMatch(/Open boxes in it: 0\.\nTasks/);
    const files = { '.context/TASKS.md': `- [ ] ${'long '.repeat(300)}\n` };
    const long = contextWorld({ only, options: 'task: { interval: 1 }', files });
    expect((await edit(long)).note.length).toBeLessThanOrEqual(700);
  });

  it('an edit of the list counts as following it', async () => {
    const world = await after(4);
    await edit(world);
    await world.before('Edit', { file_path: `${world.root}/.context/TASKS.md`, old_string: '[ ]', new_string: '[x]' });
    expect(Object.values(world.cells('followed'))).toEqual([1]);
  });
});
