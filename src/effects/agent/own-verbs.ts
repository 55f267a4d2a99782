import type { Effect } from '../../event/effect.ts';
import { GATED_OPTIONS, GATED_VERBS } from '../../event/gated-verbs.generated.ts';
import type { ShellCommand, ShellWord } from '../../shell/command.ts';
import { resolvePath } from '../paths/resolve-path.ts';
import { isOwnPath } from './own-files.ts';
import { endsOwnProcess } from './own-process.ts';
import { looseStart, startsElsewhere } from './starts.ts';
import type { Scene } from '../scene.ts';

const GATED: ReadonlyMap<string, readonly string[]> = new Map(GATED_VERBS.map(({ verb, but = [] }) => [verb, but]));
/** Programs that start another one named among their first words. */
const RUNNERS: ReadonlySet<string> = new Set([
  'npx',
  'bunx',
  'pnpx',
  'npm',
  'pnpm',
  'yarn',
  'bun',
  'node',
  'nodejs',
  'deno',
  'tsx',
  'sh',
  'bash',
  'source',
  '.',
]);
/** They put another program in the place of this one, or none. */
const INSTALLERS: ReadonlySet<string> = new Set([
  'npm',
  'pnpm',
  'yarn',
  'bun',
  'brew',
  'port',
  'apt',
  'apt-get',
  'dnf',
]);
const REMOVES = /^(?:uninstall|remove|rm|r|un|unlink|purge|autoremove)$/;
const REPLACES = /^(?:install|i|add|update|upgrade|up|link|reinstall)$/;
const OF_ALL = /^(?:-g|--global|global|--location=global)$/;
/** Changes nothing about what hooks do. */
const FREE_VARIABLE = 'FAIRLEAD_DEBUG';
/** For this program itself it says where to look; the hooks of an agent that starts with it would look elsewhere. */
const PLACE_VARIABLE = 'FAIRLEAD_HOME';
/** They set variables for what is started later, or is started by them. */
const EXPORTS: ReadonlySet<string> = new Set([
  ...['export', 'declare', 'typeset', 'setx', 'setenv', 'set', 'tmux', 'cross-env', 'cross-env-shell', 'systemd-run'],
  ...['systemctl', 'launchctl', 'dbus-update-activation-environment'],
]);

/** What a command asks that only a person may: gated verbs of this program, its variables, its process, agents without hooks. */
export function readOwnVerbs(scene: Scene): readonly Effect[] {
  let found: Effect[] | undefined;
  const add = (command: ShellCommand, how: string, target: string) =>
    (found ??= []).push(scene.effect(command, { kind: 'settings', how, target }));
  for (const command of scene.reading.commands) {
    const verb = gatedVerb(command, scene);
    if (verb !== undefined) add(command, 'own-verb', verb);
    const variable = ownVariable(command, scene);
    if (variable !== undefined) add(command, 'own-variable', variable);
    const loose = looseStart(command, scene);
    if (loose !== undefined) add(command, 'agent-without-hooks', loose);
    else if (startsElsewhere(command, scene)) (found ??= []).push(scene.effect(command, elsewhere(command, scene)));
    const ended = endsOwnProcess(command, scene);
    if (ended !== undefined) add(command, ended, 'fairlead');
    if (INSTALLERS.has(command.program) && replacesOwn(command)) add(command, 'own-files-possible', 'fairlead');
  }
  const told = found?.map(({ target }) => target) ?? [];
  for (const name of scene.reading.assigned)
    if (isOwnVariable(name) && name !== PLACE_VARIABLE && !told.includes(name))
      (found ??= []).push({ kind: 'settings', how: 'own-variable', target: name, seen: `${name}=…`, road: [] });
  return found ?? [];
}

/** Whether the person's own settings have hooks for it, a look tells. */
function elsewhere({ dir }: ShellCommand, { surroundings: { agentSettings, settingsWords: words, home } }: Scene) {
  const own = agentSettings.find((file) => file.startsWith('~/'))?.slice(1) ?? '';
  const about = { how: 'agent-elsewhere', target: dir ?? 'another directory', path: home + own };
  return { kind: 'settings', ...about, ...(words && { words }) } as const;
}

