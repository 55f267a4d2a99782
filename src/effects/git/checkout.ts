import type { ShellWord } from '../../shell/command.ts';
import { grammar, readArguments } from './grammar.ts';
import type { ReadGit } from './call.ts';
import { discardEverything, discardPaths, isSharedBranch, moveBranch, named, switching, takenFrom } from './call.ts';

const CHECKOUT = grammar(
  'b=, B=, l, guess, overlay, q quiet, recurse-submodules?checkout|on-demand, progress, m merge, conflict=, d detach, ' +
    't track?direct|inherit, f force, orphan=, overwrite-ignore, ignore-other-worktrees, 2 ours, 3 theirs, p patch, ' +
    'U unified=, inter-hunk-context=, ignore-skip-worktree-bits, pathspec-from-file=, pathspec-file-nul',
);

/** Switching branches keeps uncommitted work; naming paths, or `-f`, overwrites it. */
export const readCheckout: ReadGit = (call) => {
  const args = readArguments(call.words, CHECKOUT);
  if (args.help) return [];
  const paths = namePaths(args.operands, args.afterDashes);
  const recursive = args.on('recurse-submodules') ? ('untold' as const) : undefined;
  if (args.on('force')) {
    const from = { ...STAGED, ...takenFrom(args.operands.find((word) => !paths.includes(word))) };
    return args.on('b', 'B', 'orphan') || paths.length === 0
      ? [discardEverything(call, 'checkout', recursive ?? from)]
      : discardPaths(call, 'checkout', paths, recursive ?? from);
  }
  const [reset] = args.values('B');
  if (reset && args.operands.length > 0 && isSharedBranch(reset.value))
    return [moveBranch(call, reset, named(args.operands[0])), ...switching(call, args.operands[0])];
  if (args.on('patch', 'orphan')) return [];
  const listed = args.values('pathspec-from-file');
  const isSwitch = args.on('b', 'B') || (paths.length === 0 && listed.length === 0);
  if (args.on('detach') || isSwitch) return switching(call, args.operands[0]);
  // From a commit the files come with what is staged of them.
  const isFromCommit = args.operands.length > (args.afterDashes ? 0 : paths.length);
  return [
    ...discardPaths(
      call,
      'checkout',
      paths,
      recursive ?? (isFromCommit ? { ...STAGED, ...takenFrom(args.operands[0]) } : {}),
    ),
    ...discardPaths(call, 'checkout', listed, 'untold'),
  ];
};

const STAGED = { staged: true } as const;

function namePaths(
  operands: readonly ShellWord[],
  afterDashes: readonly ShellWord[] | undefined,
): readonly ShellWord[] {
  if (afterDashes) return afterDashes;
  const [first, ...rest] = operands;
  if (!first) return [];
  return looksLikePath(first) ? operands : rest;
}

/** A branch and a path cannot be told apart by the text alone: what may well be a branch is taken for one. */
function looksLikePath({ value, glob }: ShellWord): boolean {
  if (glob || value.startsWith(':') || value.startsWith('~') || value.startsWith('/') || value.endsWith('/'))
    return true;
  if (value.includes(':') || value.includes('@{')) return false;
  const parts = value.split('/');
  if (parts.some((part) => part[0] === '.') || value.includes('*')) return true;
  const last = parts.at(-1) as string;
  if (SOURCE_DIRECTORIES.has(parts[0] as string) || FILES.has(last.toLowerCase())) return true;
  const dot = last.lastIndexOf('.');
  return dot > 0 && EXTENSIONS.has(last.slice(dot + 1).toLowerCase());
}

/** Names that hardly anyone gives a branch. */
const SOURCE_DIRECTORIES: ReadonlySet<string> = new Set(['src', 'lib', 'node_modules']);
const FILES: ReadonlySet<string> = new Set([
  'makefile',
  'dockerfile',
  'gemfile',
  'rakefile',
  'procfile',
  'readme',
  'license',
]);

const EXTENSIONS: ReadonlySet<string> = new Set(
  (
    'ts tsx mts cts js jsx mjs cjs json jsonc json5 md mdx rst txt py pyi ipynb rb erb go mod sum rs java kt kts scala ' +
    'groovy gradle c h cc cpp cxx hpp hh m mm cs fs vb csproj sln php swift sh bash zsh fish ps1 bat yml yaml toml ini ' +
    'cfg conf properties lock env css scss sass less html htm xml svg png jpg jpeg gif webp ico pdf sql vue svelte ' +
    'astro proto graphql gql tf tfvars hcl log csv tsv parquet ex exs erl hs ml lua pl pm r rmd jl dart zig nix patch ' +
    'diff map mk cmake tex bib db sqlite snap plist xcconfig podspec gemspec jar zip tar gz tgz woff woff2 ttf mp3 mp4'
  ).split(' '),
);
