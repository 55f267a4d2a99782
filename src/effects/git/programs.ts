import type { Effect } from '../../event/effect.ts';
import type { ShellCommand, ShellWord } from '../../shell/command.ts';
import type { GitCall, ReadGit } from './call.ts';
import { subcommandAt, TAKE_NEXT } from './changes.ts';
import { GIT_DISCARDS } from './discard.ts';
import { GIT_HISTORY } from './history.ts';
import { GIT_HOOKS, readHookSwitches, readRunByGit } from './hooks.ts';
import { GIT_PUSHES } from './push.ts';
import { OTHER_VERSION_CONTROL } from './others.ts';
import type { ProgramTable, ReadEffects, Scene } from '../scene.ts';
import { grammar, readArguments } from './grammar.ts';
import { aboutPath, movedAway, overwriteFile } from '../paths/path-effect.ts';
import { readOptions } from '../../shell/options.ts';
import { baseName } from '../words/arguments.ts';

const MV = grammar('n dry-run, f force, k, v verbose, sparse');

/** `git mv`: the sources are gone from where they were; by force it puts them over what is there. */
const move: ReadGit = ({ words, command, scene }) => {
  const args = readArguments(words, MV);
  if (args.help || args.on('dry-run')) return [];
  const named = [...args.operands, ...(args.afterDashes ?? [])];
  const sources = named.slice(0, -1);
  const away = sources.map((word) => scene.effect(command, movedAway(scene.place(word, command))));
  const target = named.at(-1);
  if (!target || away.length === 0 || !args.on('force')) return away;
  const names = sources.map(({ value }) => baseName(value));
  const [from] = away.length === 1 ? away : [];
  const over = aboutPath('overwrite', scene.place(target, command), 'move');
  return [...away, scene.effect(command, { ...over, names, ...(from?.path !== undefined && { from: from.path }) })];
};

/** `git archive -o FILE`, `git diff --output=FILE`, `git bundle create FILE`. */
const output: ReadGit = ({ name, words, command, scene }) => {
  const options = readOptions(words, { values: ['-o', '--output', '--format', '--prefix', '--remote'] });
  const [verb, file] = options.operands;
  const isBundled = name === 'bundle' && verb?.value === 'create' && file !== undefined && file.value !== '-';
  const named = isBundled ? [file] : options.values('--output', ...(name === 'archive' ? ['-o'] : []));
  return named.flatMap((word) => overwriteFile(word, 'output', command, scene));
};

const GIT_MOVES: Readonly<Record<string, ReadGit>> = { mv: move };
const GIT_OUTPUTS = Object.fromEntries(['archive', 'bundle', 'diff', 'log', 'show'].map((name) => [name, output]));

const SUBCOMMANDS: ReadonlyMap<string, ReadGit> = new Map(
  [GIT_PUSHES, GIT_DISCARDS, GIT_HISTORY, GIT_HOOKS, GIT_MOVES, GIT_OUTPUTS].flatMap((table) => Object.entries(table)),
);

/** Aliases may name aliases; more than this many is a loop. */
const ALIAS_DEPTH = 5;

const readGit: ReadEffects = (command, scene) => {
  const config = readEnvironmentConfig(command);
  let { dir } = command;
  const at = subcommandAt(command.words);
  for (let word = 1; word < at; word += 1) {
    const { value } = command.words[word] as ShellWord;
    if (value === '--help' || value === '-h' || value === '--version' || value === '-v') return [];
    const takesNext = TAKE_NEXT.has(value);
    const given = takesNext ? command.words[word + 1] : undefined;
    if (takesNext) word += 1;
    if (value === '-C') dir = given && scene.place(given, { ...command, dir }).path;
    else if (value === '-c' && given) addConfig(config, given.value);
    else if (value.startsWith('-c')) addConfig(config, value.slice(2));
  }
  const moved = dir === command.dir ? command : { ...command, dir };
  return [...readRunByGit(moved, scene, config), ...readSubcommand(moved, scene, command.words.slice(at), config, 0)];
};

function readSubcommand(
  command: ShellCommand,
  scene: Scene,
  words: readonly ShellWord[],
  config: ReadonlyMap<string, string>,
  depth: number,
): readonly Effect[] {
  const name = words[0]?.value.toLowerCase();
  if (name === undefined) return [];
  const rest = words.slice(1);
  const read = SUBCOMMANDS.get(name);
  if (read) {
    const call: GitCall = { command, scene, name, words: rest, config };
    return [...read(call), ...readHookSwitches(call)];
  }
  const alias = config.get(`alias.${name}`) ?? findAlias(name, scene);
  // The reader goes into an alias that is shell code, which `!` marks.
  if (alias === undefined || alias[0] === '!' || depth >= ALIAS_DEPTH) return [];
  return readSubcommand(command, scene, [...splitWords(alias), ...rest], config, depth + 1);
}

/** An alias that the same text sets with `git config`. */
function findAlias(name: string, { reading }: Scene): string | undefined {
  for (const { program, words } of reading.commands) {
    if (program !== 'git' || words[1]?.value !== 'config') continue;
    const at = words.findIndex(({ value }) => value.toLowerCase() === `alias.${name}`);
    if (at > 0 && words[at + 1]) return words[at + 1]?.value;
  }
  return undefined;
}

function addConfig(config: Map<string, string>, setting: string): void {
  const equals = setting.indexOf('=');
  if (equals < 0) config.set(setting.toLowerCase(), 'true');
  else config.set(setting.slice(0, equals).toLowerCase(), setting.slice(equals + 1));
}

/** `GIT_CONFIG_KEY_0=… GIT_CONFIG_VALUE_0=…` says the same as `-c`. */
function readEnvironmentConfig(command: ShellCommand): Map<string, string> {
  const config = new Map<string, string>();
  for (const { name, value } of command.assigns) {
    if (!name.startsWith('GIT_CONFIG_KEY_')) continue;
    const number = name.slice('GIT_CONFIG_KEY_'.length);
    const given = command.assigns.find((one) => one.name === `GIT_CONFIG_VALUE_${number}`);
    config.set(value.value.toLowerCase(), given?.value.value ?? '');
  }
  return config;
}

const ALIAS_WORD = /"([^"]*)"|'([^']*)'|(\S+)/g;

function splitWords(text: string): ShellWord[] {
  return [...text.matchAll(ALIAS_WORD)].map(([typed, double, single, bare]) => {
    const value = double ?? single ?? bare ?? '';
    return { text: typed, value, known: true, glob: bare !== undefined && bare.includes('*'), from: [] };
  });
}

export const GIT_PROGRAMS: ProgramTable = {
  git: readGit,
  hub: readGit,
  yadm: readGit,
  ...OTHER_VERSION_CONTROL,
};
