import { weaker } from '../engine/limits/mode.ts';
import type { RuleMeta } from '../engine/rule.ts';
import type { Mode } from '../event/verdict.ts';
import { acceptChange, configOf, cutAtBlank, entriesOf, readAccepted } from './config/accepted.ts';
import type { AcceptedDeps, Entries } from './config/accepted.ts';
import type { Layer } from './config/layer.ts';
import { mergeConfig } from './config/settings.ts';
import { trustedProjects } from './config/trust.ts';
import { standingUnder } from './standing.ts';
import { placeOf } from '../telemetry/otlp/settings.ts';
import { placeText } from '../team/state/settings.ts';

/** What the person's settings say now, and in what they protect less than what was accepted. */
export interface Weakening {
  readonly entries: Entries;
  /** One for each, as a person would say it; empty when all of it is accepted. */
  readonly lines: readonly string[];
}

export function weakeningOf(user: Layer, builtIn: readonly RuleMeta[], deps: AcceptedDeps): Weakening {
  const entries = entriesOf(user, trustedProjects(deps));
  const accepted = readAccepted(deps);
  const rules = user.rules.map(({ meta }) => meta);
  return { entries, lines: [...weakerRules(accepted, entries, builtIn, rules), ...otherFiles(accepted, entries)] };
}

function weakerRules(
  accepted: Entries,
  entries: Entries,
  builtIn: readonly RuleMeta[],
  declared: readonly RuleMeta[],
): readonly string[] {
  const before = mergeConfig([configOf(accepted)]);
  const now = mergeConfig([configOf(entries)]);
  const lines = [...builtIn, ...declared].flatMap((meta): string[] => {
    const isDeclared = declared.includes(meta);
    const was = standingUnder(before, meta, isDeclared);
    const is = standingUnder(now, meta, isDeclared);
    if (!protects(meta, was.mode)) return [];
    if (is.mode !== was.mode && weaker(is.mode, was.mode) === is.mode)
      return [`${meta.id} is ${is.mode}, was ${was.mode}`];
    return JSON.stringify(is.options) === JSON.stringify(was.options) ? [] : [`${meta.id} has other options`];
  });
  const isSame = (section: 'breaker' | 'telemetry') => JSON.stringify(before[section]) === JSON.stringify(now[section]);
  const { endpoint } = now.telemetry.otlp;
  const [stateBefore, stateNow] = [before, now].map(({ state }) => JSON.stringify(state.team));
  return [
    ...lines,
    ...(isSame('breaker') ? [] : ['the breaker has other limits']),
    ...(isSame('telemetry') || endpoint === undefined ? [] : [`decisions are sent to ${placeOf(endpoint)}`]),
    ...(stateBefore === stateNow || !now.state.team
      ? []
      : [`the state of the team is kept at ${placeText(now.state.team.url)}`]),
  ];
}

const HOLDS: ReadonlySet<Mode> = new Set(['save', 'ask', 'enforce']);

/** Advice that is not given protects nobody. */
function protects({ guard }: RuleMeta, mode: Mode): boolean {
  return HOLDS.has(mode) || (guard === true && mode !== 'off');
}

/** A new rule takes nothing away. */
function otherFiles(accepted: Entries, entries: Entries): readonly string[] {
  const names = [...new Set([...Object.keys(accepted), ...Object.keys(entries)])].sort();
  return names.flatMap((entry): string[] => {
    const [was, is] = [accepted[entry], entries[entry]];
    const [section, name] = cutAtBlank(entry);
    if (was === is) return [];
    if (section === 'trust')
      return [is === undefined ? `${name} is no longer trusted` : `${name} is trusted, with what it brings`];
    if (entry === 'config team' && was !== undefined)
      return [
        is === undefined
          ? 'the policy of the team is no longer followed'
          : 'another policy, or with other keys or labels, is followed',
      ];
    if (section !== 'rule' || was === undefined) return [];
    return [is === undefined ? `${name} is gone` : `${name} has another text`];
  });
}

/** What protects more is accepted by itself, so that it is noticed when it goes. */
export function acceptStricter({ entries, lines }: Weakening, deps: AcceptedDeps): void {
  const accepted = readAccepted(deps);
  const isNew = ([name]: readonly [string, string]) => name.startsWith('rule ') && accepted[name] === undefined;
  const after =
    lines.length === 0 ? entries : { ...accepted, ...Object.fromEntries(Object.entries(entries).filter(isNew)) };
  acceptChange(accepted, after, deps);
}
