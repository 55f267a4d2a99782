import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { INSTALLERS } from '../../adapters/installers.ts';
import type { Installer } from '../../adapters/installer.ts';
import { plantTree } from '../../workspace/tree.fixture.ts';
import type { Tree } from '../../workspace/tree.fixture.ts';
import { fakeWorld } from '../world.fixture.ts';
import { planWiring } from './plan.ts';

let tree: Tree;
beforeEach(() => (tree = plantTree()));
afterEach(() => tree.remove());

const delivery = { launch: { command: '/bin/node', args: ['/f/bin/fairlead'], homeArgs: [] } };

it.each([
  ['{}', '{"hooks":{"PreToolUse":[{"hooks":[{"type":"command","command":5}]}]}}', 'hooks.PreToolUse.0.hooks.0.command'],
  ['', '{', 'its top'],
])('never writes what the agent would reject: %j', (before, written, where) => {
  const [installer] = INSTALLERS as [Installer];
  const faulty: Installer = {
    ...installer,
    add: (text) => ({ edits: [{ at: 0, removed: text, inserted: written }], kept: {} }),
  };
  const path = join(tree.top, 'settings.json');
  const world = fakeWorld({ home: tree.home, cwd: tree.top });
  if (before !== '') tree.put('settings.json', before);
  expect(() => planWiring(faulty, 'local', path, delivery, world)).toThrow(`would become invalid at ${where}`);
  expect(existsSync(path)).toBe(before !== '');
});
