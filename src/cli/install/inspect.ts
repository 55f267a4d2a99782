import { INSTALLERS } from '../../adapters/installers.ts';
import { SCOPES } from '../../adapters/installer.ts';
import type { Installer, Scope, SettingsProblem, SettingsReport } from '../../adapters/installer.ts';
import { canonicalPath, nodeFiles } from '../../platform/files.ts';
import type { HomePaths } from '../../platform/paths.ts';
import type { CliWorld } from '../command.ts';
import { problemOfCall } from './launcher.ts';
import { placeOf } from './place.ts';
import { homeOf } from './plan.ts';

/** One settings file of an agent, and what of ours is in it. */
export interface Wiring {
  readonly agent: string;
  /** `policy` is the file of the machine's administrator. */
  readonly scope: Scope | 'policy';
  readonly path: string;
  readonly exists: boolean;
  readonly problems: readonly SettingsProblem[];
  /** False when the agent ignores the whole file. */
  readonly valid: boolean;
  /** The agent's events that call us from this file. */
  readonly wired: readonly string[];
  /** Events that `init` would add; empty in a file that has none of ours. */
  readonly missing: readonly string[];
  /** Events that call us from another file too: each such event starts us twice. */
  readonly duplicates: readonly string[];
  readonly foreign: number;
  /** Settings that keep hooks from running, such as one that turns all of them off. */
  readonly switches: readonly string[];
  /** The distinct ways in which the entries start us. */
  readonly calls: readonly Call[];
}

export interface Call {
  readonly words: readonly string[];
  /** The directories that a hook started like this uses. */
  readonly home: HomePaths;
  /** Why it cannot start. */
  readonly problem?: string;
}

type World = Pick<CliWorld, 'cwd' | 'userHome' | 'env'>;

/** Every settings file that an agent reads in a directory, for each agent. */
export function inspectInstall(dir: string | undefined, world: World): readonly Wiring[] {
  return INSTALLERS.flatMap((installer) => {
    const found = filesOf(installer, dir, world).map((file) => inspect(installer, file, world));
    return found.map((wiring) => ({
      ...wiring,
      duplicates: wiring.wired.filter((event) =>
        found.some((other) => other !== wiring && other.valid && other.wired.includes(event)),
      ),
    }));
  });
}

interface SettingsFile {
  readonly scope: Wiring['scope'];
  readonly path: string;
}

/** In a home directory the project's file and the user's are the same one; it counts once, as the user's. */
function filesOf(installer: Installer, dir: string | undefined, world: World): SettingsFile[] {
  const place = placeOf(dir, world);
  const own: SettingsFile[] = SCOPES.map((scope) => ({ scope, path: installer.settingsPath(scope, place) }));
  const policies: SettingsFile[] = installer.policyPaths(process.platform).map((path) => ({ scope: 'policy', path }));
  const byPath = new Map([...own, ...policies].map((file) => [canonicalPath(nodeFiles, file.path), file]));
  return [...byPath.values()];
}

const NOTHING: SettingsReport = { problems: [], own: [], foreign: 0, switches: [] };

function inspect(installer: Installer, { scope, path }: SettingsFile, world: World): Wiring {
  const text = nodeFiles.readText(path);
  const isEmpty = text === undefined || text.trim() === '';
  const { problems, own, foreign, switches } = isEmpty ? NOTHING : installer.read(text);
  const wired = [...new Set(own.map(({ event }) => event))];
  const names = installer.wired.map(({ name }) => name);
  const calls = new Map(own.map(({ event, words }) => [words.filter((word) => word !== event).join('\n'), words]));
  return {
    agent: installer.agent,
    scope,
    path,
    exists: text !== undefined,
    problems,
    valid: problems.every(({ disables }) => disables === 'entry'),
    wired,
    missing: wired.length === 0 ? [] : names.filter((name) => !wired.includes(name)),
    duplicates: [],
    foreign,
    switches,
    calls: [...calls.values()].map((words) => {
      const problem = problemOfCall(words, world.env, nodeFiles);
      return { words, home: homeOf(words, world), ...(problem === undefined ? {} : { problem }) };
    }),
  };
}
