import type { CliWorld, Input, Option } from '../command.ts';
import { unifiedDiff } from './diff.ts';
import { carryOut, modeOf, removeEmpty, requireUnchanged, withReal } from './file-change.ts';
import type { FileChange } from './file-change.ts';

export const CONFIRM_OPTIONS = {
  'dry-run': { type: 'boolean', help: 'show the diff and write nothing' },
  yes: { type: 'boolean', short: 'y', help: 'write without asking' },
} as const satisfies Record<string, Option>;

/** Nobody to ask. */
const UNASKED = 2;
const DECLINED = 1;

/** Shows the changes and asks. Anything but `yes` is an exit code. */
async function showAndAsk(changes: readonly FileChange[], input: Input, world: CliWorld): Promise<'yes' | number> {
  showAll(changes, world);
  if (input.has('dry-run')) return 0;
  if (input.has('yes')) return 'yes';
  if (!world.interactive) {
    world.err('Nothing was written: there is nobody to ask here. `--yes` writes without asking.\n');
    return UNASKED;
  }
  return (await world.ask(questionFor(changes))) ? 'yes' : decline(world);
}

/** For changes that were told in a few words: shows them whole where a person wants it, or where nobody can be asked. */
export async function tellAndAsk(
  changes: readonly FileChange[],
  input: Input,
  world: CliWorld,
): Promise<'yes' | number> {
  if (input.has('yes') && !input.has('dry-run')) return 'yes';
  if (input.has('dry-run') || !world.interactive) return showAndAsk(changes, input, world);
  for (;;) {
    const answer = await world.choose(questionFor(changes), 'd');
    if (answer === 'y') return 'yes';
    if (answer === 'n') return decline(world);
    showAll(changes, world);
  }
}

function showAll(changes: readonly FileChange[], world: CliWorld): void {
  for (const change of changes) show(change, world);
}

function questionFor(changes: readonly FileChange[]): string {
  return changes.length === 1 ? 'Write this?' : `Write these ${changes.length} files?`;
}

function decline(world: CliWorld): number {
  world.out('Nothing was written.\n');
  return DECLINED;
}

function show({ path, before, after, mode }: FileChange, world: CliWorld): void {
  if (before !== after) {
    const named = withReal(path);
    if (named !== path) world.out(`This changes ${named}.\n`);
    world.out(masked(unifiedDiff(path, before, after, world.colour)));
  }
  const rights = rightsOf({ path, ...(mode === undefined ? {} : { mode }) });
  if (rights !== undefined) world.out(`Mode of ${path}: ${rights}.\n`);
}

/** How the rights of a file change; undefined when they stay. */
export function rightsOf({ path, mode }: Pick<FileChange, 'path' | 'mode'>): string | undefined {
  const now = modeOf(path);
  if (mode === undefined || now === undefined || mode === now) return undefined;
  const why = (mode & 0o077) === 0 ? 'because it holds a token that is for you alone' : 'as it was before';
  return `${octal(now)} becomes ${octal(mode)}, ${why}`;
}

/** Enough to tell two tokens apart and too little to use one: a screen may be shared or recorded. */
function masked(text: string): string {
  return text.replaceAll(/(Bearer [^\s"]{4})[^\s"]{4,}/g, '$1…');
}

function octal(mode: number): string {
  return mode.toString(8).padStart(4, '0');
}

/** `remember` is told ahead of each file and after it. */
export function writeAll<Change extends FileChange>(
  changes: readonly Change[],
  remember: (change: Change, moment: 'before' | 'after') => void,
): void {
  for (const change of changes) requireUnchanged(change);
  for (const change of changes) {
    remember(change, 'before');
    // Once more, because an agent that runs writes some of these files all the time.
    requireUnchanged(change);
    carryOut(change);
    remember(change, 'after');
  }
  for (const dir of changes.flatMap(({ emptyDirs = [] }) => emptyDirs)) removeEmpty(dir);
}
