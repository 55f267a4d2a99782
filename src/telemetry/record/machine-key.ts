import { createKeyPair, createSigner, publicKeyOf, signBytes } from '../../platform/ed25519.ts';
import type { Files } from '../../platform/files.ts';
import { join } from '../../platform/paths.ts';
import { readPrivateText } from '../../platform/private-text.ts';
import { handoverText } from './chain.ts';

/** A key that took the place of another, as that one signed it. */
export interface Handover {
  readonly before: string;
  readonly signature: string;
}

export interface MachineKey {
  readonly public: string;
  readonly handover?: Handover;
  /** Beside this thread. */
  sign(text: string): Promise<string>;
}

const KEY_MODE = 0o600;
const MOST_BYTES = 4_096;

/** A machine that begins anew has a new id, and so a key of its own. */
export const keyPath = (state: string, machine: string): string => join(state, 'record', `${machine}.key`);

/** The key that a machine signs its record with, or why it is not used; made once. */
export function openMachineKey(path: string, files: Files): MachineKey | { readonly problem: string } {
  if (files.lstat(path) === undefined) {
    files.makeDir(join(path, '..'), 0o700);
    // Another engine may be making it.
    files.replace(path, createKeyPair().secret, undefined);
  }
  const read = readPrivateText(path, MOST_BYTES);
  if ('problem' in read) return read;
  const { secret, handover } = partsOf(read.text);
  try {
    return { public: publicKeyOf(secret), ...(handover && { handover }), sign: createSigner(secret) };
  } catch {
    return { problem: `${path} holds no key` };
  }
}

/** Undefined where there is none yet. */
export function readMachineKey(path: string, files: Files): MachineKey | { readonly problem: string } | undefined {
  return files.lstat(path) === undefined ? undefined : openMachineKey(path, files);
}

const BEFORE = /^before: (ed25519:\S+) (\S+)$/m;

/** The secret key, and above it who vouches for it. */
function partsOf(text: string): { readonly secret: string; readonly handover?: Handover } {
  const [, before, signature] = BEFORE.exec(text) ?? [];
  const secret = text.slice(Math.max(0, text.indexOf('-----BEGIN')));
  return { secret, ...(before !== undefined && signature !== undefined && { handover: { before, signature } }) };
}

/** Puts a new key in the place of the one before, which signs it. Returns the new one. */
export function replaceMachineKey(path: string, files: Files): string {
  const read = readPrivateText(path, MOST_BYTES);
  if ('problem' in read) throw new Error(read.problem);
  const { secret } = partsOf(read.text);
  const next = createKeyPair();
  const signature = signBytes(secret, new TextEncoder().encode(handoverText(next.public)));
  files.writeAtomic(path, `before: ${publicKeyOf(secret)} ${signature}\n${next.secret}`, KEY_MODE);
  return next.public;
}
