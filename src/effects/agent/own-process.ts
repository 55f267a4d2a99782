import { UNKNOWN } from '../../shell/command.ts';
import type { ShellCommand, ShellWord } from '../../shell/command.ts';
import { readOptions } from '../../shell/options.ts';
import type { OptionSpec } from '../../shell/options.ts';
import { listed } from '../words/arguments.ts';
import type { Scene, Surroundings } from '../scene.ts';

/** Longer patterns, and those with more repetitions in one part, are not tried. */
const LONGEST = 200;
const WILD = /^\.[*+]/;
const REPEATS = /(?<!\\)[*+{]/g;

/**
 * Whether a pattern of somebody else finds anything in a text. Its parts between `.*` are looked for one after the other, and
 * a part that could take long counts as found: a pattern must not keep the engine from answering.
 */
export function mayMatch(source: string, text: string, ignoreCase: boolean): boolean {
  if (source.length > LONGEST) return true;
  let at = 0;
  for (const part of partsOf(source)) {
    if ((part.match(REPEATS)?.length ?? 0) > 1 || /\)[*+{]|\\\d/.test(part)) return true;
    const pattern = compile(part, ignoreCase);
    if (!pattern) return true;
    pattern.lastIndex = at;
    const found = pattern.exec(text);
    if (!found) return false;
    at = found.index + found[0].length;
  }
  return true;
}

/** Split at each `.*` that stands in no group; one with alternatives outside of groups stays whole. */
function partsOf(source: string): readonly string[] {
  const parts = [''];
  let depth = 0;
  for (let at = 0; at < source.length; at += 1) {
    const char = source[at] as string;
    const set = char === '[' ? /^\[\^?\]?[^\]]*\]/.exec(source.slice(at))?.[0] : undefined;
    const whole = char === '\\' ? source.slice(at, at + 2) : (set ?? char);
    if (whole === '(') depth += 1;
    if (whole === ')') depth -= 1;
    if (whole === '|' && depth === 0) return [source];
    if (depth === 0 && WILD.test(source.slice(at))) {
      parts.push('');
      at += 1;
      continue;
    }
    parts[parts.length - 1] += whole;
    at += whole.length - 1;
  }
  return parts;
}

/** Undefined for what is no pattern here. */
function compile(source: string, ignoreCase: boolean): RegExp | undefined {
  const named = source.replaceAll(/\[:(\w+):\]/g, (_, name: string) => CLASSES[name] ?? '\\s\\S');
  try {
    return new RegExp(named, ignoreCase ? 'gi' : 'g');
  } catch {
    return undefined;
  }
}

const CLASSES: Readonly<Record<string, string>> = {
  alnum: 'A-Za-z0-9',
  alpha: 'A-Za-z',
  digit: '0-9',
  lower: 'a-z',
  upper: 'A-Z',
  space: '\\s',
  punct: '!-\\/:-@\\[-`{-~',
};

const KILLERS: ReadonlySet<string> = new Set(
  listed('kill pkill killall skill systemctl launchctl taskkill stop-process fuser'),
);
/** The name of the process or of its directory, not of a project that is called the same. */
const OWN_PROCESS = /(^|[^\w-])fairlead(?![\w-]*\/(?!bin|dist|run|state\.db))/i;
/** What the system calls a process of Node: newer versions name the main thread. */
const NAMES = ['node', 'MainThread', 'node.exe'];
const INSTALLED = '/usr/lib/node_modules/fairlead/dist';

const BY_PATTERN: OptionSpec = {
  values: listed(
    '-u --euid -U --uid -g --pgroup -G --group -P --parent -s --session --signal -t --terminal -O --older -F --pidfile --ns ' +
      '--nslist -d --delimiter -r --runstates --cgroup',
  ),
  flags: listed('--full --exact --ignore-case --newest --oldest --inverse --count --list-name --list-full'),
};
const GREP: OptionSpec = {
  values: listed('-e --regexp -f --file -m --max-count -A -B -C --color --colour'),
  flags: listed('--invert-match --ignore-case --fixed-strings --extended-regexp --perl-regexp --word-regexp'),
};
/** Signals that leave a process as it is. */
const HARMLESS = /^-(?:0|(?:SIG)?(?:CONT|CHLD|WINCH|URG))$/i;

/** Whether a command ends the engine: by its name, or by a pattern that fits it among others. */
export function endsOwnProcess(
  command: ShellCommand,
  scene: Scene,
): 'own-process' | 'own-process-possible' | undefined {
  const { program, words } = command;
  if (!KILLERS.has(program)) return undefined;
  if (program === 'fuser' && !words.some(({ value }) => /^-\w*k|^--kill/.test(value))) return undefined;
  if (words.slice(1).some(({ value, text }) => OWN_PROCESS.test(value) || OWN_PROCESS.test(text))) return 'own-process';
  if (words.some(({ value }) => HARMLESS.test(value))) return undefined;
  const sources = sourcesOf(command, scene);
  if (sources.some((chain) => chain.some(({ text }) => OWN_PROCESS.test(text)))) return 'own-process';
  const line = lineOf(scene.surroundings);
  const isAmong = selects(command, line) === true || sources.some((chain) => areChosen(chain, line));
  return isAmong ? 'own-process-possible' : undefined;
}

