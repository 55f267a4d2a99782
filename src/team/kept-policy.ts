import type { Files } from '../platform/files.ts';
import { dirname } from '../platform/paths.ts';
import { parseBundle } from './bundle.ts';
import type { Bundle } from './bundle.ts';
import { open } from './envelope.ts';
import { readSeen, refuseOlder, sawToo, writeSeen } from './seen.ts';
import { keptPath } from './place.ts';
import type { TeamSettings } from './place.ts';

export interface KeptPolicy {
  readonly bundle: Bundle;
  /** Of what was signed; tells two bundles of one version apart. */
  readonly digest: string;
  /** The text as it was signed. */
  readonly envelope: string;
  /** Those before it that brought other keys, in their order: each is signed by the keys before it. */
  readonly rotations: readonly string[];
  /** The keys that count for the next one. */
  readonly keys: readonly string[];
  readonly machine: string;
  readonly acceptedAt: number;
}

interface Stored extends Pick<KeptPolicy, 'envelope' | 'rotations' | 'machine' | 'acceptedAt'> {
  readonly format: 1;
}

const MAX_BYTES = 8 * 1024 * 1024;

/** The policy that was accepted last; undefined where there is none. Throws where what is kept is not what was signed. */
export function readKept(dir: string, { keys: pinned }: TeamSettings, files: Files): KeptPolicy | undefined {
  const text = files.readText(keptPath(dir), MAX_BYTES);
  if (text === undefined) return undefined;
  const { envelope, rotations, machine, acceptedAt } = storedIn(text);
  const keys = rotations.reduce((before, rotation) => keysAfter(openedBy(rotation, before), before), pinned);
  const { bundle, digest } = openedBy(envelope, keys);
  return { bundle, digest, envelope, rotations, keys: keysAfter({ bundle }, keys), machine, acceptedAt };
}

function storedIn(text: string): Stored {
  let found: Partial<Stored> | null;
  try {
    found = JSON.parse(text) as Partial<Stored> | null;
  } catch {
    throw new Error('is damaged');
  }
  const { format, envelope, rotations, machine, acceptedAt } = found ?? {};
  const isWhole =
    format === 1 && typeof envelope === 'string' && Array.isArray(rotations) && typeof machine === 'string';
  if (!isWhole) throw new Error('is damaged');
  return { format, envelope, rotations, machine, acceptedAt: Number(acceptedAt) };
}

/** Throws where none of the keys has signed it. */
export function openedBy(envelope: string, keys: readonly string[]): Pick<KeptPolicy, 'bundle' | 'digest'> {
  const { payload, digest, by } = open(envelope, keys);
  if (by.length === 0) throw new Error('is not signed by a key that counts here');
  return { bundle: parseBundle(payload), digest };
}

function keysAfter({ bundle }: Pick<KeptPolicy, 'bundle'>, before: readonly string[]): readonly string[] {
  const { add = [], retire = [] } = bundle.keys ?? {};
  return [...new Set([...before, ...add])].filter((key) => !retire.includes(key));
}

export interface AcceptOptions {
  readonly files: Files;
  readonly now: number;
  /** Of Fairlead. */
  readonly version: string;
  readonly packs: readonly string[];
  newMachine(): string;
}

/** Takes a bundle over where it may take the place of the one before. Throws why it may not; `isNew` says whether it differs. */
export function acceptBundle(
  envelope: string,
  dir: string,
  settings: TeamSettings,
  options: AcceptOptions,
): { readonly kept: KeptPolicy; readonly isNew: boolean } {
  const { files, now } = options;
  const before = readKeptOr(dir, settings, files);
  const seen = readSeen(dirname(dir), files);
  const keys = before?.keys ?? settings.keys.filter((key) => !seen.retired.includes(key));
  const { bundle, digest } = openedBy(envelope, keys);
  if (before?.digest === digest) return { kept: before, isNew: false };
  refuseUnfit(bundle, before, options);
  refuseOlder(bundle, digest, seen);
  const after = keysAfter({ bundle }, keys);
  if (after.length === 0) throw new Error('retires every key, so nothing could follow it');
  const rotations = before ? [...before.rotations, ...(before.bundle.keys ? [before.envelope] : [])] : [];
  const stored: Stored = {
    ...{ format: 1, envelope, rotations, acceptedAt: now },
    machine: before?.machine ?? seen.machine ?? options.newMachine(),
  };
  const text = JSON.stringify(stored);
  if (text.length > MAX_BYTES) throw new Error('is too large to keep, with those before it that brought keys');
  files.makeDir(dir, 0o700);
  writeSeen(dirname(dir), sawToo(seen, bundle, digest, stored.machine), files);
  files.writeAtomic(keptPath(dir), text, 0o600);
  return { kept: { ...stored, bundle, digest, keys: after }, isNew: true };
}

/** A damaged one is no reason to take none. */
export function readKeptOr(dir: string, settings: TeamSettings, files: Files): KeptPolicy | undefined {
  try {
    return readKept(dir, settings, files);
  } catch {
    return undefined;
  }
}

function refuseUnfit(bundle: Bundle, before: KeptPolicy | undefined, { now, version, packs }: AcceptOptions): void {
  if (before && before.bundle.name !== bundle.name)
    throw new Error(`is the policy ${bundle.name}, and this machine follows ${before.bundle.name}`);
  if (Date.parse(bundle.expires) <= now) throw new Error(`expired on ${bundle.expires}`);
  if (bundle.requires !== undefined && isOlder(version, bundle.requires))
    throw new Error(`needs Fairlead ${bundle.requires}, and this is ${version}`);
  const lacking = (bundle.packs ?? []).filter((pack) => !packs.includes(pack));
  if (lacking.length > 0) throw new Error(`needs packs that are not here: ${lacking.join(', ')}`);
}

/** Sources that were not built have no version, and count as the newest. */
function isOlder(version: string, wanted: string): boolean {
  const [have, need] = [version, wanted].map((text) => text.split('.').map((part) => Number.parseInt(part, 10)));
  if (!have || !need || have.some(Number.isNaN)) return false;
  const at = need.findIndex((part, index) => part !== (have[index] ?? 0));
  return at >= 0 && (have[at] ?? 0) < (need[at] ?? 0);
}
