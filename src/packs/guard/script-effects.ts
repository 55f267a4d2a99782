import { effectsOfReading } from '../../effects/effects.ts';
import type { Effect } from '../../event/effect.ts';
import type { RuleFiles, RuleWorkspace } from '../../engine/rule.ts';
import type { Reading, ShellCommand } from '../../shell/command.ts';
import { readShell } from '../../shell/read.ts';
import { taskTexts } from './task-texts.ts';

const SHELLS: ReadonlySet<string> = new Set(['sh', 'bash', 'zsh', 'dash', 'ksh', 'ash', 'fish', 'source', '.']);
const INTERPRETERS = /^(python[\d.]*|node|nodejs|deno|bun|tsx|ruby|perl|php)$/;
/** The reader takes no more. */
const MOST_BYTES = 31 * 1024;
const MOST_SCRIPTS = 5;
const END = 'END_OF_SCRIPT';

export interface ScriptPlace {
  readonly cwd: string;
  readonly files: RuleFiles;
  readonly workspace: RuleWorkspace;
}

/** What the scripts and tasks that a command runs would do, from their text on disk or as the same command writes it. */
export function scriptEffects(command: string, { cwd, files, workspace }: ScriptPlace): readonly Effect[] {
  const place = { cwd, home: workspace.home };
  const reading = readShell(command, place);
  const written = writtenBy(reading);
  const surroundings = { ...place, root: workspace.root, agentSettings: [], ownDirs: [] };
  const tasks = reading.commands
    .flatMap((each) => taskTexts(each, files, workspace.root))
    .slice(0, MOST_SCRIPTS)
    .flatMap((text) => effectsOfReading(readShell(text, place), surroundings));
  const scripts = scriptsIn(reading)
    .slice(0, MOST_SCRIPTS)
    .flatMap(({ path, interpreter }) => {
      const text = written.get(path) ?? files.readText(path, MOST_BYTES);
      if (text === undefined || text.includes('\0')) return [];
      const code = asShell(text.slice(0, MOST_BYTES), interpreter);
      return effectsOfReading(readShell(code, place), surroundings);
    });
  return [...tasks, ...scripts];
}

interface Script {
  readonly path: string;
  /** Empty for a shell, and for a file that says it itself. */
  readonly interpreter: string;
}

function scriptsIn({ commands }: Reading): readonly Script[] {
  return commands.flatMap((command): Script[] => {
    const [first, ...rest] = command.words;
    if (!first || command.dir === undefined) return [];
    const interpreter = INTERPRETERS.test(command.program) ? command.program : '';
    if (interpreter === '' && !SHELLS.has(command.program))
      return first.known && first.value.includes('/')
        ? [{ path: absolute(first.value, command.dir), interpreter }]
        : [];
    const file = rest.find(({ value }) => !value.startsWith('-') && value !== 'run');
    if (!file?.known || rest.some(({ value }) => value === '-c' || value === '-e')) return [];
    return [{ path: absolute(file.value, command.dir), interpreter }];
  });
}

/** Files that a command fills with known text before it runs them. */
function writtenBy({ commands }: Reading): ReadonlyMap<string, string> {
  const texts = new Map<string, string>();
  for (const command of commands) {
    const text = command.input?.kind === 'text' && command.input.known ? command.input.text : spoken(command);
    if (text === undefined || command.dir === undefined) continue;
    const targets = command.redirects.flatMap(({ operator, target }) =>
      operator.startsWith('>') && target ? [target] : [],
    );
    if (command.program === 'tee') targets.push(...command.words.slice(1));
    for (const target of targets) {
      const path = absolute(target.value, command.dir);
      texts.set(path, `${texts.get(path) ?? ''}${text}\n`);
    }
  }
  return texts;
}

function spoken({ program, words }: ShellCommand): string | undefined {
  if (program !== 'echo' && program !== 'printf') return undefined;
  return words
    .slice(1)
    .map(({ value }) => value)
    .join(' ');
}

function asShell(text: string, interpreter: string): string {
  const program = interpreter || /^#!.*\b(python[\d.]*|node|ruby|perl|php)\b/.exec(text)?.[1];
  return program === undefined ? text : `${program} <<'${END}'\n${text}\n${END}`;
}

function absolute(path: string, dir: string): string {
  const parts: string[] = [];
  for (const part of (path.startsWith('/') ? path : `${dir}/${path}`).split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '' && part !== '.') parts.push(part);
  }
  return `/${parts.join('/')}`;
}
