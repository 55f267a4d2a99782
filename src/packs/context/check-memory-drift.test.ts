import { join } from 'node:path';
import { expect, it } from 'vitest';
import { sha256 } from '../../platform/hash.ts';
import type { World } from '../world.fixture.ts';
import { contextWorld, DAY, nextIn, NOW } from './context.fixture.ts';
import { MEMORY_HASH } from './memory.ts';
import { pauseSession, setCell } from './session.fixture.ts';

const SYNC = 'fairlead memory sync';
const OLD = '- uses tabs\n- tests first\n';
const open = (options?: string) =>
  contextWorld({ only: ['check-memory-drift'], ...(options === undefined ? {} : { options }) });
const remember = (world: World, text: string, at = NOW) => world.put(join(world.home, 'memory/MEMORY.md'), text, at);
const tombstone = (world: World) => Object.keys(world.cells('context.memory_nudged')).length > 0;

function mirror(world: World, text: string, hash: string | undefined = sha256(text)): void {
  world.put('.context/memory/mirror.md', text, NOW - DAY);
  if (hash !== '') setCell(world, MEMORY_HASH, hash);
}

interface Row {
  arrange(world: World): void;
  readonly says?: string;
}

it.each<[string, Row]>([
  [
    'edited since it was mirrored',
    {
      arrange(world) {
        mirror(world, OLD);
        remember(world, '- tests first\n- no tabs\n- small files\n');
      },
      says: 'Lines added: 2, removed: 1',
    },
  ],
  [
    'edited, and older than the mirror by its time',
    {
      arrange(world) {
        mirror(world, OLD);
        remember(world, `${OLD}- more\n`, NOW - 9 * DAY);
      },
      says: 'Lines added: 1, removed: 0',
    },
  ],
  [
    'touched',
    {
      arrange(world) {
        mirror(world, OLD);
        remember(world, OLD, NOW);
      },
    },
  ],
  ['none', { arrange: (world) => mirror(world, OLD) }],
  ['neither memory nor mirror', { arrange: () => {} }],
  [
    'no hash, and later than the mirror',
    {
      arrange(world) {
        mirror(world, OLD, '');
        remember(world, `${OLD}- more\n`);
      },
      says: 'Lines added: 1, removed: 0',
    },
  ],
  [
    'no hash, and earlier',
    {
      arrange(world) {
        mirror(world, OLD, '');
        remember(world, `${OLD}- more\n`, NOW - 2 * DAY);
      },
    },
  ],
  [
    'a hash of a wrong kind',
    {
      arrange(world) {
        mirror(world, OLD, '');
        setCell(world, MEMORY_HASH, { of: 'nothing' });
        remember(world, `${OLD}- more\n`);
      },
      says: 'Lines added: 1, removed: 0',
    },
  ],
])('%s', async (_, { arrange, says }) => {
  const world = open();
  arrange(world);
  const { note, warn } = await world.prompt('Go on.');
  expect(nextIn(note)).toBe(says === undefined ? undefined : SYNC);
  if (says !== undefined) expect([note.includes(says), warn.includes('Lines added')]).toEqual([true, true]);
  expect(tombstone(world)).toBe(says !== undefined);
  expect((await world.prompt('And on.')).note).toBe('');
});

it('speaks once per session, and not again when the memory is mirrored', async () => {
  const world = open();
  mirror(world, OLD);
  remember(world, `${OLD}- more\n`);
  expect((await world.prompt('Go on.')).note).not.toBe('');
  remember(world, `${OLD}- more\n- and more\n`);
  expect((await world.prompt('Go on.')).note).toBe('');
  expect((await world.prompt('Go on.', { session_id: 'session-2' })).note).toContain('Lines added: 2');
  setCell(world, MEMORY_HASH, sha256(`${OLD}- more\n- and more\n`));
  expect((await world.prompt('Go on.', { session_id: 'session-3' })).note).toBe('');
});

