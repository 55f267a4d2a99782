import type { ShellCommand, ShellWord } from '../../shell/command.ts';
import type { OptionSpec } from '../../shell/options.ts';
import { readOptions } from '../../shell/options.ts';

/** What a command takes as code. */
export interface Runs {
  /** What comes in on standard input. */
  readonly input: boolean;
  readonly file?: ShellWord | undefined;
  /** What `-m` names. */
  readonly module?: ShellWord | undefined;
  /** Words that are code, such as the one after `-c`. */
  readonly code: readonly ShellWord[];
}

type ReadRuns = (command: ShellCommand) => Runs | undefined;

interface Runner extends OptionSpec {
  /** Options whose value is code. */
  readonly code: readonly string[];
  /** Options whose value is a file of code. */
  readonly file?: readonly string[];
  /** Options that keep it from running anything. */
  readonly idle?: readonly string[];
  /** Options after which code comes from elsewhere, such as `-m`. */
  readonly elsewhere?: readonly string[];
  /** Verbs that come before the file: `deno run`. */
  readonly verbs?: readonly string[];
  /** Without one of these verbs or a file, nothing of its input is run. */
  readonly needsFile?: boolean;
}

function reader(runner: Runner): ReadRuns {
  const values = [...runner.code, ...(runner.file ?? []), ...(runner.values ?? []), ...(runner.elsewhere ?? [])];
  const spec: OptionSpec = { values, stopAtOperand: true };
  const idle = ['--help', '--version', ...(runner.idle ?? [])];
  return ({ words }) => {
    let options = readOptions(words.slice(1), spec);
    const verb = options.operands[0]?.value;
    if (verb !== undefined && runner.verbs?.includes(verb) === true)
      options = readOptions(options.operands.slice(1), spec);
    if (options.has(...idle)) return undefined;
    const code = options.values(...runner.code);
    if (options.has(...runner.code)) return { input: false, code };
    if (runner.elsewhere && options.has(...runner.elsewhere))
      return { input: false, module: options.values(...runner.elsewhere)[0], code };
    const file = options.values(...(runner.file ?? [])).at(-1) ?? options.operands[0];
    if (file === undefined) return runner.needsFile === true ? undefined : { input: true, code };
    return isInputName(file.value) ? { input: true, code } : { input: false, file, code };
  };
}

export function isInputName(value: string): boolean {
  return value === '-' || value === '/dev/stdin' || value === '/dev/fd/0' || value === '/proc/self/fd/0';
}

/** Shells read their letters themselves: `-c` takes no value of its own, and `+n` undoes `-n`. */
const readShellRuns: ReadRuns = ({ words }) => {
  let fromWord = false;
  let fromInput = false;
  let idle = false;
  let started: ShellWord | undefined;
  let at = 1;
  for (; at < words.length; at += 1) {
    const { value } = words[at] as ShellWord;
    if (value === '--' || value === '-') {
      at += 1;
      break;
    }
    if (value.length < 2 || (value[0] !== '-' && value[0] !== '+')) break;
    if (value.startsWith('--')) {
      if (value === '--rcfile' || value === '--init-file') started = words[(at += 1)];
      else if (value === '--help' || value === '--version') return undefined;
      continue;
    }
    const on = value[0] === '-';
    if (value.includes('n')) idle = on;
    if (on && value.includes('c')) fromWord = true;
    if (on && value.includes('s')) fromInput = true;
    if (/[oO]$/.test(value)) at += 1;
  }
  if (idle) return undefined;
  if (started) return { input: false, file: started, code: [] };
  const first = words[at];
  if (fromWord) return { input: false, code: first ? [first] : [] };
  if (fromInput || first === undefined) return { input: true, code: [] };
  return isInputName(first.value) ? { input: true, code: [] } : { input: false, file: first, code: [] };
};

const readPowerShell: ReadRuns = ({ words }) => {
  for (let at = 1; at < words.length; at += 1) {
    const word = words[at] as ShellWord;
    const name = word.value.toLowerCase();
    const next = words[at + 1];
    if (name.length > 1 && '-command'.startsWith(name)) {
      if (next?.value === '-') return { input: true, code: [] };
      return { input: false, code: words.slice(at + 1) };
    }
    if (name.length > 1 && '-file'.startsWith(name)) {
      return next?.value === '-' ? { input: true, code: [] } : { input: false, file: next, code: [] };
    }
    if (name.startsWith('-e') && '-encodedcommand'.startsWith(name)) return undefined;
    if (/^-(?:ep|ex|executionpolicy|w|windowstyle|version|outputformat|inputformat|workingdirectory|wd)$/.test(name))
      at += 1;
    else if (!name.startsWith('-')) return { input: false, file: word, code: words.slice(at) };
  }
  return { input: true, code: [] };
};

const readSource: ReadRuns = ({ words }) => {
  const file = words.find(({ value }, at) => at > 0 && value !== '--');
  if (file === undefined) return undefined;
  return isInputName(file.value) ? { input: true, code: [] } : { input: false, file, code: [] };
};

const readEval: ReadRuns = ({ words }) => ({ input: false, code: words.slice(1) });
const readTrap: ReadRuns = ({ words }) => ({ input: false, code: words.slice(1, 2) });

const MAKEFILE: ShellWord = { text: 'Makefile', value: 'Makefile', known: true, glob: false, from: [] };

