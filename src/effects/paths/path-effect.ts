import type { Effect, EffectKind, PathScope } from '../../event/effect.ts';
import type { ShellCommand, ShellWord } from '../../shell/command.ts';
import { isDevice } from '../../shell/files.ts';
import { NONE } from '../words/arguments.ts';
import type { ResolvedPath, Scene } from '../scene.ts';
import { isSecretPath } from './secret-names.ts';

type About = Omit<Effect, 'seen' | 'road' | 'position'>;

/** What is put into a directory changes something in it, not the directory as a whole. */
const INSIDE: ReadonlyMap<PathScope, PathScope> = new Map([
  ['workspace', 'inside'],
  ['home', 'user'],
]);

/** The facts of an effect on a file or tree, however the call is made. */
export function aboutPath(kind: EffectKind, placed: ResolvedPath, how: string, recursive = false): About {
  const { name, path, winding, whole, many } = placed;
  // Many files that are emptied are as good as deleted.
  if (kind === 'truncate' && (whole || many)) return aboutPath('delete', placed, 'emptied');
  const scope = kind === 'delete' || kind === 'permissions' ? placed.scope : (INSIDE.get(placed.scope) ?? placed.scope);
  const about: { -readonly [K in keyof About]: About[K] } = { kind, how, target: name, scope };
  if (path !== undefined) about.path = path;
  if (winding !== undefined) about.winding = winding;
  if (recursive || (whole && kind === 'delete')) about.recursive = true;
  // What is in it is free to go; without the directory itself, which a search finds too, other programs fail.
  if (recursive && kind === 'delete' && whole === 'list' && isTempRoot(path)) about.scope = 'outside';
  if (many && kind === 'delete') about.many = many;
  if (isSecretPath(name)) about.of = 'secret';
  return about;
}

/** A last part such as `.ts` that a directory hardly has; `conf.d` and `src.bak` are left open. */
const FILE_NAME = /[^/.][^/]*\.(?!(?:d|bak|old|orig|app)$)[a-z]\w{0,4}$/i;

/**
 * What is moved lives on elsewhere, so it is no `delete`; where it was it is gone, and whatever looks for it there
 * finds nothing.
 */
export function movedAway(placed: ResolvedPath): About {
  return aboutPath('write', placed, 'moved-away', !FILE_NAME.test(placed.name));
}

export function onPath(
  kind: EffectKind,
  word: ShellWord | string,
  how: string,
  command: ShellCommand,
  scene: Scene,
  recursive = false,
): Effect {
  return scene.effect(command, aboutPath(kind, scene.place(word, command), how, recursive));
}

export function writeEach(
  words: readonly ShellWord[],
  how: string,
  command: ShellCommand,
  scene: Scene,
): readonly Effect[] {
  return words.filter((word) => word.value !== '').map((word) => onPath('write', word, how, command, scene));
}

export function overwriteFile(word: ShellWord, how: string, command: ShellCommand, scene: Scene): readonly Effect[] {
  return overwritePlace(scene.place(word, command), how, command, scene);
}

/** Nothing for a device that holds nothing; a disk is destroyed rather than overwritten, and a file emptied by `emptied`. */
export function overwritePlace(
  placed: ResolvedPath,
  how: string,
  command: ShellCommand,
  scene: Scene,
  recursive = false,
): readonly Effect[] {
  const { scope, path } = placed;
  if (scope === 'remote' || (scope === 'outside' && isDevice(path))) return NONE;
  if (scope === 'device' && !isDisk(path)) return NONE;
  return [scene.effect(command, aboutPath(scope === 'device' ? 'destroy-disk' : kindOf(how), placed, how, recursive))];
}

function kindOf(how: string): EffectKind {
  return how === 'append' ? 'write' : how === 'emptied' ? 'truncate' : 'overwrite';
}

function isTempRoot(path: string | undefined): boolean {
  return path === '/tmp' || path === '/var/tmp' || path === '/private/tmp' || path === '/dev/shm';
}

const DISK = /^\/dev\/(?:sd|hd|vd|xvd|nvme|mmcblk|r?disk|md|dm-|mapper\/|ada|da\d|nbd|loop|zvol|k?mem$|port$)/;

function isDisk(path: string | undefined): boolean {
  return path !== undefined && DISK.test(path);
}
