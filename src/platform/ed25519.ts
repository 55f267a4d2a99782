import type * as Crypto from 'node:crypto';

const crypto = (): typeof Crypto => process.getBuiltinModule('node:crypto');

/** How a public key is written: its name and its 32 bytes in base64. */
const PUBLIC = /^ed25519:([A-Za-z0-9+/]{43}=)$/;

export interface KeyPair {
  /** PEM, as openssl writes it. */
  readonly secret: string;
  readonly public: string;
}

export function createKeyPair(): KeyPair {
  const { privateKey, publicKey } = crypto().generateKeyPairSync('ed25519');
  return {
    secret: privateKey.export({ type: 'pkcs8', format: 'pem' }) as string,
    public: textOf(publicKey),
  };
}

/** The public key of a secret one; throws where that is no Ed25519 key. */
export function publicKeyOf(secret: string): string {
  const key = crypto().createPublicKey(secret);
  if (key.asymmetricKeyType !== 'ed25519') throw new Error('it is no Ed25519 key');
  return textOf(key);
}

function textOf(key: Crypto.KeyObject): string {
  const { x = '' } = key.export({ format: 'jwk' });
  return `ed25519:${Buffer.from(x, 'base64url').toString('base64')}`;
}

export function isPublicKey(text: string): boolean {
  return PUBLIC.test(text);
}

export function signBytes(secret: string, bytes: Uint8Array): string {
  return crypto().sign(null, bytes, secret).toString('base64');
}

export function isSignedBy(key: string, bytes: Uint8Array, signature: string): boolean {
  const raw = PUBLIC.exec(key)?.[1];
  if (raw === undefined) return false;
  const jwk = { kty: 'OKP', crv: 'Ed25519', x: Buffer.from(raw, 'base64').toString('base64url') };
  try {
    const made = crypto().createPublicKey({ key: jwk, format: 'jwk' });
    return crypto().verify(null, bytes, made, Buffer.from(signature, 'base64'));
  } catch {
    return false;
  }
}
