import { outcomeId } from '../engine/advice/outcomes.ts';
import { readSaid, readStops } from '../ledger/stops.ts';
import type { Said, Stop } from '../ledger/stops.ts';
import { nodeFiles } from '../platform/files.ts';
import { openReplayEngine } from '../replay/replay-engine.ts';
import type { Example, RuleTally } from '../replay/tally.ts';
import type { FollowOutcome } from '../event/heed.ts';
import type { Mode } from '../event/verdict.ts';
import { settingsWith } from './change-mode.ts';
import { CommandError } from './command.ts';
import type { CliWorld } from './command.ts';
import { databaseOf } from './database.ts';
import { findTranscripts } from './replay/find-transcripts.ts';
import type { Found } from './replay/find-transcripts.ts';
import { makeReport } from './replay/make-report.ts';
import { filesWith } from './replay/settings-tried.ts';
import { judgedOf } from './rule-judged.ts';
import type { Judged } from './rule-judged.ts';
import { whatHappened } from './what-happened.ts';

/** How far back a record goes. */
export const RECORD_DAYS = 30;

/** All that is known of how a rule has done. */
export interface RuleRecord {
  readonly rule: string;
  readonly since: number;
  /** What it said on events, by the mode that it had then. */
  readonly said: readonly Said[];
  /** What it stopped or would have stopped, the newest first. */
  readonly stops: readonly {
    readonly decision: string;
    readonly at: number;
    readonly what: string;
    readonly action: string;
  }[];
  readonly followed: number;
  readonly ignored: number;
  readonly round: number;
  readonly judged: Judged;
  /** The transcripts of the person, with the rule in the mode that is proposed; absent where there are none. */
  readonly replay?: ReplayRecord;
}

interface ReplayRecord extends RuleTally {
  readonly mode: Mode;
  readonly calls: number;
  readonly sessions: number;
  readonly examples: readonly Example[];
}

const MOST_EXAMPLES = 5;

export async function recordOf(rule: string, mode: Mode, world: CliWorld, showsProgress: boolean): Promise<RuleRecord> {
  const { store, clock } = world.engine();
  const db = databaseOf(world);
  const now = clock.now();
  const since = now - RECORD_DAYS * 86_400_000;
  const outcome = (kind: FollowOutcome) => Number(store.get(outcomeId(rule, kind), now) ?? 0);
  const replay = await replayed(rule, mode, since, world, showsProgress);
  return {
    rule,
    since,
    said: readSaid(db, rule, since),
    stops: readStops(db, { since, rule, last: MOST_EXAMPLES }).map((stop) => ({
      decision: stop.id,
      at: stop.at,
      action: stop.action,
      what: whatOf(stop, world),
    })),
    followed: outcome('followed'),
    ignored: outcome('ignored'),
    round: outcome('round'),
    judged: judgedOf(rule, world),
    ...(replay && { replay }),
  };
}

export function whatOf({ event, root }: Pick<Stop, 'event' | 'root'>, { userHome }: CliWorld): string {
  return whatHappened(event, { root, userHome });
}

async function replayed(
  rule: string,
  mode: Mode,
  since: number,
  world: CliWorld,
  showsProgress: boolean,
): Promise<ReplayRecord | undefined> {
  const found = transcripts(world);
  if (found.length === 0) return undefined;
  const { file, text } = settingsWith(rule, mode, world);
  const { paths, userHome } = world;
  const engine = openReplayEngine({ paths, userHome, files: filesWith(nodeFiles, file, text) });
  const { tally } = await makeReport(found, [engine], { since, rule }, world, showsProgress);
  const none: RuleTally = { fires: 0, blocks: 0, asks: 0, saves: 0, notes: 0, characters: 0, unknown: 0 };
  return {
    mode,
    calls: tally.calls,
    sessions: tally.sessions.size,
    ...(tally.rules.get(rule) ?? none),
    examples: tally.stops
      .filter(({ rules }) => rules.includes(rule))
      .slice(-MOST_EXAMPLES)
      .toReversed(),
  };
}

/** Who has none can still promote a rule by its record. */
function transcripts(world: CliWorld): readonly Found[] {
  try {
    return findTranscripts([], world, nodeFiles);
  } catch (error) {
    if (error instanceof CommandError) return [];
    throw error;
  }
}
