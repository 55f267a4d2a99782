import type { Script } from './command.ts';
import { UNKNOWN } from './command.ts';
import type { OptionSpec } from './options.ts';
import { readOptions } from './options.ts';
import { runAll, runCode } from './run-code.ts';
import { firstScript, runScript, scriptAt } from './scripts.ts';
import { namedScript } from './shells.ts';
import type { Draft, Shell } from './state.ts';
import { MAX_VALUE, addUnclear } from './state.ts';
import { resolveDir } from './variables.ts';

const MAKE: OptionSpec = {
  values: ['-f', '--file', '--makefile', '-C', '--directory', '--eval', '-E', '-j', '--jobs', '-I', '-o', '-W', '-l'],
};
const MAKEFILES = ['GNUmakefile', 'makefile', 'Makefile'];

/** What `make` runs by a makefile, and what it is given in the place of the shell. */
export function launchMake(draft: Draft, shell: Shell): string | undefined {
  const options = readOptions(draft.words.slice(1), MAKE);
  if (options.has('-n', '--just-print', '--dry-run', '--recon', '-v', '--version', '-h', '--help')) return undefined;
  const shells = options.operands
    .filter((word) => word.value.startsWith('SHELL='))
    .map((word) => ({ ...word, value: word.value.slice('SHELL='.length) }));
  const printed = runAll(shells, 'make', draft, shell);
  const dir = options.values('-C', '--directory').reduce((at, word) => resolveDir(at, word.value), draft.dir);
  const named = options.values('-f', '--file', '--makefile');
  const given = options.values('--eval', '-E').map((word): Script => ({ text: word.value }));
  const usual = named.length > 0 ? undefined : firstScript(MAKEFILES, dir, shell);
  const files = named.flatMap(({ value }) => namedScript(value, { ...draft, dir }, shell) ?? []);
  const scripts = [...given, ...(usual ? [usual] : files)];
  const [first] = scripts;
  if (!first) return printed;
  const makefile = newMakefile(shell, dir);
  for (const script of scripts) readMakefile(script, makefile, (name) => scriptAt(name, { dir }, shell));
  for (const { value } of options.operands) {
    const equals = value.indexOf('=');
    if (equals > 0) makefile.variables.set(value.slice(0, equals), value.slice(equals + 1));
  }
  const goals = options.operands.map((word) => word.value).filter((value) => !value.includes('='));
  const { code, lines, cut } = codeFor(goals, makefile);
  if (cut && first.file === undefined) addUnclear(shell.all, 'too-long', draft.text);
  if (code.trim() === '') return printed;
  const run = () => runCode(code, 'make', draft, shell, { input: undefined, dir });
  return runScript(first, shell, run, { code, lines, name: goals.join(' ') });
}

interface Line {
  readonly text: string;
  /** Its number in the file. */
  readonly line: number;
}

interface Rule {
  readonly needs: string;
  readonly recipe: Line[];
}

interface Makefile {
  readonly variables: Map<string, string>;
  readonly rules: Map<string, Rule[]>;
  /** Lines that are read for what they call, such as `$(shell …)`. */
  readonly plain: string[];
  first: string | undefined;
}

function newMakefile({ all: { place } }: Shell, dir: string | undefined): Makefile {
  const variables = new Map([
    ['RM', 'rm -f'],
    ['MAKE', 'make'],
    ['HOME', place.home],
  ]);
  if (dir !== undefined) variables.set('CURDIR', dir).set('PWD', dir);
  return { variables, rules: new Map(), plain: [], first: undefined };
}

