import { readTelemetry } from '../../telemetry/read.ts';
import { openWorld } from '../world.fixture.ts';
import type { World, WorldOptions } from '../world.fixture.ts';

export const DEMO = '.specweave/increments/0001-demo';

/** Two open tasks that share a criterion, none ticked. */
export const TASKS = `# Tasks

## T-001: Parse the file

**AC**: AC-US1-01
- [ ] write the parser

## T-002: Report errors

**AC**: AC-US1-01, AC-US1-02
- [ ] name the line
`;

export const SPEC = `---
title: Settings reader
status: active
---

# Settings reader

### US-001: Read settings

- [ ] **AC-US1-01**: The file is parsed.
- [ ] **AC-US1-02**: An error names its line.
`;

export function metadata(status: string, id = '0001-demo'): string {
  return `${JSON.stringify({ id, status, type: 'feature', created: '2027-02-01T08:00:00Z' }, null, 2)}\n`;
}

export function tick(text: string): string {
  return text.replaceAll('- [ ]', '- [x]');
}

/** A project with the increment 0001-demo, active, whose files are old. */
export function demoWorld(options: WorldOptions = {}): World {
  const world = openWorld(options);
  const { files = {} } = options;
  const old = world.now - 3_600_000;
  const put = (path: string, text: string) => world.put(path, files[path] ?? text, old);
  put(`${DEMO}/tasks.md`, TASKS);
  put(`${DEMO}/spec.md`, SPEC);
  put(`${DEMO}/metadata.json`, metadata('active'));
  return world;
}

/** The input of an edit as the agent sends it. */
export function editOf(world: World, path: string, before = 'a', after = 'b') {
  return { file_path: `${world.root}/${path}`, old_string: before, new_string: after };
}

/** What the agent's tool says of an edit. */
export const EDITED = { filePath: '', structuredPatch: [] };

/** Counters of the pack, as its view reads them. */
export async function countsOf(world: World): Promise<Readonly<Record<string, number>>> {
  await world.pass(3_000);
  return readTelemetry(world.engine.store, { root: world.root, pack: 'increments', since: 0, now: world.now }).counts;
}

/** The jobs that wait, as `increment:job`. */
export function dueIn(world: World): string[] {
  return Object.keys(world.cells('increments.dirty')).map((key) => key.slice(key.lastIndexOf(' ') + 1));
}

export const ALL_JOBS = ['0001-demo:ac-sync', '0001-demo:living-docs', '0001-demo:status-line'];
