import type { ShellCommand } from '../../shell/command.ts';
import { readOptions } from '../../shell/options.ts';
import type { OptionSpec } from '../../shell/options.ts';
import { textsIn } from './options.ts';
import { CHECK_NAMES } from './qa-state.ts';
import type { CheckName } from './qa-state.ts';

/** In a list of patterns, stands for those that are built in. */
const BUILT_IN = 'builtin';

export const CHECK_DEFAULTS = { lint: [BUILT_IN], test: [BUILT_IN] } satisfies Record<CheckName, unknown>;

/** A program, then its first operands, where `*` stands for any part; options only have to be there. */
type Pattern = string;

const RUNNERS = ['pnpm', 'yarn', 'bun'] as const;

const BUILT_IN_PATTERNS: Readonly<Record<CheckName, readonly Pattern[]>> = {
  lint: [
    ...['npm run lint', 'npm run lint:*', ...scriptsNamed('lint'), 'make lint', 'go vet'],
    ...['cargo clippy', 'cargo fmt --check', 'ruff check'],
    ...alsoByRunners('eslint', 'biome check', 'biome ci', 'biome lint', 'tsc'),
  ],
  test: [
    ...['npm test', 'npm t', 'npm run test', 'npm run test:*', ...scriptsNamed('test'), 'make test', 'make check'],
    ...['go test', 'cargo test', 'cargo nextest run', 'pytest', 'python -m pytest', 'python3 -m pytest'],
    ...alsoByRunners('vitest', 'jest'),
  ],
};

/** `yarn eslint` runs the program of the project where no script has that name. */
function alsoByRunners(...programs: readonly Pattern[]): readonly Pattern[] {
  return programs.flatMap((program) => [program, ...RUNNERS.map((runner) => `${runner} ${program}`)]);
}

function scriptsNamed(name: string): readonly Pattern[] {
  const run = RUNNERS.flatMap((program) =>
    ['', ' run'].flatMap((verb) => [`${program}${verb} ${name}`, `${program}${verb} ${name}:*`]),
  );
  return [...run, `yarn workspace * ${name}`];
}

/** Every command that a built-in pattern fits has one of these in it. */
export const CHECK_WORDS: readonly string[] = [
  ...['npm', 'yarn', 'bun', 'make', 'go ', 'cargo', 'pytest', 'ruff', 'eslint', 'biome', 'tsc', 'vitest', 'jest'],
];

/** What a call that follows the advice has in it: the patterns as they are mostly typed. */
export const CHECK_COMMANDS: readonly string[] = Object.values(BUILT_IN_PATTERNS)
  .flat()
  .filter((pattern) => !pattern.includes('*') && !/^npm t$/.test(pattern));

export interface Check {
  readonly name: CheckName;
  readonly patterns: readonly Pattern[];
  /** Those of the user alone. */
  readonly own: readonly Pattern[];
}

/** The checks in force: one whose list of patterns is empty is none. */
export function checksIn(lists: Readonly<Record<CheckName, unknown>>): readonly Check[] {
  return CHECK_NAMES.flatMap((name): Check[] => {
    const written = textsIn(lists[name]);
    const own = written.filter((pattern) => pattern !== BUILT_IN);
    const patterns = written.length > own.length ? [...own, ...BUILT_IN_PATTERNS[name]] : own;
    return patterns.length === 0 ? [] : [{ name, patterns, own }];
  });
}

/** Options before the words that count, by program; where they take a value, that is no operand. */
const OPTIONS: Readonly<Record<string, OptionSpec>> = {
  npm: { values: ['-w', '--workspace', '--prefix', '-C'] },
  pnpm: { values: ['-C', '--dir', '-F', '--filter'] },
  yarn: { values: ['--cwd'] },
  bun: { values: ['--cwd', '-F', '--filter'] },
  make: { values: ['-C', '--directory', '-f', '--file', '--makefile', '-I', '-o', '-W'], attached: ['-j', '-l'] },
  go: { values: ['-C'] },
  cargo: { values: ['-C', '--config', '--color', '--manifest-path'] },
  biome: { values: ['--config-path', '--log-level', '--colors'] },
  ruff: { values: ['--config'] },
};
/** The programs whose operands are goals, in any order. */
const GOALS: ReadonlySet<string> = new Set(['make']);

/** With one of these a program only tells of itself or of what it would do. */
const IDLE: ReadonlySet<string> = new Set([
  ...['--help', '-h', '--version', '--dry-run', '--just-print', '--list', '--listTests', '--collect-only', '--co'],
  ...['--no-run', '--if-present', '--init', '--showConfig', '--print-config', '--show-settings', '--show-files'],
]);
const ALSO_IDLE: Readonly<Record<string, readonly string[]>> = {
  ...Object.fromEntries(['npm', 'pnpm', 'yarn', 'bun', 'tsc', 'eslint', 'jest'].map((name) => [name, ['-v']])),
  make: ['-n', '-q', '--question', '--recon'],
  // It lists or compiles, and runs none.
  go: ['-list', '-c'],
  pytest: ['-V'],
  vitest: ['-v', 'list', 'init'],
};

/** Whether a command is a run of the check. */
export function isRunOf({ patterns }: Check, command: ShellCommand): boolean {
  return patterns.some((pattern) => fits(command, pattern)) && !isIdle(command);
}

function isIdle({ program, words }: ShellCommand): boolean {
  const also = Object.hasOwn(ALSO_IDLE, program) ? ALSO_IDLE[program] : undefined;
  return words.some(({ value }) => IDLE.has(value) || also?.includes(value) === true);
}

function fits({ program, words }: ShellCommand, pattern: Pattern): boolean {
  const [first = '', ...rest] = pattern.trim().split(/\s+/);
  if (first.slice(first.lastIndexOf('/') + 1).toLowerCase() !== program) return false;
  const options = rest.filter((word) => word.startsWith('-'));
  if (!options.every((option) => words.some(({ value }) => value === option))) return false;
  const wanted = rest.filter((word) => !word.startsWith('-'));
  const given = operandsOf(program, words.slice(1));
  if (GOALS.has(program)) return wanted.every((word) => given.some((value) => isLike(value, word)));
  return wanted.every((word, at) => isLike(given[at], word));
}

function operandsOf(program: string, words: ShellCommand['words']): readonly string[] {
  const { operands } = readOptions(words, Object.hasOwn(OPTIONS, program) ? OPTIONS[program] : undefined);
  // `cargo +nightly test`
  return operands.map(({ value }) => value).filter((value) => !value.startsWith('+'));
}

function isLike(value: string | undefined, wanted: string): boolean {
  if (value === undefined || !wanted.includes('*')) return value === wanted;
  const [head = '', ...tails] = wanted.split('*');
  return value.startsWith(head) && value.length > head.length && value.endsWith(tails.join('*'));
}
