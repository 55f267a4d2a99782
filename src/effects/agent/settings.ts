import type { Effect, EffectKind, PathScope, SettingsWords } from '../../event/effect.ts';
import type { Event } from '../../event/event.ts';
import { baseName } from '../words/arguments.ts';
import { canBeSame, isPattern } from '../paths/pattern.ts';
import { isSpared } from '../paths/spared.ts';
import { CHANGES } from '../paths/links.ts';
import type { Links } from '../paths/links.ts';
import type { Surroundings } from '../scene.ts';
import { endsLikeOwn, hitsOwn, isAboveOwn, isOwnPath, mayFindOwn, mayHitOwn } from './own-files.ts';
import type { OwnHit } from './own-files.ts';
import { changedBy, MOST_PATCH, placesOf } from './patches.ts';
import { takenOfWired } from './wired.ts';

/** Who hits all of these is not after settings. */
const WHOLE: ReadonlySet<PathScope | undefined> = new Set(['root', 'home', 'workspace']);

/** Nothing stays of what the file held. */
const REPLACES: ReadonlySet<EffectKind> = new Set(['delete', 'overwrite', 'truncate']);

/** Ways to put something into a directory that is given as a whole; what it is, the text does not tell. */
const PUTS_INTO: ReadonlySet<string | undefined> = new Set([
  ...['copy', 'move', 'install', 'link', 'archive', 'mount', 'download'],
]);

/**
 * Changes of the settings that the agent and its hooks live under, whatever road the change takes: one more effect beside
 * each that hits them. `own-files` is what this program is made of, `own-rules` what a project brings for it;
 * `agent-settings-possible` may hit settings of the agent, and `agent-settings-replaced` leaves nothing of one.
 */
export function readSettings(
  effects: readonly Effect[],
  mentions: readonly Effect[],
  links: Links,
  surroundings: Surroundings,
): readonly Effect[] {
  let found: Effect[] | undefined;
  const wiredHere = () => wiredIn(surroundings);
  for (const effect of effects) {
    if (effect.how === 'stashing') (found ??= []).push(...stashedBy(effect, surroundings));
    const wired = takenOfWired(effect, surroundings, wiredHere);
    if (wired.length > 0) (found ??= []).push(...wired);
    if (effect.how === 'patch') (found ??= []).push(...patchedBy(effect, surroundings));
    if (!CHANGES.has(effect.kind)) continue;
    const hit = hitBy(effect, links, surroundings);
    if (!hit) continue;
    const ofAgent = hit.how.startsWith('agent-');
    for (const path of hit.paths) {
      const words = ofAgent ? wordsAt(path, surroundings) : undefined;
      (found ??= []).push({ ...effect, kind: 'settings', how: hit.how, path, ...(words && { words }) });
    }
    if (hit.paths.length === 0) (found ??= []).push({ ...effect, kind: 'settings', how: hit.how });
  }
  for (const mention of mentions) {
    const path = links.changedBy(mention, mention.path as string);
    for (const about of mentionedAt(mention, path, surroundings))
      if (!found?.some((one) => one.path === about.path && one.seen === mention.seen))
        (found ??= []).push({ ...mention, ...about });
  }
  return found ?? NONE;
}

/** The start of a path of which only the end is known. */
export const UNTOLD_START = '/*/';

/** What a program that nobody knows may change where it is pointed at. */
function mentionedAt(mention: Effect, path: string, surroundings: Surroundings): readonly Partial<Effect>[] {
  const isOwn =
    isOwnPath(path, surroundings) ||
    surroundings.isOwn?.(path) === true ||
    (path.startsWith(UNTOLD_START) && endsLikeOwn(path)) ||
    (mention.recursive === true && isAboveOwn(path, surroundings)) ||
    (isSearched(mention) && mayFindOwn(path, surroundings));
  if (isOwn) return [{ how: 'own-files-possible', path }];
  const setting = settingAt(path, true, surroundings);
  if (setting?.name === 'own-rules') return [{ how: 'own-rules', path }];
  const isHidden = path.startsWith(UNTOLD_START) && isHiddenName(baseName(path), surroundings);
  const files = setting?.files ?? (isHidden || (isSearched(mention) && mayFind(path, surroundings)) ? [path] : []);
  return files.map((file) => {
    const words = wordsAt(file, surroundings);
    return { how: 'agent-settings-possible', path: file, ...(words && { words }) };
  });
}

