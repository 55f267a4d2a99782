import { outcomeId } from '../../engine/advice/outcomes.ts';
import type { ActiveRule } from '../../engine/match/rule-index.ts';
import type { FollowOutcome } from '../../event/heed.ts';
import { countJudgements, precisionOf } from '../../ledger/judgements.ts';
import { DAY_MS, readRuleDays } from '../../ledger/rule-days.ts';
import type { RuleDay } from '../../ledger/rule-days.ts';
import { readRuleMarks } from '../../ledger/rule-marks.ts';
import type { CliWorld } from '../command.ts';
import { databaseOf } from '../database.ts';
import { knownRules } from '../known-rules.ts';
import type { RuleLine, Rules } from './shapes.ts';

export const DAYS = 14;
/** A rule that says more than this share of all that is said is loud, if it says a lot. */
const LOUD_SHARE = 0.5;
const LOUD_CHARS = 2_000;

/** Each rule with what is kept of it by day: no row is read. */
export async function rulesIn(world: CliWorld): Promise<Rules> {
  const { clock, store, workspaces } = world.engine();
  const db = databaseOf(world);
  await workspaces.recheck();
  const at = clock.now();
  const { root, rules } = await knownRules(world);
  const first = Math.floor(at / DAY_MS) - DAYS + 1;
  const marks = readRuleMarks(db, first);
  const judged = countJudgements(db);
  const byRule = new Map<string, RuleDay[]>();
  let said = 0;
  for (const day of readRuleDays(db, first)) {
    byRule.set(day.rule, [...(byRule.get(day.rule) ?? []), day]);
    said += day.chars;
  }

  function lineOf({ meta, mode }: ActiveRule): RuleLine {
    const { id, summary } = meta;
    const days = byRule.get(id) ?? [];
    const sum = (of: (day: RuleDay) => number) => days.reduce((total, day) => total + of(day), 0);
    const [fires, chars, heard] = [
      sum(({ fired }) => fired),
      sum((day) => day.chars),
      sum((day) => day.heard - day.lacking),
    ];
    const { deny = 0, ask = 0, save = 0, note = 0, failed = 0, would = 0, p50, p95 } = marks.get(id) ?? {};
    const right = precisionOf(judged.get(id) ?? { right: 0, wrong: 0 });
    const followed = followRate(id);
    const isLoud = chars > LOUD_CHARS && chars > LOUD_SHARE * said;
    const sign = isLoud ? 'loud' : heard > 0 && fires === 0 ? 'inert' : undefined;
    return {
      ...{ rule: id, summary, mode, fires, chars, denies: deny, asks: ask, saves: save, notes: note, failed, would },
      ...(p50 !== undefined && p95 !== undefined && { p50, p95 }),
      ...(followed !== undefined && { followed }),
      ...(right !== undefined && { right }),
      ...(sign !== undefined && mode !== 'off' && { sign }),
      fireDays: Array.from({ length: DAYS }, (_, index) =>
        sum(({ day, fired }) => (day === first + index ? fired : 0)),
      ),
    };
  }

  function followRate(id: string): number | undefined {
    const outcome = (kind: FollowOutcome) => Number(store.get(outcomeId(id, kind), at) ?? 0);
    const followed = outcome('followed');
    const all = followed + outcome('ignored') + outcome('round');
    return all === 0 ? undefined : followed / all;
  }

  const lines = rules.map(lineOf).sort((a, b) => b.fires - a.fires || (a.rule < b.rule ? -1 : 1));
  return { project: root, days: DAYS, rules: lines };
}
