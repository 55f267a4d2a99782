import { UNKNOWN } from '../command.ts';
import { SHELL_NAMES } from '../shell-names.ts';
import type { Code } from './calls.ts';
import type { Call, Value } from './values.ts';
import { knownTextOf } from './values.ts';

/** Text for a shell, or a program with its arguments; `UNKNOWN` alone for what comes in. */
export type Run = string | readonly string[];

/**
 * Calls that start a program, by language: `text` is given the text for a shell, or a program and its arguments;
 * `words:N` has program and arguments from its Nth argument on, those before are about something else.
 */
const RUNS: Readonly<Record<string, readonly (readonly [names: RegExp, takes: 'text' | number])[]>> = {
  python: [
    [
      /^os\.(?:system|popen\d?|startfile)$|^(?:subprocess|sp)\.(?:run|call|Popen|check_call|check_output|getoutput|getstatusoutput)$|^commands\.getoutput$|^pty\.spawn$|(?:^|\.)create_subprocess_(?:shell|exec)$|^pexpect\.(?:spawn|run)$|^platform\.popen$|^posix\.system$|^(?:get_ipython|ipython)\.system$/,
      'text',
    ],
    [/^os\.(?:exec[lv]p?e?|posix_spawnp?)$/, 1],
    [/^os\.spawn[lv]p?e?$/, 2],
  ],
  node: [
    [
      /(?:^|\.)(?:execSync|spawnSync|execFileSync|execFile|execa(?:Sync|Command|CommandSync)*)$|(?:child_process|childProcess|cp)\.(?:exec|spawn|fork)$|^Deno\.(?:Command|run)$|^Bun\.spawn(?:Sync)?$|^shell(?:js)?\.exec$/,
      'text',
    ],
  ],
  groovy: [[/(?:^|\.)execute$/, 'text']],
  perl: [
    [/^(?:system|exec|CORE\.(?:system|exec)|POSIX\.system)$/, 'text'],
    [/^(?:IPC\.Open3\.)?open[23]$/, 2],
  ],
  ruby: [
    [/^(?:system|exec|spawn|(?:Process\.|Kernel\.)(?:spawn|system|exec)|IO\.popen|Open3\.\w+|PTY\.spawn|sh)$/, 'text'],
  ],
  php: [[/^(?:system|exec|shell_exec|passthru|popen|proc_open|pcntl_exec)$/, 'text']],
  r: [[/^(?:system|system2|shell|shell\.exec|processx\.run|sys\.exec_wait)$/, 'text']],
  julia: [[/^(?:Cmd|Base\.Cmd)$/, 'text']],
  lua: [[/^(?:os\.execute|io\.popen)$/, 'text']],
  awk: [[/^system$/, 'text']],
  tcl: [[/^(?:exec|spawn|system)$/, 0]],
  elisp: [
    [
      /^(?:shell-command|async-shell-command|shell-command-to-string|call-process-shell-command|process-lines|eshell-command|compile|process-file-shell-command)$/,
      'text',
    ],
    [/^(?:call-process|process-file)$/, 4],
    [/^call-process-region$/, 6],
    [/^(?:start-process|start-file-process)$/, 2],
    [/^start-process-shell-command$/, 2],
  ],
};

/** Calls that are what a program of the same name does: rights and signals, with the arguments in its order. */
const SAME: readonly (readonly [names: RegExp, words: (args: readonly Value[]) => readonly Value[]])[] = [
  [/^(?:os|fs|fsp|fs\.promises|Deno)\.l?chmod(?:Sync)?$/, ([path, mode]) => [word('chmod'), modeOf(mode), path ?? {}]],
  [/^(?:File|FileUtils)\.chmod$/, ([mode, path]) => [word('chmod'), modeOf(mode), path ?? {}]],
  [/^FileUtils\.chmod_R$/, ([mode, path]) => [word('chmod'), word('-R'), modeOf(mode), path ?? {}]],
  [
    /^(?:os\.kill|process\.kill)$/,
    ([id, signal]) => [word('kill'), word('-s'), signal ?? word('TERM'), word('--'), id ?? {}],
  ],
  [/^Process\.kill$/, ([signal, id]) => [word('kill'), word('-s'), signal ?? {}, word('--'), id ?? {}]],
];

const word = (text: string): Value => ({ texts: [text] });

/** `0o777` and `0777` are `777`. */
function modeOf(mode: Value | undefined): Value {
  return word((knownTextOf(mode) ?? UNKNOWN).replace(/^0o?(?=\d)/, ''));
}

