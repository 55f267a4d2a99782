import { grammar, readArguments } from './grammar.ts';
import type { ReadGit } from './call.ts';
import { movedAway } from '../paths/path-effect.ts';

const MV = grammar('n dry-run, f force, k, v verbose, sparse');

/** `git mv`: the sources are gone from where they were. */
const move: ReadGit = ({ words, command, scene }) => {
  const args = readArguments(words, MV);
  if (args.help || args.on('dry-run')) return [];
  const named = [...args.operands, ...(args.afterDashes ?? [])];
  return named.slice(0, -1).map((word) => scene.effect(command, movedAway(scene.place(word, command))));
};

export const GIT_MOVES: Readonly<Record<string, ReadGit>> = { mv: move };
