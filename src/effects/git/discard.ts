import type { Effect } from '../../event/effect.ts';
import { grammar, readArguments } from './grammar.ts';
import type { Arguments } from './grammar.ts';
import type { GitCall, ReadGit } from './call.ts';
import {
  discardEverything,
  discardPaths,
  inRepository,
  isSharedBranch,
  moveBranch,
  named,
  partPathspecs,
  switching,
  takenFrom,
} from './call.ts';
import type { MoreWords } from './call.ts';
import { onPath } from '../paths/path-effect.ts';
import { sparedFrom } from '../paths/spared.ts';
import { readCheckout } from './checkout.ts';

const RESET = grammar(
  'q quiet, mixed, soft, hard, merge, keep, N intent-to-add, recurse-submodules?, p patch, U unified=, ' +
    'inter-hunk-context=, pathspec-from-file=, pathspec-file-nul, refresh',
);

const reset: ReadGit = (call) => {
  const args = readArguments(call.words, RESET);
  if (args.help) return [];
  const mode = ['mixed', 'soft', 'hard', 'merge', 'keep'].reduce((last, name) =>
    args.at(name) > args.at(last) ? name : last,
  );
  if (mode !== 'hard' && mode !== 'merge') return [];
  const to = args.on('recurse-submodules') ? 'untold' : named(args.operands[0]);
  return [discardEverything(call, `${mode}-reset`, to === 'untold' ? to : { ...to, staged: true })];
};

const SWITCH = grammar(
  'c create=, C force-create=, guess, discard-changes, q quiet, recurse-submodules?, progress, m merge, conflict=, ' +
    'd detach, t track?, f force, orphan=, overwrite-ignore, ignore-other-worktrees',
);

const switchTo: ReadGit = (call) => {
  const args = readArguments(call.words, SWITCH);
  if (args.help) return [];
  const words = args.on('recurse-submodules') ? 'untold' : { staged: true, ...takenFrom(args.operands[0]) };
  if (args.on('force', 'discard-changes')) return [discardEverything(call, 'switch', words)];
  const [moved] = args.values('force-create');
  const switched = args.on('orphan') ? [] : switching(call, args.operands[0]);
  return moved && args.operands.length > 0 && isSharedBranch(moved.value)
    ? [moveBranch(call, moved, named(args.operands[0])), ...switched]
    : switched;
};

const RESTORE = grammar(
  's source=, S staged, W worktree, ignore-unmerged, overlay, q quiet, recurse-submodules?, progress, m merge, ' +
    'conflict=, 2 ours, 3 theirs, p patch, U unified=, inter-hunk-context=, ignore-skip-worktree-bits, ' +
    'pathspec-from-file=, pathspec-file-nul',
);

const restore: ReadGit = (call) => {
  const args = readArguments(call.words, RESTORE);
  if (args.help || args.on('patch') || (args.on('staged') && !args.on('worktree'))) return [];
  const paths = [...args.operands, ...(args.afterDashes ?? [])];
  return [
    ...discardPaths(
      call,
      'restore',
      paths,
      args.on('recurse-submodules')
        ? 'untold'
        : { ...(args.on('staged') && { staged: true }), ...takenFrom(args.values('source').at(-1)) },
    ),
    ...discardPaths(call, 'restore', args.values('pathspec-from-file'), 'untold'),
  ];
};

const CLEAN = grammar('q quiet, n dry-run, f force, i interactive, d, e exclude=, x, X');

/** The spellings that git's config takes for it. */
const FALSE: ReadonlySet<string | undefined> = new Set(['false', 'no', 'off', '0', '']);

const clean: ReadGit = (call) => {
  const args = readArguments(call.words, CLEAN);
  const unasked = FALSE.has(call.config.get('clean.requireforce')?.toLowerCase());
  if (args.help || args.on('dry-run', 'interactive') || !(args.on('force') || unasked)) return [];
  const how = args.on('X') ? 'clean-ignored' : 'clean';
  const paths = [...args.operands, ...(args.afterDashes ?? [])];
  const spares = sparesOf(call, args);
  const words = spares ? cleanWords(call, args, paths.length > 0) : 'untold';
  const { dir } = call.command;
  const effects =
    paths.length > 0
      ? discardPaths(call, how, paths, words)
      : // Without a path it begins where it runs.
        [discardEverything(call, how, words === 'untold' || dir === undefined ? words : { ...words, within: dir })];
  return spares?.length
    ? effects.map((effect) => ({ ...effect, spares: [...spares, ...(effect.spares ?? [])] }))
    : effects;
};

