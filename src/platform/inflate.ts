/** What zlib packed, at most `max` bytes of it; what comes behind it is left alone. Throws for anything else. */
export function inflate(bytes: Uint8Array, max: number): Uint8Array {
  const { constants, inflateSync } = process.getBuiltinModule('node:zlib');
  return inflateSync(bytes, { maxOutputLength: Math.max(1, max), finishFlush: constants.Z_SYNC_FLUSH });
}
