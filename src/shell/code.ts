import type { Script, ScriptPlace, ShellWord } from './command.ts';
import { UNKNOWN } from './command.ts';
import { findShellCalls } from './code-calls.ts';
import { runCode, runWords } from './run-code.ts';
import { fedScript, runScript, scriptAt } from './scripts.ts';
import type { Draft, Shell } from './state.ts';
import { NONE, addUnclear, knownText, plainWord, spend } from './state.ts';

interface Interpreter {
  readonly language: string;
  /** Options whose value is code, and the letters that may be bundled before them. */
  readonly code: readonly string[];
  readonly values?: readonly string[];
  /** Code is the first operand. */
  readonly operand?: boolean;
  /** The verb before the code, as in `deno eval`. */
  readonly verb?: string;
}

const PYTHON: Interpreter = { language: 'python', code: ['-c'], values: ['-W', '-X', '-m'] };
const NODE: Interpreter = {
  language: 'node',
  code: ['-e', '-p', '--eval', '--print'],
  values: ['-r', '--require', '--import', '-C', '--loader'],
};
const AWK: Interpreter = {
  language: 'awk',
  code: ['-e', '--source'],
  values: ['-F', '-v', '-f', '-i', '-l'],
  operand: true,
};

const EMACS: Interpreter = {
  language: 'elisp',
  code: ['--eval', '-eval', '--execute', '-execute'],
  values: ['-l', '--load', '-load', '-f', '--funcall', '-L', '--directory'],
};

const INTERPRETERS: ReadonlyMap<string, Interpreter> = new Map<string, Interpreter>([
  ['python', PYTHON],
  ['pypy', PYTHON],
  ['node', NODE],
  ['nodejs', NODE],
  ['tsx', NODE],
  ['ts-node', NODE],
  ['bun', NODE],
  ['deno', { language: 'node', code: [], operand: true, verb: 'eval' }],
  ['ruby', { language: 'ruby', code: ['-e'], values: ['-I', '-r', '-C', '-E'] }],
  ['perl', { language: 'perl', code: ['-e', '-E'], values: ['-I'] }],
  ['php', { language: 'php', code: ['-r', '-B', '-R', '-E', '--run'], values: ['-d', '-c', '-f'] }],
  ['lua', { language: 'lua', code: ['-e'], values: ['-l'] }],
  ['luajit', { language: 'lua', code: ['-e'], values: ['-l'] }],
  ['awk', AWK],
  ['gawk', AWK],
  ['mawk', AWK],
  ['nawk', AWK],
  ['osascript', { language: 'osascript', code: ['-e'], values: ['-l'] }],
  ['rscript', { language: 'r', code: ['-e'] }],
  ['r', { language: 'r', code: ['-e'] }],
  ['julia', { language: 'julia', code: ['-e', '-E'] }],
  ['groovy', { language: 'groovy', code: ['-e'] }],
  ['expect', { language: 'expect', code: ['-c'] }],
  ['tclsh', { language: 'tcl', code: [] }],
  ['wish', { language: 'tcl', code: [] }],
  ['emacs', EMACS],
  ['emacsclient', EMACS],
]);

export interface Code {
  readonly language: string;
  readonly text: string;
  readonly road: string;
}

function interpreterOf(program: string): Interpreter | undefined {
  return (
    INTERPRETERS.get(program) ?? (/\d$/.test(program) ? INTERPRETERS.get(program.replace(/[\d.]+$/, '')) : undefined)
  );
}

/** The code that an interpreter is given: on the command line, or through its known input. */
export function codeOf(draft: Pick<Draft, 'program' | 'words' | 'input'>): Code | undefined {
  const interpreter = interpreterOf(draft.program);
  return interpreter && (givenCode(interpreter, draft) ?? inputCode(interpreter, draft));
}

function givenCode(interpreter: Interpreter, { words, program }: Pick<Draft, 'program' | 'words'>): Code | undefined {
  const { language } = interpreter;
  const name = program.replace(/[\d.]+$/, '');
  const texts: string[] = [];
  let option = interpreter.code[0] ?? interpreter.verb ?? '';
  let at = interpreter.verb !== undefined && words[1]?.value === interpreter.verb ? 2 : 1;
  if (interpreter.verb !== undefined && at === 1) return undefined;
  for (; at < words.length; at += 1) {
    const { value } = words[at] as ShellWord;
    const given = codeOption(value, interpreter);
    if (given) {
      option = given.option;
      texts.push(given.joined ?? words[(at += 1)]?.value ?? '');
      if (language === 'python') break;
    } else if (interpreter.values?.includes(value)) {
      if (value === '-m' || (language === 'awk' && value === '-f')) return undefined;
      at += 1;
    } else if (!value.startsWith('-') || value === '-') {
      if (interpreter.operand === true && texts.length === 0) {
        texts.push(value);
        option = interpreter.verb ?? '';
      }
      break;
    }
  }
  return texts.length === 0 ? undefined : { language, text: texts.join('\n'), road: `${name} ${option}`.trim() };
}

