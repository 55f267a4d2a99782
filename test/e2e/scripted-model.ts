import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Stands in for a model's service, on the loopback interface. */
export interface ScriptedModel {
  readonly url: string;
  close(): void;
}

/** `answer` gets the path and the body of each request. */
export async function startScripted(
  answer: (path: string, body: string, response: ServerResponse) => unknown,
): Promise<ScriptedModel> {
  async function reply(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { pathname } = new URL(request.url ?? '/', 'http://model');
    await answer(pathname, Buffer.concat(chunks).toString('utf8'), response);
  }
  const server = createServer((request, response) => {
    reply(request, response).catch((error: unknown) => response.writeHead(500).end(String(error)));
  });
  await new Promise<void>((done) => {
    server.listen(0, '127.0.0.1', done);
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}
