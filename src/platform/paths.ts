import { userInfo } from 'node:os';
import { basename, dirname, join, posix, resolve, sep, win32 } from 'node:path';

export { basename, dirname, isAbsolute, join, parse, relative, resolve, sep } from 'node:path';

export type Environment = Readonly<Record<string, string | undefined>>;

/** Where one installation keeps what it owns. */
export interface HomePaths {
  readonly config: string;
  readonly state: string;
  /** Socket, lock, port and token of the daemon. */
  readonly run: string;
}

/** What the environment of our own command line holds so that `homePaths` finds these; undefined where it cannot be said. */
export function environmentOf({ config, state }: HomePaths): Record<string, string> | undefined {
  const [above, beside] = [dirname(config), dirname(state)];
  if (above === beside && basename(config) === 'config' && basename(state) === 'state') return { FAIRLEAD_HOME: above };
  if (basename(config) !== 'fairlead' || basename(state) !== 'fairlead') return undefined;
  return { FAIRLEAD_HOME: '', XDG_CONFIG_HOME: above, XDG_STATE_HOME: beside };
}

/** Everything below one directory, as `FAIRLEAD_HOME` and `--home` mean it. */
export function pathsOf(home: string): HomePaths {
  return pairOf(resolve(home, 'config'), resolve(home, 'state'));
}

/** The command line's own paths. A hook never calls this: its environment belongs to the agent. */
export function homePaths(env: Environment, platform: NodeJS.Platform): HomePaths {
  const home = env['FAIRLEAD_HOME'];
  if (home) return pathsOf(home);
  const path = platform === 'win32' ? win32 : posix;
  const user = homeDir(env, platform);
  const [config, state] =
    platform === 'win32'
      ? [
          env['APPDATA'] || path.join(user, 'AppData', 'Roaming'),
          env['LOCALAPPDATA'] || path.join(user, 'AppData', 'Local'),
        ]
      : [path.join(user, '.config'), path.join(user, '.local', 'state')];
  return pairOf(
    path.join(absoluteOr(env['XDG_CONFIG_HOME'], config, path), 'fairlead'),
    path.join(absoluteOr(env['XDG_STATE_HOME'], state, path), 'fairlead'),
    path.join,
  );
}

export function homeDir(env: Environment, platform: NodeJS.Platform): string {
  return (platform === 'win32' ? env['USERPROFILE'] : env['HOME']) || userInfo().homedir;
}

/**
 * Whose home an installation belongs to: told by where its state lies, else by the environment. A process that lives on
 * must not depend on who happened to start it.
 */
export function userHomeOf({ state }: HomePaths, env: Environment, platform: NodeJS.Platform): string {
  const usual = join('.local', 'state', 'fairlead');
  if (platform !== 'win32' && state.endsWith(sep + usual)) return state.slice(0, -usual.length - 1) || sep;
  return homeDir(env, platform);
}

/**
 * The arguments that an installed hook carries. Two flags instead of one joined value, because a path may hold
 * any character that could join them; always both, so that every reader meets one shape.
 */
export function toHookArguments(paths: HomePaths): readonly string[] {
  return ['--config', paths.config, '--state', paths.state];
}

/** Reads `--config DIR --state DIR`, or `--home DIR` as written by hand; `undefined` when neither is complete. */
export function fromHookArguments(args: readonly string[]): HomePaths | undefined {
  const home = valueOf(args, '--home');
  if (home !== undefined) return pathsOf(home);
  const config = valueOf(args, '--config');
  const state = valueOf(args, '--state');
  return config === undefined || state === undefined ? undefined : pairOf(resolve(config), resolve(state));
}

/** Whether `path` is `dir` or lies below it. Both must be canonical. */
export function contains(dir: string, path: string): boolean {
  if (!path.startsWith(dir)) return false;
  return path.length === dir.length || dir.endsWith(sep) || path[dir.length] === sep;
}

function pairOf(config: string, state: string, joined = join): HomePaths {
  return { config, state, run: joined(state, 'run') };
}

/** The base directory specification says to ignore relative values. */
function absoluteOr(value: string | undefined, fallback: string, path: typeof posix): string {
  return value !== undefined && path.isAbsolute(value) ? value : fallback;
}

function valueOf(args: readonly string[], flag: string): string | undefined {
  const at = args.indexOf(flag);
  return at === -1 ? undefined : args[at + 1] || undefined;
}
