import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';

export interface HttpListener {
  /** The one that the system chose, where 0 was asked for. */
  readonly port: number;
  /** Takes no new request; those under way are answered. Resolves when the last connection is closed. */
  close(): Promise<void>;
}

/** For ever: agents keep a connection for a whole session, and one that is closed under them costs them an answer. */
const KEEP_ALIVE_MS = 0;
const REQUEST_MS = 15_000;
const CLOSING_MS = 20;

/** `isLast`: the door is closing, so this connection should carry no further request. */
export type RequestHandler = (request: IncomingMessage, response: ServerResponse, isLast: () => boolean) => void;

/** Loopback only. Rejects when the port is taken. */
export async function listenHttp(port: number, onRequest: RequestHandler): Promise<HttpListener> {
  let isClosing = false;
  const server = createServer(
    { keepAliveTimeout: KEEP_ALIVE_MS, requestTimeout: REQUEST_MS, noDelay: true },
    (request, response) => onRequest(request, response, () => isClosing),
  );
  server.on('clientError', (_error, socket) => socket.destroy());
  await new Promise<void>((resolve, reject) => {
    // Stays: later it is told of connections that could not be accepted, which ends none of the others.
    server.on('error', reject);
    server.listen({ port, host: '127.0.0.1', backlog: 511, exclusive: true }, resolve);
  });
  const address = server.address();
  return {
    port: typeof address === 'object' && address !== null ? address.port : port,
    close() {
      isClosing = true;
      // A connection that is busy now would go on for ever, with the token of then: it is closed once it is idle.
      const again = setInterval(() => server.closeIdleConnections(), CLOSING_MS).unref();
      return new Promise((resolve) => {
        server.close(() => {
          clearInterval(again);
          resolve();
        });
        server.closeIdleConnections();
      });
    },
  };
}
