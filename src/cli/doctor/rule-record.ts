import type { ActiveRule } from '../../engine/match/rule-index.ts';
import { namesOf } from '../../engine/match/rule-index.ts';
import { DAY_MS, readEventDays, readFateDays, readHeedDays, readRuleDays } from '../../ledger/rule-days.ts';
import type { EventDay, RuleDayCounts } from '../../ledger/rule-days.ts';
import type { Database } from '../../platform/database.ts';
import { nodeFiles } from '../../platform/files.ts';
import type { Layers } from '../../workspace/standing.ts';

/** How far back rules are judged. */
export const WINDOW_DAYS = 14;

/** What the ledger tells of one rule since it is as it is, within the window. */
export interface RuleRecord extends RuleDayCounts {
  readonly rule: ActiveRule;
  /** Somebody's own, not built in. */
  readonly isOwn: boolean;
  /** Decisions that it had a part in, by what became of them. */
  readonly fates: ReadonlyMap<string, number>;
  readonly followed: number;
  readonly ignored: number;
  readonly round: number;
  /** Events of the names that it listens to, and those of them with its tools. */
  readonly events: number;
  readonly ofTool: number;
}

interface Dated {
  readonly day: number;
  readonly root: string;
}

/** One look at the ledger for all rules. */
export function readRecords(db: Database, rules: readonly ActiveRule[], layers: Layers, now: number): RuleRecord[] {
  const first = Math.floor(now / DAY_MS) - WINDOW_DAYS + 1;
  const byRule = groupBy(readRuleDays(db, first), ({ rule }) => [rule]);
  const fatesByRule = groupBy(readFateDays(db, first), ({ rules: several }) => several.split(','));
  const heedsByRule = groupBy(readHeedDays(db, first), ({ rule }) => [rule]);
  const events = readEventDays(db, first);
  return rules.map((rule): RuleRecord => {
    const from = judgedFrom(rule, layers, first);
    const counts = (one: Dated) => one.day >= from && (rule.root === undefined || rule.root === one.root);
    const { id } = rule.meta;
    const days = (byRule.get(id) ?? []).filter(counts);
    const sum = (name: keyof RuleDayCounts) => days.reduce((all, day) => all + day[name], 0);
    const fates = new Map<string, number>();
    for (const { fate, count } of (fatesByRule.get(id) ?? []).filter(counts))
      fates.set(fate, (fates.get(fate) ?? 0) + count);
    const heeds = (heedsByRule.get(id) ?? []).filter(counts);
    const heeded = (outcome: string) => heeds.reduce((all, one) => all + (one.outcome === outcome ? one.count : 0), 0);
    const heard = events.filter((one) => counts(one) && listensTo(rule, one, false));
    return {
      rule,
      isOwn: isOwn(rule),
      ...{ heard: sum('heard'), throttled: sum('throttled'), lacking: sum('lacking') },
      ...{ fired: sum('fired'), said: sum('said'), chars: sum('chars') },
      fates,
      ...{ followed: heeded('followed'), ignored: heeded('ignored'), round: heeded('round') },
      events: total(heard),
      ofTool: total(heard.filter((one) => listensTo(rule, one, true))),
    };
  });
}

export function isOwn({ source }: ActiveRule): boolean {
  return source !== 'built in';
}

/** The first day that counts: what a person changed is judged from the next day on. */
function judgedFrom(rule: ActiveRule, { user, project }: Layers, first: number): number {
  if (!isOwn(rule)) return first;
  const settings = [user, project].flatMap(({ files }) => files).filter(({ kind }) => kind === 'config');
  const changed = [rule.source, ...settings.map(({ path }) => path)].map((path) => nodeFiles.stat(path)?.mtimeMs ?? 0);
  return Math.max(first, Math.floor(Math.max(...changed) / DAY_MS) + 1);
}

function listensTo({ meta }: ActiveRule, { event, tool, kind }: EventDay, withTool: boolean): boolean {
  return meta.on.some(
    (listen) =>
      (namesOf(listen) as readonly string[]).includes(event) &&
      (!withTool ||
        ((!listen.tool || (listen.tool as readonly string[]).includes(kind)) &&
          (!listen.name || listen.name.includes(tool)))),
  );
}

function total(days: readonly EventDay[]): number {
  return days.reduce((all, { count }) => all + count, 0);
}

function groupBy<T>(all: readonly T[], keysOf: (one: T) => readonly string[]): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const one of all)
    for (const key of keysOf(one)) {
      const known = groups.get(key);
      if (known) known.push(one);
      else groups.set(key, [one]);
    }
  return groups;
}
