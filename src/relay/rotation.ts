import { dropOldKey, hasOldKey, oldKeyOf, replaceKey } from '../platform/key-file.ts';
import { readWebhook, requireKey, storeWebhook } from './webhook.ts';
import type { WebhookPlace } from './webhook.ts';

/** What became of the addresses of a key, by the root of their project. */
export interface Rotation {
  readonly encrypted: readonly string[];
  /** Could not be written, and is opened by the old key, which is therefore kept. */
  readonly kept: readonly string[];
  /** Could not be opened before either. */
  readonly lost: readonly string[];
}

/** All that use one key. */
type Places = readonly [WebhookPlace, ...WebhookPlace[]];

/** At each moment every address opens with the key or with the one before it. */
export function rotateKey(path: string, places: Places): Rotation {
  const kept = hasOldKey(path) ? finishRotation(path, places).kept : [];
  if (kept.length > 0)
    throw new Error(
      `the address of ${kept.join(', ')} cannot be written, and needs the key that lies at ${oldKeyOf(path)}`,
    );
  return encryptAll(path, places, replaceKey(path));
}

/** Does what a rotation that was cut short had left to do. */
export function finishRotation(path: string, places: Places): Rotation {
  return encryptAll(path, places, requireKey(places[0]));
}

function encryptAll(path: string, places: Places, key: Uint8Array): Rotation {
  const [encrypted, kept, lost]: [string[], string[], string[]] = [[], [], []];
  for (const place of places) {
    const webhook = readWebhook(place);
    if (webhook.state === 'absent') continue;
    const list =
      webhook.state === 'broken' ? lost : succeeds(() => storeWebhook(place, webhook.url, key)) ? encrypted : kept;
    list.push(place.root);
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
