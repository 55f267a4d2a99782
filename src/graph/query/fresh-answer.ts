import type { Files } from '../../platform/files.ts';
import { join } from '../../platform/paths.ts';
import { pathsIn } from './answer.ts';
import type { Answer, Answered } from './answer.ts';
import type { PartialScope } from '../store/scope.ts';
import type { GraphReader } from './graph-reader.ts';
import { unreadFor, unreadNamesakes, withUnread } from './unread.ts';

/** What an answer is drawn from, and how that is brought up to date. */
export interface Freshener {
  /** The graph as it is now; the same object until it changes. Undefined when there is none. */
  open(): GraphReader | undefined;
  /** Reads files again; false when that was not done in time. */
  refresh(paths: readonly string[]): Promise<boolean>;
  /** Not every file is resolved yet. */
  isPartial(): boolean;
  /** Files that are known to have changed and are not read again yet, whether or not an answer names them. */
  behind(): number;
  /** Absent where all files are indexed. */
  scope?(): PartialScope | undefined;
}

/** A file may change again while it is read again; somebody who writes all the time is not waited for. */
const MOST_ROUNDS = 3;

/**
 * Answers, holds every file that the answer names against the disk, has the changed ones read again and answers again.
 * What cannot be brought up to date is counted with the answer. Undefined when there is no graph.
 */
export async function answerFresh(
  ask: (reader: GraphReader) => Answer,
  files: Pick<Files, 'stat'>,
  freshener: Freshener,
): Promise<Answered | undefined> {
  for (let round = 1; ; round += 1) {
    const reader = freshener.open();
    if (!reader) return undefined;
    const answer = ask(reader);
    const changed = changedIn(reader, pathsIn(answer), files);
    const mayRead = changed.length > 0 && round < MOST_ROUNDS;
    if (mayRead && (await freshener.refresh(changed))) continue;
    const stale = Math.max(changed.length, freshener.behind());
    const unread = unreadFor(reader, answer);
    const state = stale > 0 ? 'stale' : unread || freshener.isPartial() ? 'partial' : 'stable';
    const scope = freshener.scope?.();
    const told = unread ? withUnread(answer, unreadNamesakes(reader, answer, unread)) : answer;
    return { answer: told, root: reader.root, state, stale, ...(scope && { scope }), ...(unread && { unread }) };
  }
}

/** Those that are not as they were when they were indexed. */
export function changedIn(reader: GraphReader, paths: readonly string[], files: Pick<Files, 'stat'>): string[] {
  return paths.filter((path) => {
    const indexed = reader.file(path);
    const now = files.stat(join(reader.root, path));
    if (!indexed || !now) return indexed !== undefined || now !== undefined;
    return now.size !== indexed.size || now.mtimeMs !== indexed.mtimeMs;
  });
}
