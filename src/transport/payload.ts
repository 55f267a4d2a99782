import type { Adapter } from '../adapters/adapter.ts';
import { textOf } from './frame.ts';
import { HEAD_BYTES, MAX_BODY_BYTES } from './limits.ts';

/** No tool nests deeper, and whoever walks a payload does so by recursion. */
const MAX_DEPTH = 100;
/** Keys and items in all; to look at more takes longer than any answer is worth. */
const MAX_VALUES = 100_000;

/** What the agent sent; `unread` says why only its first bytes were looked at. */
export interface Payload {
  readonly payload: unknown;
  readonly unread?: string;
}

/** Reads a body within limits: what is beyond them is not worked on. */
export function readPayload(body: Uint8Array, size: number, adapter: Adapter): Payload {
  // Also when the client found no memory for all of it.
  const isCut = size > MAX_BODY_BYTES || size > body.length;
  const bytes = textOf(isCut ? body.subarray(0, HEAD_BYTES) : body);
  const text = bytes.startsWith(BYTE_ORDER_MARK) ? bytes.slice(1) : bytes;
  const payload = isCut ? undefined : parseJson(text);
  const unread = isCut ? `it has ${size} bytes, and the limit is ${MAX_BODY_BYTES}` : whyUnread(payload, text);
  return unread === undefined ? { payload } : { payload: adapter.peek?.(text.slice(0, HEAD_BYTES)) ?? {}, unread };
}

const BYTE_ORDER_MARK = '\u{feff}';

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function whyUnread(payload: unknown, text: string): string | undefined {
  if (payload === undefined) return text.trim() === '' ? 'it is empty' : 'it is not JSON';
  if (typeof payload !== 'object' || payload === null || Array.isArray(payload)) return 'it is no JSON object';
  let level: readonly object[] = [payload];
  let values = 0;
  for (let depth = 1; level.length > 0; depth += 1) {
    if (depth > MAX_DEPTH) return `it is nested more than ${MAX_DEPTH} levels deep`;
    const below: object[] = [];
    for (const each of level) {
      const inside: readonly unknown[] = Array.isArray(each) ? each : Object.values(each);
      values += inside.length;
      if (values > MAX_VALUES) return `it holds more than ${MAX_VALUES} values`;
      for (const value of inside) if (typeof value === 'object' && value !== null) below.push(value);
    }
    level = below;
  }
  return undefined;
}
