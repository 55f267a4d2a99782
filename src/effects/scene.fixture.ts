import type { Effect } from '../event/effect.ts';
import { readShell } from '../shell/read.ts';
import { resolveWord } from './paths/resolve-word.ts';
import type { ProgramTable, ReadEffects, Scene, Surroundings } from './scene.ts';

export const SURROUNDINGS: Surroundings = {
  cwd: '/home/ann/app',
  home: '/home/ann',
  root: '/home/ann/app',
  agentSettings: [],
  ownDirs: [],
};

/** The effects that one table, or one reader, sees in a command line. */
export function effectsBy(part: ProgramTable | ReadEffects, text: string): readonly Effect[] {
  const reading = readShell(text, SURROUNDINGS);
  const scene: Scene = {
    surroundings: SURROUNDINGS,
    reading,
    place: (word, command) => resolveWord(word, command, SURROUNDINGS, reading),
    effect: (command, about) => ({ ...about, seen: command.text, road: command.road, position: command.position }),
  };
  return reading.commands.flatMap((command) => {
    const read = typeof part === 'function' ? part : part[command.program];
    return read ? read(command, scene) : [];
  });
}

/** An effect in one line: `delete:forced src @inside tree secret`. */
export function lineOf({ kind, how, target, scope, recursive, many, of }: Effect): string {
  const words = [`${kind}:${how ?? ''}`, target];
  if (scope !== undefined) words.push(`@${scope}`);
  if (recursive === true) words.push('tree');
  if (many) words.push(`many ${many.like}`);
  if (of !== undefined) words.push(of);
  return words.join(' ');
}
