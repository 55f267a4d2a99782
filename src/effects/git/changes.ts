import type { Effect, EffectKind } from '../../event/effect.ts';
import type { Reading, ShellCommand, ShellWord } from '../../shell/command.ts';
import { GIT_OPTIONS } from './options.ts';

/** Options before the subcommand that take the next word. */
export const TAKE_NEXT: ReadonlySet<string> = new Set(GIT_OPTIONS.values);

/** Behind git's own options. */
export function subcommandAt(words: readonly ShellWord[]): number {
  let at = 1;
  for (; at < words.length; at += 1) {
    const { value } = words[at] as ShellWord;
    if (value[0] !== '-' || value.length < 2) break;
    if (TAKE_NEXT.has(value)) at += 1;
  }
  return at;
}

const NONE: readonly string[] = [];

/** Programs that bring to a place what is nowhere else; each counts by its own name. */
const BRINGERS: ReadonlySet<string> = new Set(['mv', 'ln', 'hg', 'svn', 'jj']);

/** Subcommands that do another thing with one of these words, which then belong to their name. */
const WAYS: Readonly<Record<string, readonly string[]>> = {
  reset: ['--hard'],
  restore: ['--staged', '-S', '-SW', '-WS'],
  stash: ['pop', 'apply', 'branch'],
};

/** What a command may change of a work tree or its index: `reset --hard`, `stash pop`, `mv`; nothing for other programs. */
function changesBy(command: ShellCommand): readonly string[] {
  const { program, words, redirects } = command;
  if (redirects.some(({ operator, target }) => operator !== '<' && OF_RULES.test(target?.value ?? '')))
    return [IGNORE_RULES, ...changesBy({ ...command, redirects: [] })];
  if (BRINGERS.has(program)) return [program];
  if (program === 'rsync') return words.some(({ value }) => value === '--remove-source-files') ? ['mv'] : NONE;
  if (program !== 'git' && program !== 'hub') return NONE;
  const at = subcommandAt(words);
  const name = words[at]?.value ?? '';
  const ways = Object.hasOwn(WAYS, name) ? (WAYS[name] ?? []) : [];
  const full = words.some(({ value }) => ways.includes(value)) ? `${name} ${ways[0]}` : name;
  return laysOthers(name, words.slice(at + 1)) ? [full, IGNORE_RULES] : [full];
}

/** What git ignores may be another thing from then on. */
export const IGNORE_RULES = 'ignore rules';
const OF_RULES = /(?:^|\/)(?:\.gitignore|info\/exclude|\.gitconfig|\.?git\/(?:ignore|config))$/;

/** Whether git puts there what another commit has, with its ignore files, or is told of another list. */
function laysOthers(name: string, words: readonly ShellWord[]): boolean {
  const end = words.findIndex(({ value }) => value === '--');
  const before = (end < 0 ? words : words.slice(0, end)).map(({ value }) => value);
  if (name === 'config') return before.some((value) => /^core\./i.test(value));
  if (name === 'restore') return before.some((value) => /^(?:-s|--source)/.test(value));
  return /^(?:checkout|switch|reset)$/.test(name) && before.some((value) => !/^(?:-.*|HEAD|@|\.)$/.test(value));
}

/** Kinds of which one can look what they take away. */
const LOOKED_AT: ReadonlySet<EffectKind> = new Set<EffectKind>([
  'delete',
  'destroy-data',
  'discard',
  'delete-branch',
  'rewrite-history',
  'force-push',
  'settings',
]);

/** Tells what runs before an effect in the same text and may change what it finds; asked for effects as they take place. */
export function changesIn({
  commands,
}: Reading): (command: ShellCommand, about: Pick<Effect, 'kind' | 'how' | 'path'>) => readonly string[] {
  let changes: readonly { readonly number: number; readonly name: string }[] | undefined;
  /** What effects say of it that the names of programs do not. Code does one thing after another in one command. */
  const told = new Set<string>();
  return ({ number, roundEnd = number, program }, { kind, how, path = '' }) => {
    const before = new Set(told);
    if (!BRINGERS.has(program) && how === 'moved-away') told.add('mv');
    if (OF_RULES.test(path)) told.add(IGNORE_RULES);
    if (!LOOKED_AT.has(kind)) return NONE;
    changes ??= commands.flatMap((each) => changesBy(each).map((name) => ({ number: each.number, name })));
    for (const each of changes) if (each.number < roundEnd) before.add(each.name);
    return before.size === 0 ? NONE : [...before];
  };
}
