import type { ActiveRule } from '../../engine/match/rule-index.ts';
import type { Example, RuleMeta } from '../../engine/rule.ts';
import { MODES } from '../../event/verdict.ts';
import { SAID } from '../../instructions/write-rule.ts';
import type { Mode } from '../../event/verdict.ts';
import { CommandError } from '../command.ts';
import type { CliWorld } from '../command.ts';
import { printableLine, wrap } from '../table.ts';

export function describeExample(example: Example | string): string {
  if (typeof example === 'string') return example;
  const { command, path, old, new: text, branch, first = [], prompt } = example;
  const what =
    command ?? [path, old === undefined ? undefined : `${old} →`, text].filter((part) => part !== undefined).join(' ');
  const before = first.length === 0 ? '' : ` after ${first.map(describeExample).join(', ')}`;
  return `${what === '' ? (prompt ?? '') : what}${branch === undefined ? '' : ` on ${branch}`}${before}`;
}

/** Whether a mode would let a rule that was made of a sentence speak, which it did not before. */
export function leavesShadow({ meta, mode }: Pick<ActiveRule, 'meta' | 'mode'>, next: Mode): boolean {
  const speaks = (one: Mode) => MODES.indexOf(one) > MODES.indexOf('shadow');
  return meta.from !== undefined && speaks(next) && !speaks(mode);
}

const placeOf = (file: string): string => (file === SAID ? SAID : `a sentence in ${printableLine(file)}`);

/**
 * Shows the sentence that a rule was made of and its examples, and asks whether that is what was meant. Only a person at a
 * terminal can say so: no option stands for it.
 */
export async function agreesToSource({ id, from, examples = {} }: RuleMeta, world: CliWorld): Promise<boolean> {
  if (!from) return true;
  if (!world.interactive || !world.isPerson())
    throw new CommandError(
      `${id} was made of ${placeOf(from.file)}, and leaves shadow by a person's yes to it alone; run this in your own terminal, without --yes and --json`,
    );
  world.out(
    `${id} was made of ${placeOf(from.file).replace(/^a /, 'this ')}:\n${wrap(printableLine(from.sentence), world.columns, '  ')}\n`,
  );
  for (const [verdict, all] of Object.entries(examples))
    for (const example of all)
      world.out(`${wrap(`${verdict.padEnd(5)} ${printableLine(describeExample(example))}`, world.columns, '  ')}\n`);
  if (await world.ask('Is this what the sentence means?')) return true;
  world.out('Nothing was changed.\n');
  return false;
}
