import { adapterNamed } from '../../adapters/registry.ts';
import { systemClock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database.ts';
import { nodeFiles } from '../../platform/files.ts';
import { openCollector } from '../../platform/heap.ts';
import type { ReplayEngine } from '../../replay/replay-engine.ts';
import { ledgerEvents } from '../../replay/ledger-events.ts';
import { partsOf, replay, replayStored } from '../../replay/replay.ts';
import type { LeftOut } from '../../replay/replay.ts';
import { compare, count, createDifference, createTally } from '../../replay/tally.ts';
import type { CliWorld } from '../command.ts';
import { createProgressLine } from '../graph/progress-line.ts';
import type { Found } from './find-transcripts.ts';
import type { Report } from './report.ts';

const MEGABYTE = 1 << 20;
/** Left alone, V8 lets the rest of what was read grow to twice of what is needed. */
const COLLECT_EVERY = 8_000;

export interface Counted {
  /** Milliseconds since the epoch. */
  readonly since: number;
  /** Only what this rule says. */
  readonly rule: string | undefined;
  /** Whose events are replayed as well. */
  readonly ledger?: Database | undefined;
}

/** Puts transcripts, or what the ledger has, through one engine, or through two that are compared. */
export async function makeReport(
  found: readonly Found[],
  engines: readonly ReplayEngine[],
  { since, rule, ledger }: Counted,
  world: CliWorld,
  showsProgress: boolean,
): Promise<Report> {
  const tally = createTally();
  const against = engines.length > 1 ? createTally() : undefined;
  const difference = against && createDifference();
  const line = createProgressLine(world, world.colour && showsProgress, systemClock.now, 'MB');
  const collect = openCollector();
  let events = 0;
  const leftOut: LeftOut = { longLines: 0, brokenLines: 0, unread: [] };
  const runs = found.map(({ recorder, mains }) => {
    const parts = partsOf(mains, recorder, nodeFiles, since, leftOut);
    const total = Math.ceil(parts.reduce((sum, { size }) => sum + size, 0) / MEGABYTE);
    return replay({
      recorder,
      parts,
      engines,
      files: nodeFiles,
      onProgress: (read) => line.show({ phase: 'reading', done: Math.min(total, Math.floor(read / MEGABYTE)), total }),
      leftOut,
    });
  });
  if (ledger) runs.push(replayStored(ledgerEvents(ledger), engines, adapterNamed));
  for (const run of runs)
    for await (const { told, outcomes } of run) {
      const [one, other] = outcomes;
      events += 1;
      if (events % COLLECT_EVERY === 0) collect();
      if (told.at < since || !one) continue;
      count(tally, one, rule);
      if (!other || !against || !difference) continue;
      count(against, other, rule);
      compare(difference, one, other, rule);
    }
  line.clear();
  return {
    tally,
    ...(against && { against }),
    ...(difference && { difference }),
    rule,
    leftOut,
    failures: engines.flatMap(({ failures }) => failures),
  };
}
