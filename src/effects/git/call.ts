import type { Effect } from '../../event/effect.ts';
import type { ShellCommand, ShellWord } from '../../shell/command.ts';
import type { Scene } from '../scene.ts';

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
const EVERYTHING: ReadonlySet<string> = new Set('. ./ .. ../ : :/ :/. :/* :(top) * ./* ** /'.split(' '));

export function discardEverything(call: GitCall, how: string): Effect {
  return call.scene.effect(call.command, {
    kind: 'discard',
    how,
    target: 'everything',
    recursive: true,
    ...scopeOfRepository(call),
  });
}

/** A repository below a directory for temporary files holds nothing that anybody would miss. */
export function scopeOfRepository({ command, scene }: GitCall): Pick<Effect, 'scope'> {
  const { dir, words, assigns } = command;
  if (dir === undefined || scene.place('..', command).scope !== 'temp') return {};
  const elsewhere =
    words.some(({ value }) => value.startsWith('--git-dir') || value.startsWith('--work-tree')) ||
    assigns.some(({ name }) => name === 'GIT_DIR' || name === 'GIT_WORK_TREE');
  return elsewhere ? {} : { scope: 'temp' };
}

/** Branches that others build on, which nobody makes anew. */
const SHARED = /^(?:refs\/heads\/)?(?:main|master|develop|trunk|production|staging|release\/.*)$/;

export function isSharedBranch(name: string): boolean {
  return SHARED.test(name);
}

/** The branch points elsewhere afterwards, and what only it held is lost. */
export function moveBranch(call: GitCall, { value }: ShellWord): Effect {
  const branch = value.replace('refs/heads/', '');
  return call.scene.effect(call.command, {
    kind: 'delete-branch',
    how: 'moved',
    target: branch,
    branch,
    ...scopeOfRepository(call),
  });
}

/** One effect per path; a path that stands for the whole work tree counts as everything. */
export function discardPaths(call: GitCall, how: string, paths: readonly ShellWord[]): readonly Effect[] {
  const effects: Effect[] = [];
  for (const word of paths) {
    const { name, path, scope } = call.scene.place(word, call.command);
    if (scope === 'workspace' || EVERYTHING.has(word.value)) return [discardEverything(call, how)];
    const target = name === '' ? word.text : name;
    effects.push(
      call.scene.effect(call.command, { kind: 'discard', how, target, ...(path === undefined ? {} : { path }), scope }),
    );
  }
  return effects;
}
