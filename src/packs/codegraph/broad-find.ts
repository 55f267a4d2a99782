import type { ShellWord } from '../../shell/command.ts';
import { FIND_ACTIONS, FIND_EXPRESSIONS, FIND_NAMES } from './broad-programs.ts';
import { hasWildcard } from './search.ts';

/** What the words of a `find` look for; undefined when it looks at one level only, for one name, or changes something. */
export interface Find {
  readonly starts: readonly ShellWord[];
  readonly globs: readonly string[];
  readonly expressions: readonly string[];
}

interface Test {
  readonly value: string;
  readonly expression: boolean;
}

export function readFind(words: readonly ShellWord[]): Find | undefined {
  let at = 1;
  while (/^-(?:[HLP]|O\d?|D)$/.test(words[at]?.value ?? '')) at += words[at]?.value === '-D' ? 2 : 1;
  const starts: ShellWord[] = [];
  for (let word = words[at]; word && !/^(?:-.|[(!]$)/.test(word.value); word = words[(at += 1)]) starts.push(word);
  const tests = readTests(words.slice(at).map(({ value }) => value));
  if (!tests || (tests.length > 0 && !tests.some(({ value }) => hasWildcard(value)))) return undefined;
  return {
    starts,
    globs: tests.filter(({ expression }) => !expression).map(({ value }) => value),
    expressions: tests.filter(({ expression }) => expression).map(({ value }) => value),
  };
}

/** Tests of names that a file has to pass; those that are negated or lead to `-prune` only leave files out. */
function readTests(words: readonly string[]): readonly Test[] | undefined {
  let tests: Test[] = [];
  /** How many tests there were where each open group and the present alternative began. */
  const groups: { readonly from: number; readonly alternative: number; readonly negated: boolean }[] = [];
  let alternative = 0;
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at] as string;
    const negated = words[at - 1] === '!' || words[at - 1] === '-not';
    if (FIND_ACTIONS.has(word)) return undefined;
    if (word === '-maxdepth' && Number(words[at + 1]) <= 1) return undefined;
    if (FIND_NAMES.has(word) || FIND_EXPRESSIONS.has(word)) {
      const value = words[(at += 1)];
      if (value !== undefined && !negated) tests.push({ value, expression: FIND_EXPRESSIONS.has(word) });
    } else if (word === '(') groups.push({ from: tests.length, alternative, negated });
    else if (word === ')') {
      const group = groups.pop();
      alternative = group?.alternative ?? 0;
      if (group?.negated === true) tests = tests.slice(0, group.from);
    } else if (word === '-o' || word === '-or') alternative = tests.length;
    else if (word === '-prune') tests = tests.slice(0, alternative);
    else if (/^-(?:exec|ok)/.test(word)) at = endOfRun(words, at);
  }
  return tests;
}

function endOfRun(words: readonly string[], from: number): number {
  for (let at = from + 1; at < words.length; at += 1)
    if (words[at] === ';' || (words[at] === '+' && words[at - 1] === '{}')) return at;
  return words.length;
}
