import { grammar, readArguments } from './grammar.ts';
import type { ReadGit } from './call.ts';
import { aboutPath, movedAway } from '../paths/path-effect.ts';
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

export const GIT_MOVES: Readonly<Record<string, ReadGit>> = { mv: move };
