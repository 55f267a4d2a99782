import type { Effect } from '../../event/effect.ts';
import type { ShellCommand, ShellWord } from '../../shell/command.ts';
import type { OptionSpec } from '../../shell/options.ts';
import { readOptions } from '../../shell/options.ts';
import { listed } from '../words/arguments.ts';
import { resolvePath } from '../paths/resolve-path.ts';
import type { Scene, Surroundings } from '../scene.ts';

/** More of a patch is not read; what could be in the rest nobody knows. */
export const MOST_PATCH = 4 * 1024 * 1024;
const MOST_NAMES = 20_000;
const MOST_STRIPPED = 8;

/** The program does nothing else. */
const GIVEN = /^/;

/** Programs that take patches, and the subcommand by which they do. */
const TAKES: Readonly<Record<string, RegExp | undefined>> = {
  patch: GIVEN,
  gpatch: GIVEN,
  apply_patch: GIVEN,
  applypatch: GIVEN,
  git: /^(?:apply|am)$/,
  hg: /^(?:import|patch)$/,
  svn: /^patch$/,
};
const SPEC: OptionSpec = {
  values: listed(
    '-p --strip -i --input -d --directory -o --output -F --fuzz -r --reject-file -B -D -z -C -c --git-dir --work-tree --exclude --include ' +
      '--whitespace --patch-format --build-fake-ancestor',
  ),
  flags: listed(
    '--check --dry-run --stat --numstat --summary --apply --abort --skip --quit --continue --show-current-patch',
  ),
};
const LOOKS = ['--check', '--dry-run', '--stat', '--numstat', '--summary', '--abort', '--quit', '--help'];

/** Patches that a command applies: what they change, as far as the text has them, else the file that tells. */
export function readPatches(scene: Scene): readonly Effect[] {
  let found: Effect[] | undefined;
  for (const command of scene.reading.commands) {
    const verb = TAKES[command.program];
    if (!verb) continue;
    const options = readOptions(command.words.slice(1), SPEC);
    if (options.has(...LOOKS) && !options.has('--apply')) continue;
    const isGiven = verb === GIVEN;
    const at = isGiven ? 0 : options.operands.findIndex(({ value }) => verb.test(value)) + 1;
    if (at === 0 && !isGiven) continue;
    const [dir] = options.values('-d', '--directory', '-C');
    const place = dir && scene.place(dir, command).path;
    const { text, files } = sourceOf(command, options.operands.slice(isGiven ? 1 : at), scene);
    const given = [...options.values('-i', '--input'), ...files].map((word) => scene.place(word, command));
    const about = { kind: 'settings', how: 'patch', path: place ?? command.dir ?? scene.surroundings.cwd } as const;
    const add = (target: string, more: Partial<Effect>) =>
      (found ??= []).push(scene.effect(command, { ...about, target, ...more }));
    if (text !== undefined) add('a patch', { names: changedBy(text) });
    for (const { name, path } of given) {
      if (path === undefined) continue;
      const written = writtenBefore(path, command, scene);
      add(name, written === undefined ? { from: path } : { names: changedBy(written) });
    }
  }
  return found ?? [];
}

/** Standard input as text, or the files that it comes from. */
function sourceOf(
  { input }: ShellCommand,
  operands: readonly ShellWord[],
  { reading }: Scene,
): { readonly text?: string; readonly files: readonly ShellWord[] } {
  if (operands.length > 0) return { files: operands };
  if (input?.kind === 'text') return { text: input.text, files: [] };
  if (input?.kind === 'file') return { files: [input.target] };
  if (input?.kind !== 'pipe') return { files: [] };
  if (input.text !== undefined) return { text: input.text, files: [] };
  const { program, words } = reading.commands[input.from] ?? { program: '', words: [] };
  return { files: program === 'cat' ? words.slice(1).filter(({ value }) => !value.startsWith('-')) : [] };
}

/** What the same text has put into the file. */
function writtenBefore(path: string, { number }: ShellCommand, scene: Scene): string | undefined {
  const texts = scene.reading.commands.slice(0, number).flatMap((command) => {
    const { redirects, input, words } = command;
    const writes = redirects.some(
      ({ operator, target }) => operator !== '<' && target && scene.place(target, command).path === path,
    );
    const printed = words.slice(1).map(({ value }) => value.replaceAll('\\n', '\n'));
    return writes ? [...printed, ...(input?.kind === 'text' ? [input.text] : [])] : [];
  });
  return texts.length === 0 ? undefined : texts.join('\n');
}

const HEADER =
  /^(?:\+\+\+|---|\*\*\*(?: (?:(?:Add|Update|Delete) File|Move to):)?|Index:|rename (?:from|to)|copy to|diff --git) (.+)$/gm;

/** The paths in the headers of a patch, as they stand there. */
export function changedBy(text: string): readonly string[] {
  const names = new Set<string>();
  for (const [line, rest = ''] of text.matchAll(HEADER)) {
    const parts = line.startsWith('diff') && !rest.includes('"') ? rest.split(' ') : [rest];
    for (const part of parts) names.add(unquoted(part.split('\t', 1)[0]?.trimEnd() ?? ''));
    if (names.size > MOST_NAMES) break;
  }
  return [...names];
}

/** Git writes unusual characters as in C. */
function unquoted(name: string): string {
  if (!name.startsWith('"')) return name;
  const bare = name.slice(1, name.lastIndexOf('"'));
  return bare.replaceAll(/\\([0-7]{3}|.)/g, (_, code: string) =>
    code.length === 3 ? String.fromCharCode(Number.parseInt(code, 8)) : code,
  );
}

/** Where a path of a patch may lie: whoever applies it says how many directories to leave out. */
export function placesOf(name: string, dir: string, surroundings: Surroundings): readonly string[] {
  const parts = name.split('/');
  const starts = Math.min(parts.length, MOST_STRIPPED);
  return Array.from({ length: starts }, (_, at) => parts.slice(at).join('/')).flatMap(
    (rest) => (rest === '' ? undefined : resolvePath(rest, dir, surroundings).path) ?? [],
  );
}
