import type { ShellCommand } from '../../shell/command.ts';
import { readOptions } from '../../shell/options.ts';
import { split } from './broad-content.ts';
import type { Found } from './broad-found.ts';
import type { ContentProgram } from './broad-programs.ts';
import { CONTENT_PROGRAMS, FACT_READERS, READERS } from './broad-programs.ts';

/**
 * What becomes of the files that a listing names: a program that searches them makes it a search of content, a filter
 * says which names are wanted, one that measures or counts them asks for no code, and one that changes them makes it no
 * search at all.
 */
export function withUse(listing: Found, lister: ShellCommand, all: readonly ShellCommand[]): Found | undefined {
  const patterns = [...listing.patterns];
  let facts = listing.facts === true;
  for (const one of all.slice(lister.number + 1)) {
    const program = CONTENT_PROGRAMS.get(one.program);
    if (isFed(one, lister, all)) {
      if (!READERS.has(one.program)) return undefined;
      if (program) return { ...listing, patterns: patternsIn(one, program), listing: false };
      facts ||= FACT_READERS.has(one.program);
    } else if (comesFrom(one, lister, all)) {
      facts ||= isCount(one);
      if (program) patterns.push(...filterIn(one, program));
    }
  }
  return facts ? { ...listing, patterns, facts } : { ...listing, patterns };
}

/** `wc`, `uniq -c`, `grep -c`: how many there are, not which. */
function isCount({ program, words }: ShellCommand): boolean {
  return (
    program === 'wc' || (/^(?:uniq|[efr]?grep|rg)$/.test(program) && readOptions(words.slice(1)).has('-c', '--count'))
  );
}

/** Its arguments are what the lister found. */
function isFed(command: ShellCommand, lister: ShellCommand, all: readonly ShellCommand[]): boolean {
  const step = command.road[lister.road.length];
  if (step !== undefined && /^f(?:ind -(?:exec|ok)|d -)/.test(step) && isNextTo(command, lister, all)) return true;
  return command.words.some(({ from }) => from.some((number) => reaches(number, lister, all)));
}

/** Everything between the two is run by the lister as well. */
function isNextTo(command: ShellCommand, lister: ShellCommand, all: readonly ShellCommand[]): boolean {
  return all.slice(lister.number + 1, command.number).every(({ road }) => road.length > lister.road.length);
}

function comesFrom({ input }: ShellCommand, lister: ShellCommand, all: readonly ShellCommand[]): boolean {
  return input?.kind === 'pipe' && reaches(input.from, lister, all);
}

function reaches(number: number, lister: ShellCommand, all: readonly ShellCommand[]): boolean {
  for (let at = number; at > lister.number;) {
    const input = all[at]?.input;
    if (input?.kind !== 'pipe' || input.from >= at) return false;
    at = input.from;
    if (at === lister.number) return true;
  }
  return number === lister.number;
}

function patternsIn({ words }: ShellCommand, program: ContentProgram): readonly string[] {
  return split(program, readOptions(words.slice(1), program.options)).patterns;
}

function filterIn({ words }: ShellCommand, program: ContentProgram): readonly string[] {
  const options = readOptions(words.slice(1), program.options);
  return options.has('-v', '--invert-match') ? [] : split(program, options).patterns;
}
