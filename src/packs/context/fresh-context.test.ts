import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { World } from '../world.fixture.ts';
import { contextWorld, DAY, HOUR, NOW } from './context.fixture.ts';
import type { ContextWorldOptions } from './context.fixture.ts';
import { LOAD_ORDER } from './files.ts';
import { STARTERS } from './starters.ts';

const read = (world: World, more = {}) => world.before('Read', { file_path: join(world.root, 'package.json') }, more);
const sectionsIn = (note: string) => [...note.matchAll(/^=== \S*\/(\S+)$/gm)].map(([, name]) => name);

/** What `context init` makes, a moment ago; some files as somebody has written them. */
function fresh(own: Readonly<Record<string, string>> = {}, more: ContextWorldOptions = {}): World {
  const world = contextWorld({ only: ['context-load-gate'], ...more });
  LOAD_ORDER.forEach((name, at) => world.put(`.context/${name}`, own[name] ?? STARTERS[name], NOW - 60_000 + at * 10));
  return world;
}

describe('a context that nobody has filled', () => {
  it('gives nothing, and is loaded once there is something', async () => {
    const world = fresh();
    expect((await read(world)).note).toBe('');
    world.put('.context/CONVENTIONS.md', '# Conventions\n\n- Tabs.\n', world.now);
    expect((await read(world, { session_id: 'next' })).note).toContain('- Tabs.');
  });

  it.each<[string, Record<string, string>, readonly string[]]>([
    ['a rule', { 'CONSTITUTION.md': '# Constitution\n\n- Nobody pushes on Fridays.\n' }, ['CONSTITUTION.md']],
    ['a part', { 'ARCHITECTURE.md': `${STARTERS['ARCHITECTURE.md']}\nOne process.\n` }, ['ARCHITECTURE.md']],
    ['a decision', { 'DECISIONS.md': '# Decisions\n\n## [2026-03-10-090000] Use SQLite\n' }, ['DECISIONS.md']],
    ['a task', { 'TASKS.md': '# Tasks\n\n- [ ] Parse the file\n' }, []],
  ])('gives what somebody wrote, and no template beside it: %s', async (_, own, sections) => {
    const { note } = await read(fresh(own));
    expect(sectionsIn(note)).toEqual(sections);
    expect(note).toContain('Tasks: .context/TASKS.md, 1 open.');
    expect(note).not.toContain('Changed since');
  });

  it('gives no file of another program’s templates', async () => {
    const comment = '<!--\nUPDATE WHEN: something changes\n-->';
    const own = Object.fromEntries(
      LOAD_ORDER.map((name) => [name, `# ${name}\n\n${comment}\n\n## Part\n\n- [name]\n`]),
    );
    expect((await read(fresh(own))).note).toBe('');
  });
});

describe('what has changed', () => {
  const law = { 'CONSTITUTION.md': '# Constitution\n\n- Nobody pushes on Fridays.\n' };
  const changedIn = (note: string) => /^Changed since [^:]*: (.*)$/m.exec(note)?.[1];

  it('is not what came together a moment ago, by init, a clone or a checkout', async () => {
    expect(changedIn((await read(fresh(law))).note)).toBeUndefined();
  });

  it('is what was written since', async () => {
    const world = fresh(law);
    world.put('.context/LEARNINGS.md', '# Learnings\n', NOW - 1_000);
    expect(changedIn((await read(world)).note)).toBe('LEARNINGS.md');
  });

  it('is not what came during the session before', async () => {
    const world = fresh(law);
    await read(world);
    for (const name of LOAD_ORDER) world.put(`.context/${name}`, law['CONSTITUTION.md'], NOW + HOUR);
    world.now += DAY;
    expect(changedIn((await read(world, { session_id: 'next' })).note)).toBeUndefined();
  });

  it('are files of different times, also where all of them are new', async () => {
    const world = contextWorld({ only: ['context-load-gate'] });
    ['CONSTITUTION.md', 'TASKS.md', 'DECISIONS.md'].forEach((name, at) =>
      world.put(`.context/${name}`, '- text\n', NOW - HOUR * (at + 1)),
    );
    expect(changedIn((await read(world)).note)).toBe('CONSTITUTION.md, TASKS.md, DECISIONS.md');
  });
});
