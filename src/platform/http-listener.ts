import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';

export interface HttpListener {
  /** Takes no new request; those under way are answered. */
  close(): void;
}

/** For ever: agents keep a connection for a whole session, and one that is closed under them costs them an answer. */
const KEEP_ALIVE_MS = 0;
const REQUEST_MS = 15_000;
const CLOSING_MS = 20;

/** Loopback only. Rejects when the port is taken. */
export async function listenHttp(
  port: number,
  onRequest: (request: IncomingMessage, response: ServerResponse) => void,
): Promise<HttpListener> {
  const server = createServer(
    { keepAliveTimeout: KEEP_ALIVE_MS, requestTimeout: REQUEST_MS, noDelay: true },
    onRequest,
  );
  server.on('clientError', (_error, socket) => socket.destroy());
  await new Promise<void>((resolve, reject) => {
    // Stays: later it is told of connections that could not be accepted, which ends none of the others.
    server.on('error', reject);
    server.listen({ port, host: '127.0.0.1', backlog: 511, exclusive: true }, resolve);
  });
  return {
    close() {
      // A connection that is busy now would go on for ever, with the token of then: it is closed once it is idle.
      const again = setInterval(() => server.closeIdleConnections(), CLOSING_MS).unref();
      server.close(() => clearInterval(again));
      server.closeIdleConnections();
    },
  };
}
