import { INSTALLERS } from '../../adapters/installers.generated.ts';
import { SCOPES } from '../../adapters/installer.ts';
import type {
  HttpTarget,
  Installer,
  OwnEntry,
  PluginHooks,
  Scope,
  SettingsProblem,
  SettingsReport,
  UrlLimit,
} from '../../adapters/installer.ts';
import { canonicalPath, nodeFiles } from '../../platform/files.ts';
import type { HomePaths } from '../../platform/paths.ts';
import type { CliWorld } from '../command.ts';
import { isNativeClient } from './client.ts';
import { modeOf } from './file-change.ts';
import { problemOfCall } from './launcher.ts';
import { targetOf } from './target.ts';
import { homeOf } from './plan.ts';

/** One settings file of an agent, and what of ours is in it. */
export interface Wiring {
  readonly agent: string;
  /** `policy` is the file of the machine's administrator, `plugin` that of an extension of the agent. */
  readonly scope: Scope | 'policy' | 'plugin';
  /** Of an extension. */
  readonly plugin?: Pick<PluginHooks, 'name' | 'isEverywhere' | 'removal'>;
  readonly path: string;
  readonly exists: boolean;
  readonly problems: readonly SettingsProblem[];
  /** False when the agent ignores the whole file. */
  readonly valid: boolean;
  /** The entries that call us. */
  readonly own: readonly OwnEntry[];
  readonly env: Readonly<Record<string, string>>;
  /** The agent's events that call us from this file. */
  readonly wired: readonly string[];
  /** Events that call us from another file too: each such event starts us twice. */
  readonly duplicates: readonly string[];
  readonly foreign: number;
  /** Their commands, and extensions that are on. */
  readonly others: readonly string[];
  /** Settings that keep hooks from running, such as one that turns all of them off. */
  readonly switches: readonly string[];
  /** The distinct ways in which the entries start us. */
  readonly calls: readonly Call[];
  /** How events get from this file to the engine; absent when it has no entry of ours. */
  readonly transport?: Transport;
  /** The distinct targets that entries post to. */
  readonly targets: readonly HttpTarget[];
  /** The events that are posted. */
  readonly posted: ReadonlySet<string>;
  /** The events on which the agent stops when our entry fails. */
  readonly blocking: ReadonlySet<string>;
  readonly limit?: UrlLimit;
  /** Of a file that is ours as a whole: how it is not what this version writes. */
  readonly differs?: 'changed' | 'old';
  /** Whose status line the file sets, if any. */
  readonly statusLine?: 'own' | 'foreign';
  /** Who may read and write the file. */
  readonly mode?: number;
}

/** `http` starts a client too, for the events that cannot be posted; `mixed` is what no `init` leaves. */
export type Transport = 'native client' | 'node client' | 'http' | 'mixed';

export interface Call {
  readonly words: readonly string[];
  /** The directories that a hook started like this uses. */
  readonly home: HomePaths;
  /** Why it cannot start. */
  readonly problem?: string;
}

type World = Pick<CliWorld, 'cwd' | 'userHome' | 'env' | 'machineRoot'>;

/** Every settings file that an agent reads in a directory, for each agent. */
export function inspectInstall(dir: string | undefined, world: World): readonly Wiring[] {
  return INSTALLERS.flatMap((installer) => {
    const files = [...filesOf(installer, dir, world), ...pluginsOf(installer, dir, world)];
    const found = files.map((file) => inspect(installer, file, world));
    return found.map((wiring) => ({
      ...wiring,
      duplicates: wiring.wired.filter((event) =>
        found.some((other) => other !== wiring && other.valid && other.wired.includes(event)),
      ),
    }));
  });
}

/** The setting that keeps an agent from posting to an address, if one does. */
export function refusalOf(url: string, agent: string, wirings: readonly Wiring[]): string | undefined {
  const limits = wirings.flatMap((wiring) => (wiring.agent === agent && wiring.limit ? [wiring.limit] : []));
  return limits.some((limit) => limit.allows(url)) ? undefined : limits[0]?.setting;
}

interface SettingsFile extends Pick<Wiring, 'scope' | 'path' | 'plugin'> {
  readonly text?: string;
}

/** Extensions that call us; what else they bring is not ours to look at. */
function pluginsOf(installer: Installer, dir: string | undefined, world: World): SettingsFile[] {
  const found = installer.pluginHooks?.(targetOf(dir, world), nodeFiles) ?? [];
  return found
    .filter(({ text }) => installer.read(text).own.length > 0)
    .map(({ path, text, ...plugin }) => ({ scope: 'plugin', path, text, plugin }));
}

