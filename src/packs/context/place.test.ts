import { mkdirSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Answer, World } from '../world.fixture.ts';
import { MADE_HERE, WRAPPED_UP } from './command-cells.ts';
import { contextWorld, nextIn } from './context.fixture.ts';
import { REQUIRED_FILES } from './files.ts';
import { contextKey } from './place.ts';
import { answerLine, setCell, transcribe } from './session.fixture.ts';

const decisions = Array.from({ length: 21 }, (_, at) => `## [2026-01-01-0000${10 + at}] Decision ${at}\n`).join('\n');
const only = ['check-knowledge', 'check-task-completion'];
const options = 'task: { interval: 1 }';
const open = () => contextWorld({ only, options, files: { '.context/DECISIONS.md': decisions } });

/** A context like that of the root, and another project beside it. */
function makeContext(world: World, dir: string): void {
  for (const name of REQUIRED_FILES)
    world.put(join(dir, '.context', name), name === 'DECISIONS.md' ? decisions : '#\n');
}
function makeProject(world: World, dir: string): void {
  mkdirSync(join(dir, '.git'), { recursive: true });
  world.put(join(dir, 'package.json'), '{}');
}

function promptIn(world: World, cwd: string, projectDir: string): Promise<Answer> {
  mkdirSync(cwd, { recursive: true });
  const payload = { session_id: 'session-1', hook_event_name: 'UserPromptSubmit', prompt: 'Go on.', cwd };
  return world.send(payload, { cwd, projectDir });
}

/** The context that the box for the person names. */
function contextNamed({ warn }: Answer): string | undefined {
  const inside = warn.split('\n').flatMap((line) => (line.startsWith('│') ? [line.slice(2, -2).trimEnd()] : []));
  const from = inside.findLastIndex((line) => line.startsWith('/'));
  return from < 0 ? undefined : inside.slice(from).join('');
}

describe('where the agent stands', () => {
  it.each<[string, string, string]>([
    ['at the root', '.', '.'],
    ['in a directory below it', 'src', '.'],
    ['far below it', 'src/a/b/c', '.'],
    ['in the context itself', '.context', '.'],
    ['where a package has a context', 'packages/a', 'packages/a'],
    ['below that', 'packages/a/src', 'packages/a'],
    ['in a package without one', 'packages/b', '.'],
  ])('%s', async (_, stands, expected) => {
    const world = open();
    makeContext(world, join(world.root, 'packages/a'));
    const answer = await promptIn(world, join(world.root, stands), world.root);
    expect(contextNamed(answer)).toBe(join(world.root, expected, '.context'));
    // Whatever the place, the memory is that of the workspace, in which each context has its own.
    const [cell, ...others] = Object.keys(world.cells('context.day.knowledge'));
    expect([cell?.includes(`${world.root}/`), others]).toEqual([false, []]);
    expect(cell).toContain(world.root);
    expect((await promptIn(world, join(world.root, expected), world.root)).note).toBe('');
    expect((await promptIn(world, world.root, world.root)).note === '').toBe(expected === '.');
  });

  it('elsewhere: the context of the project that the agent was started in counts', async () => {
    const world = open();
    const answer = await promptIn(world, join(world.home, 'elsewhere'), world.root);
    expect(contextNamed(answer)).toBe(join(world.root, '.context'));
  });

  it('in another project with a context: that one counts', async () => {
    const world = open();
    const other = join(world.home, 'other');
    makeProject(world, other);
    makeContext(world, other);
    const answer = await promptIn(world, join(other, 'src'), world.root);
    expect(contextNamed(answer)).toBe(join(other, '.context'));
    expect(Object.keys(world.cells('context.day.knowledge')).join()).not.toContain(world.root);
  });

  it('in a repository inside the project, which has none: not above its top, but where the agent was started', async () => {
    const world = open();
    const inner = join(world.root, 'vendor/inner');
    makeProject(world, inner);
    expect((await promptIn(world, inner, inner)).note).toBe('');
    expect(contextNamed(await promptIn(world, inner, world.root))).toBe(join(world.root, '.context'));
  });
});

