import type { EngineSetting } from './pack.ts';
import { PACKS } from './packs.generated.ts';

const ALL = Object.entries(PACKS);

/** Packs that are on without being asked for. */
export const DEFAULT_PACKS: ReadonlySet<string> = new Set(ALL.flatMap(([name, { on }]) => (on ? [name] : [])));

/** What rules of packs ask for in the environment of a session. */
export const PACK_VARIABLES: readonly string[] = ALL.flatMap(([, { variables = [] }]) => variables);

/** Variables that silence packs, by 1. */
export const KILL_VARIABLES: readonly string[] = ALL.flatMap(([, { killVariables = [] }]) => killVariables);

/** The packs that are silent in such an environment. */
export function silencedIn(env: Readonly<Record<string, string | undefined>>): readonly string[] {
  if (!KILL_VARIABLES.some((name) => env[name] === '1')) return [];
  return ALL.flatMap(([pack, { killVariables = [] }]) =>
    killVariables.some((name) => env[name] === '1') ? [pack] : [],
  );
}

/** The packs whose options have a setting of the engine, those that are on by themselves first. */
export function packsHolding(setting: EngineSetting): readonly [string, ...string[]] {
  const holders = ALL.filter(([, { holds = [] }]) => holds.includes(setting)).map(([name]) => name);
  const [first, ...others] = holders.toSorted((a, b) => Number(DEFAULT_PACKS.has(b)) - Number(DEFAULT_PACKS.has(a)));
  if (first === undefined) throw new Error(`no pack holds the setting ${setting}`);
  return [first, ...others];
}

/** Its options say how code is indexed, for rules, commands and tools alike. */
export const GRAPH_PACK = packsHolding('graph')[0];