/** `make -f -` and `awk -f x`: what `-f` names is code. */
const readFileOption: ReadRuns = ({ words, program }) => {
  const at = words.findIndex(({ value }) => value === '-f' || value === '--file' || value === '--makefile');
  const file = at < 0 ? (program.endsWith('make') ? MAKEFILE : undefined) : words[at + 1];
  if (file === undefined) return undefined;
  return isInputName(file.value) ? { input: true, code: [] } : { input: false, file, code: [] };
};
const readSu: ReadRuns = ({ words }) =>
  words.some(({ value }) => value === '-c' || value.startsWith('--command')) ? undefined : { input: true, code: [] };

const SSH: OptionSpec = {
  values: '-o -i -p -l -F -J -L -R -D -b -c -e -m -O -Q -S -W -w -E -B -I'.split(' '),
  stopAtOperand: true,
};

/** `ssh host bash`: what a shell elsewhere is fed. */
const readSecureShell: ReadRuns = (command) => {
  const [, ...rest] = readOptions(command.words.slice(1), SSH).operands;
  const words = rest[0]?.value.includes(' ') === true ? splitWord(rest[0]) : rest;
  const inner = words[0]?.value === 'sudo' ? words.slice(1) : words;
  const program = inner[0]?.value ?? '';
  return program === 'ssh'
    ? undefined
    : runsOf({ ...command, program, words: inner })?.input === true
      ? FROM_INPUT
      : undefined;
};

function splitWord(word: ShellWord): readonly ShellWord[] {
  return word.value
    .trim()
    .split(/\s+/)
    .map((value) => ({ ...word, text: value, value }));
}

const FROM_INPUT: Runs = { input: true, code: [] };
const readInput: ReadRuns = () => ({ input: true, code: [] });
const readCrontab: ReadRuns = ({ words }) => (words[1]?.value === '-' ? readInput({} as ShellCommand) : undefined);

const python = reader({ code: ['-c'], elsewhere: ['-m'], values: ['-W', '-X'], idle: ['-h', '-V'] });
const node = reader({
  code: ['-e', '-p', '--eval', '--print'],
  values: ['-r', '--require', '--import', '--loader', '--experimental-loader', '-C', '--conditions', '--env-file'],
  idle: ['-h', '-v', '-c', '--check', '--test'],
});
const perl = reader({ code: ['-e', '-E'], values: ['-I', '-M', '-m'], idle: ['-v', '-c', '-h'] });
const ruby = reader({ code: ['-e'], values: ['-r', '-I', '-C', '-E'], idle: ['-v', '-c', '-h'] });
const php = reader({
  code: ['-r', '-B', '-R', '-E'],
  file: ['-f'],
  values: ['-d', '-c', '-z', '-S', '-t'],
  idle: ['-v', '-i', '-m', '-l', '-h', '-S'],
});
const deno = reader({ code: [], verbs: ['run', 'eval'], needsFile: true, idle: ['-h', '-V'] });
const bun = reader({ code: ['-e', '--eval', '-p', '--print'], verbs: ['run'], needsFile: true, idle: ['-h', '-v'] });
const emacs = reader({
  code: ['--eval', '-eval', '--execute', '-execute'],
  file: ['--script', '-script', '-l', '--load', '-load'],
  needsFile: true,
});
const script = reader({ code: ['-e'], values: ['-l', '-i'], idle: ['-h', '-v'] });

const RUNNERS: ReadonlyMap<string, ReadRuns> = new Map<string, ReadRuns>([
  ...['sh', 'bash', 'dash', 'zsh', 'ksh', 'mksh', 'ash', 'fish', 'csh', 'tcsh', 'rbash', 'yash', 'nu'].map(
    (name): [string, ReadRuns] => [name, readShellRuns],
  ),
  ['source', readSource],
  ['.', readSource],
  ['eval', readEval],
  ['su', readSu],
  ['ssh', readSecureShell],
  ['trap', readTrap],
  ['make', readFileOption],
  ['gmake', readFileOption],
  ['awk', readFileOption],
  ['gawk', readFileOption],
  ['at', readInput],
  ['batch', readInput],
  ['crontab', readCrontab],
  ['python', python],
  ['python2', python],
  ['python3', python],
  ['pypy', python],
  ['pypy3', python],
  ['node', node],
  ['nodejs', node],
  ['tsx', node],
  ['ts-node', node],
  ['deno', deno],
  ['bun', bun],
  ['perl', perl],
  ['ruby', ruby],
  ['php', php],
  ['osascript', script],
  ['lua', script],
  ['luajit', script],
  ['rscript', script],
  ['r', script],
  ['emacs', emacs],
  ['emacsclient', emacs],
  ['wish', script],
  ['julia', script],
  ['tclsh', script],
  ['expect', script],
  ['elixir', script],
  ['pwsh', readPowerShell],
  ['powershell', readPowerShell],
  ['pwsh.exe', readPowerShell],
  ['powershell.exe', readPowerShell],
]);

/** What the command would run as code; undefined when it runs none. */
export function runsOf(command: ShellCommand): Runs | undefined {
  const { program } = command;
  const read = RUNNERS.get(program) ?? (/\d$/.test(program) ? RUNNERS.get(unversioned(program)) : undefined);
  return read?.(command);
}

/** `python3.12` is `python`. */
export function unversioned(program: string): string {
  let end = program.length;
  while (end > 0 && /[\d.]/.test(program[end - 1] as string)) end -= 1;
  return program.slice(0, end);
}
