import type { Copy } from '../undo/manifest.ts';
import { storeIn, worldOf } from '../undo/serve-copies.ts';
import type { Store } from '../undo/store.ts';
import type { UndoWorld } from '../undo/world.ts';
import { CommandError, UsageError } from './command.ts';
import type { CliWorld } from './command.ts';
import { rootAt } from './known-rules.ts';

export interface Copies {
  readonly world: UndoWorld;
  readonly store: Store;
}

export function copiesOf({ paths, userHome, env }: CliWorld): Copies {
  const world = worldOf({ state: paths.state, userHome, env });
  return { world, store: storeIn(paths.state, world) };
}

/** The copy of that number; without one, the newest of this project that no undo has made. */
export function copyMeant(given: string | undefined, { store }: Copies, cli: CliWorld): Copy {
  if (given !== undefined) {
    const number = /^\d+$/.test(given) ? Number(given) : undefined;
    if (number === undefined) throw new UsageError(`expected the number of a copy, found "${given}"`);
    const copy = store.read(number);
    if (!copy) throw new CommandError(`there is no copy ${number}; \`fairlead undo list --all\` names those there are`);
    return copy;
  }
  const root = rootAt(cli);
  const newest = store.list().find((copy) => copy.root === root && copy.undoes === undefined);
  if (!newest) throw new CommandError(`there is no copy of anything in ${root}`);
  return newest;
}

/** How many copies there are, how much they hold, and when the oldest was made. */
export function sumUp(copies: readonly Copy[]): {
  readonly count: number;
  readonly bytes: number;
  readonly oldest?: number;
} {
  const oldest = copies.at(-1)?.at;
  return {
    count: copies.length,
    bytes: copies.reduce((sum, { bytes }) => sum + bytes, 0),
    ...(oldest !== undefined && { oldest }),
  };
}
