import type { AgentProgram } from '../../event/agent-program.ts';
import type { ShellCommand, ShellWord } from '../../shell/command.ts';
import { baseName } from '../words/arguments.ts';
import { holds } from '../paths/resolve-path.ts';
import type { Scene } from '../scene.ts';

/** Programs that run a package named among their first words. */
const RUNNERS: ReadonlySet<string> = new Set(['npx', 'bunx', 'pnpx', 'npm', 'pnpm', 'yarn', 'bun', 'node', 'deno']);

/** What about the start of another agent keeps its hooks or its questions from happening; undefined when nothing does. */
export function looseStart(command: ShellCommand, scene: Scene): string | undefined {
  const { agentPrograms = [], settingsWords } = scene.surroundings;
  for (const program of agentPrograms) {
    const args = argumentsFor(program, command);
    if (!args) continue;
    const steering = settingsWords?.steering ?? [];
    return looseOption(program, args, steering) ?? looseVariable(program, command, scene) ?? looseWrapper(command);
  }
  return undefined;
}

/** Whether an agent is started where the settings of this workspace do not reach it. */
export function startsElsewhere(command: ShellCommand, { surroundings: { agentPrograms = [], root } }: Scene): boolean {
  const { dir } = command;
  if (dir !== undefined && (root === '/' || holds(root, dir))) return false;
  return agentPrograms.some((program) => {
    const args = argumentsFor(program, command);
    return args !== undefined && !program.others.includes(args[0]?.value ?? '');
  });
}

/** As another user it finds other settings, and without an environment it may not find what its hooks start. */
const OTHER_USER: ReadonlySet<string> = new Set(['sudo', 'doas', 'pkexec', 'run0', 'su', 'runuser', 'setpriv']);
const CLEARED = /\benv\s(?:.*\s)?(?:-[a-z0]*i[a-z]*|--ignore-env\S*|-)\s|\bexec\s+-[a-z]*c\s/;

function looseWrapper({ wrappers, program, text, assigns }: ShellCommand): string | undefined {
  const user = wrappers.find((name) => OTHER_USER.has(name));
  if (user !== undefined) return user;
  if (CLEARED.test(text.slice(0, Math.max(0, text.indexOf(program))))) return 'env -i';
  return assigns.some(({ name, value }) => name === 'PATH' && value.known) ? 'PATH' : undefined;
}

function argumentsFor({ names }: AgentProgram, { program, words }: ShellCommand): readonly ShellWord[] | undefined {
  if (names.includes(program)) return words.slice(1);
  if (!RUNNERS.has(program)) return undefined;
  const at = words.findIndex((word, index) => index > 0 && index < 5 && isNamed(names, word.value));
  return at < 0 ? undefined : words.slice(at + 1);
}

function isNamed(names: readonly string[], value: string): boolean {
  const name = value.replace(/(.)@[\w.-]+$/, '$1');
  return names.includes(name) || names.includes(baseName(name));
}

function looseOption(
  { off, choices, grants, settings, sources, sets, drops = [] }: AgentProgram,
  args: readonly ShellWord[],
  steering: readonly string[],
): string | undefined {
  const mentions = (text: string) => steering.some((word) => text.includes(word));
  const begins = (words: readonly string[]) =>
    words.length > 0 && words.every((word, at) => args[at]?.value === word) && args.slice(words.length);
  const set = begins(sets);
  if (set && set.some(({ value }) => mentions(value))) return sets.join(' ');
  for (const words of drops) {
    const dropped = begins(words);
    if (dropped && dropped.some(({ value, known }) => !known || OWN_OR_ALL.test(value))) return words.join(' ');
  }
  for (let at = 0; at < args.length; at += 1) {
    const { value } = args[at] as ShellWord;
    if (value === '--') return undefined;
    const [, name = value, joined] = /^(--[\w-]+)=([^]*)$/.exec(value) ?? [];
    const given = joined ?? args[at + 1]?.value ?? '';
    if (off.includes(name) || sources.includes(name) || choices[name]?.includes(given) === true) return name;
    if (grants.options.includes(name) && listAfter(args, at, joined).some((tool) => grants.all.includes(tool)))
      return name;
    // Settings in a file, or text that only running the command tells, may say anything.
    if (settings.includes(name) && (mentions(given) || !NAMES_KEY.test(given))) return name;
  }
  return undefined;
}

/** Our extension, or all there are. */
const OWN_OR_ALL = /fairlead|^(?:-a|--all)$/i;

/** Settings as text: all of them, or one with its key. */
const NAMES_KEY = /^\s*(?:\{|[\w.-]+=)/;

/** Separated by commas or blanks, in one word or in several. */
function listAfter(args: readonly ShellWord[], at: number, joined: string | undefined): readonly string[] {
  const rest = args.slice(at + 1);
  const end = rest.findIndex(({ value }) => value.startsWith('-'));
  const given = joined === undefined ? rest.slice(0, end < 0 ? rest.length : end).map(({ value }) => value) : [joined];
  return given.flatMap((text) => text.split(/[\s,]+/));
}

/** Set for this command alone, or for all that come after. */
function looseVariable({ variables }: AgentProgram, { assigns, number }: ShellCommand, { reading }: Scene) {
  const own = assigns.find(({ name }) => variables.includes(name))?.name;
  if (own !== undefined) return own;
  const exported = reading.commands
    .slice(0, number)
    .filter(({ program }) => EXPORTS.has(program))
    .flatMap(({ words }) => words.slice(1).map(({ value }) => /^\w+/.exec(value)?.[0] ?? ''));
  return [...exported, ...reading.assigned].find((name) => variables.includes(name));
}

const EXPORTS: ReadonlySet<string> = new Set(['export', 'declare', 'typeset', 'set', 'setenv']);
