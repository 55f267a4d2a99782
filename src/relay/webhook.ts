import { decrypt, encrypt } from '../platform/cipher.ts';
import type { Encrypted } from '../platform/cipher.ts';
import { canonicalPath } from '../platform/files.ts';
import type { Files } from '../platform/files.ts';
import { createKey, oldKeyOf, readKey } from '../platform/key-file.ts';
import { contains, isAbsolute, join } from '../platform/paths.ts';
import { isLoopback } from '../platform/loopback.ts';
import { OTHER_PROGRAM, RELAY_DIR } from './settings.ts';

/** Where a project's webhook and its key are looked for. */
export interface WebhookLocation {
  readonly files: Files;
  readonly root: string;
  readonly config: string;
  readonly userHome: string;
  /** As the settings have it. */
  readonly keyPath?: string;
}

export type Webhook =
  | { readonly state: 'absent' }
  | { readonly state: 'ready'; readonly url: URL }
  | { readonly state: 'broken'; readonly problem: string };

const MAX_BYTES = 16 * 1024;
const DAY_MS = 86_400_000;

export function webhookFile(root: string): string {
  return join(root, RELAY_DIR, '.notify.enc');
}

/** Throws where no key may lie: what is in the project gets into its repository, and beside it goes what it opens. */
export function keyFileOf({ files, root, config, userHome, keyPath }: WebhookLocation): string {
  const named = keyPath?.startsWith('~/') === true ? join(userHome, keyPath.slice(2)) : keyPath;
  const path = named ?? join(config, 'notify.key');
  if (!isAbsolute(path)) throw new Error(`notify.key_path is "${path}"; it has to be absolute or begin with ~/`);
  if (contains(root, canonicalPath(files, path)))
    throw new Error(`the key ${path} lies in the project; notify.key_path has to name a place outside of it`);
  return path;
}

/** Read anew for every record, so that a new address counts at once and none is kept in memory. */
export function readWebhook(location: WebhookLocation): Webhook {
  const file = webhookFile(location.root);
  const text = location.files.readText(file, MAX_BYTES);
  if (text === undefined) return { state: 'absent' };
  try {
    return { state: 'ready', url: parseWebhookUrl(open(text, file, location)) };
  } catch (error) {
    return { state: 'broken', problem: (error as Error).message };
  }
}

/** Makes a key if there is none yet. Says where it put what another program had stored there, if it did. */
export function writeWebhook(location: WebhookLocation, url: URL): string | undefined {
  const path = keyFileOf(location);
  if (readKey(path) === undefined) createKey(path);
  const key = requireKey(location);
  const aside = putAside(location);
  storeWebhook(location, url, key);
  return aside;
}

export function storeWebhook(location: WebhookLocation, url: URL, key: Uint8Array): void {
  const file = requireInside(location, webhookFile(location.root));
  location.files.writeAtomic(file, `${JSON.stringify(encrypt(url.href, key))}\n`, 0o600);
}

/** The program from which the pack borrows keeps its address under the same name, in a form that it alone reads; it is the only copy. */
function putAside(location: WebhookLocation): string | undefined {
  const { files, root } = location;
  const file = requireInside(location, webhookFile(root));
  const bytes = files.readBytes(file);
  if (!bytes || bytes.length === 0 || isEncrypted(new TextDecoder().decode(bytes))) return undefined;
  const aside = requireInside(location, `${file}.${OTHER_PROGRAM}`);
  files.writeAtomic(aside, bytes, 0o600);
  return aside;
}

function requireInside({ files, root }: WebhookLocation, file: string): string {
  if (!contains(root, canonicalPath(files, file))) throw new Error(`${file} leads out of the project`);
  return file;
}

/** Encrypted on the way too, unless the way does not leave the machine. */
export function parseWebhookUrl(text: string): URL {
  let url: URL;
  try {
    url = new URL(text.trim());
  } catch {
    throw new Error('that is not a URL');
  }
  if (url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url.hostname))) return url;
  throw new Error('a webhook needs an https URL; http is for this machine alone');
}

/** Whole days; undefined when there is no key to speak of. */
export function keyAgeDays(location: WebhookLocation, now: number): number | undefined {
  try {
    const reading = readKey(keyFileOf(location));
    return reading && 'madeAt' in reading ? Math.max(0, Math.floor((now - reading.madeAt) / DAY_MS)) : undefined;
  } catch {
    return undefined;
  }
}

export function requireKey(location: WebhookLocation): Uint8Array {
  const path = keyFileOf(location);
  const reading = readKey(path);
  if (!reading) throw new Error(`the key ${path} is missing; \`fairlead notify setup\` makes one`);
  if ('problem' in reading) throw new Error(reading.problem);
  return reading.key;
}

function open(text: string, file: string, location: WebhookLocation): string {
  const key = requireKey(location);
  const stored = isEncrypted(text) ? (JSON.parse(text) as Encrypted) : undefined;
  const url = stored && (decrypt(stored, key) ?? openWithOld(stored, location));
  if (url === undefined)
    throw new Error(`${file} cannot be opened with the key of this machine; \`fairlead notify setup\` writes it anew`);
  return url;
}

/** A rotation that was cut short has left addresses under the key before. */
function openWithOld(stored: Encrypted, location: WebhookLocation): string | undefined {
  const old = readKey(oldKeyOf(keyFileOf(location)));
  return old && 'key' in old ? decrypt(stored, old.key) : undefined;
}

function isEncrypted(text: string): boolean {
  try {
    const stored = JSON.parse(text) as Partial<Encrypted> | null;
    return stored?.v === 1 && [stored.iv, stored.tag, stored.ct].every((part) => typeof part === 'string');
  } catch {
    return false;
  }
}
