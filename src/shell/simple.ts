import { parse } from 'unbash';
import type { Command } from 'unbash';
import { UNKNOWN } from './command.ts';
import type { ShellRedirect, ShellWord } from './command.ts';
import { assignedValue, declare, setAssigned, wordOf } from './assignments.ts';
import { runBuiltin } from './builtins.ts';
import { openedBy } from './descriptors.ts';
import { keepWritten, writtenText } from './files.ts';
import { callFunction } from './functions.ts';
import { runNested } from './nesting.ts';
import { outputOf } from './output.ts';
import { programOf } from './program-name.ts';
import { readRedirects } from './redirects.ts';
import { NONE, addUnclear, forkShell, isCut, onlyOf, within } from './state.ts';
import type { Call, Draft, Shell } from './state.ts';
import { placeIn } from './scripts.ts';
import { isMentioned } from './may.ts';
import { setVariable, valueOf } from './variables.ts';
import { expandWord } from './words.ts';
import { unwrap } from './wrappers.ts';
import { quote } from './quote.ts';
import { expandAgain, runLater } from './run-code.ts';

/** Variables that other programs take a command from. */
const STEERING: ReadonlySet<string> = new Set([
  'GIT_SSH_COMMAND',
  'GIT_SSH',
  'GIT_EDITOR',
  'GIT_SEQUENCE_EDITOR',
  'GIT_PAGER',
  'GIT_EXTERNAL_DIFF',
  'GIT_PROXY_COMMAND',
  'GIT_ASKPASS',
  'SSH_ASKPASS',
  'EDITOR',
  'VISUAL',
  'FCEDIT',
  'PAGER',
  'MANPAGER',
  'SYSTEMD_PAGER',
  'LESSOPEN',
  'LESSCLOSE',
  'BROWSER',
  'PROMPT_COMMAND',
  'RSYNC_RSH',
]);

/** Texts that a shell expands when it shows them, or looks for a file by them. */
const EXPANDED: ReadonlySet<string> = new Set(
  'PS0 PS1 PS2 PS3 PS4 PROMPT PROMPT2 PROMPT3 PROMPT4 RPROMPT RPS1 BASH_ENV ENV'.split(' '),
);
/** Files that a shell reads before anything else. */
const STARTS_WITH: ReadonlySet<string> = new Set(['BASH_ENV', 'ENV']);

