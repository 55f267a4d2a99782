import { cellId, parseValue } from '../../state/cells.ts';
import type { Sharing } from '../session/scope.ts';
import { lasts } from './book.ts';
import type { Careful } from './book.ts';

/** Stands for all machines of the team. */
export const TEAM_WIDE = 'team';

/** Careful mode of a whole team: each of its machines has a copy of this cell. */
export function teamCarefulId(team: string): string {
  return cellId('team', team, 'careful');
}

/** What makes careful mode hold for the team, as far as this machine knows. */
export function teamCareful(
  sharing: Sharing | undefined,
  get: (id: string) => string | undefined,
  now: number,
): Careful | undefined {
  const value = sharing && get(teamCarefulId(sharing.team));
  if (value === undefined) return undefined;
  const careful = parseValue(value) as Careful | null | undefined;
  // What cannot be read was on, as far as anybody can tell.
  if (typeof careful !== 'object' || careful === null) return { since: now, by: 'user' };
  return lasts(careful, now) ? careful : undefined;
}
