import type { UsageRecord } from '../../event/transcript.ts';
import type { Event } from '../../event/event.ts';
import { cellId, parseValue } from '../../state/cells.ts';
import type { Draft } from '../../state/draft.ts';
import type { RuleFiles } from '../api/rule-files.ts';

/** How full the agent's context is. */
export interface Usage {
  /** 0 while nothing is known. */
  readonly tokens: number;
  readonly model?: string;
  /** How many tokens it holds, as far as the agent told: by its status line, or by the name of its model. */
  readonly window?: number;
}

export const NO_USAGE: Usage = { tokens: 0 };

/** What a look at a transcript found, for the next one. */
export interface UsageLook {
  readonly record?: UsageRecord;
  /** The lines before this place were looked at. */
  readonly upTo: number;
  readonly floor: number;
}

export type UsageIn = (lines: string) => UsageRecord | undefined;

const BLOCK = 64 << 10;
/** The most that one look reads. */
const MOST = 8 << 20;
const LINE_END = 10;

/**
 * Finds the newest usage record at or after `floor`, from the end backwards and no further than needed. After an earlier
 * look only what came since is read; if that holds no record, the earlier one is still the newest.
 */
export function readUsage(
  files: Pick<RuleFiles, 'stat' | 'readRange'>,
  transcript: string,
  floor: number,
  usageIn: UsageIn,
  before?: UsageLook,
): UsageLook | undefined {
  const found = files.stat(transcript);
  if (found?.kind !== 'file') return undefined;
  const known = before && before.floor === floor && before.upTo <= found.size ? before : undefined;
  const from = Math.max(floor, known?.upTo ?? 0);
  let upTo = from;
  let record: UsageRecord | undefined;
  // Parts of a line whose beginning was not read yet, the first part last.
  let rest: Uint8Array[] = [];
  const least = Math.max(from, found.size - MOST);
  for (let end = found.size; end > least && record === undefined;) {
    const begin = Math.max(least, end - BLOCK);
    const bytes = files.readRange(transcript, begin, end - begin);
    if (bytes === undefined || bytes.length === 0) break;
    const lastLine = bytes.lastIndexOf(LINE_END);
    if (lastLine >= 0) upTo = Math.max(upTo, begin + lastLine + 1);
    const firstLine = begin === from ? 0 : bytes.indexOf(LINE_END) + 1;
    if (lastLine < 0 && begin !== from) rest.push(bytes);
    else {
      record = usageIn(decode([bytes.subarray(firstLine), ...rest.toReversed()]));
      rest = [bytes.subarray(0, firstLine)];
    }
    end = begin;
  }
  const newest = record ?? known?.record;
  return { ...(newest && { record: newest }), upTo, floor };
}

function decode(parts: readonly Uint8Array[]): string {
  const decoder = new TextDecoder();
  return parts.map((part) => decoder.decode(part, { stream: true })).join('') + decoder.decode();
}

function floorId(session: string): string {
  return cellId('session', session, 'context.usage_floor');
}

/** Where the transcript stood when the context was last compacted: what was counted before is forgotten. */
export function keepFloor(event: Event, draft: Draft, files: Pick<RuleFiles, 'stat'>): void {
  if (event.name !== 'session.start' || event.start?.source !== 'compact' || event.transcript === undefined) return;
  const size = files.stat(event.transcript)?.size;
  if (size !== undefined) draft.set(floorId(event.session), JSON.stringify(size), 0);
}

export function readFloor(draft: Draft, session: string): number {
  return numberIn(draft, floorId(session)) ?? 0;
}

/** What the agent's status line told of this session's context. */
export function readToldWindow(draft: Draft, session: string): number | undefined {
  return numberIn(draft, cellId('session', session, 'context.window'));
}

function numberIn(draft: Draft, id: string): number | undefined {
  const value = parseValue(draft.read(id));
  return typeof value === 'number' && Number.isSafeInteger(value) && value > 0 ? value : undefined;
}
