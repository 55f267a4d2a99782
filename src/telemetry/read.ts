import { HOUR_MS, startOf, telemetryId, telemetryName } from './hours.ts';
import { addNumbers, createTally, numbersOf, readNumbers } from './numbers.ts';
import type { Numbers } from './numbers.ts';
import { parseCellId, SEPARATOR } from '../state/cells.ts';
import type { Store, StoredCell } from '../state/store.ts';

export interface TelemetryOf {
  readonly pack: string;
  /** One workspace; without it all of them. */
  readonly root?: string;
  /** With those below it. */
  readonly below?: boolean;
}

/** Sums the hours from `since` on, the one in which it lies included. */
export function readTelemetry(
  store: Store,
  { since, now, ...of }: TelemetryOf & { readonly since: number; readonly now: number },
): Numbers {
  const sum = createTally();
  for (const { id, value } of cellsOf(store, of, now))
    if (startOf(parseCellId(id).key) + HOUR_MS > since) addNumbers(sum, readNumbers(value));
  return numbersOf(sum);
}

/** Forgets what is stored; returns how many hours that were. What a running engine has not yet written comes after it. */
export function resetTelemetry(store: Store, of: TelemetryOf, now: number): number {
  const cells = cellsOf(store, of, now);
  if (cells.length > 0) store.commit({ reads: new Map(), changes: cells.map(({ id }) => ({ op: 'delete', id })), now });
  return cells.length;
}

function cellsOf(store: Store, { pack, root, below = false }: TelemetryOf, now: number): StoredCell[] {
  const named = ({ id }: StoredCell) => parseCellId(id).name === telemetryName(pack);
  const everywhere = `workspace${SEPARATOR}`;
  if (root === undefined) return store.list(everywhere, now).filter(named);
  const own = store.list(telemetryId(root, pack), now);
  return below ? [...own, ...store.list(`${everywhere}${root}/`, now).filter(named)] : own;
}
