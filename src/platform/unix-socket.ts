import { chmodSync, lstatSync, renameSync, rmSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import type { Socket } from 'node:net';
import { dirname, join } from 'node:path';
import { isOurs } from './private-dir.ts';

export interface Listener {
  /** Whether the path still leads here. */
  reachable(): boolean;
  /** Takes no new connection; those that are open go on. */
  close(): void;
}

/**
 * Listens under a name of its own first and then renames it: clients meet the old socket or the new one, and whatever
 * Node removes when this process ends is not the socket of the next one.
 */
export async function listenUnix(path: string, onConnection: (socket: Socket) => void): Promise<Listener> {
  const made = join(dirname(path), `s${process.pid}`);
  rmSync(made, { force: true });
  const server = createServer(onConnection);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen({ path: made, backlog: 511 }, resolve);
  });
  // A connection that could not be accepted is that caller's misfortune; it falls back.
  server.on('error', () => {});
  chmodSync(made, 0o600);
  renameSync(made, path);
  const own = inode(path);
  const reachable = () => own !== undefined && inode(path) === own;
  return {
    reachable,
    close() {
      if (reachable()) rmSync(path, { force: true });
      server.close();
    },
  };
}

function inode(path: string): number | undefined {
  return lstatSync(path, { throwIfNoEntry: false })?.ino;
}

/** Whether somebody listens, however busy. */
export function accepts(path: string): Promise<boolean> {
  if (!isOurs(dirname(path))) return Promise.resolve(false);
  return new Promise((resolve) => {
    const socket = connect({ path }, () => {
      resolve(true);
      socket.destroy();
    });
    // More callers are in line than the system lets wait.
    socket.on('error', (error: NodeJS.ErrnoException) => resolve(error.code === 'EAGAIN'));
  });
}

/** Sends bytes and resolves to all that comes back; undefined when nobody of ours listens, or says nothing for so long. */
export function exchange(path: string, bytes: Uint8Array, withinMs: number): Promise<Uint8Array | undefined> {
  if (!isOurs(dirname(path))) return Promise.resolve(undefined);
  return new Promise((resolve) => {
    const chunks: Uint8Array[] = [];
    const socket = connect({ path });
    const timer = setTimeout(() => {
      resolve(undefined);
      socket.destroy();
    }, withinMs);
    const finish = (result: Uint8Array | undefined) => {
      clearTimeout(timer);
      resolve(result);
    };
    socket.on('error', () => finish(undefined));
    socket.on('data', (chunk) => {
      chunks.push(chunk);
      timer.refresh();
    });
    socket.on('close', () => finish(chunks.length === 0 ? undefined : Buffer.concat(chunks)));
    socket.write(bytes);
  });
}
