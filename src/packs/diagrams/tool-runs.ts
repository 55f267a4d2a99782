import type { RuleWorkspace } from '../../engine/rule.ts';
import { runsOf } from '../../effects/code/runners.ts';
import type { Reading, ReadingPlace, ShellCommand, ShellWord } from '../../shell/command.ts';
import { handedOn } from '../../shell/elsewhere.ts';
import { readOptions } from '../../shell/options.ts';
import { quote } from '../../shell/quote.ts';
import { readShell } from '../../shell/read.ts';
import { SHELL_NAMES } from '../../shell/shell-names.ts';
import type { Settings } from './settings.ts';
import { resolvePath } from './target.ts';

/** A diagram tool that a command ran. */
export interface ToolRun {
  readonly tool: string;
  /** Files it may have written, absolute. */
  readonly files: readonly string[];
}

/** A diagram tool at work. */
interface Drawing {
  readonly tool: string;
  /** Its arguments, where they name files of this machine. */
  readonly args: readonly ShellWord[];
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
/** A tool may be behind an interpreter in a container on another machine. */
const MOST_LAYERS = 6;

/** The diagram tool that a simple command runs to draw, by itself or through another program; a tool that is only asked about itself draws nothing. */
export function drawsWith(
  command: ShellCommand,
  settings: Settings,
  place: ReadingPlace,
  layers = MOST_LAYERS,
): Drawing | undefined {
  const { program, words } = command;
  const tool = toolCalled(program, settings);
  if (tool !== undefined) return drawingBy(tool, words.slice(1));
  const script = scriptOf(command);
  const named = script && toolCalled(script[0]?.value ?? '', settings);
  if (named !== undefined) return drawingBy(named, script?.slice(1) ?? []);
  if (layers === 0) return undefined;
  for (const each of runElsewhere(command, settings, place)) {
    const drawing = each.background ? undefined : drawsWith(each, settings, place, layers - 1);
    if (drawing) return { tool: drawing.tool, args: [] };
  }
  return undefined;
}

function drawingBy(tool: string, args: readonly ShellWord[]): Drawing | undefined {
  const values = args.map(({ value }) => value);
  return values.some((arg) => ASKS.test(arg)) || isOtherVerb(values) ? undefined : { tool, args };
}

function isOtherVerb([first = '', second]: readonly string[]): boolean {
  return OTHER_VERBS.has(first) || (first === '-v' && second === undefined);
}

const ENDING = /\.(?:pl|py|[cm]?[jt]s|rb|sh|php|lua|jar|exe|cmd|bat|sif)$/;
const PACKAGE = /.*\/node_modules\/(?:@[^/]+\/)?([^/]+)\//;

/** The tool that a path, a package or an image is called after: `~/bin/graph-easy.pl`, `/opt/plantuml-1.2.jar`, `org/d2:latest`. */
function toolCalled(path: string, { tools }: Settings): string | undefined {
  const lower = path.toLowerCase();
  const base = lower.slice(Math.max(lower.lastIndexOf('/'), lower.lastIndexOf('#')) + 1);
  const plain = base.replace(/[@:].*$/, '').replace(ENDING, '');
  const names = [base, plain, PACKAGE.exec(lower)?.[1]].map((name) => name && alike(name));
  const tool = tools.find((one) => names.includes(alike(one)));
  return tool ?? (/plantuml[^/]*\.jar$/.test(base) ? tools.find((one) => one === 'plantuml') : undefined);
}

function alike(name: string): string {
  return name.replaceAll('_', '-');
}

/** The script that an interpreter runs, with its arguments. */
function scriptOf(command: ShellCommand): readonly ShellWord[] | undefined {
  const { program, words } = command;
  const { file, module } = runsOf(command) ?? {};
  const named = file ?? module;
  const at = program === 'java' ? jarAt(words) : named ? words.indexOf(named) : 0;
  return at > 0 ? words.slice(at) : undefined;
}

/** `-jar x.jar`, or a class of `-cp x.jar`. */
function jarAt(words: readonly ShellWord[]): number {
  return words.findIndex(({ value }) => /^(?:-jar|-cp|-classpath|--class-path)$/.test(value)) + 1;
}

/** What the command has run in containers and on other machines, while it waits. */
function runElsewhere(command: ShellCommand, settings: Settings, place: ReadingPlace): readonly ShellCommand[] {
  const there = handedOn(command);
  if (there?.detached === true) return [];
  const { image, words = [], joined = false } = there ?? {};
  const [first] = words;
  // What is no program is an argument for the program of the image.
  if (image && toolCalled(image.value, settings) !== undefined && !/^\w[\w-]*$/.test(first?.value ?? '-'))
    return [{ ...command, program: toolCalled(image.value, settings) ?? '', words: [image, ...words] }];
  const isShell = there ? words.length === 0 : SHELL_NAMES.has(command.program) && runsOf(command)?.input === true;
  const code = isShell ? textOf(command) : words.map(({ value }) => (joined ? value : quote(value))).join(' ');
  if (code === '') return [];
  return readShell(code, place).commands.map((each) => (each.input ? each : { ...each, input: command.input }));
}

function textOf({ input }: ShellCommand): string {
  return input?.kind === 'text' ? input.text : '';
}

/** The diagram tools that a command ran; it is read only where it names one. */
export function runsOfTools(
  command: string,
  cwd: string,
  { home, root }: Pick<RuleWorkspace, 'home' | 'root'>,
  settings: Settings,
): readonly ToolRun[] {
  const lower = alike(command.toLowerCase());
  if (!settings.tools.some((tool) => lower.includes(alike(tool)))) return [];
  const place = { cwd, home, root };
  return toolRuns(readShell(command, place), settings, place);
}

/** The runs that have ended when the command has: not those left in the background. */
function toolRuns({ commands }: Reading, settings: Settings, place: ReadingPlace): readonly ToolRun[] {
  return commands.flatMap((command): ToolRun[] => {
    const drawing = command.background ? undefined : drawsWith(command, settings, place);
    return drawing ? [{ tool: drawing.tool, files: outputFiles(drawing, command, commands) }] : [];
  });
}

/** Named by an option or a redirect, also of what reads the tool's output; `d2` and `plantuml` have ways of their own. */
function outputFiles(
  { tool, args }: Drawing,
  command: ShellCommand,
  commands: readonly ShellCommand[],
): readonly string[] {
  const { dir } = command;
  const options = readOptions(args, { values: ['-o', '--output'] });
  const found = options.values('-o', '--output').map(({ value }) => value);
  const [input, output] = options.operands;
  if (tool === 'd2' && output) found.push(output.value);
  if (tool === 'd2' && input && !output) found.push(input.value.replace(/(?:\.d2)?$/, '.svg'));
  if (tool === 'plantuml')
    for (const { value } of options.operands)
      for (const ending of ['.utxt', '.atxt', '.svg', '.png']) found.push(value.replace(/\.\w+$/, '') + ending);
  for (let each: ShellCommand | undefined = command, steps = 0; each && steps < 20; steps += 1) {
    for (const { operator, descriptor, target } of each.redirects)
      if (descriptor === 1 && operator.startsWith('>') && target?.known === true) found.push(target.value);
    if (each.program === 'tee') found.push(...readOptions(each.words.slice(1)).operands.map(({ value }) => value));
    each = each.pipedTo === undefined ? undefined : commands[each.pipedTo];
  }
  return dir === undefined ? found.filter((path) => path.startsWith('/')) : found.map((path) => resolvePath(path, dir));
}
