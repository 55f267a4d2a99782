import { createHash } from 'node:crypto';
import { appendFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { plantTree } from '../../roots/tree.fixture.ts';
import type { Tree } from '../../roots/tree.fixture.ts';
import { planTakeOut } from '../install/plan-take-out.ts';
import { fakeWorld } from '../world.fixture.ts';
import type { FakeWorld } from '../world.fixture.ts';
import { doctor } from './doctor.ts';
import { init } from './init.ts';
import { uninstall } from './uninstall.ts';

let tree: Tree;
let project: string;
let worlds: FakeWorld[];
let plugin: string;
beforeEach(() => {
  tree = plantTree();
  project = tree.repository('project');
  worlds = [];
  plugin = join(tree.home, '.config', 'opencode', 'plugin', 'fairlead.js');
});
afterEach(() => {
  for (const each of worlds) each.close();
  return tree.remove();
});

function world(): FakeWorld {
  const made = fakeWorld({ home: tree.home, cwd: project, env: { PATH: '/nowhere' }, columns: 300, agent: 'opencode' });
  worlds.push(made);
  return made;
}

const USER = ['--scope', 'user', '--yes'];
const read = (): string => readFileSync(plugin, 'utf8');
async function findings(): Promise<string> {
  const at = world();
  await at.run(doctor);
  return at.printed.out;
}

describe('an agent that loads a file of ours', () => {
  it('gets it, and loses it with the folders that were made for it', async () => {
    expect(await world().run(init, ...USER)).toBe(0);
    const written = read();
    const again = world();
    expect(await again.run(init, ...USER)).toBe(0);
    expect(again.printed.out).toContain('Nothing to do');
    expect(await world().run(uninstall, ...USER)).toBe(0);
    expect(existsSync(join(tree.home, '.config', 'opencode'))).toBe(false);
    // Also where nothing is left of what init remembered.
    mkdirSync(dirname(plugin), { recursive: true });
    writeFileSync(plugin, written);
    expect(await world().run(uninstall, ...USER)).toBe(0);
    expect(existsSync(plugin)).toBe(false);
  });

  it('keeps one of somebody else by that name', async () => {
    mkdirSync(dirname(plugin), { recursive: true });
    writeFileSync(plugin, 'export const Mine = async () => ({});\n');
    await expect(world().run(init, ...USER)).rejects.toThrow('it is a plugin of somebody else; nothing was changed');
    expect(await world().run(uninstall, ...USER)).toBe(0);
    expect(read()).toBe('export const Mine = async () => ({});\n');
  });

  it('has one that was changed written anew, and one that is gone named', async () => {
    await world().run(init, ...USER);
    const written = read();
    expect(await findings()).not.toMatch(/fairlead\.js (?:was|does)/);
    appendFileSync(plugin, '// more\n');
    expect(await findings()).toContain('fairlead.js was changed since Fairlead wrote it.');
    expect(await world().run(init, ...USER)).toBe(0);
    expect(read()).toBe(written);
    rmSync(plugin);
    expect(await findings()).toContain('fairlead.js does not call Fairlead any more');
    expect(await world().run(init, ...USER)).toBe(0);
    expect(await world().run(uninstall, ...USER)).toBe(0);
    expect(existsSync(plugin)).toBe(false);
  });

  it('has a blank one back that was there before', async () => {
    mkdirSync(dirname(plugin), { recursive: true });
    for (const blank of ['', '\n \n']) {
      writeFileSync(plugin, blank);
      expect(await world().run(init, ...USER)).toBe(0);
      expect(read()).toContain('fairlead');
      expect(await world().run(uninstall, ...USER)).toBe(0);
      expect(read()).toBe(blank);
    }
  });

  it('is told what a file of a project starts that only says to be ours', async () => {
    const shared = join(project, '.opencode', 'plugin', 'fairlead.js');
    mkdirSync(dirname(shared), { recursive: true });
    const write = (events: object): void => {
      const body = `const FAIRLEAD = {\n  "events": ${JSON.stringify(events)}\n};\nexport const Fairlead = async () => ({});\n`;
      const sum = createHash('sha256').update(body).digest('hex');
      writeFileSync(shared, `${head}\n// sha256 ${sum}\n${body}`);
    };
    await world().run(init, ...USER);
    const [head = ''] = read().split('\n');
    const entry = (...words: readonly string[]) => ({
      'tool.execute.before': { words: [...words, 'hook', '--agent', 'opencode'], blocks: false },
    });
    const STRANGE = 'which this installation does not know.';
    write(entry('/bin/sh', join(project, 'fairlead')));
    expect(await findings()).toContain(`starts \`/bin/sh ${join(project, 'fairlead')}\`, ${STRANGE}`);
    expect(await findings()).toContain('it runs inside opencode');
    expect(await findings()).not.toContain('It works');
    write({});
    expect(await findings()).toContain('says that Fairlead wrote it, and does not start Fairlead.');
    write(entry('fairlead'));
    const told = await findings();
    expect(told).toContain('says that another version of Fairlead wrote it.');
    expect(told).not.toContain(STRANGE);
  });

  it('is found by what is left when the package is gone, also deep in a project', async () => {
    const shared = join(project, '.opencode', 'plugin', 'fairlead.js');
    const bin = join(tree.home, 'bin');
    mkdirSync(bin);
    writeFileSync(join(bin, 'fairlead'), '#!/bin/sh\n', { mode: 0o755 });
    const at = fakeWorld({ home: tree.home, cwd: project, env: { PATH: bin }, columns: 300, agent: 'opencode' });
    worlds.push(at);
    expect(await at.run(init, '--scope', 'project', '--yes')).toBe(0);
    expect(readFileSync(shared, 'utf8')).not.toContain(tree.home);
    const changes = planTakeOut({ paths: at.paths, userHome: tree.home, env: {} });
    expect(changes.map(({ path, after }) => [path, after])).toEqual([[shared, undefined]]);
  });
});
