import { STAMP } from '../platform/build.ts';
import { exchange } from '../platform/unix-socket.ts';
import { decodeReply, encodeRequest } from './frame.ts';
import type { FrameReply, Request, Verb } from './frame.ts';
import type { DaemonStatus } from './status.ts';

export interface Question extends Partial<Omit<Request, 'verb' | 'stamp'>> {
  readonly verb: Verb;
  readonly state: string;
}

/** Undefined when no daemon answers this: none is there, it is not ours, it broke off, it left the answer to us. */
export async function askDaemon(
  socket: string,
  { verb, state, args = [], cwd, env = {}, body = new Uint8Array(), size = body.length }: Question,
  withinMs: number,
): Promise<FrameReply | undefined> {
  const request = encodeRequest({ verb, stamp: STAMP, state, args, cwd, env, body, size });
  const frame = await exchange(socket, request, withinMs);
  try {
    const reply = frame === undefined ? undefined : decodeReply(frame);
    return reply?.outcome === 'answered' ? reply : undefined;
  } catch {
    return undefined;
  }
}

export async function askStatus(socket: string, state: string, withinMs = 2_000): Promise<DaemonStatus | undefined> {
  const reply = await askDaemon(socket, { verb: 'status', state }, withinMs);
  return reply && (JSON.parse(new TextDecoder().decode(reply.stdout)) as DaemonStatus);
}
