import type { PlaceReason } from '../../engine/engine.ts';
import { messageOf } from '../../text/message-of.ts';
import type { IndexRequest, IndexResult } from '../indexer/request.ts';
import type { InitRecord } from '../store/init-record.ts';
import { attemptReason, EMPTY_WAIT_MS, isOfOtherSettings, nextStep } from './initialisation.ts';
import type { Occasion } from './initialisation.ts';
import { choiceBy, digestOfSettings } from '../settings.ts';
import type { GraphSettings } from '../../engine/settings.ts';

export interface AttemptsOptions {
  now(): number;
  ask(request: IndexRequest): Promise<Pick<IndexResult, 'files'>>;
  readRecord(root: string): InitRecord | undefined;
  writeRecord(record: InitRecord): void;
  /** Another process writes the index of this root. */
  isHeld(root: string): boolean;
  onFailure(what: string, error: unknown): void;
}

export interface Considered {
  readonly occasion: Occasion;
  readonly reason: PlaceReason;
  readonly settings: GraphSettings;
  readonly hasIndex: boolean;
}

/** Attempts to index roots, and what is written down about them. */
export interface Attempts {
  /** Whether it found anything to index; undefined when there is nothing to attempt, `later` when it is not time to. Never rejects. */
  consider(root: string, considered: Considered): Promise<boolean> | 'later' | undefined;
  /** The root is no longer there. */
  vanished(root: string): void;
  close(): void;
}

const MAX_RECORDS = 200;

export function createAttempts(options: AttemptsOptions): Attempts {
  const { now, onFailure } = options;
  /** As far as this process has written them, or tried to. */
  const records = new Map<string, InitRecord>();
  /** Where another process was found at work. */
  const heldUntil = new Map<string, number>();
  let isClosed = false;

  function recordOf(root: string): InitRecord | undefined {
    const stored = options.readRecord(root);
    const own = records.get(root);
    // Whoever indexes on request writes there too.
    return own !== undefined && (stored?.startedAt ?? 0) <= own.startedAt ? own : stored;
  }

  function keep(record: InitRecord): void {
    if (records.size >= MAX_RECORDS) records.clear();
    records.set(record.root, record);
    try {
      options.writeRecord(record);
    } catch (error) {
      onFailure('writing down how a workspace is indexed', error);
    }
  }

  async function attempt(begun: InitRecord, request: IndexRequest, before: InitRecord | undefined): Promise<boolean> {
    keep(begun);
    try {
      const { files } = await options.ask(request);
      keep({ ...begun, state: files > 0 ? 'stable' : 'pending', endedAt: now(), files, failures: 0 });
      return files > 0;
    } catch (error) {
      // What an engine that ends leaves undone, the next one begins again.
      if (isClosed) return false;
      if (options.isHeld(begun.root)) {
        heldUntil.set(begun.root, now() + EMPTY_WAIT_MS);
        keep({ ...(before ?? begun), startedAt: begun.startedAt });
        return false;
      }
      const said = messageOf(error);
      keep({ ...begun, state: 'failed', endedAt: now(), failures: begun.failures + 1, error: said });
      onFailure('indexing a workspace', error);
      return false;
    }
  }

  return {
    consider(root, { occasion, reason, settings, hasIndex }) {
      const record = recordOf(root);
      const digest = digestOfSettings(settings);
      const isOther = hasIndex && isOfOtherSettings(record, digest);
      const step = nextStep({ hasIndex: hasIndex && !isOther, record }, occasion);
      if (step === 'leave') return undefined;
      if (step === 'wait' || (heldUntil.get(root) ?? 0) > now()) return 'later';
      if (options.isHeld(root)) {
        heldUntil.set(root, now() + EMPTY_WAIT_MS);
        return 'later';
      }
      const request: IndexRequest = { do: 'index', root, ...choiceBy(settings), ...(isOther && { force: true }) };
      const begun: InitRecord = {
        version: 1,
        root,
        state: 'indexing',
        reason: attemptReason(reason, record),
        startedAt: now(),
        failures: record?.failures ?? 0,
        settings: digest,
      };
      return attempt(begun, request, record);
    },
    vanished(root) {
      const record = recordOf(root);
      if (record === undefined || record.state === 'pending') return;
      const at = now();
      const { error: _error, ...rest } = record;
      keep({ ...rest, state: 'pending', startedAt: at, endedAt: at, files: 0, failures: 0 });
    },
    close() {
      isClosed = true;
    },
  };
}