/** Whether the path is ours: what this program is made of, settings or a directory of them, rules of a project. */
export function isOurs(path: string, surroundings: Surroundings): boolean {
  return isOwnPath(path, surroundings) || settingAt(path, true, surroundings) !== undefined;
}

/** The last directory that was asked about: commands mostly run in one place. */
let lastDir: { readonly dir: string; readonly among: Surroundings; readonly is: boolean } | undefined;

/** As `isOurs`, of where a command runs. */
export function runsAmongOurs(dir: string, surroundings: Surroundings): boolean {
  const { root, home, ownDirs, agentSettings } = surroundings;
  const { among } = lastDir ?? {};
  const isSame = among?.ownDirs === ownDirs && among.agentSettings === agentSettings;
  if (!lastDir || !isSame || lastDir.dir !== dir || among.root !== root || among.home !== home)
    lastDir = { dir, among: surroundings, is: isOurs(dir, surroundings) };
  return lastDir.is;
}

/** What of ours lies in the work tree; whether git tracks it, only a look tells. */
function stashedBy(effect: Effect, surroundings: Surroundings): readonly Effect[] {
  const { root } = surroundings;
  return [...filesInForce(surroundings), `${root}/.fairlead`]
    .filter((path) => isIn(path, root) && isIn(path, effect.path ?? root) && !isSpared(effect, path))
    .map((path) => ({ ...effect, how: 'stashed', target: path, path }));
}

/** What of ours a patch changes. One that is too long to read whole may change anything. */
function patchedBy(effect: Effect, surroundings: Surroundings): readonly Effect[] {
  const { from = '', path: dir = surroundings.cwd } = effect;
  const text = effect.names ? undefined : surroundings.readText?.(from, MOST_PATCH);
  const names = effect.names ?? changedBy(text ?? '');
  const places = names.flatMap((name) => placesOf(name, dir, surroundings));
  const hits = [...new Set(places)].filter((path) => isOurs(path, surroundings) || isWired(path, surroundings));
  const told = hits.flatMap((path) =>
    (isWired(path, surroundings) ? [{ how: 'wired', path }] : mentionedAt(effect, path, surroundings)).map((about) => ({
      ...effect,
      target: path,
      ...about,
    })),
  );
  const isWhole = text === undefined || text.length < MOST_PATCH;
  return isWhole || told.length > 0 ? told : [{ ...effect, how: 'own-files-possible' }];
}

interface Hit {
  readonly how: string;
  /** The files that are hit, as far as they can be named. */
  readonly paths: readonly string[];
}

function hitBy(effect: Effect, links: Links, surroundings: Surroundings): Hit | undefined {
  const { path, kind, how } = effect;
  if (path === undefined)
    return mayHitOwn(effect) ? { how: 'own-files-possible', paths: [] } : untoldHit(effect, surroundings);
  const own = ownHitBy(effect, path, links, surroundings);
  if (own === 'own-files') return { how: own, paths: [path] };
  const keeps = (kind === 'write' || kind === 'overwrite') && how !== 'moved-away';
  const loses = kind === 'discard' || (effect.recursive === true && !keeps && !WHOLE.has(effect.scope));
  const setting = settingAt(path, loses, surroundings) ?? wiredAt(path, surroundings);
  if (setting) {
    if (setting.name !== 'agent-settings') return { how: setting.name, paths: [path] };
    const replaced = how === 'moved-away' || how === 'link' || REPLACES.has(kind);
    return { how: replaced ? 'agent-settings-replaced' : 'agent-settings', paths: setting.files };
  }
  const isPossible =
    ((PUTS_INTO.has(how) || meansFiles(effect)) && isSettingsDir(path, surroundings)) ||
    (isSearched(effect) && mayFind(path, surroundings, effect)) ||
    leadsToSetting(effect, links, surroundings);
  if (isPossible) return { how: 'agent-settings-possible', paths: [path] };
  if (own) return { how: own, paths: [path] };
  return isSearched(effect) && mayFindOwn(path, surroundings)
    ? { how: 'own-files-possible', paths: [path] }
    : undefined;
}

/** As above, for settings: `$DIR/.claude/settings.json`. */
function untoldHit({ target, scope }: Effect, surroundings: Surroundings): Hit | undefined {
  if (scope !== 'unknown') return undefined;
  const name = `/${target.replaceAll(/["']/g, '')}`;
  const setting = settingAt(name, true, surroundings);
  if (setting?.name === 'own-rules') return { how: 'own-rules', paths: [] };
  const isNamed = setting !== undefined || isHiddenName(baseName(name), surroundings);
  return isNamed ? { how: 'agent-settings-possible', paths: [] } : undefined;
}

