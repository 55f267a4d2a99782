import { UNKNOWN } from './command.ts';
import { writtenText } from './files.ts';
import type { OptionSpec } from './options.ts';
import { readOptions } from './options.ts';
import { runAll, runCode } from './run-code.ts';
import { fileText, isStdin } from './shells.ts';
import type { Draft, Shell } from './state.ts';
import { MAX_VALUE, addUnclear, knownText } from './state.ts';
import { resolveDir } from './variables.ts';

const MAKE: OptionSpec = {
  values: ['-f', '--file', '--makefile', '-C', '--directory', '--eval', '-E', '-j', '--jobs', '-I', '-o', '-W', '-l'],
};
const MAKEFILES = ['GNUmakefile', 'makefile', 'Makefile'];

/** What `make` runs by a makefile that this very text holds, and what it is given in the place of the shell. */
export function launchMake(draft: Draft, shell: Shell): string | undefined {
  const options = readOptions(draft.words.slice(1), MAKE);
  if (options.has('-n', '--just-print', '--dry-run', '--recon')) return undefined;
  const shells = options.operands
    .filter((word) => word.value.startsWith('SHELL='))
    .map((word) => ({ ...word, value: word.value.slice('SHELL='.length) }));
  const printed = runAll(shells, 'make', draft, shell);
  const dir = options.values('-C', '--directory').reduce((at, word) => resolveDir(at, word.value), draft.dir);
  const files = options
    .values('-f', '--file', '--makefile')
    .map(({ value }) => (isStdin(value) ? knownText(draft.input) : fileText(value, { ...draft, dir }, shell)));
  if (files.length === 0) files.push(MAKEFILES.map((name) => writtenText(name, dir, shell)).find(Boolean));
  const text = [...options.values('--eval', '-E').map((word) => word.value), ...files].filter(Boolean).join('\n');
  if (text === '') return printed;
  const makefile = readMakefile(text);
  for (const { value } of options.operands) {
    const equals = value.indexOf('=');
    if (equals > 0) makefile.variables.set(value.slice(0, equals), value.slice(equals + 1));
  }
  const goals = options.operands.map((word) => word.value).filter((value) => !value.includes('='));
  const { code, cut } = codeFor(goals, makefile);
  if (cut) addUnclear(shell.all, 'too-long', draft.text);
  return code.trim() === '' ? printed : runCode(code, 'make', draft, shell, { input: undefined, dir });
}

interface Rule {
  readonly needs: string;
  readonly recipe: string[];
}

interface Makefile {
  readonly variables: Map<string, string>;
  readonly rules: Map<string, Rule[]>;
  /** Lines that are read for what they call, such as `$(shell …)`. */
  readonly plain: string[];
  first: string | undefined;
}

const VARIABLE = /^ *(?:export +|override +)*([\w.-]+)[ \t]*(?:[?+]|:{0,3})=[ \t]*(.*)$/;
const RULE = /^([^\s#:=][^#:=]*):{1,2}([^=;]*)(?:;(.*))?$/;

function readMakefile(text: string): Makefile {
  const makefile: Makefile = { variables: new Map(), rules: new Map(), plain: [], first: undefined };
  let now: Rule[] = [];
  for (const line of text.replaceAll('\\\n', ' ').split('\n')) {
    if (line.startsWith('\t')) {
      for (const rule of now) rule.recipe.push(line.slice(1));
      continue;
    }
    const variable = VARIABLE.exec(line);
    const rule = variable ? undefined : RULE.exec(line);
    if (variable) makefile.variables.set(variable[1] as string, variable[2] as string);
    if (!rule) {
      makefile.plain.push(line);
      continue;
    }
    const names = (rule[1] as string).trim().split(/\s+/);
    now = names.map((name) => {
      const made: Rule = { needs: rule[2] as string, recipe: rule[3] === undefined ? [] : [rule[3]] };
      const others = makefile.rules.get(name);
      if (others) others.push(made);
      else makefile.rules.set(name, [made]);
      return made;
    });
    if (makefile.first === undefined && !names[0]?.startsWith('.')) [makefile.first] = names;
  }
  return makefile;
}

/** So many references are followed; by themselves they could grow without end. */
const MAX_REFERENCES = 4096;

/** The recipes of the goals and of all that they need, as code of a shell. */
function codeFor(goals: readonly string[], makefile: Makefile): { code: string; cut: boolean } {
  const { variables, rules } = makefile;
  const called: string[] = [];
  let left = MAX_REFERENCES;
  const expand = (text: string, target: string, depth = 0): string => {
    const whole = text.replace(/\$(?:(\$)|([@<^*])|\(([^()]*)\)|\{([^{}]*)\})/g, (_all, dollar, mark, round, curly) => {
      if (dollar !== undefined) return '$';
      if (mark !== undefined) return mark === '@' ? target : UNKNOWN;
      const name = ((round ?? curly) as string).trim();
      if (name.startsWith('shell ')) called.push(name.slice('shell '.length));
      left -= 1;
      const value = name === 'MAKE' ? 'make' : variables.get(name);
      return value === undefined || left < 0 || depth > 32 ? UNKNOWN : expand(value, target, depth + 1);
    });
    if (whole.length <= MAX_VALUE) return whole;
    left = -1;
    return UNKNOWN;
  };
  const lines: string[] = [];
  const seen = new Set<string>();
  const wanted = goals.length > 0 ? [...goals] : [makefile.first ?? ''];
  for (const goal of wanted) {
    if (seen.has(goal)) continue;
    seen.add(goal);
    for (const { needs, recipe } of rules.get(goal) ?? []) {
      wanted.push(...expand(needs, goal).trim().split(/\s+/));
      lines.push(...recipe.map((line) => expand(line, goal).replace(/^[@+\-\s]+/, '')));
    }
  }
  for (const line of makefile.plain) expand(line, '');
  return { code: [...called, ...lines].join('\n'), cut: left < 0 };
}
