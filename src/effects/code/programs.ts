import type { Effect } from '../../event/effect.ts';
import type { ShellCommand } from '../../shell/command.ts';
import { UNKNOWN } from '../../shell/command.ts';
import { isDevice } from '../../shell/files.ts';
import { readCalls } from '../../shell/languages/calls.ts';
import { readSed } from '../../shell/sed.ts';
import { sedScripts } from '../../shell/tool-code.ts';
import { readCodeFiles } from './files.ts';
import { readCodeFlows } from './flows.ts';
import { onPath } from '../paths/path-effect.ts';
import { runsOf } from './runners.ts';
import type { ProgramTable, ReadEffects, Scene } from '../scene.ts';
import type { Code } from '../../shell/languages/calls.ts';
import { knownTextOf } from '../../shell/languages/values.ts';
import { isScratchDatabase } from '../paths/scratch-names.ts';
import { sqlEffects } from '../databases/sql-clients.ts';

/** Calls of database libraries that are given statements. */
const RUNS_SQL =
  /^(?:execute|executemany|executescript|exec|query|run|raw|prepare|do|exec_driver_sql|execute_batch|\$executeRawUnsafe|\$queryRawUnsafe|executeSql|unsafe)$/;
const STATEMENT = /^\s*(?:drop|truncate|delete|update|alter|with|begin)\b/i;

/** `db.execute('DROP TABLE users')` */
function readCodeSql(code: Code, command: ShellCommand, scene: Scene): readonly Effect[] {
  const strings = code.tokens.filter(({ kind }) => kind === 'string');
  if (!strings.some(({ text }) => STATEMENT.test(text))) return [];
  // A database in memory, or one for tests, is named somewhere in the code.
  const scratch = strings.some(
    ({ text }) => text === ':memory:' || (text.length < 256 && !STATEMENT.test(text) && isScratchDatabase(text)),
  );
  const texts = code.calls.flatMap(({ name, args: [first] }) => {
    const text = RUNS_SQL.test(name) ? knownTextOf(first) : undefined;
    return text !== undefined && STATEMENT.test(text) ? [text] : [];
  });
  return sqlEffects(command, scene, texts, scratch);
}

