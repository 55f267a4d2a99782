import type { Definition } from '../model/facts.ts';
import type { Located } from './world.ts';

/** Of methods that differ in their parameters, those that so many arguments can be meant for; all when none is. */
export function takingArguments(located: readonly Located[], count: number | undefined): readonly Located[] {
  if (count === undefined || located.length < 2) return located;
  const fitting = located.filter(({ file, index }) => takes(file.definitions[index] as Definition, count));
  return fitting.length > 0 ? fitting : located;
}

function takes({ parameters }: Definition, count: number): boolean {
  const isOpen = parameters.at(-1)?.rest === true;
  return isOpen ? count >= parameters.length - 1 : count === parameters.length;
}
