import type { Effect } from '../../event/effect.ts';
import type { ShellCommand } from '../../shell/command.ts';
import { NONE } from '../words/arguments.ts';
import { aboutPath, overwriteFile } from '../paths/path-effect.ts';
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
    if (operator === '>' && descriptor === 1 && printsNothing(command)) {
      const placed = scene.place(target, command);
      if (placed.scope !== 'device' && placed.scope !== 'remote') {
        effects.push(scene.effect(command, aboutPath('truncate', placed, 'redirect')));
        continue;
      }
    }
    effects.push(...overwriteFile(target, operator === '>' ? 'redirect' : 'append', command, scene));
  }
  return effects;
};

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
