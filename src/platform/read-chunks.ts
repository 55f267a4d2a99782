import { createReadStream } from 'node:fs';
import { createGunzip } from 'node:zlib';

const GZIP = [0x1f, 0x8b];
const ZSTD = [0x28, 0xb5, 0x2f, 0xfd];

const beginsWith = (bytes: Uint8Array, magic: readonly number[]) => magic.every((byte, at) => bytes[at] === byte);

/** The bytes of a file, out of gzip where it is that. Throws where it cannot be read, or where it ends before it should. */
export async function* readChunks(path: string): AsyncGenerator<Uint8Array> {
  const file = createReadStream(path);
  const [first, chunks] = await peek(file);
  if (beginsWith(first, ZSTD)) throw new Error('is compressed with zstd; `zstd -d` unpacks it');
  if (!beginsWith(first, GZIP)) return yield* chunks;
  const unpacked = createGunzip();
  void (async () => {
    try {
      for await (const chunk of chunks)
        if (!unpacked.write(chunk)) await new Promise((resolve) => unpacked.once('drain', resolve));
      unpacked.end();
    } catch (error) {
      unpacked.destroy(error as Error);
    }
  })();
  yield* unpacked as AsyncIterable<Uint8Array>;
}

async function peek(file: AsyncIterable<unknown>): Promise<readonly [Uint8Array, AsyncGenerator<Uint8Array>]> {
  const rest = file[Symbol.asyncIterator]() as AsyncIterator<Uint8Array>;
  const first = await rest.next();
  async function* all(): AsyncGenerator<Uint8Array> {
    for (let next = first; next.done !== true; next = await rest.next()) yield next.value;
  }
  return [first.done === true ? new Uint8Array() : first.value, all()];
}