/** Undefined where that cannot be told, or means more that goes. */
function sparesOf({ command: { dir } }: GitCall, args: Arguments): readonly string[] | undefined {
  const excluded = args.values('exclude');
  if (excluded.length === 0) return [];
  if (dir === undefined || args.on('X') || excluded.some(({ known, value }) => !known || value.startsWith('!')))
    return undefined;
  return excluded.map(({ value }) => sparedFrom(value, dir));
}

/** Twice forced, it takes other repositories as well. */
const TWICE_FORCED = /^-[a-z]*f[a-z]*f/i;

/** Of what it is told by name git takes whole directories without `-d`. */
function cleanWords({ words, config, command }: GitCall, args: Arguments, isNamed: boolean): MoreWords {
  // What is ignored is then another thing than settings on disk say.
  const told = [...config.keys(), ...command.assigns.map(({ name }) => name)];
  if (told.some((name) => /^(?:core\..*|HOME|XDG_CONFIG_HOME|GIT_CONFIG.*)$/.test(name))) return 'untold';
  const forced = words.filter(({ value }) => value === '--force' || /^-[a-z]*f/i.test(value));
  if (forced.length > 1 || words.some(({ value }) => TWICE_FORCED.test(value))) return 'untold';
  const ignored = args.on('X') ? 'only' : args.on('x') ? 'too' : undefined;
  return { ...(ignored && { ignored }), ...(args.on('d') || isNamed ? {} : { flat: true }) };
}

const FORCED = grammar('f force, q quiet, all, a, u, m, n, v, reset, prefix=, i, stage=, temp, index, stdin, z');

const STASH = grammar(
  'p patch, S staged, k keep-index, q quiet, u include-untracked, a all, m message=, pathspec-from-file=, pathspec-file-nul',
);

const stash: ReadGit = (call) => {
  const verb = call.words[0]?.value.toLowerCase();
  if (verb === undefined || verb === 'push' || verb === 'save' || verb.startsWith('-')) return stashNew(call, verb);
  if (verb !== 'drop' && verb !== 'clear') return [];
  const args = readArguments(call.words.slice(1), FORCED);
  if (args.help) return [];
  if (verb === 'clear') return [discard(call, 'stash-clear', 'every stash', true)];
  const [which] = args.operands;
  return [discard(call, 'stash-drop', which?.text ?? 'the latest stash', false, named(which))];
};

/** With files that git does not track it takes away settings and rules, which are often such files. */
function stashNew(call: GitCall, verb: string | undefined): readonly Effect[] {
  const { command, scene, words } = call;
  const args = readArguments(verb === 'push' || verb === 'save' ? words.slice(1) : words, STASH);
  if (args.help || args.on('patch', 'staged')) return [];
  const { git } = inRepository(call, args.on('all') ? { ignored: 'too' } : {});
  const isOfAll = args.on('include-untracked', 'all');
  const about = { kind: 'settings', how: isOfAll ? 'stashing' : 'stashing-tracked', ...(git && { git }) } as const;
  // A message that stands alone is no path.
  const given = verb === 'save' ? [] : [...args.operands, ...(args.afterDashes ?? [])];
  const { paths, spares } = partPathspecs(given, command.dir);
  const places = paths.length === 0 ? [undefined] : paths.map((word) => scene.place(word, command).path);
  return places.map((path) =>
    scene.effect(command, { ...about, target: 'untracked files', ...(path !== undefined && { path }), ...spares }),
  );
}

const worktree: ReadGit = (call) => {
  const args = readArguments(call.words.slice(1), FORCED);
  if (call.words[0]?.value !== 'remove' || args.help || !args.on('force')) return [];
  return discardPaths(call, 'worktree-remove', [...args.operands, ...(args.afterDashes ?? [])]);
};

const submodule: ReadGit = (call) => {
  const start = call.words.findIndex(({ value }) => value[0] !== '-');
  if (call.words[start]?.value !== 'deinit') return [];
  const args = readArguments(call.words.slice(start + 1), FORCED);
  if (args.help || !args.on('force')) return [];
  return args.on('all')
    ? [discardEverything(call, 'submodule-deinit', 'untold')]
    : discardPaths(call, 'submodule-deinit', [...args.operands, ...(args.afterDashes ?? [])]);
};

