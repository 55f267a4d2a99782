import { createKeyPair } from '../platform/ed25519.ts';
import type { KeyPair } from '../platform/ed25519.ts';
import type { Bundle } from './bundle.ts';
import { sign, wrap } from './envelope.ts';

export const KEYS: KeyPair = createKeyPair();

export const bundle = (more: Partial<Bundle> = {}): Bundle => ({
  name: 'acme',
  version: 1,
  expires: '2100-01-01',
  weakening: 'refuse',
  rings: [{ stage: 'enforce' }],
  files: {},
  ...more,
});

/** A policy as machines get it. */
export function signed(more: Partial<Bundle> = {}, ...keys: readonly KeyPair[]): string {
  const envelope = wrap(new TextEncoder().encode(JSON.stringify(bundle(more))));
  return (keys.length > 0 ? keys : [KEYS]).reduce((text, { secret }) => sign(text, secret), envelope);
}
