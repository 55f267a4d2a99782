import { createServer } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { WireRecord } from './wire.ts';

export interface Received {
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly record: WireRecord;
  readonly at: number;
}

/** A real server on this machine that takes records. */
export interface WebhookServer {
  readonly url: string;
  readonly host: string;
  readonly received: Received[];
  /** What it answers, in turn; the last one from then on. `hang`: nothing at all. */
  answers: (number | 'hang')[];
  /** Resolves when this many records have come. */
  got(count: number): Promise<void>;
  close(): Promise<void>;
}

export async function openWebhook(...answers: (number | 'hang')[]): Promise<WebhookServer> {
  const waiting: { count: number; resolve(): void }[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk) => (body += String(chunk)));
    request.on('end', () => {
      const { url: path = '', headers } = request;
      webhook.received.push({ path, headers, record: JSON.parse(body) as WireRecord, at: Date.now() });
      for (const { count, resolve } of waiting) if (webhook.received.length >= count) resolve();
      answer(response, webhook.answers.length > 1 ? webhook.answers.shift() : webhook.answers[0]);
    });
  });
  await listen(server);
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const webhook: WebhookServer = {
    url: `http://${host}/secret-path?token=secret-query`,
    host,
    received: [],
    answers: answers.length > 0 ? answers : [204],
    async got(count) {
      if (webhook.received.length < count)
        await new Promise<void>((resolve) => {
          waiting.push({ count, resolve });
        });
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return webhook;
}

function answer(response: ServerResponse, status: number | 'hang' = 204): void {
  if (status === 'hang') return;
  response.writeHead(status, status >= 300 && status < 400 ? { location: 'http://127.0.0.1:9/elsewhere' } : {}).end();
}

function listen(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
}
