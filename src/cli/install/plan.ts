import { comesAs } from '../../adapters/adapter.ts';
import type {
  Delivery,
  Entries,
  HookFile,
  Installer,
  Launch,
  Scope,
  ServerSettings,
  TrustSettings,
} from '../../adapters/installer.ts';
import type { EventName } from '../../event/event.ts';
import { applyEdits, invertEdits } from '../../adapters/json-edit.ts';
import { canonicalPath, nodeFiles } from '../../platform/files.ts';
import { contains, fromHookArguments, homePaths } from '../../platform/paths.ts';
import type { HomePaths } from '../../platform/paths.ts';
import { CommandError } from '../command.ts';
import type { CliWorld } from '../command.ts';
import { readHttpAccess } from '../../transport/http-access.ts';
import { missingDirs, modeOf, readWhole, requireWritable } from './file-change.ts';
import type { FileChange } from './file-change.ts';
import { hashOf, readRecords } from './record.ts';
import type { InstallRecord } from './record.ts';

/** A change of an agent's settings, and what to remember of it. */
export interface SettingsChange extends FileChange {
  readonly agent: string;
  readonly scope: Scope;
  /** What is added or taken out. */
  readonly entry: 'hooks' | 'tool server' | 'trust';
  readonly recordKey: string;
  readonly record?: InstallRecord;
}

const DIR_MODE = 0o755;
/** Of a file that holds a token. */
const PRIVATE = 0o600;

/** Without what is particular to adding. */
type AnyEntries = Pick<Entries<never>, 'agent' | 'part' | 'ownsFile' | 'read' | 'remove'>;

interface Found {
  readonly path: string;
  readonly recordKey: string;
  readonly before?: string;
  readonly known?: InstallRecord;
  /** Whether the file was there before anything of ours, in any part of it. */
  readonly existed: boolean;
  /** Directories above the file that an installation, this one or another, has to make or has made. */
  readonly madeDirs: readonly string[];
  /** Whether the file is, to the byte, what the last installation wrote. */
  readonly isUntouched: boolean;
}

function find(entries: AnyEntries, path: string, state: string): Found {
  const before = readWhole(path);
  const file = canonicalPath(nodeFiles, path);
  const recordKey = entries.part === undefined ? file : `${file}#${entries.part}`;
  // A record outlives its entries when somebody takes them out by hand; then it says nothing about the file as it is.
  const isOurs = before !== undefined && entries.read(before).own.length > 0;
  const records = readRecords(nodeFiles, state);
  const known = isOurs ? records[recordKey] : undefined;
  const made = Object.values(records).flatMap(({ madeDirs }) => madeDirs.filter((dir) => contains(dir, file)));
  const wasMade = Object.entries(records).some(([key, each]) => key.startsWith(`${file}#`) && !each.existed);
  return {
    path,
    recordKey,
    ...(before === undefined ? {} : { before }),
    ...(known && { known }),
    existed: known?.existed ?? (before !== undefined && !wasMade && !(isOurs && entries.ownsFile === true)),
    madeDirs: [...new Set([...missingDirs(path), ...made])].sort((a, b) => b.length - a.length),
    isUntouched: known?.undo !== undefined && before !== undefined && hashOf(before) === known.sha256,
  };
}

/** The change that wires an agent in one settings file; undefined when there is nothing to do. */
export function planWiring(
  installer: Installer,
  scope: Scope,
  path: string,
  delivery: Delivery,
  world: CliWorld,
): SettingsChange | undefined {
  const target = {
    scope,
    path,
    entry: 'hooks',
    launch: delivery.launch,
    holdsToken: delivery.http !== undefined,
    unwired: installer.wired.flatMap((event) => {
      const { hears } = delivery;
      return hears && !comesAs(event).some(hears) ? comesAs(event) : [];
    }),
  } as const;
  return planAdding(installer, target, delivery, world);
}

/** The change that names our tool server in one scope; undefined when it is named there as it should be. */
export function planServer(
  settings: ServerSettings,
  scope: Scope,
  launch: Launch,
  world: CliWorld,
): SettingsChange | undefined {
  const { path, mode } = settings;
  return planAdding(settings, { scope, path, entry: 'tool server', launch, mode }, launch, world);
}

