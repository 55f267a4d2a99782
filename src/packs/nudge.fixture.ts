import { Draft } from '../state/draft.ts';
import { writeCareful } from '../engine/careful/book.ts';
import { openWorld } from './world.fixture.ts';
import type { Answer, World, WorldOptions } from './world.fixture.ts';

export const SERVER = JSON.stringify({ mcpServers: { codegraph: { command: 'codegraph', args: ['serve'] } } });

/** A project with a usable CodeGraph index and some code. */
export const INDEXED = {
  '.codegraph/codegraph.db': 'index',
  '.mcp.json': SERVER,
  'src/a.ts': 'export function parseConfig() {}\n',
  'src/deep/b.ts': 'parseConfig();\n',
  'foo.txt': 'text',
} as const;

export const NUDGE = '[codegraph/search-nudge]';
export const EXPLORE = 'mcp__codegraph__codegraph_explore';

/** The project of the tables: the pack is on, four prompts were sent. */
export async function openIndexed(options: WorldOptions & { readonly turn?: number } = {}): Promise<World> {
  const { turn = 4, files = INDEXED, config = 'packs: { codegraph: on }', ...rest } = options;
  const world = openWorld({ files, config, ...rest });
  for (let at = 0; at < turn; at += 1) await world.prompt(`prompt ${at}`);
  return world;
}

export function grep(world: World, input: Readonly<Record<string, unknown>> = {}, more = {}): Promise<Answer> {
  return world.before('Grep', { pattern: 'parseConfig', path: 'src', ...input }, more);
}

export function shell(world: World, command: string, more = {}): Promise<Answer> {
  return world.before('Bash', { command }, more);
}

/** A whole call of a graph tool, from its beginning to its end. */
export async function ask(world: World, tool = EXPLORE, more: Readonly<Record<string, unknown>> = {}): Promise<void> {
  const input = { query: 'parseConfig' };
  const id = { tool_use_id: `ask-${(asked += 1)}`, ...more };
  await world.before(tool, input, id);
  await world.after(tool, input, [{ type: 'text', text: 'found' }], id);
}
let asked = 0;

/** `nudged`, `denied`, or what else was answered. */
export function seen({ action, note }: Answer): string {
  if (action !== 'pass') return action;
  return note.includes(NUDGE) ? 'note' : note === '' ? 'pass' : `other note: ${note}`;
}

export function setCareful(world: World, lasts: number | undefined, root = world.root): void {
  const { store } = world.engine;
  const draft = new Draft(store, world.now);
  const until = lasts === undefined ? {} : { until: world.now + lasts };
  writeCareful(draft, { on: { [root]: { since: world.now, by: 'user', ...until } } });
  store.commit({ reads: draft.reads, changes: draft.changes, now: draft.now });
}