function replacesOwn({ words }: ShellCommand): boolean {
  const values = words.slice(1).map(({ value }) => value);
  if (!values.some((value) => /^fairlead(?:@.*)?$/.test(value))) return false;
  const has = (pattern: RegExp) => values.some((value) => pattern.test(value));
  return has(REMOVES) || (has(REPLACES) && has(OF_ALL));
}

/** The verb as the gate names it; `?` when only running the command would tell. */
function gatedVerb(command: ShellCommand, scene: Scene): string | undefined {
  const args = ownArguments(command, scene);
  if (!args) return undefined;
  // Runners pass on what stands behind two dashes.
  const [first, second] = args.filter(({ value }) => !value.startsWith('-'));
  if (!first || args.some(({ value }) => value === '--help' || value === '-h')) return undefined;
  if (!first.known) return '?';
  const but = GATED.get(first.value);
  if (but && !(second && but.includes(second.value))) return first.value;
  const risky = GATED_OPTIONS.find(
    ({ verb, option }) => verb === first.value && args.some(({ value }) => value.split('=')[0] === option),
  );
  if (risky) return `${risky.verb} ${risky.option}`;
  const isGroup = GATED_VERBS.some(({ verb }) => verb.startsWith(`${first.value} `));
  if (!isGroup || !second) return undefined;
  if (!second.known) return '?';
  const verb = `${first.value} ${second.value}`;
  return GATED.has(verb) ? verb : undefined;
}

function ownArguments(command: ShellCommand, scene: Scene): readonly ShellWord[] | undefined {
  const { words, program } = command;
  if (program === 'fairlead' || isOwnLauncher(command, scene)) return words.slice(1);
  if (!RUNNERS.has(program)) return undefined;
  const at = words.findIndex((word, index) => index > 0 && index < 5 && isOwnProgram(word, command, scene));
  return at < 0 ? undefined : words.slice(at + 1);
}

function isOwnProgram(word: ShellWord, command: ShellCommand, scene: Scene): boolean {
  const { value } = word;
  if (/(^|[/:])fairlead(@[\w.-]+)?$/.test(value)) return true;
  const { path } = scene.place(word, command);
  if (!/(^|\/)((cli|command)\.c?js|cli\/main\.ts)$/.test(value) || path === undefined) return false;
  return /\/fairlead[^/]*\/(dist\/(cli|command)\.c?js|src\/cli\/main\.ts)$/.test(path) || leadsToOwn(path, scene);
}

/** A link or another name of the program that people start, wherever it lies. */
function isOwnLauncher({ words: [first], dir }: ShellCommand, scene: Scene): boolean {
  if (!first?.known || !first.value.includes('/')) return false;
  const path = resolvePath(first.value, dir ?? scene.surroundings.cwd, scene.surroundings).path;
  return path !== undefined && leadsToOwn(path, scene) && !isNode(path);
}

function isNode(path: string): boolean {
  return /(?:^|\/)(?:node|nodejs|bun|deno)[\d.]*$/.test(path);
}

function leadsToOwn(path: string, { surroundings }: Scene): boolean {
  return [path, surroundings.realPath?.(path) ?? path].some((each) => isOwnPath(each, surroundings));
}

function ownVariable(command: ShellCommand, scene: Scene): string | undefined {
  const { assigns, program, words, wrappers, text } = command;
  const assigned = assigns.find(
    ({ name }) =>
      isOwnVariable(name) &&
      !(name === PLACE_VARIABLE && (program === '' || ownArguments(command, scene) !== undefined)),
  )?.name;
  if (assigned !== undefined) return assigned;
  // What starts the program was taken off with its options.
  const before = wrappers.length > 0 ? text.slice(0, Math.max(0, text.indexOf(program))) : '';
  const given = /(?:^|[\s='"])(\w+)=/.exec(before.slice(before.search(/FAIRLEAD_/) - 1))?.[1] ?? '';
  if (isOwnVariable(given) && given !== PLACE_VARIABLE) return given;
  if (!EXPORTS.has(program)) return undefined;
  return words
    .slice(1)
    .map(({ value }) => /^(?:-E|--setenv=)?(\w+)/.exec(value)?.[1] ?? '')
    .find(isOwnVariable);
}

function isOwnVariable(name: string): boolean {
  return name.startsWith('FAIRLEAD_') && name !== FREE_VARIABLE;
}
