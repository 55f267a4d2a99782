import { record } from '../../engine/rule.ts';
import type { RuleContext, RuleFiles } from '../../engine/rule.ts';

/** What the last look that found nothing stood on, by the name of the check. */
export const LOOKED = record<{ readonly at: number; readonly seen: string }>('context.looked', {
  scope: 'workspace',
  ttl: '1d',
});

const USUAL_MINUTES = 10;

interface Looker {
  readonly now: number;
  readonly options: Readonly<Record<string, unknown>>;
  readonly files: Pick<RuleFiles, 'stat'>;
  readonly state: RuleContext<{ readonly looked: typeof LOOKED }>['state'];
}

/**
 * A daily check that found nothing is not marked as done; so that it does not cost every prompt, it looks again after a
 * while, or when a file it depends on has changed. `watched` are those files, and directories for what they list.
 */
export function lookAgain({ now, options, files, state }: Looker, check: string, watched: readonly string[]): Look {
  const seen = watched
    .map((path) => files.stat(path))
    .map((found) => (found ? `${found.mtimeMs}:${found.size}` : '-'))
    .join(' ');
  const before = state.looked.get(check);
  const minutes = options['recheck_minutes'];
  const wait = (typeof minutes === 'number' && minutes >= 0 ? minutes : USUAL_MINUTES) * 60_000;
  return {
    isDue: before === undefined || before.seen !== seen || now - before.at >= wait || now < before.at,
    seen,
    foundNothing: () => state.looked.set({ at: now, seen }, check),
  };
}

export interface Look {
  readonly isDue: boolean;
  /** Tells whether something has changed. */
  readonly seen: string;
  foundNothing(): void;
}
