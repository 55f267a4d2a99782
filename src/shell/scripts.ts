import type { Script, ScriptPlace } from './command.ts';
import { UNKNOWN } from './command.ts';
import { openedBy } from './descriptors.ts';
import { isDevice, writtenText } from './files.ts';
import type { Collected, Draft, Shell } from './state.ts';
import { MAX_COMMANDS, knownText, within } from './state.ts';
import { resolveDir } from './variables.ts';

/** So many files on disk are looked at for one command. */
const MOST_FILES = 16;

/** The code in a file: as this very text wrote it, else as it is on disk. */
export function scriptAt(path: string, draft: Pick<Draft, 'dir'>, shell: Shell): Script | undefined {
  const text = fileText(path, draft, shell);
  return text === undefined ? storedScript(path, draft.dir, shell) : { text };
}

/** What a file holds, where this very text says so. */
export function fileText(path: string, { dir }: Pick<Draft, 'dir'>, shell: Shell): string | undefined {
  return knownText(openedBy(path, shell)?.input) ?? writtenText(path, dir, shell);
}

function storedScript(path: string, dir: string | undefined, shell: Shell): Script | undefined {
  const { looked, place, scripts } = shell.all;
  const file = resolveDir(dir, path);
  if (file === undefined || isDevice(file) || file.startsWith('/proc/') || scripts.includes(file)) return undefined;
  let found = looked.find((one) => one.path === file && 'text' in one);
  if (!found) {
    if (looked.length >= MOST_FILES) return undefined;
    found = { path: file, text: place.disk?.(file) };
    looked.push(found);
  }
  return 'text' in found && found.text !== undefined ? { text: found.text, file } : undefined;
}

/** Programs that leave directories as they are. */
const STILL: ReadonlySet<string> = new Set(
  (
    'cd pushd popd chdir echo printf pwd ls cat grep rg head tail wc test [ true false : export set unset declare typeset local ' +
    'readonly alias read sleep date which type sort uniq cut tr diff stat du basename dirname touch tee trap shopt break continue return exit'
  ).split(' '),
);
const IN_TREES = /^-[a-z]*[rR]|^--rec/;

/** Whether a directory is there when the shell comes to it; undefined where that is not known, or something ran that may have changed it. */
export function hasDir(dir: string, { all }: Shell): boolean | undefined {
  const { looked, place, commands } = all;
  const isStill = ({ program, words }: Draft) =>
    STILL.has(program) || (program === 'rm' && !words.some(({ value, known }) => !known || IN_TREES.test(value)));
  for (; all.still < commands.length; all.still += 1) if (!isStill(commands[all.still] as Draft)) return undefined;
  let found = looked.find((one) => one.path === dir && 'isDir' in one);
  if (!found) {
    if (looked.length >= MOST_FILES) return undefined;
    looked.push((found = { path: dir, isDir: place.isDir?.(dir) }));
  }
  return 'isDir' in found ? found.isDir : undefined;
}

/** The file whose content comes in, where it does so unchanged. */
export function fedScript({ input, dir }: Pick<Draft, 'input' | 'dir'>, shell: Shell): Script | undefined {
  if (input?.kind === 'file') return scriptAt(input.target.value, { dir }, shell);
  const writer = input?.kind === 'pipe' ? shell.all.commands[input.from] : undefined;
  const [program, file, more] = writer?.words ?? [];
  return writer && program?.value === 'cat' && file && !more ? scriptAt(file.value, writer, shell) : undefined;
}

/** The first of several files that is there. */
export function firstScript(
  names: readonly string[],
  dir: string | undefined,
  shell: Shell,
): (Script & { readonly name: string }) | undefined {
  for (const name of names) {
    const script = scriptAt(name, { dir }, shell);
    if (script) return { ...script, name };
  }
  return undefined;
}

/** What is run of a file that holds more than one script. */
interface Part extends Pick<ScriptPlace, 'lines'> {
  readonly code: string;
  readonly name?: string;
}

/**
 * Reads a script within bounds of its own, so that it takes nothing from the command that starts it. Of what cannot be
 * read only what is nested too deeply is told: nobody is asked about a script for its length or its grammar.
 */
export function runScript(
  { text, file }: Script,
  shell: Shell,
  run: () => string,
  { code, lines, name }: Part = { code: text, lines: 1 },
): string {
  const { all } = shell;
  if (file === undefined) return run();
  const key = name === undefined ? file : `${file} ${name}`;
  if (all.scripts.includes(key)) return UNKNOWN;
  all.origins.set(code, { file, lines });
  const outer = all.scripts.length === 0;
  const { budget, most } = all;
  const unclear = all.unclear.length;
  const first = all.commands.length;
  if (outer) Object.assign(all, { budget: all.scriptBudget, most: first + MAX_COMMANDS });
  all.scripts.push(key);
  try {
    return within(shell, { scriptRoad: shell.road.length }, run);
  } finally {
    all.scripts.pop();
    all.unclear.push(...all.unclear.splice(unclear).filter(({ why }) => why === 'too-deep'));
    if (outer) {
      all.scriptBudget = all.budget;
      Object.assign(all, { budget, most: most + all.commands.length - first });
    }
  }
}

/** Where a part of what the shell runs stands on disk. */
export function placeIn(from: number, { all, source, at }: Shell): ScriptPlace | undefined {
  const origin = all.origins.size === 0 ? undefined : all.origins.get(source);
  return origin ? { file: origin.file, text: source, from, lines: origin.lines } : at;
}

/** `rest` is what is left of `code`. */
export function keepOrigin(code: string, rest: string, { origins }: Collected): void {
  const origin = origins.size === 0 ? undefined : origins.get(code);
  if (!origin) return;
  const skipped = code.endsWith(rest) ? linesBefore(code, code.length - rest.length) : 0;
  const { file, lines } = origin;
  origins.set(rest, { file, lines: typeof lines === 'number' ? lines + skipped : lines.slice(skipped) });
}

export function lineOf({ text, from, lines }: ScriptPlace): number {
  const before = linesBefore(text, from);
  return typeof lines === 'number' ? lines + before : (lines[before] ?? 1);
}

function linesBefore(text: string, end: number): number {
  let count = 0;
  for (let at = text.indexOf('\n'); at >= 0 && at < end; at = text.indexOf('\n', at + 1)) count += 1;
  return count;
}
