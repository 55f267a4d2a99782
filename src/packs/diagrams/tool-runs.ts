import type { RuleWorkspace } from '../../engine/rule.ts';
import type { Reading, ShellCommand } from '../../shell/command.ts';
import { readOptions } from '../../shell/options.ts';
import { readShell } from '../../shell/read.ts';
import type { Settings } from './settings.ts';
import { resolvePath } from './target.ts';

/** A diagram tool that a command ran. */
export interface ToolRun {
  readonly tool: string;
  /** Files it may have written, absolute. */
  readonly files: readonly string[];
}

const ASKS = /^(?:--?help|-h|-\?|--?version|-V)$/;
/** What `d2` does beside drawing. */
const OTHER_VERBS: ReadonlySet<string> = new Set([
  'help',
  'version',
  'fmt',
  'themes',
  'layout',
  'validate',
  'init-playwright',
  'install',
]);

/** The diagram tool that a simple command runs to draw; a tool that is only asked about itself draws nothing. */
export function drawsWith({ program, words }: ShellCommand, { tools }: Settings): string | undefined {
  const args = words.slice(1).map(({ value }) => value);
  const jar = program === 'java' ? args[args.indexOf('-jar') + 1] : undefined;
  const isJar = args.includes('-jar') && jar !== undefined && /(?:^|\/)[^/]*plantuml[^/]*\.jar$/i.test(jar);
  const tool = isJar && tools.includes('plantuml') ? 'plantuml' : tools.includes(program) ? program : undefined;
  if (tool === undefined || args.some((arg) => ASKS.test(arg)) || isOtherVerb(args)) return undefined;
  return tool;
}

function isOtherVerb([first = '', second]: readonly string[]): boolean {
  return OTHER_VERBS.has(first) || (first === '-v' && second === undefined);
}

/** The diagram tools that a command ran; it is read only where it names one. */
export function runsOf(
  command: string,
  cwd: string,
  { home, root }: Pick<RuleWorkspace, 'home' | 'root'>,
  settings: Settings,
): readonly ToolRun[] {
  const lower = command.toLowerCase();
  if (!settings.tools.some((tool) => lower.includes(tool))) return [];
  return toolRuns(readShell(command, { cwd, home, root }), settings);
}

/** The runs that have ended when the command has: not those left in the background. */
function toolRuns({ commands }: Reading, settings: Settings): readonly ToolRun[] {
  return commands.flatMap((command): ToolRun[] => {
    const tool = command.background ? undefined : drawsWith(command, settings);
    return tool === undefined ? [] : [{ tool, files: outputFiles(command, commands) }];
  });
}

/** Named by an option or a redirect, also of what reads the tool's output; `d2` and `plantuml` have ways of their own. */
function outputFiles(command: ShellCommand, commands: readonly ShellCommand[]): readonly string[] {
  const { program, words, dir } = command;
  const options = readOptions(words.slice(1), { values: ['-o', '--output'] });
  const found = options.values('-o', '--output').map(({ value }) => value);
  const [input, output] = options.operands;
  if (program === 'd2' && output) found.push(output.value);
  if (program === 'd2' && input && !output) found.push(input.value.replace(/(?:\.d2)?$/, '.svg'));
  if (program === 'plantuml' || program === 'java')
    for (const { value } of options.operands.slice(program === 'java' ? 1 : 0))
      for (const ending of ['.utxt', '.atxt', '.svg', '.png']) found.push(value.replace(/\.\w+$/, '') + ending);
  for (let each: ShellCommand | undefined = command, steps = 0; each && steps < 20; steps += 1) {
    for (const { operator, descriptor, target } of each.redirects)
      if (descriptor === 1 && operator.startsWith('>') && target?.known === true) found.push(target.value);
    if (each.program === 'tee') found.push(...readOptions(each.words.slice(1)).operands.map(({ value }) => value));
    each = each.pipedTo === undefined ? undefined : commands[each.pipedTo];
  }
  return dir === undefined ? found.filter((path) => path.startsWith('/')) : found.map((path) => resolvePath(path, dir));
}
