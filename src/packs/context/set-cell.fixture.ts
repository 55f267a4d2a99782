import { pausedId } from '../../engine/session.ts';
import type { CellSpec } from '../../state/cell.ts';
import { cellId } from '../../state/cells.ts';
import type { World } from '../world.fixture.ts';

/** A cell as a command or an earlier event left it. */
export function setCell(world: World, { scope, name }: CellSpec, value: unknown, key?: string): void {
  const owner = scope === 'session' ? 'session-1' : world.root;
  put(world, cellId(scope, owner, name, key), value);
}

export function pause(world: World, session = 'session-1'): void {
  put(world, pausedId(session), { since: world.now, turns: 0 });
}

function put({ engine, now }: World, id: string, value: unknown): void {
  const changes = [{ op: 'set' as const, id, value: JSON.stringify(value), expires: 0 }];
  engine.store.commit({ reads: new Map(), changes, now });
}