const VARIABLE = /^ *(?:export +|override +)*([\w.-]+)[ \t]*([?+]|:{0,3})=[ \t]*(.*)$/;
const RULE = /^([^\s#:=][^#:=]*):{1,2}([^=;]*)(?:;(.*))?$/;
const INCLUDE = /^-?s?include\s+([^#]+)/;

/** `find` finds the files that it includes. */
function readMakefile({ text }: Script, makefile: Makefile, find: (name: string) => Script | undefined): void {
  const { variables, rules } = makefile;
  let now: Rule[] = [];
  for (const { text: line, line: number } of linesOf(text)) {
    if (line.startsWith('\t')) {
      for (const rule of now) rule.recipe.push({ text: line.slice(1), line: number });
      continue;
    }
    const variable = VARIABLE.exec(line);
    if (variable) {
      const [, name = '', how, value = ''] = variable;
      const before = variables.get(name);
      if (how === '+' && before !== undefined) variables.set(name, `${before} ${value}`);
      else if (how !== '?' || before === undefined) variables.set(name, value);
    }
    for (const name of INCLUDE.exec(line)?.[1]?.trim().split(/\s+/) ?? []) {
      const included = /[$*%]/.test(name) ? undefined : find(name);
      if (included) readMakefile(included, makefile, () => undefined);
    }
    const rule = variable ? undefined : RULE.exec(line);
    if (!rule) {
      makefile.plain.push(line);
      continue;
    }
    const names = (rule[1] as string).trim().split(/\s+/);
    now = names.map((name) => {
      const recipe = rule[3] === undefined ? [] : [{ text: rule[3], line: number }];
      const made: Rule = { needs: rule[2] as string, recipe };
      const others = rules.get(name);
      if (others) others.push(made);
      else rules.set(name, [made]);
      return made;
    });
    if (makefile.first === undefined && !names[0]?.startsWith('.')) [makefile.first] = names;
  }
}

/** Lines that go on are one. */
function linesOf(text: string): readonly Line[] {
  const lines: Line[] = [];
  let open = false;
  text.split('\n').forEach((line, at) => {
    const last = open ? lines.pop() : undefined;
    open = line.endsWith('\\');
    const own = open ? line.slice(0, -1) : line;
    lines.push(last ? { text: `${last.text} ${own}`, line: last.line } : { text: own, line: at + 1 });
  });
  return lines;
}

/** So many references are followed; by themselves they could grow without end. */
const MAX_REFERENCES = 4096;
/** Functions that give back what they are given, or names in its place. */
const HANDS_ON = /^(?:abspath|realpath|strip|sort|wildcard|firstword|lastword)\s+/;

/** The recipes of the goals and of all that they need, as code of a shell. */
function codeFor(
  goals: readonly string[],
  makefile: Makefile,
): { readonly code: string; readonly lines: readonly number[]; readonly cut: boolean } {
  const { variables, rules } = makefile;
  const called: Line[] = [];
  let left = MAX_REFERENCES;
  const expand = (text: string, target: string, line = 1, depth = 0): string => {
    const whole = text.replace(/\$(?:(\$)|([@<^*])|\(([^()]*)\)|\{([^{}]*)\})/g, (_all, dollar, mark, round, curly) => {
      if (dollar !== undefined) return '$';
      if (mark !== undefined) return mark === '@' ? target : UNKNOWN;
      const name = ((round ?? curly) as string).trim();
      if (name === 'shell pwd') return variables.get('CURDIR') ?? UNKNOWN;
      if (name.startsWith('shell ')) called.push({ text: name.slice('shell '.length), line });
      left -= 1;
      const value = HANDS_ON.test(name) ? name.replace(HANDS_ON, '') : variables.get(name);
      return value === undefined || left < 0 || depth > 32 ? UNKNOWN : expand(value, target, line, depth + 1);
    });
    if (whole.length <= MAX_VALUE) return whole;
    left = -1;
    return UNKNOWN;
  };
  const lines: Line[] = [];
  const seen = new Set<string>();
  const wanted = goals.length > 0 ? [...goals] : [makefile.first ?? ''];
  for (const goal of wanted) {
    if (seen.has(goal)) continue;
    seen.add(goal);
    for (const { needs, recipe } of rules.get(goal) ?? []) {
      wanted.push(...expand(needs, goal).trim().split(/\s+/));
      for (const { text, line } of recipe) lines.push({ text: inOwnShell(expand(text, goal, line)), line });
    }
  }
  for (const line of makefile.plain) expand(line, '');
  const all = [...called, ...lines];
  return { code: all.map(({ text }) => text).join('\n'), lines: all.map(({ line }) => line), cut: left < 0 };
}

/** Each line of a recipe starts where make was started. */
function inOwnShell(line: string): string {
  const code = line.replace(/^[@+\-\s]+/, '');
  return /\bcd\b/.test(code) && !/[()#]/.test(code) ? `(${code})` : code;
}
