import { PART } from '../../state/cells.ts';
import type { OwnerOf } from '../../state/cells.ts';
import type { Event } from '../../event/event.ts';
import type { Turn } from './turn.ts';

/** How cells name the agent that no other one started. */
export const MAIN_AGENT = 'main';

/** Sub-agents share the session's memory but have a turn of their own. */
export function agentKey(event: Event): string {
  return event.subagent?.id ?? MAIN_AGENT;
}

/** Whether two turns, by the names of their owners, are of one agent. */
export function isSameAgent(one: string, other: string): boolean {
  const end = one.lastIndexOf(PART);
  return end === other.lastIndexOf(PART) && end > 0 && one.slice(0, end) === other.slice(0, end);
}

/** Where the event takes place, as far as memory is about it. */
interface Where {
  readonly root: string;
  readonly repository: string;
  /** The repository's name on all machines, where it has one. */
  readonly remote?: string | undefined;
}

/** With whom a machine shares state. */
export interface Sharing {
  /** The name of the team. */
  readonly team: string;
  /** Who works here, by the same name on all their machines. */
  readonly person: string;
  readonly machine: string;
}

export function ownersFor(
  event: Event,
  where: Where,
  dayOf: (at: number) => string,
  turn: () => Turn,
  sharing?: Sharing,
): OwnerOf {
  return (scope) => {
    switch (scope) {
      case 'session':
        return event.session;
      case 'turn':
        return event.session + PART + agentKey(event) + PART + turn();
      case 'day':
        return where.root + PART + dayOf(event.receivedAt);
      case 'workspace':
        return where.root;
      case 'repository':
        return where.repository;
      case 'user':
        return '';
      case 'team':
        return sharing?.team ?? '';
      case 'person':
        return sharing ? sharing.team + PART + sharing.person : '';
      case 'remote':
        return sharing && where.remote !== undefined ? sharing.team + PART + where.remote : '';
    }
  };
}
