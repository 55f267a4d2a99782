import type { RelayRecord } from '../event/follow-up.ts';
import type { UnfitMessage } from '../engine/advice/messages.ts';
import { cellId } from '../state/cells.ts';
import type { Store } from '../state/store.ts';

/**
 * Records for the log of overrides that are not used, each once per version of its file, also across processes. The agent
 * hears nothing of them: it gets the rule's own words.
 */
export function recordsOf(unfit: readonly UnfitMessage[], store: Store, now: number): readonly RelayRecord[] {
  return unfit.filter((message) => isNew(store, message, now)).map((message) => recordOf(message, now));
}

function isNew(store: Store, { file, version, problem }: UnfitMessage, now: number): boolean {
  const id = cellId('user', '', 'template-error', file);
  // A file that cannot be read has no version, and the rule it is about may change without it.
  const value = JSON.stringify(`${version} ${problem}`);
  const before = store.get(id, now);
  if (before === value) return false;
  return store.commit({ reads: new Map([[id, before]]), changes: [{ op: 'set', id, value, expires: 0 }], now });
}

function recordOf({ rule, variant, file, problem, root }: UnfitMessage, now: number): RelayRecord {
  return {
    at: now,
    event: 'relay',
    rule,
    variant: 'template-error',
    message: `${rule}: ${file} is not used: ${problem}`,
    variables: { variant },
    root,
    isLogOnly: true,
  };
}
