import type { ShellCommand, ShellWord } from '../shell/command.ts';
import type { Placed, Surroundings } from './scene.ts';

/** Where a path lies, by its text alone. `dir` is undefined when the command's directory is not known. */
export function placeOf(_word: ShellWord | string, _dir: ShellCommand['dir'], _surroundings: Surroundings): Placed {
  return { name: '', scope: 'unknown' };
}
