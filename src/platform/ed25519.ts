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

/** Signs many texts with one key, beside this thread. */
export function createSigner(secret: string): (text: string) => Promise<string> {
  const key = crypto().createPrivateKey(secret);
  return (text) =>
    new Promise((resolve, reject) => {
      crypto().sign(null, Buffer.from(text), key, (error, signature) =>
        error ? reject(error) : resolve(signature.toString('base64')),
      );
    });
}

export function isSignedBy(key: string, bytes: Uint8Array, signature: string): boolean {
  try {
    const made = keyObjectOf(key);
    return made !== undefined && crypto().verify(null, bytes, made, Buffer.from(signature, 'base64'));
  } catch {
    return false;
  }
}

function keyObjectOf(key: string): Crypto.KeyObject | undefined {
  const raw = PUBLIC.exec(key)?.[1];
  if (raw === undefined) return undefined;
  const jwk = { kty: 'OKP', crv: 'Ed25519', x: Buffer.from(raw, 'base64').toString('base64url') };
  return crypto().createPublicKey({ key: jwk, format: 'jwk' });
}

/** Checks many texts against few keys, beside this thread. A signature that is written in another way than `signBytes` has it is none. */
export function createVerifier(): (key: string, text: string, signature: string) => Promise<boolean> {
  const made = new Map<string, Crypto.KeyObject | undefined>();
  const keyOf = (key: string) => {
    if (!made.has(key)) made.set(key, keyObjectOf(key));
    return made.get(key);
  };
  return (key, text, signature) => {
    const bytes = Buffer.from(signature, 'base64');
    const object = keyOf(key);
    if (!object || bytes.toString('base64') !== signature) return Promise.resolve(false);
    return new Promise((resolve) => {
      crypto().verify(null, Buffer.from(text), object, bytes, (error, isGood) => resolve(!error && isGood));
    });
  };
}
