/** Loaded with the first hash: most starts need none, and loading it takes longer than an event. */
export function sha256(bytes: string | Uint8Array): string {
  return process.getBuiltinModule('node:crypto').hash('sha256', bytes, 'hex');
}

/** The name of an object in a repository of git; proves nothing. */
export function sha1(...parts: readonly (string | Uint8Array)[]): string {
  const hash = process.getBuiltinModule('node:crypto').createHash('sha1');
  for (const part of parts) hash.update(part);
  return hash.digest('hex');
}
