import { subcommandAt } from '../effects/git/changes.ts';
import type { ShellCommand, ShellWord } from '../shell/command.ts';
import { readShell } from '../shell/read.ts';
import { literalIn } from './typed-command.ts';

/** Where commands are read. */
export interface RunPlace {
  readonly cwd: string;
  readonly home: string;
}

/** Which of the simple commands of a text are one of those that were typed, by their number. */
export function runsIn(text: string, typed: readonly string[], { cwd, home }: RunPlace): readonly number[] {
  const wanted = typed.map(wantedOf);
  const { commands } = readShell(text, { cwd, home });
  return commands.filter((command) => wanted.some((one) => isRun(one, command))).map(({ number }) => number);
}

interface Wanted {
  readonly program: string;
  /** In this order, behind the program. */
  readonly operands: readonly string[];
  /** Anywhere. */
  readonly options: readonly string[];
}

function wantedOf(typed: string): Wanted {
  const [program = '', ...rest] = typed.trim().split(/\s+/);
  const isOption = (word: string) => /^-./.test(word);
  return {
    program: program.toLowerCase(),
    operands: rest.filter((word) => !isOption(word)),
    options: rest.filter(isOption),
  };
}

/** Words of programs that only start another one, which the reader takes off. */
const STARTS: ReadonlySet<string> = new Set(['run', 'exec', 'dlx', 'x']);

function isRun(wanted: Wanted, command: ShellCommand): boolean {
  const { program, operands, options } = wanted;
  if (command.wrappers.includes(program)) {
    const [next = '', ...rest] = operands.slice(STARTS.has(operands[0] ?? '') ? 1 : 0);
    if (operands.length === 0 && options.length === 0) return true;
    if (next !== '' && isRun({ program: next.toLowerCase(), operands: rest, options }, command)) return true;
  }
  return formsOf(command).some(
    ([name, words]) =>
      (program === '*' || program === name) &&
      options.every((option) => hasOption(option, words)) &&
      follows(operands, words),
  );
}

/** A program and its words; `python -m pip` is `pip` as well. */
function formsOf(command: ShellCommand): readonly (readonly [string, readonly ShellWord[]])[] {
  const { program, words } = command;
  const rest = program === 'git' ? words.slice(subcommandAt(words)) : words.slice(1);
  const [first, second] = rest;
  const isModule = /^python[\d.]*$/.test(program) && first?.value === '-m' && second?.known === true;
  return isModule
    ? [
        [program, rest],
        [second.value, rest.slice(2)],
      ]
    : [[program, rest]];
}

/** Whether the operands come in this order from the start; a word behind an option may be its value, or not. */
function follows(operands: readonly string[], words: readonly ShellWord[]): boolean {
  const [wanted, ...others] = operands;
  if (wanted === undefined) return true;
  const [word, ...rest] = words;
  if (!word) return false;
  if (/^-./.test(word.value)) return follows(operands, rest) || (rest.length > 0 && follows(operands, rest.slice(1)));
  return fits(wanted, word) && follows(others, rest);
}

/** `<name>` is any word, `*` any part of one. */
function fits(wanted: string, { value, known }: ShellWord): boolean {
  const literals = literalIn(wanted);
  if (literals === undefined) return true;
  if (!known) return false;
  if (literals.length === 1) return withoutSlash(value) === withoutSlash(wanted);
  const [first = '', ...rest] = literals;
  const last = rest.at(-1) ?? '';
  if (!value.startsWith(first) || value.length < first.length + last.length) return false;
  let at = first.length;
  for (const part of rest.slice(0, -1)) {
    const found = value.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return value.length - last.length >= at && value.endsWith(last);
}

function withoutSlash(text: string): string {
  return text.length > 1 && text.endsWith('/') ? text.slice(0, -1) : text;
}

/** A long option as it is, or with a value; the letters of a short one, in whatever order and company. */
function hasOption(option: string, words: readonly ShellWord[]): boolean {
  const given = words.filter(({ known }) => known).map(({ value }) => value);
  if (given.some((value) => value === option || value.startsWith(`${option}=`))) return true;
  if (!/^-\w+$/.test(option)) return false;
  const letters = given.filter((value) => /^-\w+$/.test(value)).join('');
  return Array.from(option.slice(1)).every((letter) => letters.includes(letter));
}
