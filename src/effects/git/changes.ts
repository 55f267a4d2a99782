import type { EffectKind } from '../../event/effect.ts';
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

/** Programs that bring to a place what is nowhere else; each counts by its own name. */
const BRINGERS: ReadonlySet<string> = new Set(['mv', 'ln', 'hg', 'svn', 'jj']);

/** Subcommands that do another thing with one of these words, which then belong to their name. */
const WAYS: Readonly<Record<string, readonly string[]>> = {
  reset: ['--hard'],
  restore: ['--staged', '-S', '-SW', '-WS'],
  stash: ['pop', 'apply', 'branch'],
};

/** What a command may change of a work tree or its index: `reset --hard`, `stash pop`, `mv`; undefined for other programs. */
function changeBy({ program, words }: ShellCommand): string | undefined {
  if (BRINGERS.has(program)) return program;
  if (program === 'rsync') return words.some(({ value }) => value === '--remove-source-files') ? 'mv' : undefined;
  if (program !== 'git' && program !== 'hub') return undefined;
  const name = words[subcommandAt(words)]?.value ?? '';
  const ways = Object.hasOwn(WAYS, name) ? (WAYS[name] ?? []) : [];
  return words.some(({ value }) => ways.includes(value)) ? `${name} ${ways[0]}` : name;
}

const NONE: readonly string[] = [];

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

/** Tells what runs before a command in the same text and may change what it finds. */
export function changesIn({ commands }: Reading): (command: ShellCommand, kind: EffectKind) => readonly string[] {
  let changes: readonly { readonly number: number; readonly name: string }[] | undefined;
  return ({ number, roundEnd = number }, kind) => {
    if (!LOOKED_AT.has(kind)) return NONE;
    changes ??= commands.flatMap((each) => {
      const name = changeBy(each);
      return name === undefined ? [] : [{ number: each.number, name }];
    });
    return changes.length === 0 ? NONE : changes.filter((each) => each.number < roundEnd).map(({ name }) => name);
  };
}
