import type { Effect, GitWords } from '../../event/effect.ts';
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

export function discardEverything(call: GitCall, how: string, words?: MoreWords): Effect {
  return call.scene.effect(call.command, {
    kind: 'discard',
    how,
    target: 'everything',
    recursive: true,
    ...inRepository(call, words),
  });
}

/** `untold`: what it takes does not stand in its words. */
export type MoreWords = Omit<GitWords, 'dir'> | 'untold';

/** Variables and options that lead git to another repository, or to other parts of it. */
const LEADS_ELSEWHERE =
  /^(?:GIT_(?:DIR|WORK_TREE|INDEX_FILE|COMMON_DIR|OBJECT_DIRECTORY|NAMESPACE)$|--(?:git-dir|work-tree|namespace|bare))/;

function isElsewhere({ words, assigns }: GitCall['command']): boolean {
  return (
    words.some(({ value }) => LEADS_ELSEWHERE.test(value)) || assigns.some(({ name }) => LEADS_ELSEWHERE.test(name))
  );
}

/** Which repository it is about, and what of it goes. */
export function inRepository(call: GitCall, words: MoreWords = {}): Pick<Effect, 'scope' | 'git'> {
  const { command } = call;
  const isTold = words !== 'untold' && command.dir !== undefined && command.program !== 'yadm' && !isElsewhere(command);
  return {
    ...scopeOfRepository(call),
    ...(isTold && { git: { dir: command.dir, ...words } }),
  };
}

/** What a word names, where running it is not needed to tell. */
export function named(word: ShellWord | undefined): MoreWords {
  return word === undefined ? {} : word.known ? { to: word.value } : 'untold';
}

/** The commit that a word names as the source of files; `-` is the one before. */
export function takenFrom(word: ShellWord | undefined): Pick<GitWords, 'from'> {
  if (word === undefined) return {};
  return { from: !word.known ? '' : word.value === '-' ? '@{-1}' : word.value };
}

/** A repository below a directory for temporary files holds nothing that anybody would miss. */
function scopeOfRepository({ command, scene }: GitCall): Pick<Effect, 'scope'> {
  if (command.dir === undefined || scene.place('..', command).scope !== 'temp') return {};
  return isElsewhere(command) ? {} : { scope: 'temp' };
}

/** Branches that others build on, which nobody makes anew. */
const SHARED = /^(?:refs\/heads\/)?(?:main|master|develop|trunk|production|staging|release\/.*)$/;

export function isSharedBranch(name: string): boolean {
  return SHARED.test(name);
}

/** The branch points elsewhere afterwards, and what only it held is lost. */
export function moveBranch(call: GitCall, { value }: ShellWord, words: MoreWords = 'untold'): Effect {
  const branch = value.replace('refs/heads/', '');
  return call.scene.effect(call.command, {
    kind: 'delete-branch',
    how: 'moved',
    target: branch,
    branch,
    ...inRepository(call, words),
  });
}

/** One effect per path; a path that stands for the whole work tree counts as everything. */
export function discardPaths(
  call: GitCall,
  how: string,
  paths: readonly ShellWord[],
  words: MoreWords = {},
): readonly Effect[] {
  const effects: Effect[] = [];
  const { paths: meant, spares } = partPathspecs(paths, call.command.dir);
  for (const word of meant.length === 0 && paths.length > 0 ? [{ ...(paths[0] as ShellWord), value: '.' }] : meant) {
    const { name, path, scope } = call.scene.place(word, call.command);
    const isFromTop = word.value.startsWith(':');
    if (scope === 'workspace' || EVERYTHING.has(word.value)) {
      const within = isFromTop ? undefined : path;
      const more = words === 'untold' || within === undefined ? words : { ...words, within };
      return [{ ...discardEverything(call, how, more), ...spares }];
    }
    const target = name === '' ? word.text : name;
    // Such a pathspec is no path.
    const { git } = inRepository(call, isFromTop ? 'untold' : words);
    effects.push(
      call.scene.effect(call.command, {
        kind: 'discard',
        how,
        target,
        ...(path === undefined ? {} : { path }),
        scope,
        ...(git && { git }),
        ...spares,
      }),
    );
  }
  return effects;
}

/** A pathspec that leaves something out: `:!docs`, `:^docs`, `:(exclude)docs`. */
const LEAVES_OUT = /^:(?:[!^]|\(exclude\))(?=[^!^(:/])/;

/** The paths that git is given, without those that it is told to leave alone. */
export function partPathspecs(
  words: readonly ShellWord[],
  dir: string | undefined,
): { readonly paths: readonly ShellWord[]; readonly spares: Pick<Effect, 'spares'> } {
  const isLeftOut = ({ known, value }: ShellWord) => known && dir !== undefined && LEAVES_OUT.test(value);
  const spared = words.filter(isLeftOut).map(({ value }) => `${dir}/${value.replace(LEAVES_OUT, '')}`);
  return { paths: words.filter((word) => !isLeftOut(word)), spares: spared.length > 0 ? { spares: spared } : {} };
}

/** Another commit comes into the work tree: what is not committed stays, and what is may become another. */
export function switching(call: GitCall, to: ShellWord | undefined): readonly Effect[] {
  if (!to) return [];
  const words = to.known ? takenFrom(to) : undefined;
  const { git } = inRepository(call, words ?? 'untold');
  return git ? [call.scene.effect(call.command, { kind: 'settings', how: 'switching', target: to.text, git })] : [];
}
