import type { Effect, EffectKind, PathScope } from '../event/effect.ts';
import type { Event } from '../event/event.ts';
import { compileGlob, matchGlob } from '../engine/glob.ts';
import type { Glob } from '../engine/glob.ts';
import type { Surroundings } from './scene.ts';

/** Ways to change what a file holds or whether it is there. */
const CHANGES: ReadonlySet<EffectKind> = new Set([
  'delete',
  'overwrite',
  'truncate',
  'write',
  'discard',
  'permissions',
]);

/** Who hits all of these is not after settings. */
const WHOLE: ReadonlySet<PathScope | undefined> = new Set(['root', 'home', 'workspace']);

/** Nothing stays of what the file held. */
const REPLACES: ReadonlySet<EffectKind> = new Set(['delete', 'overwrite', 'truncate']);

/**
 * Changes of the settings that the agent and its hooks live under, whatever road the change takes: one more effect beside
 * each that hits them. `own-files` is this program's state and config, `own-rules` what a project brings for it.
 */
export function readSettings(effects: readonly Effect[], surroundings: Surroundings): readonly Effect[] {
  let found: Effect[] | undefined;
  for (const effect of effects) {
    if (!CHANGES.has(effect.kind) || effect.path === undefined) continue;
    const tree = effect.recursive === true && !WHOLE.has(effect.scope);
    const setting = settingAt(effect.path, tree, surroundings);
    if (setting === undefined) continue;
    const ofAgent = setting === 'agent-settings';
    const how = ofAgent && REPLACES.has(effect.kind) ? 'agent-settings-replaced' : setting;
    const words = ofAgent ? surroundings.settingsWords : undefined;
    (found ??= []).push({ ...effect, kind: 'settings', how, ...(words && { words }) });
  }
  return found ?? NONE;
}

const NONE: readonly Effect[] = [];

/** What events without a tool tell about settings: the files in force when a session starts, and one that has changed. */
export function readSettingsEvent(event: Event, surroundings: Surroundings): readonly Effect[] {
  const { settingsWords: words } = surroundings;
  const about = (how: string, path: string): Effect => ({
    kind: 'settings',
    how,
    target: path,
    path,
    seen: path,
    road: [],
    ...(words && { words }),
  });
  if (event.name === 'session.start') return filesInForce(surroundings).map((path) => about('in-force', path));
  const path = event.name === 'config.changed' ? event.place?.path : undefined;
  return path !== undefined && settingAt(path, false, surroundings) === 'agent-settings'
    ? [about('changed', path)]
    : NONE;
}

/** Where a workspace and its person would have each file; patterns of names are left out. */
function filesInForce({ agentSettings, root, home }: Surroundings): readonly string[] {
  const files = agentSettings.flatMap((glob) => {
    const path = glob.replace(/^\*\*\//, `${root}/`).replace(/^~\//, `${home}/`);
    return path.includes('*') ? [] : [path];
  });
  return [...new Set(files)];
}

type Setting = 'own-files' | 'own-rules' | 'agent-settings';

function settingAt(path: string, recursive: boolean, surroundings: Surroundings): Setting | undefined {
  const children = /\/\.?\*{1,2}$/.exec(path);
  const top = children ? path.slice(0, children.index) : path;
  const tree = recursive || children !== null;
  for (const dir of surroundings.ownDirs) if (isIn(top, dir) || (tree && isIn(dir, top))) return 'own-files';
  const segments = top.split('/').filter((part) => part !== '');
  const { files, dirs } = globsOf(surroundings);
  if (files.some((glob) => matchGlob(glob, undefined, segments))) return 'agent-settings';
  if (tree && dirs.some((glob) => matchGlob(glob, undefined, segments))) return 'agent-settings';
  return segments.includes('.fairlead') ? 'own-rules' : undefined;
}

function isIn(path: string, dir: string): boolean {
  return path.startsWith(dir) && (path.length === dir.length || path[dir.length] === '/');
}

interface SettingsGlobs {
  readonly files: readonly Glob[];
  /** The directories that hold nothing but settings of the agent. */
  readonly dirs: readonly Glob[];
}

const compiled = new WeakMap<readonly string[], { readonly home: string; readonly globs: SettingsGlobs }>();

/** Compiled once for as long as the same list is handed in. */
function globsOf({ agentSettings, home }: Surroundings): SettingsGlobs {
  const known = compiled.get(agentSettings);
  if (known?.home === home) return known.globs;
  const files = agentSettings.map((glob) => (glob.startsWith('~/') ? home + glob.slice(1) : glob));
  const dirs = files.map((glob) => glob.slice(0, glob.lastIndexOf('/'))).filter((dir) => dir !== home && dir !== '**');
  const globs = { files: files.map(compileGlob), dirs: [...new Set(dirs)].map(compileGlob) };
  compiled.set(agentSettings, { home, globs });
  return globs;
}
