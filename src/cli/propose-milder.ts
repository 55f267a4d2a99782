import type { ActiveRule } from '../engine/match/rule-index.ts';
import { precisionOf } from '../ledger/judgements.ts';
import type { JudgedCounts } from '../ledger/judgements.ts';
import type { Stop } from '../ledger/stops.ts';
import { contains, dirname, relative } from '../platform/paths.ts';
import { quote } from '../shell/quote.ts';
import { mayLoosen, sayingsOf, stepDown } from './mode-step.ts';

/** Fewer wrong stops may be chance. */
const MANY_WRONG = 3;
/** A rule that is right more often than this is left alone. */
const GOOD = 0.7;
const MOST_COMMANDS = 3;
/** How long a proposed exception lasts. */
const SPAN = '30d';

/** One way to have a rule stop less; nothing of it is done by itself. */
export interface Proposal {
  readonly kind: 'mode' | 'narrower';
  readonly why: string;
  /** To be copied. */
  readonly command: string;
}

/** Whether a rule was judged wrong often enough for something to be proposed. */
export function isOftenWrong(judged: JudgedCounts): boolean {
  return judged.wrong >= MANY_WRONG && (precisionOf(judged) ?? 1) < GOOD;
}

/** `wrong`: the stops of the rule that were judged so, as far as the ledger still has them. `here`: the project at hand. */
export function proposalsFor(rule: ActiveRule, wrong: readonly Stop[], here: string): readonly Proposal[] {
  const { meta, mode, source } = rule;
  const lower = stepDown(meta, mode, sayingsOf(meta, []));
  return [
    ...(lower === undefined || !mayLoosen(meta.id)
      ? []
      : [
          {
            kind: 'mode',
            why: `one step milder than ${mode}`,
            command: `fairlead rules mode ${meta.id} ${lower}`,
          } as const,
        ]),
    ...[...groupedBy(wrong, ({ root }) => root)].flatMap(([root, stops]) => narrowerAt(root, stops, meta.id, here)),
    ...(source === 'built in'
      ? []
      : [
          {
            kind: 'narrower',
            why: `narrow the pattern in ${source}, with what was wrong among its examples under "pass"`,
            command: `fairlead rules test ${meta.id}`,
          } as const,
        ]),
  ];
}

/** Exceptions for what was stopped by mistake in one project: the place where all of it lies, else each command. */
function narrowerAt(root: string, stops: readonly Stop[], rule: string, here: string): readonly Proposal[] {
  const go = root === here ? '' : `cd ${quote(root)} && `;
  const quiet = `${go}fairlead rules mode ${rule} off --for ${SPAN}`;
  const place = placeOf(root, stops);
  const commands = groupedBy(
    stops.filter(({ event: { tool } }) => tool?.command !== undefined && !isCut(tool.command)),
    ({ event }) => event.tool?.command ?? '',
  );
  const often = [...commands].sort(([, a], [, b]) => b.length - a.length).slice(0, MOST_COMMANDS);
  return [
    ...(place === undefined
      ? []
      : [
          {
            kind: 'narrower',
            why: `all of it lay below ${place}`,
            command: `${quiet} --path ${quote(`${place}/**`)}`,
          } as const,
        ]),
    ...often.map(([command, all]): Proposal => ({
      kind: 'narrower',
      why: `wrong ${all.length === 1 ? 'once' : `${all.length} times`}`,
      command: `${quiet} --command ${quote(command)}`,
    })),
  ];
}

/** The directory below the root that holds every path of these calls. */
function placeOf(root: string, stops: readonly Stop[]): string | undefined {
  const paths = stops.flatMap(({ event: { tool } }) => tool?.paths ?? []);
  const [first] = paths;
  if (first === undefined || stops.some(({ event: { tool } }) => (tool?.paths ?? []).length === 0)) return undefined;
  let dir = dirname(first);
  while (dir !== dirname(dir) && !paths.every((path) => contains(dir, path))) dir = dirname(dir);
  return dir !== root && contains(root, dir) ? relative(root, dir) : undefined;
}

/** The ledger has only the beginning of it. */
function isCut(text: string): boolean {
  return / \[\+\d+ characters\]$/.test(text);
}

function groupedBy<T>(all: readonly T[], keyOf: (one: T) => string): ReadonlyMap<string, readonly T[]> {
  const groups = new Map<string, T[]>();
  for (const one of all) {
    const key = keyOf(one);
    const group = groups.get(key);
    if (group) group.push(one);
    else groups.set(key, [one]);
  }
  return groups;
}
