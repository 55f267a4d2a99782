import { isSignedBy, publicKeyOf, signBytes } from '../platform/ed25519.ts';
import { sha256 } from '../platform/hash.ts';

/** A signed text in the form of DSSE, which other tools can check. */
interface Envelope {
  readonly payloadType: typeof TYPE;
  readonly payload: string;
  readonly signatures: readonly { readonly keyid: string; readonly sig: string }[];
}

const TYPE = 'application/vnd.fairlead.policy+json';
const MAX_SIGNATURES = 16;

/** Short enough to say aloud; names a key and proves nothing. */
export function keyIdOf(key: string): string {
  return sha256(key).slice(0, 12);
}

export function wrap(payload: Uint8Array): string {
  return write({ payloadType: TYPE, payload: Buffer.from(payload).toString('base64'), signatures: [] });
}

/** Adds a signature; one by the same key takes the place of the one before. */
export function sign(text: string, secret: string): string {
  const envelope = read(text);
  const keyid = keyIdOf(publicKeyOf(secret));
  const sig = signBytes(secret, signedBytes(envelope));
  return write({
    ...envelope,
    signatures: [...envelope.signatures.filter((one) => one.keyid !== keyid), { keyid, sig }],
  });
}

export interface Opened {
  readonly payload: Uint8Array;
  /** Of the bytes that were signed. */
  readonly digest: string;
  /** The keys of those given that have signed it. */
  readonly by: readonly string[];
}

/** What the envelope holds and who of these signed it. Throws what is wrong with it, as a sentence goes on after its name. */
export function open(text: string, keys: readonly string[]): Opened {
  const envelope = read(text);
  const bytes = signedBytes(envelope);
  const by = keys.filter((key) => envelope.signatures.some(({ sig }) => isSignedBy(key, bytes, sig)));
  return { payload: Buffer.from(envelope.payload, 'base64'), digest: sha256(bytes), by };
}

function read(text: string): Envelope {
  let found: unknown;
  try {
    found = JSON.parse(text);
  } catch {
    throw new Error('is no JSON');
  }
  const { payloadType, payload, signatures } = (found ?? {}) as Partial<Record<keyof Envelope, unknown>>;
  if (payloadType !== TYPE || typeof payload !== 'string' || !Array.isArray(signatures))
    throw new Error('is no policy');
  if (signatures.length > MAX_SIGNATURES) throw new Error(`has more than ${MAX_SIGNATURES} signatures`);
  const kept = signatures.filter(
    (one: unknown): one is Envelope['signatures'][number] =>
      typeof (one as { sig?: unknown } | null)?.sig === 'string' &&
      typeof (one as { keyid?: unknown }).keyid === 'string',
  );
  return { payloadType: TYPE, payload, signatures: kept };
}

/** What DSSE has signed: the type and the payload, each with its length before it. */
function signedBytes({ payloadType, payload }: Envelope): Uint8Array {
  const body = Buffer.from(payload, 'base64');
  const head = `DSSEv1 ${Buffer.byteLength(payloadType)} ${payloadType} ${body.length} `;
  return Buffer.concat([Buffer.from(head), body]);
}

function write(envelope: Envelope): string {
  return `${JSON.stringify(envelope, undefined, 1)}\n`;
}
