import type { Files } from '../../platform/files.ts';
import { join } from '../../platform/paths.ts';
import type { Problem } from '../../user-rules/problem.ts';
import { acceptChange } from './accepted.ts';
import type { Entries } from './accepted.ts';
import { isBorrowedName, scanBorrowed, TEXT_DIRS } from './borrowed-files.ts';
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
  /**
   * The text in the project's directories of packs may be given to the agent, and borrowed files with this digest have
   * effect. On its own, so that these files and those of `.fairlead` do not put each other out of force.
   */
  readonly context?: { readonly digest: string };
}

interface TrustRecord {
  readonly version: 1;
  readonly projects: Readonly<Record<string, Accepted>>;
}

export type TrustState = 'absent' | 'trusted' | 'untrusted' | 'changed';

export interface TrustStatus {
  /** Of what `.fairlead` holds. */
  readonly state: TrustState;
  /** Of the borrowed files; `trusted` says that the text of packs' directories is accepted too, also where there are none. */
  readonly context: TrustState;
  /** Names that differ from what was accepted. */
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
  /** There is a pack's directory whose text would be given to the agent. What it holds changes all the time and is not listed. */
  readonly context: boolean;
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
  const scans = [scanLayer(join(root, PROJECT_DIR), files, root), scanBorrowed(root, files)];
  return {
    found: scans.flatMap(({ found }) => found),
    signatures: scans.flatMap(({ signatures }) => signatures),
    problems: scans.flatMap(({ problems }) => problems),
  };
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
    context: TEXT_DIRS.some((dir) => deps.files.stat(join(root, dir))?.kind === 'dir'),
    problems: scan.problems,
  };
}

export function trustStatus(root: string, deps: TrustDeps): TrustStatus {
  return statusOf(root, scanProject(root, deps.files), deps);
}

const NOTHING: TrustStatus = { state: 'absent', context: 'absent', changed: [], added: [], removed: [] };

/** Judges bytes that were already read, so that what is judged is what gets used. */
export function statusOf(
  root: string,
  { found }: Pick<Scan, 'found'>,
  { files, state }: Pick<TrustDeps, 'files' | 'state'>,
): TrustStatus {
  const record = readRecord(files, state).projects;
  const accepted = Object.keys(record).length === 0 ? undefined : record[keyOf(root, files)];
  const context = typeof accepted?.context?.digest === 'string' ? accepted.context : undefined;
  if (found.length === 0) return context ? { ...NOTHING, context: 'trusted' } : NOTHING;
  const [own, borrowed] = partsOf(hashesOf({ found }));
  const states = {
    state: own.size === 0 ? 'absent' : judge(own, accepted),
    context: borrowed.size > 0 ? judge(borrowed, context) : context ? 'trusted' : 'absent',
  } as const;
  const before = Object.entries(accepted?.files ?? {});
  const parts = [
    ...(states.state === 'changed' ? [{ now: own, isOurs: (name: string) => !isBorrowedName(name) }] : []),
    ...(states.context === 'changed' ? [{ now: borrowed, isOurs: isBorrowedName }] : []),
  ].map(({ now, isOurs }) => differencesOf(now, new Map(before.filter(([name]) => isOurs(name)))));
  return {
    ...states,
    changed: parts.flatMap(({ changed }) => changed),
    added: parts.flatMap(({ added }) => added),
    removed: parts.flatMap(({ removed }) => removed),
  };
}

type Hashes = ReadonlyMap<string, string>;

function judge(hashes: Hashes, accepted: { readonly digest: string } | undefined): TrustState {
  if (accepted === undefined) return 'untrusted';
  return accepted.digest === digestOf(hashes) ? 'trusted' : 'changed';
}

function differencesOf(now: Hashes, before: Hashes): Pick<TrustStatus, 'changed' | 'added' | 'removed'> {
  const names = [...now.keys()];
  return {
    changed: names.filter((name) => before.has(name) && before.get(name) !== now.get(name)),
    added: names.filter((name) => !before.has(name)),
    removed: [...before.keys()].filter((name) => !now.has(name)),
  };
}

/**
 * Accepts exactly what the listing showed, and only while it is still what the project holds; with `own` what `.fairlead`
 * holds, and the rest stays as accepted as it was.
 */
export function acceptProject(listing: Listing, deps: TrustDeps, part: 'all' | 'own' = 'all'): Acceptance {
  if (listing.files.length === 0 && !listing.context) return { accepted: false, reason: 'empty' };
  const hashes = hashesOf(scanProject(listing.project, deps.files));
  if (digestOf(hashes) !== listing.digest) return { accepted: false, reason: 'changed-since-shown' };
  const [own, borrowed] = partsOf(hashes);
  const { projects } = readRecord(deps.files, deps.state);
  const { context: before, files = {} } = projects[listing.project] ?? {};
  const isWhole = part === 'all';
  const now = borrowed.size > 0 || listing.context ? { digest: digestOf(borrowed) } : undefined;
  const context = isWhole ? now : before;
  const accepted: Accepted = {
    digest: digestOf(own),
    acceptedAt: deps.now(),
    files: isWhole
      ? Object.fromEntries(hashes)
      : {
          ...Object.fromEntries(Object.entries(files).filter(([name]) => isBorrowedName(name))),
          ...Object.fromEntries(own),
        },
    ...(context ? { context } : {}),
  };
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

export function trustedRoots({ files, state }: Pick<TrustDeps, 'files' | 'state'>): readonly string[] {
  return Object.keys(readRecord(files, state).projects);
}

/** The projects that are trusted, as entries of the record of accepted settings. */
export function trustedProjects({ files, state }: Pick<TrustDeps, 'files' | 'state'>): Entries {
  const { projects } = readRecord(files, state);
  return Object.fromEntries(
    Object.entries(projects).map(([root, { digest, context }]) => [
      `trust ${root}`,
      `${digest} ${context?.digest ?? ''}`,
    ]),
  );
}

function keyOf(root: string, files: Files): string {
  return files.realpath(root) ?? root;
}

function hashesOf({ found }: Pick<Scan, 'found'>): Hashes {
  return new Map(found.flatMap(({ name, bytes }) => (bytes === undefined ? [] : [[name, hashOf(bytes)] as const])));
}

/** What `.fairlead` holds, and what is borrowed. */
function partsOf(hashes: Hashes): readonly [own: Hashes, borrowed: Hashes] {
  const all = [...hashes];
  return [
    new Map(all.filter(([name]) => !isBorrowedName(name))),
    new Map(all.filter(([name]) => isBorrowedName(name))),
  ];
}

/** Names hold no control characters, so no two different sets of files give the same text. */
function digestOf(hashes: Hashes): string {
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

/** Only the verbs that are for a person come here, so what they change is accepted. */
function writeRecord(record: TrustRecord, deps: TrustDeps): void {
  const { files, state } = deps;
  const before = trustedProjects(deps);
  files.makeDir(state, 0o700);
  files.writeAtomic(trustPath(state), `${JSON.stringify(record, undefined, 2)}\n`, 0o600);
  acceptChange(before, trustedProjects(deps), deps);
}
