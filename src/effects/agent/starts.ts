import type { AgentProgram } from '../../event/agent-program.ts';
import type { ShellCommand, ShellWord } from '../../shell/command.ts';
import { baseName } from '../words/arguments.ts';
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
    return looseOption(program, args, steering) ?? looseVariable(program, command, scene);
  }
  return undefined;
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
  { off, choices, settings, sources, sets }: AgentProgram,
  args: readonly ShellWord[],
  steering: readonly string[],
): string | undefined {
  const mentions = (text: string) => steering.some((word) => text.includes(word));
  if (
    sets.length > 0 &&
    sets.every((word, at) => args[at]?.value === word) &&
    args.slice(sets.length).some(({ value }) => mentions(value))
  )
    return sets.join(' ');
  for (let at = 0; at < args.length; at += 1) {
    const { value } = args[at] as ShellWord;
    if (value === '--') return undefined;
    const [, name = value, joined] = /^(--[\w-]+)=([^]*)$/.exec(value) ?? [];
    const given = joined ?? args[at + 1]?.value ?? '';
    if (off.includes(name) || sources.includes(name) || choices[name]?.includes(given) === true) return name;
    // Settings in a file, or text that only running the command tells, may say anything.
    if (settings.includes(name) && (mentions(given) || !given.trimStart().startsWith('{'))) return name;
  }
  return undefined;
}

const EXPORTS: ReadonlySet<string> = new Set(['export', 'declare', 'typeset', 'set', 'setenv']);

/** Set for this command alone, or for all that come after. */
function looseVariable({ variables }: AgentProgram, { assigns, number }: ShellCommand, { reading }: Scene) {
  const own = assigns.find(({ name }) => variables.includes(name))?.name;
  if (own !== undefined) return own;
  const exported = reading.commands
    .slice(0, number)
    .filter(({ program }) => EXPORTS.has(program))
    .flatMap(({ words }) => words.slice(1).map(({ value }) => /^\w+/.exec(value)?.[0] ?? ''));
  return exported.find((name) => variables.includes(name));
}
