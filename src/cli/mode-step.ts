import { applyMode } from '../engine/limits/mode.ts';
import type { RuleMeta } from '../engine/rule.ts';
import { ACTIONS, MODES } from '../event/verdict.ts';
import type { Mode, Verdict, VerdictKind } from '../event/verdict.ts';
import { BUILT_IN } from '../packs/index.generated.ts';

/** What a rule may say, as far as a mode makes a difference to it. */
export const SAYINGS = ['note', 'ask', 'deny', 'mendable'] as const;
export type Saying = (typeof SAYINGS)[number];

const VERDICT = { rule: '', priority: 0, text: 'x' } as const;
const VERDICTS: Readonly<Record<Saying, Verdict>> = {
  note: { ...VERDICT, kind: 'note' },
  ask: { ...VERDICT, kind: 'ask' },
  deny: { ...VERDICT, kind: 'deny' },
  mendable: { ...VERDICT, kind: 'ask', keeps: [] },
};

/** Weakest first: off, recorded, said, acted upon. */
const STRENGTHS: readonly (VerdictKind | undefined)[] = [undefined, 'note', ...ACTIONS];

/** What becomes of something that a rule says, by how hard it is. */
export function strengthOf(saying: Saying, mode: Mode): number {
  return mode === 'off' ? -1 : STRENGTHS.indexOf(applyMode(VERDICTS[saying], mode)?.kind);
}

/** Whether nothing that a rule could say comes to less, and something of what it does say to more. */
function isHarder(mode: Mode, than: Mode, said: readonly Saying[]): boolean {
  return (
    SAYINGS.every((saying) => strengthOf(saying, mode) >= strengthOf(saying, than)) &&
    said.some((saying) => strengthOf(saying, mode) > strengthOf(saying, than))
  );
}

function sumOf(mode: Mode): number {
  return SAYINGS.reduce((sum, saying) => sum + strengthOf(saying, mode), 0);
}

/** A copy is an answer only where something can be copied. */
function modesOf({ saves }: Pick<RuleMeta, 'saves'>): readonly Mode[] {
  return MODES.filter((mode) => mode !== 'save' || saves === true);
}

type Step = (rule: Pick<RuleMeta, 'saves'>, mode: Mode, said: readonly Saying[]) => Mode | undefined;

/** The mode one step harder, which nothing that the rule could say gets milder by; undefined where no mode is. */
export const stepUp: Step = (rule, mode, said) =>
  modesOf(rule)
    .filter((other) => isHarder(other, mode, said))
    .reduce<Mode | undefined>((best, other) => (best && sumOf(best) <= sumOf(other) ? best : other), undefined);

/** The mode one step milder, but never off. */
export const stepDown: Step = (rule, mode, said) =>
  modesOf(rule)
    .filter((other) => other !== 'off' && isHarder(mode, other, said))
    .reduce<Mode | undefined>((best, other) => (best && sumOf(best) > sumOf(other) ? best : other), undefined);

/** A guard that denies out of the box stands fast: nobody is led to loosen it, as `guard/catastrophe`. */
export function mayLoosen(id: string): boolean {
  const meta = BUILT_IN.find((rule) => rule.meta.id === id)?.meta;
  return meta?.guard !== true || meta.mode !== 'enforce';
}

/** What a rule is known to say: by its examples, and by the record. Everything, where neither tells. */
export function sayingsOf({ examples = {}, saves }: RuleMeta, recorded: readonly string[]): readonly Saying[] {
  const kinds = [...recorded, ...Object.entries(examples).flatMap(([kind, all]) => (all.length > 0 ? [kind] : []))];
  const said = SAYINGS.filter((saying) =>
    saying === 'mendable'
      ? saves === true && kinds.some((kind) => kind === 'ask' || kind === 'save')
      : kinds.includes(saying),
  );
  return said.length > 0 ? said : SAYINGS;
}
