import { within } from '../../platform/timers.ts';
import { messageOf } from '../../text/message-of.ts';
import { WRITER_MS } from '../indexer/request.ts';
import type { DrawRequest, DrawResult } from '../indexer/request.ts';
import type { Answered } from '../query/answer.ts';

/** Who draws, and keeps what was drawn as evidence. */
export interface Draws {
  draw(request: DrawRequest): Promise<DrawResult>;
}

export type Kept = Pick<Answered, 'evidence' | 'pictures' | 'warning'>;

/** As long as a picture takes at most where nothing is wrong: who has no time left for it waits this much. */
const LEAST_MS = 2_000;

/** Asks for a picture and waits for it as long as there is time; whatever happens to it, the rest of the answer stands. */
export async function askForPicture(draws: Draws, request: DrawRequest, leftMs: number): Promise<Kept> {
  const limitMs = Math.max(LEAST_MS, leftMs);
  const drawn = draws.draw({ ...request, waitMs: WRITER_MS }).catch((error: unknown) => ({ failed: messageOf(error) }));
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
