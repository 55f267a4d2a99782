import type { PathScope } from '../../event/effect.ts';
import type { ShellWord } from '../../shell/command.ts';
import { below, listed } from '../words/arguments.ts';
import { matchesAll } from './pattern.ts';
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
      else if (!isAnyName(words[at]?.value ?? '')) names.push(words[at]?.value ?? '');
    } else if (NARROW_TESTS.has(test)) narrow = true;
    else if (test === '-maxdepth') shallow = true;
    else if (test === '-empty' && !negated) emptyOnly = true;
  }
  return { starts: starts.length > 0 ? starts : [HERE], names, narrow, shallow, emptyOnly };
}

/** `-name '*'`, `-path './*'`: a test that every file passes. */
function isAnyName(pattern: string): boolean {
  return pattern.split('/').every((part) => part === '.' || matchesAll(part));
}

/** What a listing names. */
export interface Found {
  readonly placed: ResolvedPath;
  /** All of a tree may go, not some files of it. */
  readonly wide: boolean;
}

/** Searches from here reach into what belongs to the machine or to all that a person has. */
const WIDE_STARTS: ReadonlySet<PathScope> = new Set(['root', 'system', 'home', 'git']);

/** Where the files lie that a search finds below one of its starts. */
export function placesFound(
  search: Search,
  start: ShellWord,
  place: (word: ShellWord) => ResolvedPath,
): readonly Found[] {
  const from = place(start);
  if (search.names.length === 0) {
    const some = search.narrow && from.scope === 'workspace';
    return [{ placed: some ? { ...from, scope: 'inside' } : from, wide: true }];
  }
  const wide = WIDE_STARTS.has(from.scope);
  return search.names.map((name) => {
    const value = below(start.value, name.replace(/^(?:\.\/|\*\/)/, ''));
    const placed = place({ ...start, text: value, value, glob: true });
    return { placed: from.scope === 'root' ? { ...placed, scope: 'system' } : placed, wide };
  });
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