/** The change by which a person agrees to the entries of a file of hooks; undefined when the agent knows of that. */
export function planTrusting(
  settings: TrustSettings,
  scope: Scope,
  hooks: HookFile,
  world: CliWorld,
): SettingsChange | undefined {
  const { path, mode } = settings;
  return planAdding(settings, { scope, path, entry: 'trust', mode }, hooks, world);
}

interface Target extends Pick<SettingsChange, 'scope' | 'path' | 'entry'> {
  readonly launch?: Launch;
  readonly holdsToken?: boolean;
  /** The events that the entries leave out. */
  readonly unwired?: readonly EventName[];
  /** Of a file that has to be made. */
  readonly mode?: number;
}

function planAdding<Wanted>(
  entries: Entries<Wanted>,
  { scope, path, entry, launch, holdsToken = false, unwired, mode: madeMode }: Target,
  wanted: Wanted,
  world: CliWorld,
): SettingsChange | undefined {
  const found = find(entries, path, world.paths.state);
  const { before, known, isUntouched } = found;
  const text = before ?? '';
  if (text.trim() !== '') refuseUnreadable(entries, path, text);
  if (launch) refuseOtherHome(entries, path, text, launch, world);
  const base = isUntouched ? applyEdits(text, known?.undo ?? []) : text;
  const addition = entries.add(base, wanted);
  if ('refusal' in addition) throw new CommandError(`${path}: ${addition.refusal}; nothing was changed`);
  const after = applyEdits(base, addition.edits);
  const { mode = before === undefined ? madeMode : undefined, earlier } = holdsToken
    ? closeMode(path, known)
    : reopenMode(path, known);
  if (after === before && mode === undefined) return undefined;
  requireWritable(path);
  requireValid(entries, path, text, after);
  const isFresh = base.trim() === '' || entries.read(base).own.length === 0;
  return {
    path,
    ...(before === undefined ? {} : { before }),
    after,
    ...(mode === undefined ? {} : { mode }),
    dirMode: DIR_MODE,
    agent: entries.agent,
    scope,
    entry,
    recordKey: found.recordKey,
    record: {
      existed: found.existed,
      madeDirs: found.madeDirs,
      kept: { ...known?.kept, ...addition.kept },
      ...(earlier === undefined ? {} : { mode: earlier }),
      sha256: hashOf(after),
      ...(isFresh ? { undo: invertEdits(addition.edits) } : {}),
      ...(unwired ? { scope, unwired } : {}),
    },
  };
}

/** The change that takes every entry of ours out of one settings file; undefined when it has none. */
export function planUnwiring(
  installer: Installer,
  scope: Scope,
  path: string,
  world: Pick<CliWorld, 'paths'>,
): SettingsChange | undefined {
  return planRemoving(installer, { scope, path, entry: 'hooks' }, world);
}

/** The change that takes our tool server out of one scope; undefined when it is not named there. */
export function planServerRemoval(
  settings: ServerSettings,
  scope: Scope,
  world: Pick<CliWorld, 'paths'>,
): SettingsChange | undefined {
  return planRemoving(settings, { scope, path: settings.path, entry: 'tool server' }, world);
}

/** The change that takes out what `planTrusting` wrote; undefined when that wrote nothing. */
export function planDistrusting(
  settings: TrustSettings,
  scope: Scope,
  world: Pick<CliWorld, 'paths'>,
): SettingsChange | undefined {
  const { path } = settings;
  const { known } = find(settings, path, world.paths.state);
  // What a person has agreed to in the agent is the agent's to keep.
  return known && planRemoving(settings, { scope, path, entry: 'trust' }, world);
}

