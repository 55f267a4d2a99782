import type { Effect } from '../../event/effect.ts';
import type { ShellWord } from '../../shell/command.ts';
import { isDevice } from '../../shell/files.ts';
import { grammar, readArguments } from './grammar.ts';
import type { GitCall, ReadGit } from './call.ts';
import { COMMIT } from './history.ts';

const VERIFIED = grammar('verify, n dry-run, m=, F=, o=, u, f, q, v');

/** Subcommands whose hooks `--no-verify` skips, with the hook that matters most. */
const SKIPS: ReadonlyMap<string, string> = new Map([
  ['commit', 'pre-commit'],
  ['push', 'pre-push'],
  ['merge', 'pre-merge-commit'],
  ['am', 'applypatch-msg'],
]);

/** `--no-verify`, `commit -n`, `-c core.hooksPath=/dev/null` and `HUSKY=0` all run without the repository's hooks. */
export function readHookSwitches(call: GitCall): readonly Effect[] {
  const hook = SKIPS.get(call.name);
  if (hook === undefined) return [];
  const args = readArguments(call.words, call.name === 'commit' ? COMMIT : VERIFIED);
  if (args.help) return [];
  const skipped = args.off('verify') || (call.name === 'commit' && args.on('skip-hooks'));
  const path = call.config.get('core.hookspath');
  const husky = call.command.assigns.some(({ name, value }) => name === 'HUSKY' && value.value === '0');
  return skipped || husky || (path !== undefined && isNowhere(path, call)) ? [hooksOff(call, `${hook} hook`)] : [];
}

const CONFIG = grammar(
  'global, system, local, worktree, f file=, blob=, get, get-all, get-regexp, get-urlmatch, replace-all, add, unset, ' +
    'unset-all, rename-section, remove-section, l list, e edit, get-color, get-colorbool, type=, bool, int, path, z null, ' +
    'name-only, show-origin, show-scope, includes, default=, comment=, all, value=, fixed-value, regexp',
);

const config: ReadGit = (call) => {
  const args = readArguments(call.words, CONFIG);
  if (args.help || args.on('get', 'get-all', 'unset', 'unset-all', 'list')) return [];
  const operands = args.operands[0]?.value === 'set' ? args.operands.slice(1) : args.operands;
  const [key, value] = operands as readonly (ShellWord | undefined)[];
  if (key?.value.toLowerCase() !== 'core.hookspath' || !value) return [];
  return isNowhere(value.value, call) ? [hooksOff(call, 'every git hook')] : [];
};

/** A directory of the project's own, such as `.husky`, turns hooks on rather than off. */
function isNowhere(path: string, { command, scene }: GitCall): boolean {
  if (path === '' || path === 'NUL') return true;
  const placed = scene.place(path, command);
  return isDevice(placed.path) || placed.scope === 'temp';
}

function hooksOff({ command, scene }: GitCall, target: string): Effect {
  return scene.effect(command, { kind: 'settings', how: 'git-hooks', target });
}

const nothing: ReadGit = () => [];

export const GIT_HOOKS: Readonly<Record<string, ReadGit>> = { config, merge: nothing, am: nothing };
