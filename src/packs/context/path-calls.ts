import { dirname, normalize, resolve } from 'node:path';
import type { Reading, ShellCommand, ShellWord } from '../../shell/command.ts';
import { readOptions } from '../../shell/options.ts';
import type { OptionSpec } from '../../shell/options.ts';

/** How a program was named other than by its bare name. */
export type Form = 'go-run' | 'dot-slash' | 'absolute-path';

/** A program that is called by where it lies. */
export interface PathCall {
  readonly form: Form;
  readonly name: string;
  /** As typed. */
  readonly seen: string;
  /** The same command with the bare name. */
  readonly instead: string;
  /** Where it lies; for a path that begins with what only running tells, as far as that can be told. */
  readonly path: string;
  readonly isKnown: boolean;
}

const GO: OptionSpec = { values: ['-C'], stopAtOperand: true };
const GO_RUN: OptionSpec = {
  values: [
    ...['-C', '-exec', '-p', '-tags', '-ldflags', '-gcflags', '-asmflags', '-mod', '-modfile', '-overlay', '-pgo'],
    ...['-toolexec', '-buildmode', '-buildvcs', '-compiler', '-installsuffix', '-pkgdir', '-covermode', '-coverpkg'],
  ],
  flags: ['-a', '-n', '-race', '-msan', '-asan', '-cover', '-v', '-work', '-x', '-trimpath', '-modcacherw'],
  stopAtOperand: true,
};

/** Every call of one of the programs by where it lies, in the order in which they would run. */
export function pathCallsIn({ commands }: Reading, names: ReadonlySet<string>): readonly PathCall[] {
  return commands.flatMap((command) => goRun(command, names) ?? byPath(command, names) ?? []);
}

function byPath({ words, text, dir }: ShellCommand, names: ReadonlySet<string>): PathCall | undefined {
  const [word] = words;
  const slash = word?.value.lastIndexOf('/') ?? -1;
  if (!word || slash < 0) return undefined;
  const { value, known } = word;
  const name = value.slice(slash + 1);
  if (!names.has(name)) return undefined;
  const instead = withName(text, word, word, name) ?? written(name, words.slice(1));
  // The shell reader leaves the home of another person as it was typed.
  const isAbsolute = !known || value.startsWith('/') || value.startsWith('~');
  const path = isAbsolute || dir === undefined ? normalize(value) : resolve(dir, value);
  return { form: isAbsolute ? 'absolute-path' : 'dot-slash', name, seen: text, instead, path, isKnown: known };
}

/** `go run ./cmd/name`, from wherever that is reached. */
function goRun({ program, words, text, dir = '/' }: ShellCommand, names: ReadonlySet<string>): PathCall | undefined {
  if (program !== 'go') return undefined;
  const outer = readOptions(words.slice(1), GO);
  const [verb, ...rest] = outer.operands;
  if (verb?.value !== 'run') return undefined;
  const { operands, values } = readOptions(rest, GO_RUN);
  const [source, ...more] = operands;
  const isFile = source?.value.endsWith('.go') === true;
  // Without a dot in front it names a package, unless it is a file.
  if (!source?.known || !(isFile || /^[./]/.test(source.value))) return undefined;
  const from = [...outer.values('-C'), ...values('-C')].reduce((at, { value }) => resolve(at, value), dir);
  const path = resolve(from, isFile ? dirname(source.value) : source.value);
  const name = /\/cmd\/([^/]+)$/.exec(path)?.[1];
  if (name === undefined || !names.has(name)) return undefined;
  const others = isFile ? more.filter(({ value }) => value.endsWith('.go')).length : 0;
  const last = operands[others] as ShellWord;
  const instead = withName(text, words[0] as ShellWord, last, name) ?? written(name, more.slice(others));
  return { form: 'go-run', name, seen: text, instead, path, isKnown: true };
}

/** The text with the name in place of all from one word to another; undefined when they do not stand in it. */
function withName(text: string, first: ShellWord, last: ShellWord, name: string): string | undefined {
  const start = offsetOf(text, first.text, 0);
  const end = start < 0 ? -1 : offsetOf(text, last.text, start);
  return end < 0 ? undefined : text.slice(0, start) + name + text.slice(end + last.text.length);
}

function offsetOf(text: string, word: string, from: number): number {
  const isEdge = (at: number) => at < 0 || at >= text.length || /\s/.test(text.charAt(at));
  let at = text.indexOf(word, from);
  while (at >= 0 && !(isEdge(at - 1) && isEdge(at + word.length))) at = text.indexOf(word, at + 1);
  return at;
}

function written(name: string, words: readonly ShellWord[]): string {
  return [name, ...words.map(({ text }) => text)].join(' ');
}
