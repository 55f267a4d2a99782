import type { PathScope } from '../../event/effect.ts';
import type { ShellWord } from '../../shell/command.ts';
import { below, listed } from '../words/arguments.ts';
import { isMade } from './made.ts';
import { isPattern, matchesAll } from './pattern.ts';
import type { ResolvedPath } from '../scene.ts';

const NAME_TESTS: ReadonlySet<string> = new Set(['-name', '-iname', '-path', '-ipath', '-wholename', '-iwholename']);
/** Tests that keep some of the files; how many, the text does not tell. */
const NARROW_TESTS: ReadonlySet<string> = new Set(
  listed(
    '-regex -iregex -lname -ilname -samefile -inum -mtime -mmin -atime -amin -ctime -cmin -newer -anewer -cnewer -newermt ' +
      '-size -user -group -perm -uid -gid -nouser -nogroup -links',
  ),
);

/** What one `find` looks for, as far as its text tells. */
export interface Search {
  readonly starts: readonly ShellWord[];
  /** Patterns of names or paths, one of which has to match; empty when any name will do. */
  readonly names: readonly string[];
  readonly narrow: boolean;
  /** Only so many levels deep. */
  readonly shallow: boolean;
  readonly emptyOnly: boolean;
}

export const HERE: ShellWord = { text: '.', value: '.', known: true, glob: false, from: [] };

export function readSearch(words: readonly ShellWord[]): Search {
  let at = 1;
  while (/^-(?:[HLP]|O\d?|D)$/.test(words[at]?.value ?? '')) at += words[at]?.value === '-D' ? 2 : 1;
  const starts: ShellWord[] = [];
  for (let word = words[at]; word && !/^(?:-.|[(!]$)/.test(word.value); word = words[(at += 1)]) starts.push(word);
  const names: string[] = [];
  let narrow = false;
  let isOne = false;
  let shallow = false;
  let emptyOnly = false;
  for (; at < words.length; at += 1) {
    const test = words[at]?.value as string;
    const before = words[at - 1]?.value;
    const negated = before === '!' || before === '-not';
    if (isExec(test)) at = endOfExec(words, at);
    else if (NAME_TESTS.has(test)) {
      at += 1;
      if (negated) narrow = true;
      else if (!isAnyName(words[at]?.value ?? '')) {
        // Two tests for one file: what one of them says of it holds.
        if (isOne && isMade((words[at]?.value ?? '').split('/'))) names.pop();
        if (!isOne || !isMade((names.at(-1) ?? '').split('/'))) names.push(words[at]?.value ?? '');
        isOne = true;
      }
    } else if (test === '-o' || test === '-or' || test === ',') isOne = false;
    else if (NARROW_TESTS.has(test)) narrow = true;
    else if (test === '-maxdepth') shallow = true;
    else if (test === '-empty' && !negated) emptyOnly = true;
  }
  return { starts: starts.length > 0 ? starts : [HERE], names, narrow, shallow, emptyOnly };
}

/** `-name '*'`, `-path './*'`: a test that every file passes. */
function isAnyName(pattern: string): boolean {
  return pattern.split('/').every((part) => part === '.' || matchesAll(part));
}

/** Searches from here reach into what belongs to the machine or to all that a person has. */
const WIDE_STARTS: ReadonlySet<PathScope> = new Set(['root', 'system', 'home', 'git']);

/** Where the files lie that a search finds below one of its starts. */
export function placesFound(
  search: Search,
  start: ShellWord,
  place: (word: ShellWord) => ResolvedPath,
): readonly ResolvedPath[] {
  const from = place(start);
  if (search.names.length === 0)
    return [search.narrow ? someOf({ ...from, whole: 'list' }) : { ...from, whole: 'list' }];
  return search.names.map((name): ResolvedPath => {
    const like = name.replace(/^(?:\.\/|\*\/)/, '');
    const value = below(start.value, like);
    const { many: _, ...placed } = place({ ...start, text: value, value, glob: true });
    if (search.shallow && !isPattern(like)) return placed;
    const many = { below: from.path, like: `**/${like}` };
    const scope = from.scope === 'root' ? 'system' : placed.scope;
    return WIDE_STARTS.has(from.scope) ? { ...placed, scope, many, whole: 'list' } : { ...placed, scope, many };
  });
}

/** Not all of the files there, as far as a condition keeps some; which, the text does not tell. */
export function someOf(placed: ResolvedPath): ResolvedPath {
  return placed.scope === 'workspace' ? { ...placed, scope: 'inside' } : placed;
}

/** The next word is a pattern, not a test. */
export function namesFiles(test: string): boolean {
  return NAME_TESTS.has(test);
}

export function isExec(test: string): boolean {
  return test.startsWith('-exec') || test.startsWith('-ok');
}

export function endOfExec(words: readonly ShellWord[], at: number): number {
  for (let end = at + 1; end < words.length; end += 1) {
    const value = words[end]?.value;
    if (value === ';' || (value === '+' && words[end - 1]?.value === '{}')) return end;
  }
  return words.length;
}
