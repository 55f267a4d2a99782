import { COPY_PROGRAMS } from './copies.ts';
import { FORMATTER_PROGRAMS } from './formatters.ts';
import { REMOVAL_PROGRAMS } from './removals.ts';
import type { ProgramTable, Scene } from '../scene.ts';
import { WRITE_PROGRAMS } from './writes.ts';
import type { Effect } from '../../event/effect.ts';
import { hasUnknownHeader, readPatchText } from '../../event/patch-text.ts';
import type { ShellCommand } from '../../shell/command.ts';
import { aboutPath, movedAway, onPath } from '../paths/path-effect.ts';

/** An agent takes such a command out of the shell's hands, and applies what stands in it. */
const PATCH_PROGRAMS: ProgramTable = { apply_patch: readPatch, applypatch: readPatch };

function textOf(input: ShellCommand['input']): string | undefined {
  return input?.kind === 'text' || input?.kind === 'pipe' ? input.text : input === undefined ? '' : undefined;
}

function readPatch(command: ShellCommand, scene: Scene): readonly Effect[] {
  const { input, words } = command;
  const [, given] = words;
  const told = given ? (given.known ? given.value : undefined) : textOf(input);
  // From a file, or from what another command prints: it may change whatever is here.
  if (told === undefined || hasUnknownHeader(told)) return [onPath('write', '.', 'in-place', command, scene)];
  return [told].flatMap(readPatchText).flatMap(({ path, does, movedTo }): Effect[] => {
    const placed = scene.place(path, command);
    if (does === 'delete') return [scene.effect(command, aboutPath('delete', placed, 'remove'))];
    if (does === 'add') return [scene.effect(command, aboutPath('overwrite', placed, 'patch'))];
    if (movedTo === undefined) return [scene.effect(command, aboutPath('write', placed, 'edit'))];
    const target = scene.place(movedTo, command);
    return [scene.effect(command, movedAway(placed)), scene.effect(command, aboutPath('overwrite', target, 'move'))];
  });
}

export const FILE_PROGRAMS: ProgramTable = {
  ...REMOVAL_PROGRAMS,
  ...COPY_PROGRAMS,
  ...WRITE_PROGRAMS,
  ...FORMATTER_PROGRAMS,
  ...PATCH_PROGRAMS,
};
