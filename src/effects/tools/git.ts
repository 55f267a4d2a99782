import type { ToolCall } from '../../event/event.ts';
import { listed } from '../words/arguments.ts';
import { quote } from '../../shell/quote.ts';
import { stringsIn, wordsOf } from './names.ts';

type Input = ToolCall['input'];

/** Subcommands that lose something in one of their forms; others need no reading. */
const VERBS: ReadonlySet<string> = new Set(
  listed('reset push checkout switch restore clean branch stash rebase commit rm mv tag worktree gc reflog merge pull'),
);
/** Keys whose value is a flag by itself: `mode: "hard"` is `--hard`. */
const MODES = ['mode', 'reset_type', 'resetType', 'type'];
/** Keys that say which form of the subcommand is meant: `action: "drop"`. */
const ACTIONS = ['action', 'operation', 'subcommand'];
/** The same, in the name of the tool: `git_stash_drop`, `delete_branch`. */
const ACTS: ReadonlySet<string> = new Set(['delete', 'drop', 'clear', 'remove', 'expire']);
/** Here the form is a word of its own; elsewhere it is an option. */
const GROUPS: ReadonlySet<string> = new Set(['stash', 'worktree', 'reflog']);
const REMOTES = ['remote', 'remote_name', 'remoteName'];
const REFS = listed(
  'branch branch_name branchName ref refspec commit target revision hash stash stash_ref stashRef name start_point',
);
const PATHS = listed('files paths pathspec path file file_path filePath');
const DIRS = listed('repo_path repoPath repository_path repositoryPath workingDir working_dir workingDirectory cwd');
const MORE = listed('args arguments options flags extra_args');

/** The git command that a tool of a git server is told to run, spelled as one would type it. */
export function gitTextOf(tool: ToolCall): string | undefined {
  if (!tool.mcp) return undefined;
  const words = wordsOf(tool.mcp.tool);
  if (!words.includes('git') && !wordsOf(tool.mcp.server).includes('git')) return undefined;
  const verb = words.find((word) => VERBS.has(word));
  return verb === undefined
    ? undefined
    : ['git', ...inDirectory(tool.input), verb, ...argumentsOf(verb, tool)].join(' ');
}

function inDirectory(input: Input): readonly string[] {
  const [dir] = valuesOf(input, DIRS);
  return dir === undefined ? [] : ['-C', quote(dir)];
}

function argumentsOf(verb: string, { input, mcp }: ToolCall): readonly string[] {
  const spoken = wordsOf(mcp?.tool ?? '').filter((word) => ACTS.has(word));
  const actions = [...spoken, ...valuesOf(input, ACTIONS)];
  const flags = Object.entries(input).flatMap(([key, value]) => (value === true ? [flagOf(verb, key)] : []));
  const paths = valuesOf(input, PATHS);
  return [
    ...(GROUPS.has(verb) ? actions : actions.map((action) => `--${action}`)),
    ...(verb === 'reset' ? valuesOf(input, MODES).map((mode) => `--${mode.replace(/^-+/, '')}`) : []),
    ...flags,
    ...valuesOf(input, MORE),
    ...(verb === 'push' ? valuesOf(input, REMOTES) : []),
    ...valuesOf(input, REFS),
    ...(paths.length > 0 ? ['--', ...paths] : []),
  ].map(quote);
}

/** `forceWithLease: true` is `--force-with-lease`; some options have only a letter. */
function flagOf(verb: string, key: string): string {
  const words = wordsOf(key);
  if (verb === 'clean' && words.some((word) => word.startsWith('dir'))) return '-d';
  if (verb === 'clean' && words.includes('ignored')) return '-x';
  return `--${words.join('-')}`;
}

function valuesOf(input: Input, keys: readonly string[]): readonly string[] {
  return keys
    .flatMap((key) => {
      const value = input[key];
      return typeof value === 'string' ? [value] : stringsIn(value);
    })
    .filter((value) => value !== '');
}
