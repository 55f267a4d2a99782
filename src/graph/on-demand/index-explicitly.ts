import { systemClock } from '../../platform/clock.ts';
import type { Files } from '../../platform/files.ts';
import { messageOf } from '../../text/message-of.ts';
import type { Progress } from '../indexer/indexer.ts';
import type { IndexRequest, IndexResult } from '../indexer/request.ts';
import type { Indexing } from '../indexer/start-indexer.ts';
import { readInitRecord, writeInitRecord } from '../store/init-record.ts';
import type { InitRecord } from '../store/init-record.ts';
import { isOfOtherSettings } from '../resident/initialisation.ts';
import { openGraphHandle } from './graph-handle.ts';
import { choiceBy, digestOfSettings } from '../settings.ts';
import type { FileChoice } from '../settings.ts';
import { holderOf } from '../store/lease.ts';
import { graphPaths } from '../store/graph-paths.ts';

export interface ExplicitOptions {
  readonly state: string;
  readonly root: string;
  readonly files: Files;
  readonly indexing: Pick<Indexing, 'ask'>;
  readonly settings?: FileChoice | undefined;
  readonly how?: 'force' | 'verify' | undefined;
  /** How long another process that writes there is waited for. */
  readonly waitMs?: number | undefined;
  onProgress?(progress: Progress): void;
  /** Whoever asked wants it no more; that is no failure. */
  isGivenUp?(): boolean;
}

/** Indexes because somebody asked for it, however often that failed before, and writes down what came of it. */
export async function indexExplicitly(options: ExplicitOptions): Promise<IndexResult> {
  const { state, root, files, indexing, settings } = options;
  const location = graphPaths(state, root);
  const before = readInitRecord(files, location, root);
  const digest = settings && digestOfSettings(settings);
  const hasIndex = files.exists(location.snapshot);
  const isOther = hasIndex && digest !== undefined && isOfOtherSettings(before, digest);
  const how = isOther ? 'force' : options.how;
  const begun: InitRecord = {
    version: 1,
    root,
    // Whoever finds that a process which made it anew was killed at it begins again.
    state: hasIndex && !isOther ? 'initialised' : 'indexing',
    reason: 'explicit',
    startedAt: systemClock.now(),
    failures: before?.failures ?? 0,
    ...(digest !== undefined && { settings: digest }),
  };
  const write = (record: InitRecord) => {
    try {
      writeInitRecord(files, location, record);
    } catch {
      // On a full disk it is not written down; what is indexed is indexed all the same.
    }
  };
  write(begun);
  const request: IndexRequest = {
    ...(how === 'verify' ? { do: 'verify' as const, root } : { do: 'index' as const, root, force: how === 'force' }),
    ...choiceBy(settings),
    ...(options.waitMs !== undefined && { waitMs: options.waitMs }),
  };
  try {
    const result = await indexing.ask(request, options.onProgress?.bind(options));
    const count = filesIn(files, state, root);
    const isEmpty = count === 0;
    write({
      ...begun,
      state: isEmpty ? 'pending' : 'stable',
      endedAt: systemClock.now(),
      failures: 0,
      ...(!isEmpty && { files: count }),
    });
    return result;
  } catch (error) {
    const isGivenUp = options.isGivenUp?.() === true;
    if (isGivenUp || holderOf(files, location) !== undefined) {
      if (before === undefined) files.remove(location.init);
      // Some files may be as the new settings want them: that is not what it was before.
      else if (!isGivenUp || !isOther) write(before);
      throw error;
    }
    write({
      ...begun,
      state: 'failed',
      endedAt: systemClock.now(),
      failures: begun.failures + 1,
      error: messageOf(error),
    });
    throw error;
  }
}

function filesIn(files: Files, state: string, root: string): number {
  const graph = openGraphHandle(files, state, root);
  const count = graph.open()?.counts.files ?? 0;
  graph.close();
  return count;
}
