import { join } from 'node:path';
import { ADAPTERS } from '../../src/adapters/registry.ts';
import { lookIn } from '../../src/adapters/transcript-look.ts';
import { nodeFiles } from '../../src/platform/files.ts';
import { openReplayEngine } from '../../src/replay/replay-engine.ts';
import type { Outcome } from '../../src/replay/replay-engine.ts';
import { partsOf, replay } from '../../src/replay/replay.ts';
import type { Replayed } from '../../src/replay/replay.ts';
import type { Home, LedgerEvent } from './home.ts';

/** What the ledger and a replay both tell of an event. */
export type Told = Pick<LedgerEvent, 'event' | 'tool' | 'action' | 'rules' | 'toolUse' | 'subagent'>;

export interface ToldAgain {
  readonly told: Told;
  readonly unknown: Outcome['unknown'];
}

export const engineIn = ({ dir, state }: Home) =>
  openReplayEngine({
    paths: { config: join(dir, '.config', 'fairlead'), state, run: join(state, 'run') },
    userHome: dir,
    files: nodeFiles,
  });

export async function tellAgain(run: AsyncIterable<Replayed>): Promise<ToldAgain[]> {
  const found: ToldAgain[] = [];
  for await (const { outcomes } of run)
    for (const { row, event, unknown } of outcomes) {
      const { tool, action, rules: spoke } = row;
      const [toolUse, subagent] = [event.tool?.id ?? null, event.subagent?.id ?? null];
      found.push({ told: { event: row.event, tool, action, rules: spoke, toolUse, subagent }, unknown });
    }
  return found;
}

export async function replayOf(home: Home): Promise<ToldAgain[]> {
  const found: ToldAgain[] = [];
  for (const adapter of ADAPTERS) {
    const { transcripts } = adapter;
    if (!transcripts) continue;
    const recorder = { adapter, transcripts };
    const mains = transcripts.all({ home: home.dir, variable: () => undefined }, lookIn(nodeFiles));
    const parts = partsOf(mains, recorder, nodeFiles, 0);
    found.push(...(await tellAgain(replay({ recorder, parts, engines: [engineIn(home)], files: nodeFiles }))));
  }
  return found;
}

/** The ledger has rows in the order in which they were written; of events of one name each is told by its number. */
export function named(events: readonly Told[]): ReadonlyMap<string, Told> {
  const counts = new Map<string, number>();
  return new Map(
    events.map((told) => {
      const name = `${told.event} ${told.toolUse} ${told.subagent}`;
      const count = (counts.get(name) ?? 0) + 1;
      counts.set(name, count);
      return [`${name} ${count}`, told];
    }),
  );
}
