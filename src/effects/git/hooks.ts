import type { Effect } from '../../event/effect.ts';
import type { ShellCommand, ShellWord } from '../../shell/command.ts';
import type { Scene } from '../scene.ts';
import { isDevice } from '../../shell/files.ts';
import { grammar, readArguments } from './grammar.ts';
import type { GitCall, ReadGit } from './call.ts';
import { COMMIT } from './history.ts';
import { hostOf } from '../network/hosts.ts';
import { systemEffect } from '../system/effect.ts';

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
  if (!key || !value) return [];
  if (key.value.toLowerCase() === 'core.hookspath' && isNowhere(value.value, call))
    return [hooksOff(call, 'every git hook')];
  return runsLater(key.value, value.value) || leadsElsewhere(key.value, value.value)
    ? [runsByGit(call, key.value)]
    : [];
};

/** Settings whose value git runs, or reads more of them from. An alias is judged as the command that it stands for. */
const RUN_BY_GIT =
  /^(?:pager\..+|core\.(?:pager|editor|fsmonitor|sshcommand|askpass|gitproxy|alternaterefscommand|hookspath)|sequence\.editor|diff\.(?:external|.+\.(?:command|textconv))|(?:diff|merge)tool\..+\.cmd|merge\..+\.driver|filter\..+\.(?:clean|smudge|process)|credential\.(?:.+\.)?helper|gpg\.(?:.+\.)?program|include\.path|includeif\..+\.path|init\.templatedir|uploadpack\.packobjectshook|submodule\..+\.update|web\.browser|browser\..+\.cmd|man\..+\.cmd|sendemail\.(?:.+\.)?(?:smtpserver|tocmd|cccmd)|remote\..+\.(?:uploadpack|receivepack|vcs)|protocol\.ext\.allow)$/;
/** A program by its name alone, with options at most, is one that the person has installed. */
const PLAIN = /^[\w.+-]+(?: +(?:[\w=.,:+~/@-]+|%[A-Za-z]))*$/;
const SHELLS = /^(?:(?:ba|z|da|k|a|fi)?sh|env|eval|python[\d.]*|perl|ruby|node|php)\b(?!-)|(?:proxy|local)command/i;
/** What a project keeps for its own work tree. */
const OF_THE_PROJECT = /^(?:core\.hookspath|include\.path|includeif\..+\.path|init\.templatedir)$/;

function runsLater(key: string, value: string): boolean {
  const name = key.toLowerCase();
  if (!RUN_BY_GIT.test(name) || value === '') return false;
  if (OF_THE_PROJECT.test(name)) return /^[/~]/.test(value) && !/^~\/\.?(?:git|config)/.test(value);
  const command = name.endsWith('.helper') ? value.replace(/^!/, '') : value;
  return !PLAIN.test(command) || SHELLS.test(command);
}

/** `url.OTHER.insteadOf ADDRESS`: what is fetched from one host comes from another. */
function leadsElsewhere(key: string, value: string): boolean {
  const base = /^url\.(.+)\.(?:push)?insteadof$/i.exec(key)?.[1];
  return base !== undefined && hostOf(base) !== hostOf(value);
}

function runsByGit({ command, scene }: Pick<GitCall, 'command' | 'scene'>, key: string): Effect {
  return systemEffect('later', `what git runs by itself (${key})`, command, scene);
}

/** What `-c` and the environment set for one call is run by it. */
export function readRunByGit(
  command: ShellCommand,
  scene: Scene,
  settings: ReadonlyMap<string, string>,
): readonly Effect[] {
  return [...settings]
    .filter(([key, value]) => key !== 'core.hookspath' && runsLater(key, value))
    .map(([key]) => runsByGit({ command, scene }, key));
}

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
