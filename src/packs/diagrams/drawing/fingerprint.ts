/**
 * A hash of 53 bits, made of two halves that mix differently. Thousands of lines of a session are compared by it, which
 * 32 bits would confuse now and then; it is no seal.
 */
export function fingerprint(text: string): string {
  let low = 0x811c9dc5;
  let high = 0x9e3779b9 ^ text.length;
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    low = Math.imul(low ^ unit, 0x01000193);
    high = Math.imul((high ^ unit) + (high >>> 15), 0x85ebca6b);
  }
  return `${(mix(high ^ low) >>> 11) * 0x1_0000_0000 + mix(low)}`;
}

/** Spreads each bit over the whole number. */
function mix(hash: number): number {
  let mixed = Math.imul(hash ^ (hash >>> 16), 0x7feb352d);
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0x846ca68b);
  return (mixed ^ (mixed >>> 16)) >>> 0;
}
