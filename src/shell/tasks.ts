import type { Script, ShellWord } from './command.ts';
import { UNKNOWN } from './command.ts';
import type { OptionSpec } from './options.ts';
import { readOptions } from './options.ts';
import { quote } from './quote.ts';
import { runCode } from './run-code.ts';
import { firstScript, runScript } from './scripts.ts';
import type { Draft, Shell } from './state.ts';
import { resolveDir } from './variables.ts';

/** A named text that a runner hands to a shell, and the line of its file that it stands in. */
interface Task {
  readonly code: string;
  readonly lines: number | readonly number[];
}

interface Runner {
  readonly files: readonly string[];
  /** Options with a value, and among them those that name the directory. */
  readonly options: OptionSpec;
  readonly dirs: readonly string[];
  /** The names of the tasks that the words start, each with what it is given. */
  names(words: readonly ShellWord[], program: string): readonly Started[];
  /** The texts that a name stands for, with those that run before and after it. */
  tasks(name: string, text: string): readonly Task[];
}

interface Started {
  readonly name: string;
  readonly args: readonly ShellWord[];
}

/** So many directories above are looked at. */
const MOST_ABOVE = 6;

function launch(runner: Runner): (draft: Draft, shell: Shell) => string | undefined {
  return (draft, shell) => {
    const options = readOptions(draft.words.slice(1), runner.options);
    const started = runner.names(options.operands, draft.program);
    if (started.length === 0 || options.has('--help', '--version', '--ignore-scripts', '--dry-run')) return undefined;
    let dir = options.values(...runner.dirs).reduce((at, word) => resolveDir(at, word.value), draft.dir);
    let found = firstScript(runner.files, dir, shell);
    for (let up = 0; !found && dir !== undefined && dir !== '/' && up < MOST_ABOVE; up += 1) {
      dir = resolveDir(dir, '..');
      found = firstScript(runner.files, dir, shell);
      if (dir === shell.all.place.root || dir === shell.all.place.home) break;
    }
    return found && runTasks(found, started, runner, dir, draft, shell);
  };
}

function runTasks(
  script: Script,
  started: readonly Started[],
  runner: Runner,
  dir: string | undefined,
  draft: Draft,
  shell: Shell,
): string | undefined {
  let printed: string | undefined;
  const road = `${draft.program} run`;
  for (const { name, args } of started) {
    for (const { code, lines } of runner.tasks(name, script.text)) {
      const whole = [code, ...args.map(({ value }) => quote(value))].join(' ');
      const run = () => runCode(whole, road, draft, shell, { input: undefined, dir, args });
      printed = (printed ?? '') + runScript(script, shell, run, { code: whole, lines, name });
    }
  }
  return printed;
}

/** The line that a key of a file in JSON stands in. */
function lineOfKey(text: string, key: string): number {
  const at = text.indexOf(`${JSON.stringify(key)}:`);
  return text.slice(0, Math.max(0, at)).split('\n').length;
}

function scriptsIn(text: string, key: string): Readonly<Record<string, unknown>> {
  try {
    const parsed = (JSON.parse(text) as Readonly<Record<string, unknown>> | null)?.[key];
    return typeof parsed === 'object' && parsed !== null ? (parsed as Readonly<Record<string, unknown>>) : {};
  } catch {
    return {};
  }
}

/** A name may be a pattern, as in `run-s build:*`. */
function namedLike(name: string, scripts: Readonly<Record<string, unknown>>): readonly string[] {
  if (Object.hasOwn(scripts, name) || !name.includes('*')) return [name];
  const start = name.slice(0, name.indexOf('*'));
  return Object.keys(scripts).filter((key) => key.startsWith(start));
}

/** What package managers run beside what they are told to run. */
const LIFECYCLE: Readonly<Record<string, readonly string[]>> = {
  install: ['preinstall', 'install', 'postinstall', 'prepublish', 'preprepare', 'prepare', 'postprepare'],
  publish: ['prepublishOnly', 'prepack', 'prepare', 'postpack', 'publish', 'postpublish'],
  pack: ['prepack', 'prepare', 'postpack'],
  version: ['preversion', 'version', 'postversion'],
  restart: ['prerestart', 'prestop', 'stop', 'poststop', 'restart', 'prestart', 'start', 'poststart', 'postrestart'],
};
const VERBS: Readonly<Record<string, string>> = {
  ...{ ci: 'install', i: 'install', add: 'install', update: 'install', t: 'test', tst: 'test' },
  ...{ 'install-test': 'install', it: 'install' },
};
const RUN_VERBS: ReadonlySet<string> = new Set(['run', 'run-script', 'rum', 'urn']);
const OWN_VERBS: ReadonlySet<string> = new Set(['test', 'start', 'stop', ...Object.keys(LIFECYCLE)]);

