import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { cellId } from '../../../../state/cells.ts';
import { CommandError } from '../../../../cli/command.ts';
import { plantProject } from '../../../../cli/project.fixture.ts';
import type { PlantedProject } from '../../../../cli/project.fixture.ts';
import { plantFile, recordsDir } from '../transcripts.fixture.ts';
import type { FakeWorld } from '../../../../cli/world.fixture.ts';
import { diff, status, sync } from './memory.ts';

let project: PlantedProject;
let world: FakeWorld;
let host: string;
let mirror: string;
let archive: string;
beforeEach(() => {
  project = plantProject();
  mkdirSync(join(project.root, '.context'));
  world = project.world();
  host = join(recordsDir(project.home, project.root), 'memory', 'MEMORY.md');
  mirror = join(project.root, '.context/memory/mirror.md');
  archive = join(project.root, '.context/memory/archive');
});
afterEach(() => project.remove());

async function said(command: typeof sync, ...args: readonly string[]): Promise<string> {
  world.printed.out = '';
  await world.run(command, ...args);
  return world.printed.out;
}

it('copies the memory, keeps its hash, and does nothing when it is the same', async () => {
  plantFile(host, '# Memory\n- uses tabs\n');
  expect(await said(status)).toContain('never copied');
  expect(await said(sync)).toBe(`Copied to ${mirror}: 2 lines added, 0 lines removed.\n`);
  expect(readFileSync(mirror, 'utf8')).toBe('# Memory\n- uses tabs\n');
  const kept = world.engine().store.get(cellId('workspace', project.root, 'context.memory_hash'), Date.now());
  expect(JSON.parse(kept ?? '')).toBe(createHash('sha256').update('# Memory\n- uses tabs\n').digest('hex'));
  expect(await said(sync)).toBe('The mirror is up to date.\n');
  expect(readdirSync(archive)).toEqual([]);
});

it('says what came and went', async () => {
  plantFile(host, 'a\nb\nc\n');
  await world.run(sync);
  writeFileSync(host, 'a\nc\nd\ne\n');
  expect(await said(status)).toContain('2 lines added, 1 line removed');
  expect(await said(diff)).toBe('- b\n+ d\n+ e\n');
  expect(JSON.parse(await said(diff, '--json'))).toEqual({ path: host, added: ['d', 'e'], removed: ['b'] });
  await world.run(sync);
  expect(await said(diff)).toBe('No line differs.\n');
});

it('goes by content: a touched file has not changed', async () => {
  plantFile(host, 'a\n');
  await world.run(sync);
  utimesSync(host, Date.now() / 1_000 + 60, Date.now() / 1_000 + 60);
  expect(JSON.parse(await said(status, '--json'))).toEqual({ path: host, state: 'same' });
});

it('keeps the five mirrors before this one', async () => {
  for (let version = 1; version <= 8; version += 1) {
    plantFile(host, `version ${version}\n`);
    await world.run(sync);
  }
  const kept = readdirSync(archive).map((name) => readFileSync(join(archive, name), 'utf8'));
  expect(kept).toEqual([3, 4, 5, 6, 7].map((version) => `version ${version}\n`));
  expect(readFileSync(mirror, 'utf8')).toBe('version 8\n');
});

it('says so when the agent remembers nothing', async () => {
  for (const command of [sync, status, diff]) expect(await said(command)).toContain(host);
  expect(JSON.parse(await said(sync, '--json'))).toEqual({ path: host, state: 'none' });
  expect(existsSync(mirror)).toBe(false);
});

it('does not write through a link that leads elsewhere', async () => {
  mkdirSync(join(project.home, 'outside'));
  symlinkSync(join(project.home, 'outside'), join(project.root, '.context/memory'));
  plantFile(host, 'a\n');
  await expect(world.run(sync)).rejects.toThrow(CommandError);
  expect(readdirSync(join(project.home, 'outside'))).toEqual([]);
});
