import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { cellId } from '../../state/cells.ts';
import type { World } from '../world.fixture.ts';
import { contextWorld, DAY, HOUR, NOW } from './context.fixture.ts';
import type { ContextWorldOptions } from './context.fixture.ts';

/** What the packet says of changes, and the log of starts that it stands on. */
const open = (more: ContextWorldOptions = {}) => contextWorld({ only: ['context-load-gate'], ...more });
const read = (world: World, more = {}) => world.before('Read', { file_path: join(world.root, 'package.json') }, more);

const commit = (world: World, subject: string, at: number) => {
  const date = new Date(at).toISOString();
  const env = { ...process.env, GIT_AUTHOR_DATE: date, GIT_COMMITTER_DATE: date };
  const who = ['-c', 'user.name=a', '-c', 'user.email=a@b'];
  execFileSync('git', [...who, 'commit', '-q', '--allow-empty', '-m', subject], { cwd: world.root, env });
};

it('since a day ago is told where no earlier session is known, then since the one before began', async () => {
  const world = open();
  execFileSync('git', ['init', '-q', '-b', 'main'], { cwd: world.root });
  commit(world, 'Long ago', NOW - 2 * DAY);
  commit(world, 'Read "quoted" names', NOW - 2 * HOUR);
  world.put('.context/TASKS.md', '- [ ] One\n', NOW - HOUR);
  await world.event('SessionStart', { source: 'startup' });
  world.now += HOUR;
  expect((await read(world)).note).toContain(
    'Changed since yesterday at this time: TASKS.md; 1 commit, the newest called\n> Read "quoted" names',
  );
  expect(world.cells('context.session_log')).toEqual({ [world.root]: [{ session: 'session-1', at: NOW }] });
  world.now += DAY;
  commit(world, 'After it', NOW + 2 * HOUR);
  commit(world, 'And more', NOW + 3 * HOUR);
  world.put('.context/DECISIONS.md', '# Decisions\n', NOW + HOUR);
  expect((await read(world, { session_id: 'next' })).note).toContain(
    'Changed since the previous session began: DECISIONS.md; 2 commits, the newest called\n> And more',
  );
});

it('is asked for before it is needed, and for the same time', async () => {
  const asked: string[] = [];
  const world = open({ sources: { git: async (_dir, args) => void asked.push(args.join(' ')) } });
  execFileSync('git', ['init', '-q', '-b', 'main'], { cwd: world.root });
  commit(world, 'One', NOW - HOUR);
  await world.event('SessionStart', { source: 'startup' });
  expect(asked, 'the session does not wait for it to begin').toEqual([]);
  await world.engine.facts.idle();
  const before = asked.length;
  expect(before).toBeGreaterThan(0);
  world.now += 1_000;
  await world.prompt('Go on.');
  world.now += 1_000;
  expect((await read(world)).note).toContain('CONSTITUTION');
  expect(asked).toHaveLength(before);
});

it('is not asked for at a prompt, which may wait for other facts', async () => {
  const asked: string[] = [];
  const world = open({ sources: { git: async (_dir, args) => void asked.push(args.join(' ')) } });
  execFileSync('git', ['init', '-q', '-b', 'main'], { cwd: world.root });
  await world.prompt('Go on.');
  await world.engine.facts.idle();
  expect(asked).toEqual([]);
});

it('an answer that is late keeps the packet from nobody', async () => {
  const world = open({ sources: { git: () => new Promise(() => {}) }, factWaitMs: 0 });
  execFileSync('git', ['init', '-q', '-b', 'main'], { cwd: world.root });
  commit(world, 'One', NOW - HOUR);
  const { note } = await read(world);
  expect(note).toContain('CONSTITUTION');
  expect(note).not.toContain('commit,');
});

it('keeps the last ten starts', async () => {
  const world = open();
  for (let at = 0; at < 12; at += 1) {
    world.now += 1_000;
    await read(world, { session_id: `s${at}` });
  }
  const [log] = Object.values(world.cells('context.session_log')) as { session: string }[][];
  expect(log?.map(({ session }) => session)).toEqual(Array.from({ length: 10 }, (_, at) => `s${at + 2}`));
});

it.each(['{', 'null', '[null, 3, {"session": 1}]', '"x"'])('a damaged log (%s) counts as none', async (value) => {
  const world = open();
  const id = cellId('workspace', world.root, 'context.session_log');
  const change = { op: 'set' as const, id, value, expires: 0 };
  world.engine.store.commit({ reads: new Map(), changes: [change], now: world.now });
  expect((await read(world)).note).toContain('CONSTITUTION');
  expect(world.cells('context.session_log')).toEqual({ [world.root]: [{ session: 'session-1', at: NOW }] });
});
