import type { Effect, EffectKind, PathScope } from '../event/effect.ts';
import type { ShellCommand, ShellWord } from '../shell/command.ts';
import type { Placed, Scene } from './scene.ts';
import { isSecretPath } from './secret-names.ts';

type About = Omit<Effect, 'seen' | 'road' | 'position'>;

/** What is put into a directory changes something in it, not the directory as a whole. */
const INSIDE: ReadonlyMap<PathScope, PathScope> = new Map([
  ['workspace', 'inside'],
  ['home', 'user'],
]);

/** The facts of an effect on a file or tree, however the call is made. */
export function aboutPath(kind: EffectKind, placed: Placed, how: string, recursive = false): About {
  const { name, path } = placed;
  const scope = kind === 'delete' || kind === 'permissions' ? placed.scope : (INSIDE.get(placed.scope) ?? placed.scope);
  const about: { -readonly [K in keyof About]: About[K] } = { kind, how, target: name, scope };
  if (path !== undefined) about.path = path;
  if (recursive) about.recursive = true;
  if (isSecretPath(path ?? name)) about.of = 'secret';
  return about;
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
