import { NONE } from '../words/arguments.ts';
import type { ProgramTable, ReadEffects } from '../scene.ts';
import { systemEffect } from './effect.ts';

export const LATER = 'what runs later by itself';

/** In an editor the person changes them; a file of jobs, or those from its input, take the place of what is there. */
const readCrontab: ReadEffects = (command, scene) => {
  const words = command.words.slice(1).map(({ value }) => value);
  const at = words.indexOf('-u');
  const own = at < 0 ? words : words.filter((_, each) => each !== at && each !== at + 1);
  const isLook = own.some((word) => /^-(?:l|r|e|V|h|T|-help|-version)/.test(word));
  return isLook || (own.length === 0 && command.input === undefined)
    ? NONE
    : [systemEffect('later', LATER, command, scene)];
};

/** Commands from its input are judged as if they stood there; those of a file nobody has read. */
const readAt: ReadEffects = (command, scene) =>
  command.words.some(({ value }) => value.startsWith('-f')) ? [systemEffect('later', LATER, command, scene)] : NONE;

/** With a time, what it wraps runs then; without one it runs at once, as with any wrapper. */
export const readTimer: ReadEffects = (command, scene) =>
  command.wrappers.includes('systemd-run') && /\s--(?:on-|timer-|path-|socket-)/.test(command.text)
    ? [systemEffect('later', LATER, command, scene)]
    : NONE;

export const LATER_PROGRAMS: ProgramTable = { crontab: readCrontab, at: readAt, batch: readAt };
