import type { Files } from '../../platform/files.ts';
import { join } from '../../platform/paths.ts';
import type { Problem } from '../../user-rules/problem.ts';
import { hashOf, scanLayer } from './scan.ts';
import type { FileKind, Scan } from './scan.ts';

/** The directory, in a project's root, that a cloned repository can fill. */
export const PROJECT_DIR = '.fairlead';

export interface TrustDeps {
  readonly files: Files;
  /** The state directory. */
  readonly state: string;
  readonly now: () => number;
}

interface Accepted {
  readonly digest: string;
  readonly acceptedAt: number;
  /** sha256 by name; only for saying what differs. */
  readonly files?: Readonly<Record<string, string>>;
}

interface TrustRecord {
  readonly version: 1;
  readonly projects: Readonly<Record<string, Accepted>>;
}

export type TrustState = 'absent' | 'trusted' | 'untrusted' | 'changed';

export interface TrustStatus {
  readonly state: TrustState;
  /** Names below the project's directory that differ from what was accepted. */
  readonly changed: readonly string[];
  readonly added: readonly string[];
  readonly removed: readonly string[];
}

export interface ListedFile {
  readonly name: string;
  readonly kind: FileKind;
  readonly sha256: string;
  readonly text: string;
}

/** What a person is shown before they accept it. */
export interface Listing {
  readonly project: string;
  readonly digest: string;
  readonly files: readonly ListedFile[];
  /** Files that have no effect, and why. */
  readonly problems: readonly Problem[];
}

export type Acceptance =
  | { readonly accepted: true }
  | { readonly accepted: false; readonly reason: 'empty' | 'changed-since-shown' };

export function trustPath(state: string): string {
  return join(state, 'trust.json');
}

export function scanProject(root: string, files: Files): Scan {
  return scanLayer(join(root, PROJECT_DIR), files, root);
}

export function listProject(root: string, deps: TrustDeps): Listing {
  const scan = scanProject(root, deps.files);
  const hashes = hashesOf(scan);
  return {
    project: keyOf(root, deps.files),
    digest: digestOf(hashes),
    files: scan.found.flatMap(({ name, kind, bytes }) =>
      bytes === undefined
        ? []
        : [{ name, kind, sha256: hashes.get(name) ?? '', text: new TextDecoder().decode(bytes) }],
    ),
    problems: scan.problems,
  };
}

export function trustStatus(root: string, deps: TrustDeps): TrustStatus {
  return statusOf(root, scanProject(root, deps.files), deps);
}

/** Judges bytes that were already read, so that what is judged is what gets used. */
export function statusOf(root: string, scan: Scan, { files, state }: Pick<TrustDeps, 'files' | 'state'>): TrustStatus {
  const hashes = hashesOf(scan);
  const nothing = { changed: [], added: [], removed: [] };
  if (hashes.size === 0) return { state: 'absent', ...nothing };
  const accepted = readRecord(files, state).projects[keyOf(root, files)];
  if (accepted === undefined) return { state: 'untrusted', ...nothing };
  if (accepted.digest === digestOf(hashes)) return { state: 'trusted', ...nothing };
  const before = new Map(Object.entries(accepted.files ?? {}));
  const names = [...hashes.keys()];
  return {
    state: 'changed',
    changed: names.filter((name) => before.has(name) && before.get(name) !== hashes.get(name)),
    added: names.filter((name) => !before.has(name)),
    removed: [...before.keys()].filter((name) => !hashes.has(name)),
  };
}

/** Accepts exactly what the listing showed, and only while it is still what the project holds. */
export function acceptProject(listing: Listing, deps: TrustDeps): Acceptance {
  if (listing.files.length === 0) return { accepted: false, reason: 'empty' };
  const hashes = hashesOf(scanProject(listing.project, deps.files));
  if (digestOf(hashes) !== listing.digest) return { accepted: false, reason: 'changed-since-shown' };
  const accepted = { digest: listing.digest, acceptedAt: deps.now(), files: Object.fromEntries(hashes) };
  const { projects } = readRecord(deps.files, deps.state);
  writeRecord({ version: 1, projects: { ...projects, [listing.project]: accepted } }, deps);
  return { accepted: true };
}

/** Says whether there was anything to forget. */
export function forgetProject(root: string, deps: TrustDeps): boolean {
  const { [keyOf(root, deps.files)]: forgotten, ...rest } = readRecord(deps.files, deps.state).projects;
  if (forgotten === undefined) return false;
  writeRecord({ version: 1, projects: rest }, deps);
  return true;
}

function keyOf(root: string, files: Files): string {
  return files.realpath(root) ?? root;
}

function hashesOf(scan: Scan): ReadonlyMap<string, string> {
  return new Map(
    scan.found.flatMap(({ name, bytes }) => (bytes === undefined ? [] : [[name, hashOf(bytes)] as const])),
  );
}

/** Names hold no control characters, so no two different sets of files give the same text. */
function digestOf(hashes: ReadonlyMap<string, string>): string {
  const lines = [...hashes].map(([name, hash]) => `${name}\0${hash}\n`);
  return hashOf(lines.sort().join(''));
}

/** A record that cannot be understood trusts nothing. */
function readRecord(files: Files, state: string): TrustRecord {
  const empty: TrustRecord = { version: 1, projects: {} };
  const text = files.readText(trustPath(state));
  if (text === undefined) return empty;
  try {
    const record = JSON.parse(text) as Partial<TrustRecord> | null;
    return record?.version === 1 && typeof record.projects === 'object' && record.projects !== null
      ? (record as TrustRecord)
      : empty;
  } catch {
    return empty;
  }
}

function writeRecord(record: TrustRecord, { files, state }: TrustDeps): void {
  files.makeDir(state, 0o700);
  files.writeAtomic(trustPath(state), `${JSON.stringify(record, undefined, 2)}\n`, 0o600);
}
