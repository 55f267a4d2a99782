import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

/** A text that only the key opens, as it is stored: the parts in base64. */
export interface Encrypted {
  readonly v: 1;
  readonly iv: string;
  readonly tag: string;
  readonly ct: string;
}

const ALGORITHM = 'aes-256-gcm';
const IV_BYTES = 12;
const TAG_BYTES = 16;

export function encrypt(text: string, key: Uint8Array): Encrypted {
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv(ALGORITHM, key, iv, { authTagLength: TAG_BYTES });
  const ct = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return { v: 1, iv: iv.toString('base64'), tag: cipher.getAuthTag().toString('base64'), ct: ct.toString('base64') };
}

/** Undefined when the key is another one, or a byte was changed. */
export function decrypt({ iv, tag, ct }: Encrypted, key: Uint8Array): string | undefined {
  try {
    const decipher = createDecipheriv(ALGORITHM, key, Buffer.from(iv, 'base64'), { authTagLength: TAG_BYTES });
    decipher.setAuthTag(Buffer.from(tag, 'base64'));
    return decipher.update(ct, 'base64', 'utf8') + decipher.final('utf8');
  } catch {
    return undefined;
  }
}
