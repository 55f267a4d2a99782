import type { Effect } from '../../event/effect.ts';
import type { ShellCommand, ShellWord } from '../../shell/command.ts';
import type { OptionSpec } from '../../shell/options.ts';
import { readOptions } from '../../shell/options.ts';
import { baseName, listed } from '../words/arguments.ts';
import { FETCHED } from './cargo.ts';
import type { Brought, FlowState } from './state.ts';
import { cargoOfFile, inputOf } from './state.ts';
import { hostOf } from '../network/hosts.ts';
import { runsOf } from '../code/runners.ts';

const CLONE: OptionSpec = {
  values: listed(
    '-b --branch -o --origin -u --upload-pack --reference --reference-if-able --separate-git-dir --depth --shallow-since ' +
      '--shallow-exclude -j --jobs --filter -c --config --template --bundle-uri --server-option',
  ),
};
const TAR: OptionSpec = {
  values: listed('-f --file -C --directory -I --strip-components --exclude -X -T --transform'),
};

export function isClone({ program, words }: ShellCommand): boolean {
  return (program === 'git' || program === 'gh') && words.slice(1, 5).some(({ value }) => value === 'clone');
}

/** Keeps in mind where a command puts what came from elsewhere. */
export function keepTrees(state: FlowState, command: ShellCommand): void {
  const { program, words } = command;
  if (isClone(command)) {
    const at = words.findIndex(({ value }) => value === 'clone');
    const [from, to] = readOptions(words.slice(at + 1), CLONE).operands;
    const host = from && hostOf(from.value);
    if (from && !/^[./~]/.test(from.value))
      keep(state, to ?? baseName(from.value).replace(/\.git$/, ''), command, { how: 'cloned', host: host ?? '' });
  } else if (program === 'tar' || program === 'bsdtar' || program === 'gtar') {
    const [first, ...rest] = words.slice(1);
    if (!first) return;
    const dashed = /^[A-Za-z]+$/.test(first.value) ? { ...first, value: `-${first.value}` } : first;
    const options = readOptions([dashed, ...rest], TAR);
    if (!options.has('-x', '--extract', '--get')) return;
    const [file] = options.values('-f', '--file');
    const from = file && file.value !== '-' ? cargoOfFile(state, file, command) : inputOf(state, command);
    if (from.marks & FETCHED)
      keep(state, options.values('-C', '--directory')[0] ?? '.', command, { how: 'unpacked', host: from.host });
  } else if (program === 'unzip') {
    const options = readOptions(words.slice(1), { values: ['-d', '-x', '-P'] });
    const [file] = options.operands;
    const from = file && cargoOfFile(state, file, command);
    if (from && from.marks & FETCHED)
      keep(state, options.values('-d')[0] ?? '.', command, { how: 'unpacked', host: from.host });
  }
}

function keep(state: FlowState, dir: ShellWord | string, command: ShellCommand, brought: Brought): void {
  const { path } = state.scene.place(dir, command);
  if (path !== undefined) state.trees.set(path, brought);
}

const SHELLS = /^(?:ba|z|da|k|a)?sh$/;
/** How projects are built, by those who have just looked at them. */
const BUILDS = /^(?:configure|autogen\.sh|gradlew|mvnw|node|python\d*|go|x\.py)$/;

/** A script of what was just brought here is run by name, unread. */
export function runsBrought(state: FlowState, command: ShellCommand): Effect | undefined {
  if (state.trees.size === 0) return undefined;
  const [first] = command.words;
  const script = SHELLS.test(command.program) ? runsOf(command)?.file : first?.value.includes('/') ? first : undefined;
  if (!script || BUILDS.test(baseName(script.value)) || /^\/(?:usr\/)?s?bin\//.test(script.value)) return undefined;
  const { path } = state.scene.place(script, command);
  for (const [dir, { how, host }] of state.trees) {
    // An archive opened right here leaves its files in directories of its own, beside what was there before.
    const depth = how === 'unpacked' && dir === state.scene.surroundings.cwd ? 2 : 1;
    if (path?.startsWith(`${dir}/`) !== true || path.slice(dir.length).split('/').length <= depth) continue;
    const target = host === '' ? script.value : host;
    return state.scene.effect(command, { kind: 'run-remote', how, target, ...(host !== '' && { host }) });
  }
  return undefined;
}