/** `-c`, `-cCODE`, `-Ic`, `--eval=CODE`. */
function codeOption(value: string, interpreter: Interpreter): { option: string; joined?: string } | undefined {
  if (!value.startsWith('-') || value.length < 2) return undefined;
  for (const option of interpreter.code) {
    if (value === option) return { option };
    if (option.startsWith('--')) {
      if (value.startsWith(`${option}=`)) return { option, joined: value.slice(option.length + 1) };
      continue;
    }
    if (value.startsWith('--')) continue;
    const letter = option[1] as string;
    const place = value.indexOf(letter, 1);
    if (place < 1 || !/^[a-zA-Z]*$/.test(value.slice(1, place))) continue;
    if (
      value
        .slice(1, place)
        .split('')
        .some((one) => interpreter.values?.includes(`-${one}`) === true)
    )
      continue;
    if (interpreter.language === 'perl' && /^-[iMmI0F]/.test(value)) continue;
    return place === value.length - 1 ? { option } : { option, joined: value.slice(place + 1) };
  }
  return undefined;
}

/** Without a script, or with `-`, the code is what comes in. */
function inputCode(interpreter: Interpreter, { words, input }: Pick<Draft, 'words' | 'input'>): Code | undefined {
  const text = knownText(input);
  if (text === undefined || interpreter.operand === true) return undefined;
  const script = words.slice(1).find((word) => !word.value.startsWith('-') || word.value === '-');
  const reads = script === undefined || script.value === '-' || script.value === '/dev/stdin';
  return reads ? { language: interpreter.language, text, road: 'heredoc' } : undefined;
}

/** Words before the file: `deno run x.ts`, `tsx watch x.ts`. */
const VERBS: ReadonlySet<string> = new Set(['run', 'watch', 'serve', 'test']);

/** The file that an interpreter runs. */
function scriptOf({ language, values = [] }: Interpreter, draft: Draft, shell: Shell): Script | undefined {
  const { words } = draft;
  for (let at = 1; at < words.length; at += 1) {
    const { value } = words[at] as ShellWord;
    const next = words[at + 1]?.value;
    if (next !== undefined && FILE_OPTIONS.test(`${language} ${value}`)) return scriptAt(next, draft, shell);
    if (language === 'python' && value === '-m') {
      const path = next?.replaceAll('.', '/') ?? '';
      return scriptAt(`${path}.py`, draft, shell) ?? scriptAt(`${path}/__main__.py`, draft, shell);
    }
    if (values.includes(value)) at += 1;
    else if (!value.startsWith('-') && !(at === 1 && VERBS.has(value) && language === 'node'))
      return language === 'awk' ? undefined : scriptAt(value, draft, shell);
  }
  return language === 'awk' ? undefined : fedScript(draft, shell);
}

const FILE_OPTIONS =
  /^(?:awk (?:-f|--file)|php -f|r (?:-f|--file)|node (?:-r|--require|--import)|elisp (?:-l|--?load|--?script|-x))$/;

/** Reads the commands that an interpreter's code hands to a shell. */
export function runInterpreter(draft: Draft, shell: Shell): string | undefined {
  const interpreter = interpreterOf(draft.program);
  if (!interpreter) return undefined;
  const code = codeOf(draft);
  if (code) return runCalls(code, draft, shell);
  const script = scriptOf(interpreter, draft, shell);
  if (!script) return undefined;
  draft.script = script;
  const { language } = interpreter;
  return runScript(script, shell, () => runCalls({ language, text: script.text, road: 'file' }, draft, shell));
}

function runCalls({ text, language, road }: Code, draft: Draft, shell: Shell): string {
  const found = findShellCalls(text, language);
  if (found.forks) shell.all.exhausts.push(draft.text);
  if (found.cut) addUnclear(shell.all, 'too-long', draft.text);
  for (const call of found.calls) {
    if (!spend(shell.all, 1, draft.text)) break;
    const at = draft.script?.file === undefined ? draft.at : placeOf(draft.script, call);
    const changes = { input: undefined, redirects: NONE, at };
    if (typeof call === 'string')
      runCode(call === UNKNOWN ? (knownText(draft.input) ?? call) : call, road, draft, shell, changes);
    else
      runWords(
        call.map((word) => plainWord(word)),
        road,
        draft,
        shell,
        changes,
      );
  }
  return UNKNOWN;
}

/** Where the code names what it hands to a shell, as far as a search tells. */
function placeOf({ text, file = '' }: Script, call: string | readonly string[]): ScriptPlace {
  const word = typeof call === 'string' ? call : [...call].sort((one, other) => other.length - one.length)[0];
  const known = word?.split(UNKNOWN, 1)[0]?.split('\n', 1)[0] ?? '';
  return { file, text, from: Math.max(0, text.indexOf(known)), lines: 1 };
}
