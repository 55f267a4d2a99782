import { dropOldKey, hasOldKey, oldKeyOf, replaceKey } from '../platform/key-file.ts';
import { readWebhook, requireKey, storeWebhook } from './webhook.ts';
import type { WebhookLocation } from './webhook.ts';

/** What became of the addresses of a key, by the root of their project. */
export interface Rotation {
  readonly encrypted: readonly string[];
  /** Could not be written, and is opened by the old key, which is therefore kept. */
  readonly kept: readonly string[];
  /** Could not be opened before either. */
  readonly lost: readonly string[];
}

/** All that use one key. */
type Locations = readonly [WebhookLocation, ...WebhookLocation[]];

/** At each moment every address opens with the key or with the one before it. */
export function rotateKey(path: string, locations: Locations): Rotation {
  const kept = hasOldKey(path) ? finishRotation(path, locations).kept : [];
  if (kept.length > 0)
    throw new Error(
      `the address of ${kept.join(', ')} cannot be written, and needs the key that lies at ${oldKeyOf(path)}`,
    );
  return encryptAll(path, locations, replaceKey(path));
}

/** Does what a rotation that was cut short had left to do. */
export function finishRotation(path: string, locations: Locations): Rotation {
  return encryptAll(path, locations, requireKey(locations[0]));
}

function encryptAll(path: string, locations: Locations, key: Uint8Array): Rotation {
  const [encrypted, kept, lost]: [string[], string[], string[]] = [[], [], []];
  for (const location of locations) {
    const webhook = readWebhook(location);
    if (webhook.state === 'absent') continue;
    const list =
      webhook.state === 'broken' ? lost : succeeds(() => storeWebhook(location, webhook.url, key)) ? encrypted : kept;
    list.push(location.root);
  }
  if (kept.length === 0) dropOldKey(path);
  return { encrypted, kept, lost };
}

function succeeds(work: () => void): boolean {
  try {
    work();
    return true;
  } catch {
    return false;
  }
}
