import { promisify } from 'node:util';
import { gzip } from 'node:zlib';

/** Beside this thread. */
export const compress: (bytes: Uint8Array) => Promise<Uint8Array> = promisify(gzip);
