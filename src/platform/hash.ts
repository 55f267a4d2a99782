import type * as Crypto from 'node:crypto';

/** Loaded with the first hash: most starts need none, and loading it takes longer than an event. */
let loaded: typeof Crypto | undefined;
const crypto = () => (loaded ??= process.getBuiltinModule('node:crypto'));

export function sha256(bytes: string | Uint8Array): string {
  return crypto().hash('sha256', bytes, 'hex');
}

/** The name of an object in a repository of git; proves nothing. */
export function sha1(...parts: readonly (string | Uint8Array)[]): string {
  const hash = crypto().createHash('sha1');
  for (const part of parts) hash.update(part);
  return hash.digest('hex');
}
