import type { Socket } from 'node:net';
import { startDeadline } from '../engine/decide/deadlines.ts';
import { systemClock } from '../platform/clock.ts';
import { isPromise } from '../engine/decide/run.ts';
import { adoptedIn } from './call.ts';
import { MAX_BODY_BYTES } from './limits.ts';
import { AT_WORK, decodeRequest, encodeReply, requestLength } from './frame.ts';
import type { FrameReply, Request } from './frame.ts';

/** A caller that has not said all and heard the reply after this long is gone; nobody else waits for it as long. */
const GONE_MS = 15_000;

/** How often a caller hears that its reply is being made. */
const AT_WORK_MS = 1_000;

const milliseconds = () => systemClock.micros() / 1_000;

/** Reads one request from a connection, writes the reply, closes. What is not a frame is hung up on. */
export function serveConnection(
  socket: Socket,
  reply: (request: Request, gone?: AbortSignal) => FrameReply | Promise<FrameReply>,
): void {
  let chunks: Uint8Array[] = [];
  let held = 0;
  let wanted: number | undefined;
  const stop = startDeadline(GONE_MS, () => socket.destroy(), milliseconds);
  socket.once('close', stop);
  // The caller may be killed at any moment; there is nobody left to tell.
  socket.on('error', () => socket.destroy());
  socket.on('data', (chunk) => {
    // One request per connection: what follows it is not kept.
    if (wanted === Number.POSITIVE_INFINITY) return;
    chunks.push(chunk);
    held += chunk.length;
    try {
      if (wanted === undefined) {
        if (chunks.length > 1) chunks = [Buffer.concat(chunks)];
        wanted = requestLength(chunks[0] ?? chunk, MAX_BODY_BYTES);
      }
      if (wanted === undefined || held < wanted) return;
      const frame = chunks.length === 1 ? (chunks[0] ?? chunk) : Buffer.concat(chunks);
      wanted = Number.POSITIVE_INFINITY;
      chunks = [];
      const request = decodeRequest(frame);
      const answer = reply(request, adoptedIn(request.args) === undefined ? undefined : waitWithout(socket, stop));
      if (!isPromise(answer)) return send(socket, answer);
      const stopTelling = tellAtWork(socket);
      answer.finally(stopTelling).then(
        (late) => send(socket, late),
        () => socket.destroy(),
      );
    } catch {
      socket.destroy();
    }
  });
}

/** Whoever waits hears that the engine lives and is at it, as while it copies, and asks no other one. */
function tellAtWork(socket: Socket): () => void {
  const again = () =>
    startDeadline(
      AT_WORK_MS,
      () => {
        if (socket.writable) socket.write(AT_WORK);
        stop = again();
      },
      milliseconds,
    );
  let stop = again();
  return () => stop();
}

/** Hooks of others take their own time, and are ended when the caller is. */
function waitWithout(socket: Socket, stop: () => void): AbortSignal {
  const controller = new AbortController();
  stop();
  socket.once('close', () => controller.abort());
  return controller.signal;
}

function send(socket: Socket, answer: FrameReply): void {
  const { unheard } = answer;
  if (unheard && !socket.writable) unheard();
  // A caller that ends without reading what lies ready for it breaks the connection.
  else if (unheard) socket.once('close', (isBroken) => (isBroken || !socket.writableFinished) && unheard());
  socket.end(encodeReply(answer));
}
