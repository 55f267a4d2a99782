import { request as requestHttp } from 'node:http';
import type { IncomingMessage } from 'node:http';
import { request as requestHttps } from 'node:https';

export interface PostOptions {
  /** For the whole exchange. */
  readonly timeoutMs: number;
  readonly userAgent: string;
  readonly signal: AbortSignal;
}

/** Why it did not arrive; undefined when it did. `isFinal`: the same again would be refused again. */
export type PostProblem = { readonly message: string; readonly isFinal: boolean } | undefined;

/** What came back, or why nothing did. */
export type Posted =
  | { readonly status: number; readonly retryAfter?: string; readonly body: Uint8Array }
  | { readonly message: string };

interface Sending extends PostOptions {
  readonly headers: Readonly<Record<string, string>>;
  /** The most bytes that are read of the answer; what comes after them is left. */
  readonly mostBytes: number;
}

const SPENT_STATUS = new Set([408, 429]);

/** Posts JSON. A redirect counts as a refusal: it could lead anywhere. */
export async function postJson(url: URL, body: string, options: PostOptions): Promise<PostProblem> {
  const headers = { 'content-type': 'application/json' };
  const posted = await postBytes(url, Buffer.from(body), { ...options, headers, mostBytes: 0 });
  if ('message' in posted) return { message: posted.message, isFinal: false };
  const { status } = posted;
  if (status >= 200 && status < 300) return undefined;
  return { message: `answered with status ${status}`, isFinal: status < 500 && !SPENT_STATUS.has(status) };
}

/** Posts over a connection of its own, and follows no redirect. Throws for what no request can be made of. */
export function postBytes(url: URL, body: Uint8Array, options: Sending): Promise<Posted> {
  const { timeoutMs, userAgent, signal, headers, mostBytes } = options;
  return new Promise((resolve) => {
    const outgoing = (url.protocol === 'https:' ? requestHttps : requestHttp)(url, {
      method: 'POST',
      agent: false,
      signal,
      // Whatever the environment says about certificates.
      rejectUnauthorized: true,
      headers: { ...headers, 'content-length': body.length, 'user-agent': userAgent },
    });
    const limit = setTimeout(() => outgoing.destroy(new Error(`no answer within ${timeoutMs} ms`)), timeoutMs);
    const settle = (posted: Posted): void => {
      clearTimeout(limit);
      resolve(posted);
      outgoing.destroy();
    };
    outgoing.on('response', (response) => readAnswer(response, mostBytes, settle));
    outgoing.on('error', (error: NodeJS.ErrnoException) =>
      // Several addresses that failed together have a code and no words.
      settle({ message: error.message || (error.code ?? 'no connection') }),
    );
    outgoing.end(body);
  });
}

/** The head is enough to know what became of it; where the rest does not come, nothing more is known. */
function readAnswer(response: IncomingMessage, mostBytes: number, settle: (posted: Posted) => void): void {
  const { statusCode: status = 0, headers } = response;
  const retryAfter = headers['retry-after'];
  const chunks: Uint8Array[] = [];
  let size = 0;
  const done = () =>
    settle({
      status,
      ...(retryAfter !== undefined && { retryAfter }),
      body: Buffer.concat(chunks).subarray(0, mostBytes),
    });
  if (mostBytes === 0) return done();
  response.on('data', (chunk: Uint8Array) => {
    chunks.push(chunk);
    size += chunk.length;
    if (size >= mostBytes) done();
  });
  response.on('end', done);
  response.on('error', () => settle({ message: 'the answer was cut off' }));
  response.on('aborted', () => settle({ message: 'the answer was cut off' }));
}