describe('not initialised', () => {
  it.each(REQUIRED_FILES)('without %s', async (name) => {
    const world = open();
    rmSync(join(world.root, '.context', name));
    if (name !== 'DECISIONS.md') world.put('.context/LEARNINGS.md', decisions.repeat(2));
    expect((await world.prompt('Go on.')).stdout).toBe('');
    expect(world.cells('context.looked')).toEqual({});
    expect(world.work.write.filter((path) => path.startsWith(world.root))).toEqual([]);
  });

  it('a directory in the place of a required file, or a file in that of the context', async () => {
    const world = open();
    rmSync(join(world.root, '.context/TASKS.md'));
    mkdirSync(join(world.root, '.context/TASKS.md'));
    expect((await world.prompt('Go on.')).stdout).toBe('');
    rmSync(join(world.root, '.context'), { recursive: true });
    world.put('.context', 'text');
    expect((await world.prompt('Go on.')).stdout).toBe('');
  });

  it('becomes so at the next prompt, and ceases to be', async () => {
    const world = contextWorld({ only, options, uninitialised: true });
    expect((await world.prompt('Go on.')).stdout).toBe('');
    const path = world.put('.context/DECISIONS.md', decisions);
    expect((await world.prompt('Go on.')).note).toContain('21 entries');
    rmSync(path);
    expect((await edit(world, 'a.ts', world.root, world.root)).stdout).toBe('');
  });

  it('a context that is a link, where that leads out of the project', async () => {
    const world = open();
    const context = join(world.root, '.context');
    renameSync(context, join(world.root, 'kept'));
    symlinkSync('kept', context);
    expect((await world.prompt('Go on.')).note).toContain('21 entries');
    rmSync(context);
    renameSync(join(world.root, 'kept'), join(world.home, 'elsewhere'));
    symlinkSync(join(world.home, 'elsewhere'), context);
    world.now += 86_400_000;
    expect((await world.prompt('Go on.')).stdout).toBe('');
  });

  it('a nested context that lacks files hides the one above it', async () => {
    const world = open();
    world.put('packages/a/.context/TASKS.md', '#\n');
    expect((await promptIn(world, join(world.root, 'packages/a'), world.root)).stdout).toBe('');
  });
});

function edit(world: World, path: string, cwd: string, projectDir: string): Promise<Answer> {
  const file_path = join(world.root, path);
  return world.send(
    {
      session_id: 'session-1',
      hook_event_name: 'PostToolUse',
      tool_name: 'Edit',
      tool_input: { file_path, old_string: 'a', new_string: 'b' },
      tool_response: { filePath: file_path, structuredPatch: [] },
      tool_use_id: `edit-${path}`,
      cwd,
    },
    { cwd, projectDir },
  );
}

describe('an edit is about the context where the agent stands, not where the file lies', () => {
  const tasks = (root: string) => join(root, '.context/TASKS.md');

  it('of a file in another package', async () => {
    const world = open();
    makeContext(world, join(world.root, 'packages/a'));
    expect(nextIn((await edit(world, 'packages/a/x.ts', world.root, world.root)).note)).toBe(tasks(world.root));
    const nested = join(world.root, 'packages/a');
    expect(nextIn((await edit(world, 'y.ts', nested, world.root)).note)).toBe(tasks(nested));
  });

  it('by an agent in a project without a context', async () => {
    const world = open();
    const other = join(world.home, 'other');
    makeProject(world, other);
    expect((await edit(world, 'a.ts', other, other)).stdout).toBe('');
    expect((await edit(world, '.context/GLOSSARY.md', other, other)).stdout).toBe('');
  });

  it('by an agent in a project with a context of its own', async () => {
    const world = open();
    const other = join(world.home, 'other');
    makeProject(world, other);
    makeContext(world, other);
    expect(nextIn((await edit(world, 'a.ts', other, other)).note)).toBe(tasks(other));
  });
});

it('what a context has to say of its size, and that it was wrapped up, counts for it alone', async () => {
  const world = contextWorld({
    only: ['context-load-gate', 'check-context-size'],
    options: 'load: { injection_token_warn: 1 }, size: { trigger: percent }, window: { size: 100 }',
  });
  const nested = join(world.root, 'packages/a');
  makeContext(world, nested);
  setCell(world, MADE_HERE, { at: 1 }, { key: 'packages/a' });
  await world.before('Read', { file_path: join(nested, 'x.ts') }, { cwd: nested });
  const kept = `${world.root} packages/a`;
  expect(Object.keys(world.cells('context.oversize'))).toEqual([kept]);
  expect(Object.keys(world.cells('context.session_log'))).toEqual([kept]);

  transcribe(world, answerLine(70));
  setCell(world, WRAPPED_UP, { at: world.now }, { key: 'packages/a' });
  expect((await world.prompt('Go on.', { cwd: nested })).note).toBe('');
  const { note } = await world.prompt('Go on.');
  expect(note).toContain('Checkpoint');
  expect(note).not.toContain('The context files come to');
  expect(Object.keys(world.cells('context.oversize'))).toEqual([kept]);
});

it.each([
  ['/p', ''],
  ['/p/a', 'a'],
  ['/p/packages/a', 'packages/a'],
])('the context at %s of the workspace /p is called %j', (root, key) => {
  expect(contextKey({ root: '/p' }, root)).toBe(key);
});
