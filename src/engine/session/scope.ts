import type { OwnerOf } from '../../state/cells.ts';
import type { Event } from '../../event/event.ts';
import type { Turn } from './turn.ts';

/** How cells name the agent that no other one started. */
export const MAIN_AGENT = 'main';

/** Sub-agents share the session's memory but have a turn of their own. */
export function agentKey(event: Event): string {
  return event.subagent?.id ?? MAIN_AGENT;
}

const PART = '\u001e';

/** Whether two turns, by the names of their owners, are of one agent. */
export function isSameAgent(one: string, other: string): boolean {
  const end = one.lastIndexOf(PART);
  return end === other.lastIndexOf(PART) && end > 0 && one.slice(0, end) === other.slice(0, end);
}

/** Where the event takes place, as far as memory is about it. */
interface Where {
  readonly root: string;
  readonly repository: string;
}

export function ownersFor(
  event: Event,
  { root, repository }: Where,
  dayOf: (at: number) => string,
  turn: () => Turn,
): OwnerOf {
  return (scope) => {
    switch (scope) {
      case 'session':
        return event.session;
      case 'turn':
        return event.session + PART + agentKey(event) + PART + turn();
      case 'day':
        return root + PART + dayOf(event.receivedAt);
      case 'workspace':
        return root;
      case 'repository':
        return repository;
      case 'user':
        return '';
    }
  };
}