function isHiddenName(name: string, { agentSettings }: Surroundings): boolean {
  return name.startsWith('.') && agentSettings.some((file) => baseName(file) === name);
}

/** By its name, by where the links of the same call lead in whatever order it makes them, and by a look at the disk. */
function ownHitBy(effect: Effect, path: string, links: Links, surroundings: Surroundings): OwnHit | undefined {
  const hit = hitsOwn(effect, path, surroundings);
  if (hit === 'own-files') return hit;
  const { from, kind, how, recursive } = effect;
  const isTree = recursive === true && (kind === 'delete' || how === 'moved-away');
  const led = links.any ? (isTree ? links.leadsTo(path) : links.changedBy(effect, path)) : path;
  if (led !== path && hitsOwn(effect, led, surroundings) === 'own-files') return 'own-files';
  const isLinkItself = (kind === 'delete' && !isTree) || how === 'link' || (how === 'moved-away' && !isTree);
  const looked = isLinkItself ? path.slice(0, path.lastIndexOf('/')) : path;
  if (looked !== '' && surroundings.isOwn?.(looked) === true) return 'own-files';
  // A second name for what is ours is the beginning of a change that nobody sees.
  const leads =
    (how === 'link' || how === 'mount') && from !== undefined && isOwnPath(links.leadsTo(from), surroundings);
  return leads ? 'own-files-possible' : hit;
}

/** A directory is named and its files are meant, as by `for f in dir/*; do : > $f; done`. */
function meansFiles({ kind, how }: Effect): boolean {
  return kind !== 'permissions' && kind !== 'discard' && how !== 'mkdir' && how !== 'touch';
}

/** A second name for settings is the beginning of a change as well. */
function leadsToSetting({ how, from }: Effect, links: Links, surroundings: Surroundings): boolean {
  if ((how !== 'link' && how !== 'mount') || from === undefined) return false;
  return settingAt(links.leadsTo(from), true, surroundings) !== undefined;
}

/** The path is that of a name which a search looks for at any depth. */
function isSearched({ how, road, seen }: Effect): boolean {
  if (how === 'find') return !seen.includes('-maxdepth');
  return road.some((step) => step.startsWith('find -') || step === 'xargs');
}

function mayFind(path: string, surroundings: Surroundings, effect: Pick<Effect, 'spares'> = {}): boolean {
  const name = baseName(path);
  const start = path.slice(0, path.lastIndexOf('/'));
  return filesInForce(surroundings).some(
    (file) => isIn(file, start) && canBeSame(name, baseName(file)) && !isSpared(effect, file),
  );
}

const NONE: readonly Effect[] = [];
const NO_FILES: readonly string[] = [];

/** What events without a tool tell about settings: the files in force when a session starts, and one that has changed. */
export function readSettingsEvent(event: Event, surroundings: Surroundings): readonly Effect[] {
  const about = (how: string, path: string): Effect => {
    const words = wordsAt(path, surroundings);
    return { kind: 'settings', how, target: path, path, seen: path, road: [], ...(words && { words }) };
  };
  if (event.name === 'session.start') return filesInForce(surroundings).map((path) => about('in-force', path));
  const path = event.name === 'config.changed' ? event.place?.path : undefined;
  if (path === undefined) return NONE;
  const isOne = (settingAt(path, false, surroundings) ?? wiredAt(path, surroundings))?.name === 'agent-settings';
  // Whichever file has changed, the agent reads all of them again.
  const others = filesInForce(surroundings).filter((file) => file !== path);
  return isOne ? [about('changed', path), ...others.map((file) => about('in-force', file))] : NONE;
}

