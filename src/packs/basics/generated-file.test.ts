import { expect, it } from 'vitest';
import rule from './generated-file.ts';
import { activate, ROOT, send, testEngine, toolEvent } from '../../engine/engine.fixture.ts';
import type { ToolKind } from '../../event/event.ts';

it.each<[string, ToolKind, string[], string]>([
  ['a lock file', 'write', ['package-lock.json'], 'npm install'],
  ['a lock file further down', 'edit', ['crates/core/Cargo.lock'], 'cargo update'],
  ['one of several files', 'edit', ['a.ts', 'go.sum'], 'go mod tidy'],
])('asks before %s is changed by hand', async (_, kind, paths, command) => {
  const engine = testEngine([activate(rule)]);
  const { action, reason } = await send(engine, toolEvent({ kind, paths: paths.map((path) => `${ROOT}/${path}`) }));
  expect(action).toBe('ask');
  expect(reason).toContain(`\`${command}\``);
});

it.each<[string, ToolKind, string]>([
  ['reading one', 'read', 'package-lock.json'],
  ['a name that only starts like one', 'edit', 'package-lock.json.md'],
  ['a directory of that name', 'write', 'yarn.lock/readme'],
  ['another case', 'write', 'cargo.lock'],
])('leaves alone: %s', async (_, kind, path) => {
  const engine = testEngine([activate(rule)]);
  expect((await send(engine, toolEvent({ kind, paths: [`${ROOT}/${path}`] }))).action).toBe('pass');
});

it('knows who writes each file it listens to', async () => {
  const engine = testEngine([activate(rule)]);
  const files = rule.on.flatMap(({ paths }) => paths ?? []);
  for (const file of files)
    expect((await send(engine, toolEvent({ kind: 'write', paths: [`${ROOT}/${file}`] }))).action, file).toBe('ask');
});
