import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';

export interface PostOptions {
  /** For the whole exchange. */
  readonly timeoutMs: number;
  readonly userAgent: string;
  readonly signal: AbortSignal;
}

/** Why it did not arrive; undefined when it did. `isFinal`: the same again would be refused again. */
export type PostProblem = { readonly message: string; readonly isFinal: boolean } | undefined;

const SPENT_STATUS = new Set([408, 429]);

/** Posts JSON over a connection of its own. A redirect counts as a refusal: it could lead anywhere. */
export function postJson(url: URL, body: string, { timeoutMs, userAgent, signal }: PostOptions): Promise<PostProblem> {
  return new Promise((resolve) => {
    const outgoing = (url.protocol === 'https:' ? requestHttps : requestHttp)(url, {
      method: 'POST',
      agent: false,
      signal,
      // Whatever the environment says about certificates.
      rejectUnauthorized: true,
      headers: {
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(body),
        'user-agent': userAgent,
      },
    });
    const limit = setTimeout(() => outgoing.destroy(new Error(`no answer within ${timeoutMs} ms`)), timeoutMs);
    const settle = (problem: PostProblem): void => {
      clearTimeout(limit);
      resolve(problem);
      outgoing.destroy();
    };
    outgoing.on('response', ({ statusCode: status = 0 }) => {
      if (status >= 200 && status < 300) return settle(undefined);
      settle({ message: `answered with status ${status}`, isFinal: status < 500 && !SPENT_STATUS.has(status) });
    });
    outgoing.on('error', (error: NodeJS.ErrnoException) =>
      // Several addresses that failed together have a code and no words.
      settle({ message: error.message || (error.code ?? 'no connection'), isFinal: false }),
    );
    outgoing.end(body);
  });
}
