import { Draft } from '../state/draft.ts';
import { CommandError } from './command.ts';
import type { CliWorld } from './command.ts';

const MAX_ATTEMPTS = 20;

/** Makes a change of state that is either stored whole or made again, on what another process has stored meanwhile. */
export function changeState<T>(world: CliWorld, change: (draft: Draft) => T): T {
  const { store, clock } = world.engine();
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
    const now = clock.now();
    store.refresh(now);
    const draft = new Draft(store, now);
    const result = change(draft);
    const { reads, changes } = draft;
    if (changes.length === 0 || store.commit({ reads, changes, now })) return result;
  }
  throw new CommandError('other processes kept changing the same state; try again');
}

export function draftOf(world: CliWorld): Draft {
  const { store, clock } = world.engine();
  const now = clock.now();
  store.refresh(now);
  return new Draft(store, now);
}