/** The engine as `ps` shows it. */
function lineOf({ ownDirs }: Surroundings): string {
  const dist = ownDirs.find((dir) => dir.endsWith('/dist')) ?? INSTALLED;
  const dirs = ownDirs.filter((dir) => !dir.startsWith(dist)).slice(0, 2);
  return ['node', '--max-semi-space-size=8', `${dist}/daemon.js`, '--config', ...dirs].join(' ').slice(0, 1_000);
}

/** `pgrep x | xargs kill`, `kill $(pidof x)`: the commands that its numbers come from, each with those it is piped from. */
function sourcesOf({ road, number, words }: ShellCommand, { reading: { commands } }: Scene): readonly ShellCommand[][] {
  const isLast = ({ pipedTo = number }: ShellCommand) => pipedTo >= number || commands[pipedTo]?.program === 'xargs';
  const before = road.includes('xargs') ? commands.slice(0, number).filter(isLast) : [];
  const printed = words.flatMap(({ from }) => from).flatMap((at) => commands[at] ?? []);
  return [...before, ...printed].map((last) => {
    const chain = [last];
    for (let { input } = last; input && 'from' in input && chain.length < commands.length;) {
      const above = commands[input.from];
      if (!above || chain.includes(above)) break;
      chain.push(above);
      ({ input } = above);
    }
    return chain;
  });
}

const LISTS: ReadonlySet<string> = new Set(['ps', 'pgrep', 'pidof', 'top', 'htop']);

/** Of all processes those are left that every one of them chooses. */
function areChosen(chain: readonly ShellCommand[], line: string): boolean {
  if (!chain.some(({ program }) => LISTS.has(program))) return false;
  const choices = chain.flatMap((command) => selects(command, line) ?? []);
  return choices.length > 0 && choices.every(Boolean);
}

/** Whether the command picks the engine; undefined when it picks nothing by a pattern. */
function selects({ program, words }: ShellCommand, line: string): boolean | undefined {
  const given = words.slice(1);
  switch (program) {
    case 'pkill':
    case 'pgrep':
    case 'skill':
      return byPattern(given, line);
    case 'killall':
    case 'pidof':
    case 'taskkill':
    case 'stop-process':
      return byName(given);
    case 'grep':
    case 'egrep':
    case 'fgrep':
    case 'rg':
      return byGrep(program, given, line);
    case 'awk':
    case 'gawk':
    case 'mawk':
      return byAwk(given.find(({ value }) => !value.startsWith('-'))?.value ?? '', line);
    default:
      return undefined;
  }
}

function byPattern(words: readonly ShellWord[], line: string): boolean | undefined {
  const options = readOptions(
    words.filter(({ value }) => !/^-(?:\d+|(?:SIG)?[A-Z]{3,4}\d?)$/.test(value)),
    BY_PATTERN,
  );
  const [pattern] = options.operands;
  // Its parent is the first process, and it has no terminal.
  const others = options.values('-P', '--parent', '-t', '--terminal', '-s', '--session', '-g', '--pgroup');
  if (!pattern || others.some(({ value }) => value !== '1')) return pattern && false;
  const ignoreCase = options.has('-i', '--ignore-case');
  const texts = options.has('-f', '--full') ? [line] : NAMES;
  const source = sourceOf(pattern);
  if (source === '.*' && !pattern.known) return false;
  const whole = options.has('-x', '--exact') ? `^(${source})$` : source;
  return texts.some((text) => mayMatch(whole, text, ignoreCase));
}

/** What only running tells may be anything. */
function sourceOf({ value }: ShellWord): string {
  return value.replaceAll(UNKNOWN, '.*');
}

function byName(words: readonly ShellWord[]): boolean | undefined {
  const isPattern = words.some(({ value }) => value === '-r' || value === '--regexp');
  const names = words.filter(({ value }) => !/^[-/](?!usr|bin|opt)/.test(value)).map(({ value }) => value);
  if (names.length === 0) return undefined;
  return names.some((name) =>
    NAMES.some((own) => (isPattern ? mayMatch(name, own, true) : name.replace(/^.*\//, '').toLowerCase() === own)),
  );
}

function byGrep(program: string, words: readonly ShellWord[], line: string): boolean | undefined {
  const options = readOptions(words, GREP);
  const [first] = [...options.values('-e', '--regexp'), ...options.operands];
  if (!first) return undefined;
  const isPlain = program === 'fgrep' || options.has('-F', '--fixed-strings');
  const isExtended = program !== 'grep' || options.has('-E', '-P', '--extended-regexp', '--perl-regexp');
  const value = sourceOf(first);
  const source = isPlain ? escaped(first.value) : isExtended ? value : extended(value);
  const fits = mayMatch(source, line, options.has('-i', '--ignore-case'));
  return options.has('-v', '--invert-match') ? !fits || !first.known : fits;
}

/** `/x/ && !/y/ { print $2 }` */
function byAwk(code: string, line: string): boolean | undefined {
  const patterns = [...code.matchAll(/(!?)\s*\/((?:[^/\\\n]|\\.){1,200})\//g)];
  if (patterns.length === 0) return undefined;
  return patterns.every(([, not, source = '']) => (not === '!') !== mayMatch(source, line, false));
}

function escaped(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&');
}

/** In a basic regular expression it is the backslash that makes these special. */
function extended(basic: string): string {
  return basic.replaceAll(/\\?[(){}|+?]/g, (found) => (found.length === 2 ? found.slice(1) : `\\${found}`));
}
