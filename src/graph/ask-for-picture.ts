import { within } from '../platform/timers.ts';
import type { DrawRequest, DrawResult } from './indexer/request.ts';
import type { Answered } from './query/answer.ts';

/** Who draws, and keeps what was drawn as evidence. */
export interface Draws {
  draw(request: DrawRequest): Promise<DrawResult>;
}

/** Whoever writes there is waited for this long. */
const WRITER_MS = 2_000;

export type Kept = Pick<Answered, 'evidence' | 'pictures' | 'warning'>;

/** Asks for a picture and waits so long; whatever happens to it, the rest of the answer stands. */
export async function askForPicture(draws: Draws, request: DrawRequest, limitMs: number): Promise<Kept> {
  const waitMs = Math.min(limitMs, WRITER_MS);
  const drawn = draws
    .draw({ ...request, waitMs })
    .catch((error: unknown) => ({ failed: error instanceof Error ? error.message : String(error) }));
  const result = await within(limitMs, drawn, undefined);
  if (result === undefined) return { warning: `nothing was drawn within ${limitMs / 1_000} s; it follows` };
  if ('failed' in result) return { warning: `nothing could be drawn: ${result.failed}` };
  const { evidence, svg, png, warning } = result;
  return {
    evidence,
    ...((svg ?? png) && { pictures: { ...(svg && { svg }), ...(png && { png }) } }),
    ...(warning !== undefined && { warning }),
  };
}
