import { chmodSync, existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { INSTALLERS } from '../../adapters/installers.generated.ts';
import type { Delivery, Installer } from '../../adapters/installer.ts';
import { nodeFiles } from '../../platform/files.ts';
import type { HomePaths } from '../../platform/paths.ts';
import { plantTree } from '../../roots/tree.fixture.ts';
import type { Tree } from '../../roots/tree.fixture.ts';
import { fakeWorld } from '../world.fixture.ts';
import { writeAll } from './confirm.ts';
import { planUnwiring, planWiring } from './plan.ts';
import type { SettingsChange } from './plan.ts';
import { readRecords, writeRecord } from './record.ts';

let tree: Tree;
beforeEach(() => (tree = plantTree()));
afterEach(() => tree.remove());

const wanted = { launch: { command: '/bin/node', args: ['/f/bin/fairlead'], homeArgs: [] } };

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
  expect(() => planWiring(faulty, 'local', path, wanted, world)).toThrow(`would become invalid at ${where}`);
  expect(existsSync(path)).toBe(before !== '');
});

const token = 'ab'.repeat(32);
const ways = ({ config, state }: HomePaths): Record<string, Delivery> => {
  const homeArgs = ['--config', config, '--state', state];
  const native = { command: '/f/dist/fairlead-client', args: [], homeArgs };
  const http = { url: 'http://127.0.0.1:20001/hook/claude-code', token };
  return {
    node: { launch: { command: '/bin/node', args: ['/f/bin/fairlead'], homeArgs } },
    native: { launch: native },
    http: { launch: native, http },
  };
};
const NAMES = ['node', 'native', 'http'];
const PATHS = NAMES.flatMap((a) => NAMES.map((b) => [a, b, a]));

describe.each(['local', 'user'] as const)('%s', (scope) => {
  const FIRST = '{\n  "hooks": {\n    "Stop": [{ "hooks": [{ "type": "command", "command": "mine.sh" }] }]\n  }\n}';

  /** As `init` and `uninstall` do it, without their words. */
  function carry(change: SettingsChange | undefined, state: string, isGone = false): void {
    if (change)
      writeAll([change], () => writeRecord(nodeFiles, state, change.recordKey, isGone ? undefined : change.record));
  }

  it.each(PATHS)('from %s over %s to %s and out again', (...names) => {
    const [installer] = INSTALLERS as [Installer];
    const path = tree.put('settings.json', FIRST);
    chmodSync(path, 0o644);
    const world = fakeWorld({ home: tree.home, cwd: tree.top });
    const { state } = world.paths;
    const deliveries = ways(world.paths);
    for (const [at, name] of names.entries()) {
      const delivery = deliveries[name] as Delivery;
      carry(planWiring(installer, scope, path, delivery, world), state);
      expect(planWiring(installer, scope, path, delivery, world)).toBeUndefined();
      expect(statSync(path).mode & 0o777).toBe(name === 'http' ? 0o600 : 0o644);
      expect(readFileSync(path, 'utf8').includes(token)).toBe(name === 'http');
      // As the agent does it: all in another layout, with a setting more.
      if (at === 1) put(path, { extra: 1, ...(JSON.parse(readFileSync(path, 'utf8')) as object) });
    }
    carry(planUnwiring(installer, scope, path, world), state, true);
    expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual({ extra: 1, ...(JSON.parse(FIRST) as object) });
    expect(statSync(path).mode & 0o777).toBe(0o644);
  });

  it.each(PATHS)('from %s over %s to %s, and the bytes are back', (...names) => {
    const [installer] = INSTALLERS as [Installer];
    const path = tree.put('settings.json', FIRST);
    chmodSync(path, 0o640);
    const world = fakeWorld({ home: tree.home, cwd: tree.top });
    const { state } = world.paths;
    for (const name of names)
      carry(planWiring(installer, scope, path, ways(world.paths)[name] as Delivery, world), state);
    carry(planUnwiring(installer, scope, path, world), state, true);
    expect([readFileSync(path, 'utf8'), statSync(path).mode & 0o777]).toEqual([FIRST, 0o640]);
    expect(readRecords(nodeFiles, state)).toEqual({});
  });

  function put(path: string, value: object): void {
    writeFileSync(path, JSON.stringify(value, null, 4));
  }
});

it('closes a file that somebody opened again, and leaves a mode alone that somebody else chose', () => {
  const [installer] = INSTALLERS as [Installer];
  const path = tree.put('settings.json', '{}');
  chmodSync(path, 0o644);
  const world = fakeWorld({ home: tree.home, cwd: tree.top });
  const { state } = world.paths;
  const { http } = ways(world.paths) as { http: Delivery };
  const plan = () => planWiring(installer, 'user', path, http, world);
  const first = plan() as SettingsChange;
  writeAll([first], () => writeRecord(nodeFiles, state, first.recordKey, first.record));
  chmodSync(path, 0o664);
  const again = plan() as SettingsChange;
  expect([again.before, again.mode, again.record?.mode]).toEqual([again.after, 0o600, 0o644]);
  chmodSync(path, 0o640);
  expect(planUnwiring(installer, 'user', path, world)?.mode).toBeUndefined();
});

it('does not take posts to another engine for its own', () => {
  const [installer] = INSTALLERS as [Installer];
  const post = { type: 'http', url: 'http://127.0.0.1:20001/hook/claude-code', headers: { Authorization: 'Bearer x' } };
  const path = tree.put('settings.json', JSON.stringify({ hooks: { Stop: [{ hooks: [post] }] } }));
  const world = fakeWorld({ home: tree.home, cwd: tree.top });
  const { node } = ways(world.paths) as { node: Delivery };
  expect(() => planWiring(installer, 'local', path, node, world)).toThrow('the engine of another home');
});