it('without a mirror it says so once in a project', async () => {
  const world = open();
  remember(world, OLD);
  const { note } = await world.prompt('Go on.');
  expect([nextIn(note), note.includes('no mirror')]).toEqual([SYNC, true]);
  expect(tombstone(world)).toBe(true);
  expect((await world.prompt('Go on.')).note).toBe('');
  expect((await world.prompt('Go on.', { session_id: 'session-2' })).note).toBe('');
  await world.pass(30 * DAY);
  expect((await world.prompt('Go on.', { session_id: 'session-3' })).note).toBe('');
});

it('the hint does not use up the session in which a mirror appears', async () => {
  const world = open();
  remember(world, OLD);
  await world.prompt('Go on.');
  mirror(world, OLD);
  remember(world, `${OLD}- more\n`);
  expect((await world.prompt('Go on.', { session_id: 'session-2' })).note).toContain('Lines added: 1');
});

it.each<[string, string, boolean]>([
  ['false', 'memory: { first_sync_hint: false }', false],
  ['no truth value', 'memory: { first_sync_hint: 5 }', true],
  ['in a group that is none', 'memory: off', true],
])('memory.first_sync_hint: %s', async (_, options, speaks) => {
  const world = open(options);
  remember(world, OLD);
  expect((await world.prompt('Go on.')).note !== '').toBe(speaks);
  mirror(world, OLD);
  remember(world, `${OLD}- more\n`);
  expect((await world.prompt('Go on.', { session_id: 'session-2' })).note).not.toBe('');
});

it('without a transcript it looks where the agent keeps the project, whatever its name', async () => {
  const world = open();
  const root = join(world.home, 'my.app_x');
  for (const name of ['package.json', '.context/CONSTITUTION.md', '.context/TASKS.md', '.context/DECISIONS.md'])
    world.put(join(root, name), '{}');
  const slug = `${world.home.replaceAll(/[^A-Za-z0-9]/g, '-')}-my-app-x`;
  world.put(join(world.home, '.claude/projects', slug, 'memory/MEMORY.md'), OLD, NOW);
  const payload = { session_id: 'session-1', hook_event_name: 'UserPromptSubmit', prompt: 'Go on.', cwd: root };
  const { note } = await world.send(payload, { cwd: root, projectDir: root });
  expect(note).toContain('no mirror');
});

it('a context further down has a mirror and a hash of its own', async () => {
  const world = open();
  for (const name of ['CONSTITUTION', 'TASKS', 'DECISIONS']) world.put(`packages/a/.context/${name}.md`, '#\n');
  remember(world, OLD);
  mirror(world, OLD);
  world.put('packages/a/.context/memory/mirror.md', OLD, NOW - DAY);
  setCell(world, MEMORY_HASH, sha256('something else'), { key: 'packages/a' });
  expect((await world.prompt('Go on.')).note).toBe('');
  const cwd = join(world.root, 'packages/a');
  expect((await world.prompt('Go on.', { cwd })).note).toContain('Lines added: 0');
});

it.each<[string, Readonly<Record<string, unknown>>, string]>([
  ['a sub-agent', { agent_id: 'agent-1', agent_type: 'Explore' }, 'Go on.'],
  ['a notification', {}, '<task-notification>done</task-notification>'],
])('%s hears nothing', async (_, more, prompt) => {
  const world = open();
  remember(world, OLD);
  expect((await world.prompt(prompt, more)).note).toBe('');
  expect([tombstone(world), world.cells('context.memory_hinted')]).toEqual([false, {}]);
});

it('paused, or not initialised, it passes', async () => {
  const world = open();
  remember(world, OLD);
  pauseSession(world);
  expect((await world.prompt('Go on.')).note).toBe('');
  expect(tombstone(world)).toBe(false);
  const bare = contextWorld({ only: ['check-memory-drift'], uninitialised: true });
  remember(bare, OLD);
  expect((await bare.prompt('Go on.')).note).toBe('');
});
