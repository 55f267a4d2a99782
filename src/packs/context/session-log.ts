import { record } from '../../engine/rule.ts';
import type { Cells } from '../../engine/rule.ts';

interface Started {
  readonly session: string;
  readonly at: number;
}

/** The sessions that began in a project, the newest last; keyed by the context they began in. */
export const SESSION_LOG = record<readonly Started[]>('context.session_log', { scope: 'workspace' });

const KEPT = 10;

export interface Start {
  readonly at: number;
  /** When the session before it began; absent when none is known. */
  readonly previous?: number;
}

interface Keeper {
  readonly now: number;
  readonly state: Cells<{ readonly log: typeof SESSION_LOG }>;
}

/** Notes that a session began, the first time it is heard of. */
export function keepStart({ now, state: { log } }: Keeper, key: string, session: string): Start {
  const kept = log.get(key);
  const before = Array.isArray(kept) ? kept.filter(isStarted) : [];
  const known = before.findLast((each) => each.session === session);
  const at = known?.at ?? now;
  if (!known) log.set([...before, { session, at }].slice(-KEPT), key);
  const previous = before.findLast((each) => each.session !== session && each.at <= at)?.at;
  return previous === undefined ? { at } : { at, previous };
}

/** What a cell holds is only as sound as the file it is kept in. */
function isStarted(value: unknown): value is Started {
  const { session, at } = (value ?? {}) as Partial<Started>;
  return typeof session === 'string' && typeof at === 'number';
}
