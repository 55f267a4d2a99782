import type { Effect } from '../event/effect.ts';
import type { ShellCommand, ShellWord } from '../shell/command.ts';
import type { Scene } from './scene.ts';

/** One git subcommand with what its options and config say. */
export interface GitCall {
  /** Runs in the directory that `-C` names. */
  readonly command: ShellCommand;
  readonly scene: Scene;
  readonly name: string;
  /** Without git, its own options, and the subcommand. */
  readonly words: readonly ShellWord[];
  /** What `-c` and the environment set, by key in lower case. */
  readonly config: ReadonlyMap<string, string>;
}

export type ReadGit = (call: GitCall) => readonly Effect[];

/** Pathspecs that stand for the whole work tree or for whatever is there. */
const EVERYTHING: ReadonlySet<string> = new Set([
  '.',
  './',
  '..',
  '../',
  ':/',
  ':/.',
  ':/*',
  '*',
  './*',
  '**',
  '/',
  ':',
]);

export const EVERYTHING_TARGET = 'everything';

export function discardEverything({ command, scene }: GitCall, how: string): Effect {
  return scene.effect(command, { kind: 'discard', how, target: EVERYTHING_TARGET, recursive: true });
}

/** One effect per path; a path that stands for the whole work tree counts as everything. */
export function discardPaths(call: GitCall, how: string, paths: readonly ShellWord[]): readonly Effect[] {
  if (paths.some(({ value }) => EVERYTHING.has(value))) return [discardEverything(call, how)];
  return paths.map((word) => {
    const { name, path, scope } = call.scene.place(word, call.command);
    return call.scene.effect(call.command, {
      kind: 'discard',
      how,
      target: name === '' ? word.text : name,
      ...(path === undefined ? {} : { path }),
      scope,
    });
  });
}
