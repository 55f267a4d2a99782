import type { Event } from '../../event/event.ts';
import { cellId } from '../../state/cells.ts';
import type { Draft } from '../../state/draft.ts';

function unattendedId(session: string): string {
  return cellId('session', session, 'unattended');
}

/** Keeps whether a person attends the session. An agent that posts its events says so where it starts a program: at the start and at prompts. */
export function keepAttended({ attended, session }: Event, draft: Draft): void {
  if (attended === undefined) return;
  const id = unattendedId(session);
  if (attended === (draft.read(id) === undefined)) return;
  if (attended) draft.delete(id);
  else draft.set(id, '1', 0);
}

/** What the event says, else what its session has said; unknown counts as attended. */
export function isAttended({ attended, session }: Event, draft: Draft): boolean {
  return attended ?? draft.read(unattendedId(session)) === undefined;
}