const PACKAGE: Runner = {
  files: ['package.json'],
  options: {
    values:
      '--prefix -C --dir --cwd -w --workspace --filter -F --loglevel --registry --userconfig --cache --script-shell'.split(
        ' ',
      ),
  },
  dirs: ['--prefix', '-C', '--dir', '--cwd'],
  names([verb, ...rest], program) {
    if (!verb) return program === 'yarn' ? [{ name: 'install', args: [] }] : [];
    if (/^(?:run-[sp]|npm-run-all2?)$/.test(program))
      return [verb, ...rest].map(({ value }) => ({ name: value, args: [] }));
    const [name, ...args] = rest;
    if (RUN_VERBS.has(verb.value)) return name ? [{ name: name.value, args }] : [];
    const meant = VERBS[verb.value] ?? verb.value;
    if (program === 'npm' ? OWN_VERBS.has(meant) : program !== 'bun' || meant === 'install')
      return [{ name: meant, args: Object.hasOwn(LIFECYCLE, meant) ? [] : rest }];
    return [];
  },
  tasks(name, text) {
    const scripts = scriptsIn(text, 'scripts');
    const keys = LIFECYCLE[name] ?? namedLike(name, scripts).flatMap((key) => [`pre${key}`, key, `post${key}`]);
    return keys.flatMap((key) => {
      const code = scripts[key];
      return typeof code === 'string' ? [{ code, lines: lineOfKey(text, key) }] : [];
    });
  },
};

/** The word after the verb, or the first, names the task. */
const afterVerb =
  (...verbs: readonly string[]): Runner['names'] =>
  ([first, ...rest]) => {
    const [name, ...args] = first && verbs.includes(first.value) ? rest : first ? [first, ...rest] : [];
    return name ? [{ name: name.value, args }] : [];
  };

/** `@name` stands for another script, `@php` for a program. */
const COMPOSER: Runner = {
  files: ['composer.json'],
  options: { values: ['-d', '--working-dir', '--timeout'] },
  dirs: ['-d', '--working-dir'],
  names: afterVerb('run', 'run-script', 'exec'),
  tasks(name, text) {
    const scripts = scriptsIn(text, 'scripts');
    const keys =
      name === 'install' || name === 'update' ? [`pre-${name}-cmd`, `post-${name}-cmd`, 'post-autoload-dump'] : [name];
    const code = (key: string, depth: number): readonly string[] => {
      const given = scripts[key];
      const lines = typeof given === 'string' ? [given] : Array.isArray(given) ? given : [];
      return lines.flatMap((line): readonly string[] => {
        if (typeof line !== 'string' || /^[\w\\]+::/.test(line)) return [];
        const other = /^@([\w:-]+)$/.exec(line)?.[1];
        if (other !== undefined && Object.hasOwn(scripts, other)) return depth > 4 ? [] : code(other, depth + 1);
        return [line.replace(/^@/, '')];
      });
    };
    return keys.flatMap((key) => code(key, 0).map((line) => ({ code: line, lines: lineOfKey(text, key) })));
  },
};

const DENO: Runner = {
  files: ['deno.json', 'deno.jsonc', 'package.json'],
  options: { values: ['--cwd', '-c', '--config'] },
  dirs: ['--cwd'],
  names: ([verb, name, ...args]) => (verb?.value === 'task' && name ? [{ name: name.value, args }] : []),
  tasks(name, text) {
    const given = scriptsIn(text, 'tasks')[name] ?? scriptsIn(text, 'scripts')[name];
    const code = typeof given === 'object' && given !== null ? (given as { command?: unknown }).command : given;
    return typeof code === 'string' ? [{ code, lines: lineOfKey(text, name) }] : [];
  },
};

/** Lines of a file with their numbers, and how far each is indented. */
function linesOf(text: string): readonly { readonly text: string; readonly line: number; readonly indent: number }[] {
  return text.split('\n').map((line, at) => ({ text: line.trim(), line: at + 1, indent: line.search(/\S/) }));
}

/** A task whose lines are indented below its head, and those that it needs. */
function indentedTasks(
  text: string,
  name: string,
  head: (line: string) => { readonly name: string; readonly needs: readonly string[] } | undefined,
  codeOf: (line: string) => string,
): readonly Task[] {
  const lines = linesOf(text);
  const wanted = [name];
  const tasks: Task[] = [];
  for (const one of wanted) {
    const start = lines.findIndex((line) => head(line.text)?.name === one);
    const first = lines[start];
    if (!first) continue;
    for (const need of head(first.text)?.needs ?? []) if (!wanted.includes(need)) wanted.push(need);
    const end = lines.findIndex((line, at) => at > start && line.text !== '' && line.indent <= first.indent);
    const body = lines.slice(start + 1, end < 0 ? lines.length : end).filter((line) => line.text !== '');
    for (const line of body) for (const need of needsIn(line.text)) if (!wanted.includes(need)) wanted.push(need);
    const code = body.map((line) => codeOf(line.text)).join('\n');
    if (code.trim() !== '') tasks.push({ code, lines: body.map(({ line }) => line) });
  }
  return tasks;
}

