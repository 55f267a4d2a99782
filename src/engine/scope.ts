import type { OwnerOf } from '../state/cells.ts';
import type { Event } from '../event/event.ts';
import type { Turn } from './turn.ts';

/** How cells name the agent that no other one started. */
export const MAIN_AGENT = 'main';

/** Sub-agents share the session's memory but have a turn of their own. */
export function agentKey(event: Event): string {
  return event.subagent?.id ?? MAIN_AGENT;
}

export function ownersFor(event: Event, root: string, dayOf: (at: number) => string, turn: () => Turn): OwnerOf {
  return (scope) => {
    switch (scope) {
      case 'session':
        return event.session;
      case 'turn':
        return `${event.session}\u001e${agentKey(event)}\u001e${turn()}`;
      case 'day':
        return `${root}\u001e${dayOf(event.receivedAt)}`;
      case 'workspace':
        return root;
      case 'user':
        return '';
    }
  };
}
