import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { graphsInProcess } from '../../graph/resident/in-process-graphs.fixture.ts';
import type { InProcessGraphs } from '../../graph/resident/in-process-graphs.fixture.ts';
import { openWorld } from '../world.fixture.ts';
import type { Answer, World, WorldOptions } from '../world.fixture.ts';

type Fields = Readonly<Record<string, unknown>>;

export const CARD = '[autocontext/impact-card]';

export interface CardWorld extends World {
  readonly graphs: InProcessGraphs;
  /** What the agent hears when it has read a file, or some lines of it; everything that follows is done too. */
  card(path: string, lines?: { readonly offset?: number; readonly limit?: number }, more?: Fields): Promise<string>;
  /** As `card`, but nobody waits for what follows. */
  readNow(path: string, lines?: Fields, more?: Fields): Promise<Answer>;
  /** While held, nothing is done after replies, as if it took long. */
  hold(isHeld: boolean): void;
}

/** An engine with the pack on, in a project that is indexed. */
export async function openCards(
  files: Readonly<Record<string, string>>,
  { config = 'packs: { autocontext: on }', ...options }: Omit<WorldOptions, 'files' | 'createGraphs'> = {},
): Promise<CardWorld> {
  const graphs = graphsInProcess();
  const waiting: (() => void)[] = [];
  let held = false;
  const world = openWorld({
    ...options,
    config,
    files,
    createGraphs: (deps) =>
      graphs.create({ ...deps, afterReply: (work) => (held ? void waiting.push(work) : deps.afterReply(work)) }),
  });
  const readNow: CardWorld['readNow'] = (path, lines = {}, more = {}) => {
    const file_path = path.startsWith('/') ? path : join(world.root, path);
    const content = readFileSync(file_path, 'utf8');
    const all = content.split('\n').length;
    const { offset = 1, limit = all } = lines as { offset?: number; limit?: number };
    const file = { filePath: file_path, content, numLines: limit, startLine: offset, totalLines: all };
    return world.after('Read', { file_path, ...lines }, { type: 'text', file }, more);
  };
  const cards: CardWorld = Object.assign(world, {
    graphs,
    readNow,
    async card(path: string, lines?: Fields, more?: Fields) {
      const { note } = await readNow(path, lines, more);
      await graphs.idle();
      return note;
    },
    hold(isHeld: boolean) {
      held = isHeld;
      if (!isHeld) for (const work of waiting.splice(0)) work();
    },
  });
  await world.event('SessionStart', { source: 'startup' });
  await graphs.idle();
  return cards;
}

/** The name of the symbol that a card is about. */
export function symbolOf(card: string): string | undefined {
  return /: [a-z]+ (\S+), \S+:\d+/.exec(card)?.[1];
}
