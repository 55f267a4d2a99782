import { PACKS } from '../event/packs.generated.ts';
import { cellId } from '../state/cells.ts';
import { changeState } from './change-state.ts';
import type { CliWorld } from './command.ts';

/** Rules that fall silent in a workspace where hardly anybody follows them, and the cell that remembers how they fared. */
const FARED: Readonly<Record<string, string>> = Object.assign(
  {},
  ...Object.values(PACKS).map(({ silencing }) => silencing),
);

/** Lets such rules speak again in a workspace; returns those that had fallen silent or were on the way there. */
export function rearm(rules: readonly string[], root: string, world: CliWorld): string[] {
  const known = rules.filter((id) => FARED[id] !== undefined);
  if (known.length === 0) return [];
  return changeState(world, (draft) =>
    known.filter((id) => {
      const cell = cellId('workspace', root, FARED[id] ?? '');
      if (draft.read(cell) === undefined) return false;
      draft.delete(cell);
      return true;
    }),
  );
}
