const ROUNDS = 64;
const BLOCK = 64;

const FIRST_PRIMES = primes(ROUNDS);
/** The first 32 bits behind the point of roots of the first primes, as the standard wants them. */
const START = FIRST_PRIMES.slice(0, 8).map((prime) => fraction(Math.sqrt(prime)));
const CONSTANTS = FIRST_PRIMES.map((prime) => fraction(Math.cbrt(prime)));

/**
 * SHA-256 of a text, as hex. Unlike a `stamp`, no other text can be made to fit it, so that what a person allowed is
 * what runs. Written out because this part of the engine loads nothing from its runtime.
 */
export function seal(text: string): string {
  const bytes = padded(new TextEncoder().encode(text));
  const view = new DataView(bytes.buffer);
  const state = Uint32Array.from(START);
  const words = new Uint32Array(ROUNDS);
  for (let at = 0; at < bytes.length; at += BLOCK) digest(view, at, words, state);
  return [...state].map((word) => word.toString(16).padStart(8, '0')).join('');
}

function padded(text: Uint8Array): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(Math.ceil((text.length + 9) / BLOCK) * BLOCK);
  bytes.set(text);
  bytes[text.length] = 0x80;
  new DataView(bytes.buffer).setBigUint64(bytes.length - 8, BigInt(text.length) * 8n);
  return bytes;
}

function digest(view: DataView, at: number, words: Uint32Array, state: Uint32Array): void {
  for (let round = 0; round < 16; round += 1) words[round] = view.getUint32(at + round * 4);
  for (let round = 16; round < ROUNDS; round += 1) {
    const near = words[round - 2] as number;
    const far = words[round - 15] as number;
    const low = turn(far, 7) ^ turn(far, 18) ^ (far >>> 3);
    const high = turn(near, 17) ^ turn(near, 19) ^ (near >>> 10);
    words[round] = (words[round - 16] as number) + low + (words[round - 7] as number) + high;
  }
  let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = state;
  for (let round = 0; round < ROUNDS; round += 1) {
    const choice = (e & f) ^ (~e & g);
    const majority = (a & b) ^ (a & c) ^ (b & c);
    const first =
      h + (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) + choice + (CONSTANTS[round] ?? 0) + (words[round] as number);
    const second = (turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) + majority;
    h = g;
    g = f;
    f = e;
    e = (d + first) | 0;
    d = c;
    c = b;
    b = a;
    a = (first + second) | 0;
  }
  for (const [index, value] of [a, b, c, d, e, f, g, h].entries()) state[index] = (state[index] ?? 0) + value;
}

function turn(value: number, by: number): number {
  return (value >>> by) | (value << (32 - by));
}

function primes(count: number): number[] {
  const found: number[] = [];
  for (let next = 2; found.length < count; next += 1) if (found.every((prime) => next % prime !== 0)) found.push(next);
  return found;
}

function fraction(root: number): number {
  return ((root - Math.floor(root)) * 2 ** 32) >>> 0;
}
