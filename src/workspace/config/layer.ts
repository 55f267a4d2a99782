import type { Files } from '../../platform/files.ts';
import { baseOf, recordsOf } from './compiled.ts';
import type { Compiled, LayerDeps, LayerFile, LayerKind } from './compiled.ts';
import { join } from '../../platform/paths.ts';
import type { UserRule } from '../../user-rules/parse.ts';
import { hashOf } from './scan.ts';
import type { FileKind } from './scan.ts';
import type { Config, Settings } from './settings.ts';
import { isSettled, isUnchanged } from './signature.ts';
import { statusOf } from './trust.ts';
import { borrowedPlaces, borrowingOf, isBorrowedName } from './borrowed-files.ts';

/** What a project brings and the user has not accepted. */
export interface Skipped {
  readonly config: number;
  readonly rules: number;
  readonly messages: number;
  readonly names: readonly string[];
}

/** An override as a layer holds it. */
export interface LayerMessage {
  readonly text: string;
  readonly file: string;
  /** Of the file's content. */
  readonly version: string;
  readonly problem?: string;
  /** The other program whose file it is. */
  readonly from?: string;
}

export interface Layer extends Compiled {
  readonly config: Config;
  /** What the project's borrowed settings say, for the place below all layers. */
  readonly borrowed?: Pick<Settings, 'packs'>;
  readonly rules: readonly UserRule[];
  /** By rule id and variant. */
  readonly messages: Readonly<Record<string, Readonly<Record<string, LayerMessage>>>>;
  readonly skipped?: Skipped;
  /** Names of borrowed files that the user has not accepted. */
  readonly skippedBorrowed: readonly string[];
}

/** Raised when the shape of `Compiled` changes. */
const FORMAT = 3;

/** File systems end names at 255 bytes, and a name that is being written is longer. */
const MAX_NAME = 180;

interface Stored extends Compiled {
  readonly format: number;
  readonly build: string;
}

/**
 * The user's layer in its config directory, or the project's in its root. While nothing changed this costs a few stats and
 * one read. `previous` is what a resident engine still holds: last good versions come from there when the state directory
 * keeps nothing.
 */
export async function loadLayer(kind: LayerKind, dir: string, deps: LayerDeps, previous?: Layer): Promise<Layer> {
  // What is kept of a policy has to be there; that it is not is a problem.
  const empty = kind === 'team' ? undefined : findNothing(kind, dir, deps);
  if (empty) return toLayer(empty);
  const stored = readStored(kind, dir, deps);
  if (stored?.build === deps.build && isFresh(stored, deps.files, deps.now())) return toLayer(stored);
  const { compileLayer } = await import('./compile.ts');
  const compiled = await compileLayer(kind, dir, deps, newer(previous, stored));
  store(compiled, deps);
  return toLayer(compiled);
}

/** Whether a layer still says what its files say. Looks at every file it was made of. */
export function isFresh(
  { settled, signatures, glass }: Pick<Compiled, 'signatures' | 'settled' | 'glass'>,
  files: Files,
  now = 0,
): boolean {
  if (!settled || (glass && glass.until <= now)) return false;
  return signatures.every((signature) => isUnchanged(signature, files));
}

function newer(a: Compiled | undefined, b: Compiled | undefined): Compiled | undefined {
  return a === undefined || (b !== undefined && b.compiledAt > a.compiledAt) ? b : a;
}

/** The layer of a directory that brings nothing. Where a person accepted the text of packs' directories, the record has it all. */
function findNothing(kind: LayerKind, dir: string, { files, state, now }: LayerDeps): Compiled | undefined {
  const isProject = kind === 'project';
  const places = [baseOf(kind, dir), ...(isProject ? borrowedPlaces(dir) : [])];
  if (places.some((path) => files.exists(path))) return undefined;
  const record = recordsOf(kind, { files, state });
  const isAnyTrusted = isProject && record.some(({ seen }) => seen !== undefined);
  return {
    kind,
    dir,
    state: 'absent',
    ...(isAnyTrusted ? { trust: statusOf(dir, { found: [] }, { files, state }) } : {}),
    files: [],
    problems: [],
    signatures: [...places.map((path) => ({ path })), ...record],
    settled: isSettled(record, now()),
    compiledAt: 0,
  };
}