/** What the code hands to a shell or starts, in the literals of its calls. */
export function runsIn(code: Code): readonly Run[] {
  const runs: Run[] = [];
  const rows = RUNS[code.language] ?? [];
  const feeds = code.language === 'tcl' && code.calls.some(isShellPipe);
  for (const call of code.calls) {
    const whole = call.owner === '' ? call.name : `${call.owner}.${call.name}`;
    const row = rows.find(([names]) => names.test(whole));
    const same = SAME.find(([names]) => names.test(whole));
    if (row) runs.push(...runsOf(call, whole, code.language, row[1]));
    else if (same) runs.push(...variantsOf(same[1](call.args)));
    else runs.push(...otherRuns(code.language, call, feeds));
  }
  return runs;
}

function runsOf(call: Call, whole: string, language: string, takes: 'text' | number): readonly Run[] {
  const { self, args, named } = call;
  const given = self && whole.endsWith('execute') ? [self] : args;
  const first = given[0] ?? named.get('args') ?? named.get('command') ?? named.get('cmd');
  if (!first) return [];
  if (takes !== 'text') {
    const list = args.slice(takes).flatMap((one) => one.items ?? [one]);
    const words = /^(?:call-process|process-file)/.test(whole) ? [first, ...list] : list;
    return variantsOf(words);
  }
  const shelled = isTrue(named.get('shell')) || given.some(({ fields }) => isTrue(fields?.get('shell')));
  if (first.items && !first.texts) return shelled ? textsOf(first.items[0]) : variantsOf(first.items);
  if (first.items) return variantsOf(first.items);
  const second = given[1] ?? named.get('args');
  const listed = second?.items ?? second?.fields?.get('args')?.items;
  if (listed)
    return shelled
      ? textsOf({ texts: variantsOf([first, ...listed]).map((one) => one.join(' ')) })
      : variantsOf([first, ...listed]);
  if (
    given.length > 1 &&
    language !== 'php' &&
    /^(?:system|exec|spawn|sh|pty\.spawn|(?:Kernel|Process|IO|Open3|PTY)\.\w+|process-lines|asyncio\.create_subprocess_exec)$/.test(
      whole,
    )
  )
    return variantsOf(given.filter(({ fields }) => fields === undefined));
  return textsOf(first);
}

function isTrue(value: Value | undefined): boolean {
  return (
    value !== undefined &&
    (value.name === 'True' || value.name === 'true' || value.name === 'TRUE' || knownTextOf(value) !== undefined)
  );
}

function textsOf(value: Value | undefined): readonly string[] {
  return (value?.texts ?? []).filter((text) => text !== UNKNOWN);
}

/** Each word as all that it may be. */
function variantsOf(words: readonly Value[]): readonly (readonly string[])[] {
  if (words.length === 0) return [];
  const most = Math.max(...words.map(({ texts = [] }) => texts.length), 1);
  return Array.from({ length: most }, (_, at) =>
    words.map(({ texts = [UNKNOWN] }) => texts[Math.min(at, texts.length - 1)] ?? UNKNOWN),
  );
}

/** Where the name alone does not tell: pipes, and programs that are called by their names. */
function otherRuns(language: string, call: Call, feeds: boolean): readonly Run[] {
  const { owner, name, args, self } = call;
  if (name === '`') return textsOf(args[0]);
  if (owner === 'awk') {
    if (name === 'getline') return textsOf(args[0]);
    const command = knownTextOf(self) ?? '';
    if (!isShell(command)) return textsOf(self);
    const printed = args[0]?.texts ?? [UNKNOWN];
    return printed.map((text) => (text.replaceAll(UNKNOWN, '').trim() === '' ? UNKNOWN : text));
  }
  if (name === 'open' && (language === 'perl' || language === 'tcl' || language === 'ruby'))
    return pipedBy(call, language);
  if (feeds && name === 'puts') return textsOf(args.at(-1));
  return [];
}

/** `open(H, '-|', 'command')`, `open "|command"`. */
function pipedBy({ args }: Call, language: string): readonly Run[] {
  const texts = args.map(knownTextOf);
  const mode = texts.findIndex((text) => text === '-|' || text === '|-');
  if (mode >= 0)
    return args.length === mode + 2 && !args[mode + 1]?.items
      ? textsOf(args[mode + 1])
      : variantsOf(args.slice(mode + 1));
  const text = texts.find((one) => one !== undefined && /^\s*\||\|\s*$/.test(one));
  if (text === undefined) return [];
  const command = text.replace(/^\s*\||\|\s*$/g, '').trim();
  return language === 'tcl' && isShell(command) ? [] : [command];
}

function isShellPipe({ name, args }: Call): boolean {
  return (
    name === 'open' &&
    /^\s*\|/.test(knownTextOf(args[0]) ?? '') &&
    isShell((knownTextOf(args[0]) ?? '').replace(/^\s*\|/, ''))
  );
}

function isShell(command: string): boolean {
  const program = command.trim().split(/\s/, 1)[0] as string;
  return SHELL_NAMES.has(program.slice(program.lastIndexOf('/') + 1));
}
