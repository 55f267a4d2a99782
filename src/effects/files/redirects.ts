import type { Effect } from '../../event/effect.ts';
import type { ShellCommand } from '../../shell/command.ts';
import { NONE } from '../words/arguments.ts';
import { aboutPath, overwritePlace } from '../paths/path-effect.ts';
import { isHollow } from '../paths/resolve-path.ts';
import type { ReadEffects } from '../scene.ts';

/** What redirections write to or empty, whatever program they belong to. */
export const readRedirects: ReadEffects = (command, scene) => {
  if (command.redirects.length === 0) return NONE;
  const effects: Effect[] = [];
  for (const { operator, target, descriptor } of command.redirects) {
    if (operator === '<' || !target || target.value === '' || isHollow(target.value)) continue;
    // `&>` becomes two entries for one file.
    if (descriptor === 2 && command.redirects.some((each) => each.descriptor === 1 && each.target === target)) continue;
    const placed = scene.place(target, command);
    const isLost = placed.whole || placed.many ? printsTheSame(command) : printsNothing(command);
    if (isLost && operator === '>' && descriptor === 1 && placed.scope !== 'device' && placed.scope !== 'remote')
      effects.push(scene.effect(command, aboutPath('truncate', placed, 'redirect')));
    else effects.push(...overwritePlace(placed, operator === '>' ? 'redirect' : 'append', command, scene));
  }
  return effects;
};

/** What it prints does not come from the file that it writes to. */
function printsTheSame(command: ShellCommand): boolean {
  const { program, words } = command;
  if (program === 'echo' || program === 'printf') return words.every(({ known, glob }) => known && !glob);
  return printsNothing(command);
}

function printsNothing({ program, words }: ShellCommand): boolean {
  switch (program) {
    case '':
      return words.length === 0;
    case ':':
    case 'true':
      return true;
    case 'cat':
      return words.length === 2 && words[1]?.value === '/dev/null';
    case 'printf':
      return words.length === 2 && words[1]?.value === '';
    case 'echo':
      return words.length === 2 && words[1]?.value === '-n';
    default:
      return false;
  }
}
