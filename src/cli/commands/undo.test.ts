import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { keep } from '../../undo/keep.ts';
import { plantProject } from '../project.fixture.ts';
import type { PlantedProject } from '../project.fixture.ts';
import { copiesOf } from '../undo-copies.ts';
import type { FakeWorld } from '../world.fixture.ts';
import { list, show, undo } from './undo.ts';

let project: PlantedProject;
let world: FakeWorld;
beforeEach(() => {
  project = plantProject();
  world = project.world();
});
afterEach(() => project.remove());

const at = (path: string) => join(project.root, path);
const put = (path: string, text: string) => writeFileSync(at(path), text);

/** Keeps paths as before a call that deletes them, and deletes them. */
async function lose(...paths: readonly string[]): Promise<number> {
  const { store, world: outside } = copiesOf(world);
  const effects = paths.map(
    (path) =>
      ({ kind: 'delete', target: path, path: at(path), scope: 'inside', seen: `rm ${path}`, road: [] }) as const,
  );
  const result = await keep(store, outside, {
    effects,
    about: { at: Date.now(), session: 'one', root: project.root, agent: 'test', command: `rm -r ${paths.join(' ')}` },
    budget: { ms: 20_000, bytes: 1 << 30 },
    excluded: [],
  });
  for (const path of paths) rmSync(at(path), { recursive: true });
  return 'kept' in result ? result.kept.number : 0;
}

describe('undo', () => {
  it('brings the newest copy of this project back', async () => {
    put('a', 'first');
    await lose('a');
    put('b', 'second');
    await lose('b');
    expect(await world.run(undo)).toBe(0);
    expect(existsSync(at('a'))).toBe(false);
    expect(readFileSync(at('b'), 'utf8')).toBe('second');
    expect(world.printed.out).toBe('Copy 2 is back: 1 file.\n');
    await world.run(undo, '1');
    expect(readFileSync(at('a'), 'utf8')).toBe('first');
  });

  it('says when all is as it was', async () => {
    put('a', 'first');
    await lose('a');
    await world.run(undo);
    world.printed.out = '';
    expect(await world.run(undo)).toBe(0);
    expect(world.printed.out).toBe('Nothing to do: all is as in copy 1.\n');
  });

  it('replaces nothing that was written since unless somebody says yes', async () => {
    put('a', 'first');
    await lose('a');
    put('a', 'mine');
    expect(await world.run(undo)).toBe(2);
    expect(world.printed.err).toContain('a: written since');
    world = project.world({ answer: false });
    expect(await world.run(undo)).toBe(1);
    expect(readFileSync(at('a'), 'utf8')).toBe('mine');
    world = project.world({ answer: true });
    expect(await world.run(undo)).toBe(0);
    expect(readFileSync(at('a'), 'utf8')).toBe('first');
    expect(world.printed.out).toContain('What was there before is copy 2: fairlead undo 2');
    await world.run(undo, '2', '--yes');
    expect(readFileSync(at('a'), 'utf8')).toBe('mine');
  });

  it('brings back only a path, or puts the files elsewhere', async () => {
    mkdirSync(at('dir'));
    put('dir/x', '1');
    put('dir/y', '2');
    await lose('dir');
    await world.run(undo, '--path', 'dir/x');
    expect([existsSync(at('dir/x')), existsSync(at('dir/y'))]).toEqual([true, false]);
    await world.run(undo, '--to', 'elsewhere');
    expect(readFileSync(at('elsewhere/dir/y'), 'utf8')).toBe('2');
    await expect(world.run(undo, '--path', 'nothing')).rejects.toThrow(/has nothing at/);
  });

  it('names what is wrong with what it was given', async () => {
    await expect(world.run(undo)).rejects.toThrow('there is no copy of anything in');
    await expect(world.run(undo, '7')).rejects.toThrow('there is no copy 7');
    await expect(world.run(undo, 'x')).rejects.toThrow('expected the number of a copy, found "x"');
  });

  it('notices a damaged copy before it changes anything', async () => {
    put('a', 'first');
    put('b', 'other');
    await lose('a', 'b');
    const { store } = copiesOf(world);
    const entry = store.read(1)?.entries[1];
    writeFileSync(store.contentOf(1, entry?.kind === 'file' ? entry.sha : ''), 'spoilt');
    await expect(world.run(undo)).rejects.toThrow('copy 1 is damaged');
    expect(existsSync(at('a'))).toBe(false);
  });
});

describe('undo list and show', () => {
  it('tell when, by whom, what and how much', async () => {
    put('a', 'first\n');
    await lose('a');
    put('a', 'mine\n');
    await world.run(list);
    expect(world.printed.out).toMatch(
      /^number +when +session +command +what +size\n +1 +\S+ +one +rm -r a +a \(1 file\) +6 B\n$/,
    );
    world.printed.out = '';
    await world.run(show, '1');
    expect(world.printed.out).toContain('differs  a\n');
    expect(world.printed.out).toContain('-mine\n+first\n');
    expect(await world.json(list)).toEqual([
      expect.objectContaining({ number: 1, session: 'one', bytes: 6, names: ['a'] }),
    ]);
    expect(await world.json(show, '1')).toMatchObject({
      number: 1,
      files: [{ path: at('a'), now: 'other', isConflict: true }],
    });
  });

  it('say that there is nothing', async () => {
    await world.run(list);
    expect(world.printed.out).toMatch(/^No copies of /);
  });
});