function planRemoving(
  entries: AnyEntries,
  { scope, path, entry }: Pick<SettingsChange, 'scope' | 'path' | 'entry'>,
  world: Pick<CliWorld, 'paths'>,
): SettingsChange | undefined {
  const { before, known, isUntouched, recordKey } = find(entries, path, world.paths.state);
  if (before === undefined) return undefined;
  if (/fairlead|\/hook\//.test(before)) refuseUnreadable(entries, path, before);
  const edits = isUntouched ? (known?.undo ?? []) : entries.remove(before, known?.kept ?? {});
  if (edits.length === 0) return undefined;
  requireWritable(path);
  const after = applyEdits(before, edits);
  const change = { path, before, dirMode: DIR_MODE, agent: entries.agent, scope, entry, recordKey };
  // A file that is ours as a whole was made by us, unless it is known that a blank one was there.
  const wasMade = (known ? !known.existed : entries.ownsFile === true) && /^\s*(\{\s*\})?\s*$/.test(after);
  if (wasMade) return { ...change, emptyDirs: known?.madeDirs ?? [] };
  const { mode } = reopenMode(path, known);
  return { ...change, after, ...(mode === undefined ? {} : { mode }) };
}

interface ModeChange {
  /** What the file shall have; absent when it has it. */
  readonly mode?: number;
  /** What it had before the first token came. */
  readonly earlier?: number;
}

function closeMode(path: string, known: InstallRecord | undefined): ModeChange {
  const now = modeOf(path);
  if (now === undefined) return { mode: PRIVATE };
  const isOpen = (now & 0o077) !== 0;
  const earlier = known?.mode ?? (isOpen ? now : undefined);
  return { ...(isOpen ? { mode: PRIVATE } : {}), ...(earlier === undefined ? {} : { earlier }) };
}

/** Only what we closed is opened again. */
function reopenMode(path: string, known: InstallRecord | undefined): ModeChange {
  return known?.mode !== undefined && modeOf(path) === PRIVATE ? { mode: known.mode } : {};
}

function refuseUnreadable(entries: AnyEntries, path: string, text: string): void {
  const broken = entries.read(text).problems.find((problem) => problem.path === '');
  if (!broken) return;
  const where = broken.line === undefined ? path : `${path}:${broken.line}:${broken.column}`;
  throw new CommandError(
    `${where}: ${broken.message}; nothing was changed. The agent cannot use the file until this is repaired.`,
  );
}

/** Pointing hooks to other settings takes their rules away as surely as `uninstall`, which is for a person. */
function refuseOtherHome(entries: AnyEntries, path: string, text: string, launch: Launch, world: CliWorld): void {
  const wanted = homeOf(launch.homeArgs, world);
  const { own } = entries.read(text);
  const started = own.filter(({ http }) => http === undefined);
  const token = own.find(({ http }) => http !== undefined)?.http?.token;
  // An entry that posts names no home; beside others it goes with them, alone its token has to tell.
  if (started.length === 0 && token !== undefined && token !== readHttpAccess(nodeFiles, world.paths.run)?.token) {
    throw new CommandError(
      `${path} is wired already, and posts to the engine of another home. Keep using that, or run \`fairlead uninstall\` first.`,
    );
  }
  for (const { words } of started) {
    const { config, state } = homeOf(words, world);
    if (config !== wanted.config || state !== wanted.state) {
      throw new CommandError(
        `${path} is wired already, with settings in ${config} and state in ${state}. Keep using those, or run \`fairlead uninstall\` first.`,
      );
    }
  }
}

/** Where a hook with these arguments looks; the variables of the agent's environment have no say there. */
export function homeOf(words: readonly string[], { userHome }: Pick<CliWorld, 'userHome'>): HomePaths {
  return fromHookArguments(words) ?? homePaths({ HOME: userHome, USERPROFILE: userHome }, process.platform);
}

/** One bad entry can silence the whole file, so what was written is read again by code that knows nothing of the writer. */
function requireValid(entries: AnyEntries, path: string, before: string, after: string): void {
  const earlier = new Set(before.trim() === '' ? [] : entries.read(before).problems.map((problem) => problem.path));
  const fresh = entries.read(after).problems.find((problem) => !earlier.has(problem.path));
  if (fresh)
    throw new CommandError(
      `${path} would become invalid at ${fresh.path || 'its top'}: ${fresh.message}; nothing was changed`,
    );
}