function policyPathsOf({ policyPaths }: Installer, { machineRoot = '' }: World): string[] {
  const paths = policyPaths(process.platform, (dir) => nodeFiles.list(machineRoot + dir));
  return paths.map((path) => machineRoot + path);
}

/** In a home directory the project's file and the user's are the same one; it counts once, as the user's. */
function filesOf(installer: Installer, dir: string | undefined, world: World): SettingsFile[] {
  const target = targetOf(dir, world);
  const own = SCOPES.flatMap((scope): SettingsFile[] => {
    const path = installer.settingsPath(scope, target);
    return path === undefined ? [] : [{ scope, path, ...textIn(path) }];
  });
  const policies: SettingsFile[] = policyPathsOf(installer, world).map((path) => ({
    ...{ scope: 'policy', path },
    ...textIn(path),
  }));
  const byPath = new Map([...own, ...policies].map((file) => [canonicalPath(nodeFiles, file.path), file]));
  return [...byPath.values()];
}

function textIn(path: string): Pick<SettingsFile, 'text'> {
  const text = nodeFiles.readText(path);
  return text === undefined ? {} : { text };
}

const NOTHING: SettingsReport = { problems: [], own: [], foreign: 0, others: [], switches: [] };

function inspect(installer: Installer, { scope, path, text, plugin }: SettingsFile, world: World): Wiring {
  const isEmpty = text === undefined || text.trim() === '';
  const {
    problems,
    own,
    foreign,
    others,
    switches,
    env = {},
    limit,
    differs,
    statusLine,
  } = isEmpty ? NOTHING : installer.read(text);
  const wired = [...new Set(own.map(({ event }) => event))];
  const started = own.filter(({ http }) => http === undefined);
  const calls = new Map(started.map(({ event, words }) => [callKey(event, words), words]));
  const posts = own.flatMap(({ event, http }) => (http ? [{ event, ...http }] : []));
  const transport = transportOf(installer, own);
  const mode = text === undefined ? undefined : modeOf(path);
  return {
    agent: installer.agent,
    scope,
    ...(plugin && { plugin }),
    path,
    exists: text !== undefined,
    problems,
    valid: problems.every(({ disables }) => disables === 'entry'),
    own,
    env,
    wired,
    duplicates: [],
    foreign,
    others,
    switches,
    calls: [...calls.values()].map((words) => {
      const problem = problemOfCall(words, world.env, nodeFiles);
      return { words, home: homeOf(words, world), ...(problem === undefined ? {} : { problem }) };
    }),
    ...(transport && { transport }),
    targets: [...new Map(posts.map(({ url, token }) => [`${url} ${token}`, { url, token }])).values()],
    posted: new Set(posts.map(({ event }) => event)),
    blocking: new Set(own.filter(({ blocks }) => blocks).map(({ event }) => event)),
    ...(limit && { limit }),
    ...(differs && { differs }),
    ...(statusLine && { statusLine }),
    ...(mode === undefined ? {} : { mode }),
  };
}

/** Entries of one way differ in their event, in how long they may wait, and in what they say if they cannot start. */
const DIFFERS = ['--within', '--if-gone'];

function callKey(event: string, words: readonly string[]): string {
  const isSame = (word: string, at: number): boolean =>
    word !== event && !DIFFERS.includes(word) && !DIFFERS.includes(words[at - 1] ?? '');
  return words.filter(isSame).join('\n');
}

function transportOf({ posting }: Installer, own: readonly OwnEntry[]): Transport | undefined {
  const canBePosted = ({ event }: OwnEntry): boolean => posting?.events.some(({ name }) => name === event) === true;
  const [kind, second] = new Set(own.filter(canBePosted).map(kindOf));
  const [rest, another] = new Set(own.filter((entry) => !canBePosted(entry)).map(kindOf));
  if (second !== undefined || another !== undefined) return 'mixed';
  if (kind === undefined || rest === undefined) return kind ?? rest;
  return kind === 'http' || kind === rest ? kind : 'mixed';
}

function kindOf({ http, words }: OwnEntry): Exclude<Transport, 'mixed'> {
  if (http) return 'http';
  return isNativeClient(words[0] ?? '') ? 'native client' : 'node client';
}
