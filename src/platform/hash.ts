/** Loaded with the first hash: most starts need none, and loading it takes longer than an event. */
export function sha256(bytes: string | Uint8Array): string {
  return process.getBuiltinModule('node:crypto').hash('sha256', bytes, 'hex');
}