/** Reads a command that a variable hands to other programs; a bare name of a program is not worth it. */
function runSteering(name: string, value: string, text: string, shell: Shell): void {
  if (EXPANDED.has(name)) {
    const meant = expandAgain(value, name, shell);
    if (STARTS_WITH.has(name) && meant !== '') runLater(`. ${quote(meant)}`, name, text, shell);
    return;
  }
  if (!STEERING.has(name) || !/[\s;|&$`(]/.test(value.trim())) return;
  runLater(value.replace(/^\s*\|{0,2}-?/, ''), name, text, shell);
}

const EXPORTS: ReadonlySet<string> = new Set(['export', 'declare', 'typeset', 'readonly', 'local']);

function runAssigned({ program, words, assigns, text }: Draft, shell: Shell): void {
  for (const { name, value } of assigns) runSteering(name, value.value, text, shell);
  if (!EXPORTS.has(program)) return;
  for (const { value } of words) {
    const equals = value.indexOf('=');
    if (equals > 0 && value[equals + 1] !== UNKNOWN)
      runSteering(value.slice(0, equals), value.slice(equals + 1), text, shell);
  }
}

export function runSimple(node: Command, shell: Shell): string {
  const { name, prefix } = node;
  const aliased = name && shell.aliases.size > 0 ? runAlias(node, name.text, shell) : undefined;
  if (aliased !== undefined) return aliased;
  const text = shell.source.slice(node.pos, node.end);
  let assigns: Draft['assigns'] = NONE;
  if (prefix.length > 0) {
    const given: { name: string; value: ShellWord }[] = [];
    for (const one of prefix) {
      if (one.type !== 'Assignment') continue;
      const value = assignedValue(one, shell);
      if (name === undefined) {
        setAssigned(one, value, shell);
        runSteering(one.name, value.text, text, shell);
      } else given.push({ name: one.name, value: { ...wordOf(value), text: one.text.slice(one.name.length + 1) } });
    }
    assigns = given;
  }
  const words: ShellWord[] = [];
  if (name) {
    words.push(...expandWord(name, shell));
    const declared: (() => void)[] = [];
    for (const argument of node.args) {
      if (argument.type === 'Word') words.push(...expandWord(argument, shell));
      else {
        const { word, set } = declare(argument, words, shell);
        words.push(word);
        declared.push(set);
      }
    }
    // All of the words are expanded before the first variable changes.
    for (const set of declared) set();
  }
  const { redirects, input } = readRedirects(node.redirects, shell);
  if (words.length === 0 && redirects.length === 0) return '';
  const call: Call = { words, assigns, redirects, input, text, at: placeIn(node.pos, shell) };
  if (assigns.length > 0) performAsMeant(call, node, shell);
  return perform(call, shell);
}

/** `D=/ rm -rf "$D"`: the words are made before the assignment holds, which is not what whoever writes it means. */
function performAsMeant(call: Call, { name, args }: Command, shell: Shell): void {
  const named = ({ name: variable }: Draft['assigns'][number]) =>
    variable !== '' && args.some(({ text }) => text.includes('$') && isMentioned(variable, text));
  if (!name || !call.assigns.some(named)) return;
  const other = forkShell(shell);
  for (const { name: variable, value } of call.assigns) setVariable(other, variable, valueOf(value.value, value.from));
  const words = [name, ...args].flatMap((one) => (one.type === 'Word' ? expandWord(one, other) : []));
  if (words.some(({ value }, at) => value !== call.words[at]?.value)) perform({ ...call, words }, other);
}

function runAlias(node: Command, name: string, shell: Shell): string | undefined {
  const held = shell.aliases.get(name);
  if (isCut(held)) addUnclear(shell.all, 'too-many-commands', shell.source.slice(node.pos, node.end));
  const meant = onlyOf(held);
  if (meant === undefined || shell.calls.includes(`alias ${name}`)) return undefined;
  const start = node.name?.end ?? node.pos;
  const source = meant + shell.source.slice(start, node.end);
  const script = parse(source);
  return within(shell, { source, calls: [...shell.calls, `alias ${name}`] }, () =>
    shell.all.reader.statements(script.commands, shell),
  );
}

/** Reads `program arguments`: takes wrappers off, follows functions and builtins, and goes into what it runs. */
export function perform(given: Call, shell: Shell): string {
  let call = foldCapitals(given);
  let { wrappers } = shell;
  let { dir } = shell;
  let wrapped = false;
  for (;;) {
    const first = call.words[0];
    if (first === undefined) break;
    const name = programOf(first.value);
    const held = wrapped ? undefined : shell.functions.get(first.value);
    if (isCut(held)) addUnclear(shell.all, 'too-many-commands', call.text);
    const own = onlyOf(held);
    if (own) {
      const { redirects, input, words } = call;
      const changes = { redirects: [...shell.redirects, ...redirects], input: input ?? shell.input };
      return within(shell, changes, () => callFunction(own, words.slice(1), shell));
    }
    const inner = unwrap(name, call, dir, shell.all);
    if (!inner) break;
    wrapped = true;
    if (!wrappers.includes(name)) wrappers = [...wrappers, name];
    dir = inner.dir;
    call = inner.call;
    if (call.words.length === 0) break;
  }
  return emit(call, wrappers, dir, shell);
}

function emit(call: Call, wrappers: readonly string[], dir: string | undefined, shell: Shell): string {
  const { all } = shell;
  const { words, text } = call;
  if (all.commands.length >= all.most) {
    addUnclear(all, 'too-many-commands', text);
    return UNKNOWN;
  }
  const first = words[0];
  const program = first ? programOf(first.value) : '';
  if (first && program === '' && first.value !== '') addUnclear(all, 'computed', text);
  const nested = shell.road.length > 0;
  const redirects = shell.redirects.length === 0 ? call.redirects : inherit(shell.redirects, call.redirects);
  const astray = shell.unsure?.failed?.dir;
  const draft: Draft = {
    number: all.commands.length,
    words,
    program,
    text,
    wrappers,
    road: shell.road,
    position: nested ? 'nested' : all.led ? 'chained' : 'lead',
    dir,
    elsewhere: dir === shell.dir && astray !== dir ? astray : undefined,
    assigns: call.assigns,
    redirects,
    input: call.input ?? shell.input,
    pipedTo: undefined,
    keptIn: shell.keptIn,
    background: shell.background,
    depth: shell.road.length,
    at: call.at ?? shell.at,
    script: undefined,
  };
  if (!nested) all.led = true;
  if (wrappers.includes('exec') && !shell.wrappers.includes('exec')) shell.left ??= 'exec';
  all.commands.push(draft);
  const kept = shell.outs && !redirects.some((one) => one.descriptor === 1 && one.target);
  if (kept) shell.outs?.push(draft.number);
  if (redirects.length > 0 || program === 'tee') keepWritten(draft, shell, outputOf);
  if (shell.descriptors.size > 0) joinDescriptors(draft, shell);
  if (first === undefined)
    return draft.input?.kind === 'file' ? (writtenText(draft.input.target.value, dir, shell) ?? UNKNOWN) : '';
  runAssigned(draft, shell);
  const built = runBuiltin(draft, shell);
  if (built !== undefined) return built;
  const printed = runNested(draft, shell);
  if (printed !== undefined) return kept ? printed : '';
  return kept ? outputOf(draft, shell) : '';
}

/** What is written to `>( )` is read by the command inside; what is read from a descriptor comes from whom it was opened on. */
function joinDescriptors(draft: Draft, shell: Shell): void {
  const join = (word: ShellWord | undefined, piped: boolean) => {
    const reader = word && openedBy(word.value, shell)?.reader;
    const command = reader === undefined ? undefined : shell.all.commands[reader];
    if (!command) return;
    command.input ??= { kind: 'pipe', from: draft.number };
    if (piped) draft.pipedTo = command.number;
  };
  draft.words.forEach((word, at) => {
    join(word, draft.program === 'tee');
    const input = word.from.length === 0 ? openedBy(word.value, shell)?.input : undefined;
    if (input?.kind === 'pipe') draft.words = draft.words.with(at, { ...word, from: [input.from] });
  });
  // `exec 3> >(…)` writes nothing by itself.
  if (draft.program === 'exec') return;
  for (const { descriptor, target } of draft.redirects) if (descriptor <= 2) join(target, descriptor === 1);
}

function inherit(outer: readonly ShellRedirect[], own: readonly ShellRedirect[]): readonly ShellRedirect[] {
  return [...outer.filter((one) => !own.some((other) => other.descriptor === one.descriptor)), ...own];
}

const CAPITALS = /^(?:--)?[A-Z]{2}[A-Z-]*$/;

/** `GIT RESET --HARD` is `git reset --hard` where file names have no case. */
function foldCapitals(call: Call): Call {
  const first = call.words[0]?.value;
  if (first === undefined || !/^(?:.*\/)?[A-Z]{2}[A-Z-]*$/.test(first)) return call;
  return {
    ...call,
    words: call.words.map((word, at) =>
      at > 0 && CAPITALS.test(word.value) ? { ...word, value: word.value.toLowerCase() } : word,
    ),
  };
}
