import type { CliWorld, Input, Option } from '../command.ts';
import { unifiedDiff } from './diff.ts';
import { carryOut, removeEmpty, requireUnchanged } from './file-change.ts';
import type { FileChange } from './file-change.ts';

export const CONFIRM_OPTIONS = {
  'dry-run': { type: 'boolean', help: 'show the diff and write nothing' },
  yes: { type: 'boolean', short: 'y', help: 'write without asking' },
} as const satisfies Record<string, Option>;

/** Nobody to ask. */
const UNASKED = 2;
const DECLINED = 1;

/** Shows the changes, asks, and writes them; `remember` is told ahead of each file and after it. Anything but `written` is an exit code. */
export async function showAndWrite<Change extends FileChange>(
  changes: readonly Change[],
  input: Input,
  world: CliWorld,
  remember: (change: Change, moment: 'before' | 'after') => void,
): Promise<'written' | number> {
  for (const { path, before, after } of changes) world.out(unifiedDiff(path, before, after, world.colour));
  if (input.has('dry-run')) return 0;
  if (!input.has('yes')) {
    if (!world.interactive) {
      world.err('Nothing was written: there is nobody to ask here. `--yes` writes without asking.\n');
      return UNASKED;
    }
    if (!(await world.ask(changes.length === 1 ? 'Write this?' : `Write these ${changes.length} files?`))) {
      world.out('Nothing was written.\n');
      return DECLINED;
    }
  }
  for (const change of changes) requireUnchanged(change);
  for (const change of changes) {
    remember(change, 'before');
    carryOut(change);
    remember(change, 'after');
  }
  for (const dir of changes.flatMap(({ emptyDirs = [] }) => emptyDirs)) removeEmpty(dir);
  return 'written';
}
