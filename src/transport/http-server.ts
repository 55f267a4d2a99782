import type { IncomingMessage, ServerResponse } from 'node:http';
import type { RequestHandler } from '../platform/http-listener.ts';
import { adapterOf } from '../adapters/registry.ts';
import type { Reply } from '../adapters/adapter.ts';
import { isPromise } from '../engine/decide/run.ts';
import type { Mutable } from '../event/mutable.ts';
import { HEAD_BYTES, MAX_BODY_BYTES } from './limits.ts';
import type { HookRequest } from './answer.ts';
import type { HttpAccess } from './http-access.ts';
import { isSameSecret } from './same-secret.ts';

export type HttpEvent = Pick<HookRequest, 'body' | 'size' | 'traceparent'> & { readonly agent: string };

const PATH = /^\/hook\/([\w-]{1,40})$/;
/** What an agent reads as "no opinion". */
const NOTHING = '{}';

/**
 * Answers events over loopback. Only a request that names this very place and an agent, comes from no web page and carries the
 * token reaches the engine. Its answer has the status 200 and is JSON, because an agent takes anything else for a failure.
 */
export function serveHttp(
  access: HttpAccess,
  answerEvent: (event: HttpEvent) => Reply | Promise<Reply>,
  onRefused: () => void,
): RequestHandler {
  const hosts = new Set([`127.0.0.1:${access.port}`, `localhost:${access.port}`]);
  const secret = `Bearer ${access.token}`;

  /** It names this very place, comes from no web page, and carries the token. */
  function mayAsk({ method, headers }: IncomingMessage): boolean {
    if (!hosts.has(headers.host ?? '')) return false;
    if (headers.origin !== undefined || headers['sec-fetch-site'] !== undefined) return false;
    return method === 'POST' && isSameSecret(headers.authorization ?? '', secret);
  }

  return (request, response, isLast) => {
    const agent = PATH.exec(request.url ?? '')?.[1];
    if (agent === undefined || !adapterOf(agent) || !mayAsk(request)) {
      onRefused();
      request.resume();
      send(response, 403, NOTHING, isLast());
      return;
    }
    const { traceparent } = request.headers;
    // A failure to the agent, which then does as its settings say.
    const fail = () => send(response, 500, NOTHING, isLast());
    readBody(request, (body, size) => {
      const event: Mutable<HttpEvent> = { agent, body, size };
      if (typeof traceparent === 'string') event.traceparent = traceparent;
      let reply: Reply | Promise<Reply>;
      try {
        reply = answerEvent(event);
      } catch {
        return fail();
      }
      if (isPromise(reply)) reply.then((late) => sendReply(response, late, isLast()), fail);
      else sendReply(response, reply, isLast());
    });
  };
}

function sendReply(response: ServerResponse, { stdout, unheard }: Reply, isLast: boolean): void {
  // Some events are answered in plain text, which over HTTP counts as a failure.
  const isSendable = stdout.startsWith('{');
  const isLost = response.destroyed || (!isSendable && stdout !== '');
  if (unheard && isLost) unheard();
  else if (unheard) response.once('close', () => response.writableFinished || unheard());
  send(response, 200, isSendable ? stdout : NOTHING, isLast);
}

function send(response: ServerResponse, status: number, text: string, isLast: boolean): void {
  if (isLast) response.shouldKeepAlive = false;
  response.sendDate = false;
  response.writeHead(status, { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(text) });
  // As text, which Node sends together with the head in one write.
  response.end(text);
}

/** Always to the end, since an agent that cannot finish writing counts it as a failure; only what may be parsed is kept. */
function readBody(request: IncomingMessage, take: (body: Uint8Array, size: number) => void): void {
  // Node tells of the end a while after it has seen it.
  const announced = Number(request.headers['content-length']);
  let chunks: Uint8Array[] = [];
  let size = 0;
  let isWhole = false;
  request.on('data', (chunk: Uint8Array) => {
    size += chunk.length;
    if (size <= MAX_BODY_BYTES) chunks.push(chunk);
    else if (chunks.length > 0) chunks = [Buffer.concat(chunks).subarray(0, HEAD_BYTES)];
    if (size === announced) end();
  });
  request.on('end', end);

  function end(): void {
    if (isWhole) return;
    isWhole = true;
    const [first] = chunks;
    take(first && chunks.length === 1 ? first : Buffer.concat(chunks), size);
  }
}