/** Where a workspace and its person would have each file; patterns of names are left out. */
export function filesInForce({
  agentSettings,
  root,
  home,
}: Pick<Surroundings, 'agentSettings' | 'root' | 'home'>): readonly string[] {
  const files = agentSettings.flatMap((glob) => {
    const path = glob.replace(/^\*\*\//, `${root}/`).replace(/^~\//, `${home}/`);
    return path.includes('*') ? [] : [path];
  });
  return [...new Set(files)];
}

interface Setting {
  readonly name: 'own-rules' | 'agent-settings';
  readonly files: readonly string[];
}

/** `path` may hold wildcards; `tree` when everything below it is meant as well. */
function settingAt(path: string, tree: boolean, surroundings: Surroundings): Setting | undefined {
  const children = /\/\.?\*{1,2}$/.exec(path);
  const top = segmentsOf(children ? path.slice(0, children.index) : path);
  const whole = tree || children !== null;
  const { files, dirs } = patternsOf(surroundings);
  const named = files.filter((file) => fits(file, top));
  if (named.length > 0) return { name: 'agent-settings', files: filesNamed(top, named) };
  const held = whole && dirs.some((dir) => fits(dir, top)) ? files.filter((file) => fits(file.slice(0, -1), top)) : [];
  if (held.length > 0) return { name: 'agent-settings', files: filesNamed([...top, '*'], held) };
  return top.some((part) => canBeSame(part, '.fairlead')) ? { name: 'own-rules', files: [] } : undefined;
}

/** A file that calls us wherever it lies, as where a variable leads the agent to other settings. */
function wiredAt(path: string, surroundings: Surroundings): Setting | undefined {
  return wiredIn(surroundings).includes(path) ? { name: 'agent-settings', files: [path] } : undefined;
}

function wiredIn(surroundings: Surroundings): readonly string[] {
  return surroundings.wired?.(filesInForce(surroundings)) ?? NO_FILES;
}

function isWired(path: string, surroundings: Surroundings): boolean {
  return wiredAt(path, surroundings) !== undefined;
}

function isSettingsDir(path: string, surroundings: Surroundings): boolean {
  const segments = segmentsOf(path);
  return patternsOf(surroundings).dirs.some((dir) => fits(dir, segments));
}

/** What the text of a file is held against: the words of the agent whose file it is, of all where that cannot be told. */
function wordsAt(path: string, surroundings: Surroundings): SettingsWords | undefined {
  const { settingsWords, wordsOfFiles } = surroundings;
  const segments = segmentsOf(path);
  const at = wordsOfFiles ? patternsOf(surroundings).files.findIndex((file) => fits(file, segments)) : -1;
  return wordsOfFiles?.[at] ?? settingsWords;
}

/** The files in one directory that a path with a wildcard in its last part stands for; the path itself for all others. */
function filesNamed(path: readonly string[], patterns: readonly Pattern[]): readonly string[] {
  const dir = path.slice(0, -1);
  const names = patterns.map((pattern) => pattern.at(-1) as string);
  if (dir.some(isPattern) || !isPattern(path.at(-1) ?? '') || names.some(isPattern)) return [`/${path.join('/')}`];
  return [...new Set(names)].map((name) => `/${[...dir, name].join('/')}`);
}

function isIn(path: string, dir: string): boolean {
  return path.startsWith(dir) && (path.length === dir.length || path[dir.length] === '/');
}

function segmentsOf(path: string): readonly string[] {
  return path.split('/').filter((part) => part !== '');
}

/** `**` in front, if anywhere. */
type Pattern = readonly string[];

function fits(pattern: Pattern, path: readonly string[]): boolean {
  const floats = pattern[0] === '**';
  const parts = floats ? pattern.slice(1) : pattern;
  const from = path.length - parts.length;
  if (floats ? from < 0 : from !== 0) return false;
  // A name that no directory stands before: what may be any name at all does not mean it.
  if (floats && parts.length === 1 && !BEGINS_KNOWN.test(path.at(-1) ?? '')) return false;
  return parts.every((part, at) => canBeSame(path[from + at] as string, part));
}

const BEGINS_KNOWN = /^[\w.-]/;

interface SettingsPatterns {
  readonly files: readonly Pattern[];
  /** The directories that hold nothing but settings of the agent. */
  readonly dirs: readonly Pattern[];
}

const split = new WeakMap<readonly string[], { readonly home: string; readonly patterns: SettingsPatterns }>();

/** Split once for as long as the same list is handed in. */
function patternsOf({ agentSettings, home }: Surroundings): SettingsPatterns {
  const known = split.get(agentSettings);
  if (known?.home === home) return known.patterns;
  const files = agentSettings.map((glob) => segmentsOf(glob.startsWith('~/') ? home + glob.slice(1) : glob));
  const dirs = files.map((file) => file.slice(0, -1)).filter((dir) => dir.length > 1 && `/${dir.join('/')}` !== home);
  const patterns = { files, dirs };
  split.set(agentSettings, { home, patterns });
  return patterns;
}