/** Named by the directory itself: the first hash of a process costs more than all of a warm start's stats. */
function storedPath(kind: LayerKind, dir: string, state: string): string {
  const name = dir.replaceAll(/[^\w.-]/g, (character) => `%${character.charCodeAt(0).toString(16)}`);
  return join(state, 'compiled', `${kind}-${name.length > MAX_NAME ? hashOf(dir) : name}.json`);
}

/** Anything that is not a whole compiled layer of this directory counts as none. */
function readStored(kind: LayerKind, dir: string, { files, state }: LayerDeps): Stored | undefined {
  const text = files.readText(storedPath(kind, dir, state));
  if (text === undefined) return undefined;
  try {
    const stored = JSON.parse(text) as Partial<Stored> | null;
    const lists = [stored?.files, stored?.problems, stored?.signatures];
    const isOurs =
      stored?.format === FORMAT && stored.kind === kind && stored.dir === dir && lists.every(Array.isArray);
    return isOurs ? (stored as Stored) : undefined;
  } catch {
    return undefined;
  }
}

/** Without a writable state directory every process compiles for itself. */
function store(compiled: Compiled, { files, state, build }: LayerDeps): void {
  try {
    files.makeDir(join(state, 'compiled'), 0o700);
    const stored: Stored = { format: FORMAT, build, ...compiled };
    files.writeAtomic(storedPath(compiled.kind, compiled.dir, state), JSON.stringify(stored), 0o600);
  } catch {
    return;
  }
}

function toLayer(compiled: Compiled): Layer {
  const { kind, dir, state, trust, files, problems, signatures, settled, compiledAt, policy, glass } = compiled;
  const allSkipped = files.filter((file) => file.state === 'skipped');
  const skipped = allSkipped.filter(({ name }) => !isBorrowedName(name));
  const borrowed = files.flatMap(({ kind: of, config }) => (of === 'borrowed-settings' ? (config?.packs ?? []) : []));
  const countOf = (of: FileKind) => skipped.filter((file) => file.kind === of).length;
  return {
    ...{ kind, dir, state, files, problems, signatures, settled, compiledAt },
    ...(trust === undefined ? {} : { trust }),
    ...(policy && { policy }),
    ...(glass && { glass }),
    config: files.find(({ kind: of, config }) => of === 'config' && config !== undefined)?.config ?? {},
    ...(borrowed.length === 0 ? {} : { borrowed: { packs: Object.assign({}, ...borrowed) as Settings['packs'] } }),
    skippedBorrowed: allSkipped.flatMap(({ name }) => (isBorrowedName(name) ? [name] : [])),
    rules: files.flatMap(({ rule }) => (rule === undefined ? [] : [rule])),
    messages: messagesOf(files),
    ...(skipped.length === 0
      ? {}
      : {
          skipped: {
            config: countOf('config'),
            rules: countOf('rule'),
            messages: countOf('message'),
            names: skipped.map(({ name }) => name),
          },
        }),
  };
}

/** A project's own wording stands above the one it has for another program. */
function messagesOf(files: readonly LayerFile[]): Layer['messages'] {
  const byRule = new Map<string, Map<string, LayerMessage>>();
  for (const kind of ['borrowed-message', 'message'] as const)
    for (const { kind: of, message, path, name, sha256 } of files) {
      if (message === undefined || of !== kind) continue;
      const { rule, variant, text, problem } = message;
      const variants = byRule.get(rule) ?? new Map<string, LayerMessage>();
      const more = {
        ...(problem === undefined ? {} : { problem }),
        ...(kind === 'message' ? {} : { from: borrowingOf(name)?.program ?? '' }),
      };
      byRule.set(rule, variants.set(variant, { text, file: path, version: sha256 ?? '', ...more }));
    }
  return Object.fromEntries([...byRule].map(([rule, variants]) => [rule, Object.fromEntries(variants)]));
}