/** Calls of the names that matter have one of these in them; most one-liners have none. */
const WORTH_A_LOOK =
  /rm|Delete|link|subprocess|Popen|remove|unlink|delete|del\(|open|write|put_|mv\(|touch|save|file\.|read|rename|replace|move|copy|cp\(|trunc|exec|eval|system|socket|Socket|fetch|post|request|include|require|popen|spawn|empty|environ|process\.env\b|DROP|drop|TRUNC|DELETE|LWP|get/;

function reader(language: string): ReadEffects {
  return (command, scene) => codeIn(command).flatMap((code) => readCode(code, language, command, scene));
}

/** The code of `-c`, `-e` and their like, or that of a heredoc. */
function codeIn(command: ShellCommand): readonly string[] {
  const { input, program, words } = command;
  if (program === 'deno' && words[1]?.value === 'eval') return words.slice(2).map(({ value }) => value);
  if (command.script) return [command.script.text];
  const runs = runsOf(command);
  if (runs === undefined) return [];
  const texts = runs.code.map(({ value }) => value);
  if (runs.input && input?.kind === 'text') texts.push(input.text);
  return texts;
}

function readCode(text: string, language: string, command: ShellCommand, scene: Scene): readonly Effect[] {
  if (!WORTH_A_LOOK.test(text)) return [];
  const code = readCalls(text, language);
  const effects: Effect[] = [];
  const stored = command.script?.file !== undefined;
  if (code.cut && !stored)
    effects.push(scene.effect(command, { kind: 'unknown', how: 'too-long', target: command.program }));
  for (const call of code.calls) effects.push(...readCodeFiles(code, call, command, scene));
  effects.push(...readCodeSql(code, command, scene));
  if (!stored) return [...effects, ...readCodeFlows(code, text, command, scene)];
  for (const block of text.split(BLOCKS)) {
    if (!WORTH_A_LOOK.test(block)) continue;
    const flows = readCodeFlows(readCalls(block, language), block, command, scene);
    // In a long block, what is decoded and what is run are seldom the same.
    effects.push(...(block.length > LONG_BLOCK ? flows.filter(({ how }) => how !== 'decoded') : flows));
  }
  return effects;
}

const LONG_BLOCK = 500;
/** What stands together in one line is meant together; a whole file fetches here and runs something there. */
const BLOCKS = /\n\s*\n(?=\S)/;

const ENCODED = /^[-/]e(?:c|n[a-z]*)?$/i;
const FETCHES =
  /downloadstring|downloadfile|downloaddata|invoke-webrequest|invoke-restmethod|\biwr\b|\birm\b|webclient/i;
const RUNS = /\biex\b|invoke-expression|\bstart-process\b|&\s*\(|scriptblock\]::create/i;

const readPowerShell: ReadEffects = (command, scene) => {
  const { words, input } = command;
  const run = (how: string) => [scene.effect(command, { kind: 'run-remote', how, target: 'code' })];
  if (words.some(({ value }, at) => at > 0 && ENCODED.test(value) && words[at + 1] !== undefined))
    return run('decoded');
  const text = words.map(({ value }) => value).join(' ') + (input?.kind === 'text' ? ` ${input.text}` : '');
  const calls = codeIn(command).flatMap((code) => readCode(code, 'powershell', command, scene));
  if (!RUNS.test(text)) return calls;
  if (FETCHES.test(text)) return [...calls, ...run('fetched')];
  return /frombase64string/i.test(text) ? [...calls, ...run('decoded')] : calls;
};

/** `print > "file"` inside a program of awk, and connections that it opens. */
const readAwk: ReadEffects = (command, scene) => {
  const program = command.words.find(({ value }, at) => at > 0 && value.includes('"'));
  if (!program) return [];
  const { tokens } = readCalls(program.value, 'awk');
  const effects: Effect[] = [];
  let prints = false;
  let depth = 0;
  tokens.forEach(({ kind, text }, at) => {
    if (kind === 'name') prints ||= text === 'print' || text === 'printf';
    else if (kind === 'break' || text === '{' || text === '}') prints = false;
    else if (text === '(') depth += 1;
    else if (text === ')') depth -= 1;
    else if ((text === '>' || text === '>>') && prints && depth === 0) {
      const appends = text === '>>';
      const target = tokens[at + 1];
      if (target?.kind !== 'string' || isDevice(target.text)) return;
      effects.push(
        onPath(appends ? 'write' : 'overwrite', target.text, appends ? 'append' : 'redirect', command, scene),
      );
    }
  });
  const connects = tokens.some(({ kind, text }) => kind === 'string' && text.startsWith('/inet'));
  if (connects && tokens.some(({ text }) => text === 'getline') && tokens.some(({ text }) => text === '|')) {
    effects.push(scene.effect(command, { kind: 'run-remote', how: 'shell-served', target: 'shell' }));
  }
  return effects;
};

/** Where a script of sed writes to. */
const readSedWrites: ReadEffects = (command, scene) =>
  sedScripts(command).flatMap((word) =>
    readSed(word.value).flatMap(({ does, text }) =>
      does !== 'write' || text === '' || text.startsWith('/dev/std') || text.includes(UNKNOWN)
        ? []
        : [onPath('overwrite', text, 'redirect', command, scene)],
    ),
  );

const python = reader('python');
const node = reader('node');
const tcl = reader('tcl');
const elisp = reader('elisp');
const lua = reader('lua');

export const CODE_PROGRAMS: ProgramTable = {
  python,
  pypy: python,
  perl: reader('perl'),
  ruby: reader('ruby'),
  lua,
  luajit: lua,
  php: reader('php'),
  rscript: reader('r'),
  r: reader('r'),
  julia: reader('julia'),
  tclsh: tcl,
  wish: tcl,
  expect: tcl,
  emacs: elisp,
  emacsclient: elisp,
  node,
  nodejs: node,
  tsx: node,
  deno: node,
  bun: node,
  pwsh: readPowerShell,
  powershell: readPowerShell,
  awk: readAwk,
  gawk: readAwk,
  mawk: readAwk,
  sed: readSedWrites,
  gsed: readSedWrites,
};
