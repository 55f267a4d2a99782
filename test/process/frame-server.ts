import { chmodSync, mkdirSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import type { Socket } from 'node:net';
import { dirname } from 'node:path';
import { decodeRequest, encodeReply, requestLength } from '../../src/transport/frame.ts';
import type { Request } from '../../src/transport/frame.ts';
import { MAX_BODY_BYTES } from '../../src/transport/limits.ts';

/** What is written back before the connection ends; a text is a reply with exit code 0; undefined never answers. */
type Answer = Uint8Array | string | undefined;

export interface FrameServer {
  readonly requests: readonly Request[];
  /** The same requests as they came. */
  readonly frames: readonly Uint8Array[];
  close(): Promise<void>;
}

export function replyOf(text: string | Uint8Array, exitCode = 0): Uint8Array {
  return encodeReply({ outcome: 'answered', exitCode, stdout: Buffer.from(text) });
}

export const ASIDE = encodeReply({ outcome: 'aside', exitCode: 0, stdout: new Uint8Array() });

/** The daemon's side of a conversation, with the answers of a test. */
export async function serveFrames(
  path: string,
  answer: (request: Request, tell: (bytes: Uint8Array) => void) => Answer | Promise<Answer>,
): Promise<FrameServer> {
  const requests: Request[] = [];
  const frames: Uint8Array[] = [];
  const open = new Set<Socket>();
  const server = createServer((socket) => {
    open.add(socket);
    const chunks: Uint8Array[] = [];
    let have = 0;
    let need = Infinity;
    socket.on('error', () => socket.destroy());
    socket.on('close', () => open.delete(socket));
    socket.on('data', (chunk) => {
      chunks.push(chunk);
      have += chunk.length;
      if (need === Infinity) need = requestLength(Buffer.concat(chunks), MAX_BODY_BYTES) ?? Infinity;
      if (have < need) return;
      const frame = Buffer.concat(chunks);
      const request = decodeRequest(frame);
      frames.push(frame);
      requests.push(request);
      void Promise.resolve(answer(request, (told) => socket.write(told))).then((bytes) => {
        if (bytes !== undefined) socket.end(typeof bytes === 'string' ? replyOf(bytes) : bytes);
        return bytes;
      });
    });
  });
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  rmSync(path, { force: true });
  await new Promise<void>((resolve, reject) => {
    server.on('error', reject);
    server.listen(path, resolve);
  });
  chmodSync(path, 0o600);
  return {
    requests,
    frames,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of open) socket.destroy();
      }),
  };
}
