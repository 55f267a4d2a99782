import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';

export interface GetOptions {
  /** What is had already; the server may say that it is still the same. */
  readonly etag: string | undefined;
  readonly maxBytes: number;
  /** For the whole exchange. */
  readonly timeoutMs: number;
}

/** A text over a connection of its own. A redirect counts as a refusal: it could lead anywhere. Rejects with why it failed. */
export function getText(
  url: URL,
  { etag, maxBytes, timeoutMs }: GetOptions,
): Promise<{ readonly text: string; readonly etag?: string } | 'unchanged'> {
  return new Promise((resolve, reject) => {
    const asked = (url.protocol === 'https:' ? requestHttps : requestHttp)(url, {
      agent: false,
      rejectUnauthorized: true,
      headers: { 'user-agent': 'fairlead', ...(etag === undefined ? {} : { 'if-none-match': etag }) },
    });
    const limit = setTimeout(() => asked.destroy(new Error(`gave no answer within ${timeoutMs} ms`)), timeoutMs);
    const fail = (error: Error): void => {
      clearTimeout(limit);
      reject(error);
      asked.destroy();
    };
    asked.on('error', (error: NodeJS.ErrnoException) =>
      fail(new Error(error.message === '' ? `cannot be reached (${error.code ?? 'no connection'})` : error.message)),
    );
    asked.on('response', (response) => {
      const { statusCode: status = 0, headers } = response;
      if (status === 304 && etag !== undefined) {
        clearTimeout(limit);
        response.resume();
        return resolve('unchanged');
      }
      if (status !== 200) return fail(new Error(`answered with status ${status}`));
      const parts: Buffer[] = [];
      let size = 0;
      response.on('data', (part: Buffer) => {
        parts.push(part);
        if ((size += part.length) > maxBytes) fail(new Error(`is larger than ${maxBytes / 1024} KiB`));
      });
      response.on('error', fail);
      response.on('end', () => {
        clearTimeout(limit);
        const text = Buffer.concat(parts).toString('utf8');
        resolve({ text, ...(headers.etag === undefined ? {} : { etag: headers.etag }) });
      });
    });
    asked.end();
  });
}
