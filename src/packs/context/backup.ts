import { isAbsolute, join } from 'node:path';

/** The marker whose age says when the context was last saved elsewhere: the one to write, then those to look at. */
export function backupMarkers(home: string, option?: unknown): readonly [string, ...string[]] {
  const chosen = typeof option === 'string' && option.startsWith('~/') ? join(home, option.slice(2)) : option;
  if (typeof chosen === 'string' && isAbsolute(chosen)) return [chosen];
  const state = join(home, '.local', 'state');
  return [join(state, 'fairlead', 'last-backup'), join(state, 'ctx-last-backup')];
}
