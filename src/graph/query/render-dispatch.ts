import { byRole } from '../../text/by-role.ts';
import type { CalledAs, CalledInstead, CallsAnswer, Dispatch, ImpactAnswer } from './answer.ts';
import { USES_SHARE } from './calls.ts';
import type { Direction } from './calls.ts';
import type { Section } from './fit-text.ts';
import { callersText, callLines, clean, counted, mentionText } from './render-symbol.ts';
import type { Wording } from './render-symbol.ts';

/** By which members it may be called and from where, and what may be called instead; apart from callers. */
export function dispatchSections(
  answer: Dispatch & Pick<CallsAnswer, 'symbol' | 'namesakes'>,
  is: Direction,
  how: Wording['how'],
): Section[] {
  const { overrides, implementations, namesakes, symbol } = answer;
  const sections = overrides.map((base): Section => ({
    name: 'calls through other members',
    title: calledAs(base),
    lines: callLines(base.from.items, 'callers'),
    total: base.from.total,
    more: (left) => `  … ${left} more: ${how('callers', base.symbol.key, { limit: base.from.total })}`,
  }));
  for (const other of namesakes)
    sections.push({ name: 'members of the same name', title: clean(`perhaps called as ${placed(other)}`), lines: [] });
  if (implementations)
    sections.push({
      name: 'implementations',
      title: is === 'callers' ? standIns(implementations.total) : `these may end at ${ends(implementations.total)}`,
      lines: implementations.items.map(mentionText),
      total: implementations.total,
      more: (left) => `  … ${left} more: ${how(is, symbol.key, { limit: implementations.total })}`,
    });
  return sections;
}

/** `may be called as Files.append src/files.ts:68, which it implements: 8 callers in production; 9 calls`. */
export function calledAs({ by, callers, calls, from, symbol: { name, path, line } }: CalledAs): string {
  const much = `${callersText(callers, from.roles)}${callers === 0 ? '' : `; ${counted(calls, 'call')}`}`;
  return clean(`may be called as ${name} ${path}:${line}, which it ${by}: ${much}`);
}

export function standIns(total: number): string {
  return `implemented or overridden by ${total}`;
}

function ends(total: number): string {
  return total === 1 ? '1 implementation' : `${total} implementations`;
}

function placed({ callers, symbol: { name, path, line } }: CalledInstead): string {
  return `${name} ${path}:${line}, which has ${counted(callers, 'caller')}`;
}

/** What an impact reaches through other members alone. */
export function beyondSections(
  { dispatched }: ImpactAnswer,
  more: (total: number) => (left: number) => string,
): Section[] {
  if (dispatched === undefined) return [];
  const { callers, tests, files } = dispatched;
  const sections: Section[] = [
    {
      name: 'callers through other members',
      title: `${counted(callers.total, 'more caller')} through members that it may be called as, in ${counted(files, 'file')}: ${byRole(callers.roles)}`,
      lines: callLines(callers.items, 'callers', { mostSites: 3 }),
      total: callers.total,
      more: more(USES_SHARE * callers.total),
    },
  ];
  if (tests.total > 0)
    sections.push({
      name: 'tests through other members',
      title: `${counted(tests.total, 'test')} among these`,
      lines: tests.items.map(mentionText),
      total: tests.total,
      more: more(tests.total),
    });
  return sections;
}
