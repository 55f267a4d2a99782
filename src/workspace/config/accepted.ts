import type { Files } from '../../platform/files.ts';
import { join } from '../../platform/paths.ts';
import type { Config } from './settings.ts';

/**
 * What a person's settings say, entry by entry: each rule and pack of the config, the hash of each rule file, each trusted
 * project. Flat, so that a verb can record its own change and leave what others changed unaccepted.
 */
export type Entries = Readonly<Record<string, string>>;

export interface AcceptedDeps {
  readonly files: Files;
  /** The state directory. */
  readonly state: string;
}

export function acceptedPath(state: string): string {
  return join(state, 'accepted.json');
}

/** What the person has accepted. Without a record that is nothing but the defaults. */
export function readAccepted({ files, state }: AcceptedDeps): Entries {
  try {
    const found = JSON.parse(files.readText(acceptedPath(state)) ?? '{}') as { readonly entries?: unknown } | null;
    const entries = found?.entries;
    return typeof entries === 'object' && entries !== null ? (entries as Entries) : {};
  } catch {
    return {};
  }
}

/** Accepts what differs between two looks at the settings, and nothing that differed before. */
export function acceptChange(before: Entries, after: Entries, deps: AcceptedDeps): void {
  const accepted = new Map(Object.entries(readAccepted(deps)));
  let isChanged = false;
  for (const name of new Set([...Object.keys(before), ...Object.keys(after)])) {
    if (before[name] === after[name]) continue;
    isChanged = true;
    if (after[name] === undefined) accepted.delete(name);
    else accepted.set(name, after[name]);
  }
  if (isChanged) write(Object.fromEntries(accepted), deps);
}

/** Accepts the settings as they are. */
export function acceptAll(entries: Entries, deps: AcceptedDeps): void {
  write(entries, deps);
}

function write(entries: Entries, { files, state }: AcceptedDeps): void {
  files.makeDir(state, 0o700);
  files.writeAtomic(acceptedPath(state), `${JSON.stringify({ version: 1, entries }, undefined, 2)}\n`, 0o600);
}

const NAMED = ['packs', 'rules'] as const;

interface Told {
  readonly config: Config;
  readonly files: readonly { readonly kind: string; readonly name: string; readonly sha256?: string }[];
}

export function entriesOf({ config, files }: Told, trusted: Entries): Entries {
  const { packs, rules, ...rest } = config;
  const named = { packs, rules };
  return {
    ...Object.fromEntries(Object.entries(rest).map(([key, value]) => [`config ${key}`, JSON.stringify(value)])),
    ...Object.fromEntries(
      NAMED.flatMap((section) =>
        Object.entries(named[section] ?? {}).map(([name, value]) => [`${section} ${name}`, JSON.stringify(value)]),
      ),
    ),
    ...Object.fromEntries(
      files.flatMap(({ kind, name, sha256 }) =>
        kind === 'rule' && sha256 !== undefined ? [[`rule ${name}`, sha256]] : [],
      ),
    ),
    ...trusted,
  };
}

/** The part of it that was in the config. */
export function configOf(entries: Entries): Config {
  const config: Record<string, unknown> = {};
  const named: Record<string, Record<string, unknown>> = { packs: {}, rules: {} };
  for (const [entry, text] of Object.entries(entries)) {
    const [section, name] = cutAtBlank(entry);
    if (section === 'config') config[name] = parse(text);
    else if (Object.hasOwn(named, section)) (named[section] as Record<string, unknown>)[name] = parse(text) ?? {};
  }
  return { ...config, ...named };
}

export function cutAtBlank(entry: string): readonly [section: string, name: string] {
  const at = entry.indexOf(' ');
  return [entry.slice(0, at), entry.slice(at + 1)];
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