/** Plumbing that writes the index's or a tree's files over those of the work tree. */
const checkoutIndex: ReadGit = (call) => {
  const args = readArguments(call.words, FORCED);
  if (args.help || args.on('temp')) return [];
  const [prefix] = args.values('prefix');
  // What the files' names begin with, which need not be a directory.
  if (prefix) {
    const into = prefix.value.endsWith('/') ? prefix : { ...prefix, value: `${prefix.value}*`, glob: true };
    return [onPath('write', into, 'archive', call.command, call.scene)];
  }
  if (!args.on('force')) return [];
  return args.on('a', 'all')
    ? [discardEverything(call, 'checkout-index')]
    : discardPaths(call, 'checkout-index', [...args.operands, ...(args.afterDashes ?? [])]);
};

const readTree: ReadGit = (call) => {
  const args = readArguments(call.words, FORCED);
  return !args.help && args.on('reset') && args.on('u') && !args.on('n')
    ? [discardEverything(call, 'read-tree', { staged: true })]
    : [];
};

const RM = grammar(
  'n dry-run, q quiet, cached, f force, r, sparse, ignore-unmatch, pathspec-from-file=, pathspec-file-nul',
);

const remove: ReadGit = (call) => {
  const args = readArguments(call.words, RM);
  if (args.help || args.on('dry-run', 'cached')) return [];
  const { git } = inRepository(call, { staged: true });
  const removed = git ? { git } : {};
  return [...args.operands, ...(args.afterDashes ?? [])].map((word) => {
    const { name, path, scope } = call.scene.place(word, call.command);
    return call.scene.effect(call.command, {
      kind: 'delete',
      how: 'git-rm',
      target: name === '' ? word.text : name,
      ...(path === undefined ? {} : { path }),
      // Only what git tracks goes, never the work tree as a whole.
      scope: scope === 'workspace' ? 'inside' : scope,
      ...removed,
      ...(args.on('r') ? { recursive: true } : {}),
    });
  });
};

const APPLY = grammar(
  'exclude=, include=, p=, no-add, stat, numstat, summary, check, index, intent-to-add, cached, unsafe-paths, apply, ' +
    '3way, ours, theirs, union, build-fake-ancestor=, z, C=, whitespace=, ignore-space-change, ignore-whitespace, R reverse, ' +
    'unidiff-zero, reject, allow-overlap, v verbose, q quiet, inaccurate-eof, recount, directory=, allow-empty',
);

/** A patch changes files; the reverse of what was just compared throws that away. */
const apply: ReadGit = (call) => {
  const args = readArguments(call.words, APPLY);
  if (args.help || args.on('check', 'cached') || (args.on('stat', 'numstat', 'summary') && !args.on('apply')))
    return [];
  const { command, scene } = call;
  const patches = [...args.operands, ...(args.afterDashes ?? [])];
  if (args.on('reverse') && patches.every(({ value }) => value === '-')) return discardCompared(call);
  return [onPath('write', args.values('directory').at(-1) ?? '.', 'in-place', command, scene)];
};

const COMPARES_STAGED: ReadonlySet<string> = new Set(['HEAD', '--cached', '--staged']);

/** `git diff | git apply -R`: what git would show as changed goes. */
export function discardCompared(call: GitCall): readonly Effect[] {
  const { input } = call.command;
  const maker = input?.kind === 'pipe' ? call.scene.reading.commands[input.from] : undefined;
  const at = maker?.program === 'git' ? maker.words.findIndex(({ value }) => value === 'diff') : -1;
  if (!maker || at < 1) return [];
  const words = maker.words.slice(at + 1).filter(({ value }) => value[0] !== '-' || value === '--');
  const dashes = words.findIndex(({ value }) => value === '--');
  const paths = dashes < 0 ? words.filter(({ value }) => value !== 'HEAD') : words.slice(dashes + 1);
  const revisions = dashes < 0 ? paths : words.slice(0, dashes);
  if (revisions.some(({ value }) => value.includes('..')) || (dashes > 1 && revisions.length > 1)) return [];
  const from = { ...call, command: { ...call.command, dir: maker.dir } };
  const staged = maker.words.some(({ value }) => COMPARES_STAGED.has(value)) ? { staged: true } : {};
  return paths.length === 0
    ? [discardEverything(from, 'apply-reverse', staged)]
    : discardPaths(from, 'apply-reverse', paths, staged);
}

function discard(call: GitCall, how: string, target: string, recursive = false, words?: MoreWords) {
  const about = { kind: 'discard', how, target, ...inRepository(call, words) } as const;
  return call.scene.effect(call.command, recursive ? { ...about, recursive } : about);
}

export const GIT_DISCARDS: Readonly<Record<string, ReadGit>> = {
  apply,
  checkout: readCheckout,
  'checkout-index': checkoutIndex,
  clean,
  'read-tree': readTree,
  reset,
  restore,
  rm: remove,
  stash,
  submodule,
  switch: switchTo,
  worktree,
};
