import type { Releases } from '../event/facts.ts';
import { INSTALLERS } from '../adapters/installers.generated.ts';
import { SCOPES } from '../adapters/installer.ts';
import type { Files } from '../platform/files.ts';
import { findOnPath } from '../platform/find-program.ts';
import type { Outside } from '../platform/outside.ts';
import { dirname, isAbsolute, join } from '../platform/paths.ts';
import { keyAgeDays } from '../relay/webhook.ts';

export interface HomePlace {
  readonly config: string;
  readonly userHome: string;
  readonly env: Outside['env'];
  readonly program: Outside['program'];
}

type Home = HomePlace & { readonly files: Files };

const PROGRAM = 'fairlead';
const MAX_MANIFEST = 64 * 1024;

export function keyAge(home: Home, root: string, keyPath: string | undefined, now: number): number | 'none' {
  const { files, config, userHome } = home;
  return keyAgeDays({ files, root, config, userHome, ...(keyPath !== undefined && { keyPath }) }, now) ?? 'none';
}

/** Read from the files of packages and of agents' settings; nothing is started. */
export function findReleases(home: Home, root: string, searchPath: string | undefined): Releases {
  const { files, program, env } = home;
  const own = packageAbove(files, program.dir);
  const isWorkingCopy = own !== undefined && files.exists(join(own.dir, 'src', 'cli', 'main.ts'));
  const onPath = findOnPath(PROGRAM, { PATH: searchPath ?? env['PATH'] });
  // A package may have been replaced under a process that goes on.
  const installed = (onPath === undefined ? undefined : packageOf(files, onPath)) ?? own;
  const engine = program.version === 'source' || isWorkingCopy ? 'dev' : program.version;
  const registered = launchersIn(home, root)
    .map((launcher) => (launcher === PROGRAM ? installed : packageOf(files, launcher))?.version)
    .filter((version) => version !== undefined);
  // Of several, one that differs is the one to know of.
  const shown = registered.find((version) => version !== engine) ?? registered[0];
  return {
    engine,
    ...(installed && { installed: installed.version }),
    ...(shown !== undefined && { registered: shown }),
  };
}

/** What the hooks that agents run in a project start: the absolute path of a launcher, or our bare name. */
function launchersIn({ files, userHome, env }: Home, root: string): readonly string[] {
  const place = { root, home: userHome, env };
  const launchers = INSTALLERS.flatMap((installer) =>
    SCOPES.flatMap((scope) => installer.settingsPath(scope, place) ?? [])
      .map((path) => files.readText(path) ?? '')
      .filter((text) => text.trim() !== '')
      .flatMap((text) => installer.read(text).own.map(({ words }) => launcherIn(words))),
  );
  return [...new Set(launchers.filter((launcher) => launcher !== undefined))];
}

function launcherIn(words: readonly string[]): string | undefined {
  const named = words.indexOf('--launcher');
  const launcher = named < 0 ? words[words.indexOf('hook') - 1] : words[named + 1];
  return launcher !== undefined && (isAbsolute(launcher) || launcher === PROGRAM) ? launcher : undefined;
}

interface Package {
  readonly dir: string;
  readonly version: string;
}

function packageOf(files: Files, launcher: string): Package | undefined {
  return packageAbove(files, dirname(files.realpath(launcher) ?? launcher));
}

/** The package of ours that holds a directory; a program that something else put in its place belongs to none. */
function packageAbove(files: Files, dir: string): Package | undefined {
  const text = files.readText(join(dir, 'package.json'), MAX_MANIFEST);
  if (text === undefined) return dirname(dir) === dir ? undefined : packageAbove(files, dirname(dir));
  try {
    const { name, version } = JSON.parse(text) as { readonly name?: unknown; readonly version?: unknown };
    return name === PROGRAM && typeof version === 'string' ? { dir, version } : undefined;
  } catch {
    return undefined;
  }
}
