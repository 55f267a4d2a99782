import { connect, createServer } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';

/** Stands between a machine and its server, and does to their connection what networks do. */
export interface Proxy {
  readonly port: number;
  /** Both ways, for all that passes from now on. */
  delayMs: number;
  /** Ends all connections, and new ones at once. */
  cut(isCut: boolean): void;
  close(): void;
}

export async function startProxy(target: number): Promise<Proxy> {
  const sockets = new Set<Socket>();
  let isCut = false;
  const state = { delayMs: 0 };
  const pass = (from: Socket, to: Socket) => {
    sockets.add(from);
    from.on('data', (bytes) => {
      if (state.delayMs === 0) to.write(bytes);
      else setTimeout(() => to.write(bytes), state.delayMs);
    });
    from.on('error', () => {});
    from.on('close', () => {
      sockets.delete(from);
      to.destroy();
    });
  };
  const server = createServer((client) => {
    if (isCut) return void client.destroy();
    const behind = connect(target, '127.0.0.1');
    pass(client, behind);
    pass(behind, client);
  });
  const end = () => sockets.forEach((socket) => socket.destroy());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return Object.assign(state, {
    port: (server.address() as AddressInfo).port,
    cut(now: boolean) {
      isCut = now;
      if (now) end();
    },
    close() {
      end();
      server.close();
    },
  });
}