/** `deps: [a, b]` and `- task: a` of a Taskfile. */
function needsIn(line: string): readonly string[] {
  const listed = /^deps:\s*\[([^\]]*)\]/.exec(line)?.[1]?.split(/[\s,]+/) ?? [];
  const called = /^-?\s*task:\s*(\S+)$/.exec(line)?.[1];
  return [...listed, ...(called === undefined ? [] : [called])].filter((name) => name !== '');
}

const JUST: Runner = {
  files: ['justfile', 'Justfile', '.justfile'],
  options: { values: ['-f', '--justfile', '-d', '--working-directory', '--set', '--shell'] },
  dirs: ['-d', '--working-directory'],
  names: (words) =>
    words.length === 0 ? [{ name: '', args: [] }] : words.map(({ value }) => ({ name: value, args: [] })),
  tasks(name, text) {
    const values = new Map(
      [...text.matchAll(/^(?:export\s+)?([\w-]+)\s*:=\s*["']([^"'\n]*)["']\s*$/gm)].map((found) => [
        found[1],
        found[2],
      ]),
    );
    const head = (line: string) => {
      const found = /^@?([A-Za-z_][\w-]*)[^:=\n]*:(?!=)\s*([\w\s&-]*)$/.exec(line);
      return found
        ? { name: found[1] as string, needs: (found[2] as string).split(/[\s&]+/).filter(Boolean) }
        : undefined;
    };
    const first = name === '' ? text.split('\n').find((line) => /^\S/.test(line) && head(line)) : undefined;
    const codeOf = (line: string) =>
      line.replace(/^[@-]+/, '').replaceAll(/\{\{\s*([^}]*?)\s*\}\}/g, (_, key: string) => values.get(key) ?? UNKNOWN);
    return indentedTasks(text, name === '' ? (head(first ?? '')?.name ?? '') : name, head, codeOf);
  },
};

const TASKFILE: Runner = {
  files: ['Taskfile.yml', 'Taskfile.yaml', 'taskfile.yml', 'taskfile.yaml', 'Taskfile.dist.yml'],
  options: { values: ['-d', '--dir', '-t', '--taskfile', '-o', '--output'] },
  dirs: ['-d', '--dir'],
  names: (words) =>
    (words.length === 0 ? ['default'] : words.map(({ value }) => value)).map((name) => ({ name, args: [] })),
  tasks(name, text) {
    const values = new Map(
      [...text.matchAll(/^\s+(\w+):\s*["']?([^"'\n{]+?)["']?\s*$/gm)].map((found) => [found[1], found[2]]),
    );
    const head = (line: string) => {
      const found = /^["']?([\w:.-]+)["']?:(?:\s*(\S.*))?$/.exec(line);
      return found && found[2] === undefined ? { name: found[1] as string, needs: [] } : undefined;
    };
    const codeOf = (line: string) => {
      const code = /^(?:-\s+)?(?:cmd:\s*)?(.*)$/.exec(line)?.[1] ?? '';
      if (/^(?:-\s*)?(?:\w+):(?:\s|$)/.test(line) && !/^-?\s*cmd:/.test(line)) return '';
      return unquoted(code).replaceAll(/\{\{\s*\.(\w+)\s*\}\}/g, (_, key: string) => values.get(key) ?? UNKNOWN);
    };
    return indentedTasks(text, name, head, codeOf);
  },
};

function unquoted(text: string): string {
  const found = /^(["'])(.*)\1$/.exec(text);
  return found?.[2] === undefined ? text.replace(/^[|>]-?$/, '') : found[2].replaceAll("''", "'");
}

export const TASK_RUNNERS: ReadonlyMap<string, (draft: Draft, shell: Shell) => string | undefined> = new Map([
  ...['npm', 'pnpm', 'yarn', 'bun', 'run-s', 'run-p', 'npm-run-all', 'npm-run-all2'].map(
    (name) => [name, launch(PACKAGE)] as const,
  ),
  ['composer', launch(COMPOSER)],
  ['deno', launch(DENO)],
  ['just', launch(JUST)],
  ['task', launch(TASKFILE)],
  ['go-task', launch(TASKFILE)],
]);
