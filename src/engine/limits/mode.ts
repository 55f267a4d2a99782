import { MODES } from '../../event/verdict.ts';
import type { Mode, Verdict } from '../../event/verdict.ts';

export function isMode(text: string): text is Mode {
  return (MODES as readonly string[]).includes(text);
}

export function stricter(a: Mode, b: Mode): Mode {
  return MODES.indexOf(a) >= MODES.indexOf(b) ? a : b;
}

export function weaker(a: Mode, b: Mode): Mode {
  return stricter(a, b) === a ? b : a;
}

/** The mode while careful mode is on: never a weaker one, and what is not to speak stays silent. */
export function raised(mode: Mode, careful: Mode | undefined): Mode {
  return careful === undefined || mode === 'off' || mode === 'shadow' ? mode : stricter(mode, careful);
}

/**
 * What a verdict comes to under a mode; undefined when nothing is left to say. An ask that reaches nobody is a denial. Where a
 * copy is enough nobody is asked, if there is something to copy.
 */
export function applyMode(verdict: Verdict, mode: Mode, asksPerson = true): Verdict | undefined {
  if (verdict.kind === 'pass' || mode === 'off' || mode === 'shadow') return undefined;
  if (verdict.kind === 'note' || verdict.kind === 'warn') return verdict;
  if (mode === 'advise') return verdict.text === undefined ? undefined : { ...verdict, kind: 'note' };
  const isSaved = verdict.kind === 'save' || (verdict.kind === 'ask' && verdict.keeps !== undefined);
  if (isSaved && mode === 'save') return { ...verdict, kind: 'save' };
  const asks = verdict.kind === 'ask' || (verdict.kind === 'deny' && mode === 'ask');
  if (!asks) return verdict;
  return asksPerson ? { ...verdict, kind: 'ask' } : { ...verdict, kind: 'deny', unasked: true };
}
