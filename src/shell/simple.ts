import type { Assignment, Command } from 'unbash';
import { parse } from 'unbash';
import type { ShellInput, ShellRedirect, ShellWord } from './command.ts';
import { UNKNOWN } from './command.ts';
import { runBuiltin } from './builtins.ts';
import { callFunction } from './functions.ts';
import { runNested } from './nesting.ts';
import { outputOf } from './output.ts';
import { readRedirects } from './redirects.ts';
import { runStatements } from './statements.ts';
import type { Draft, Shell, Value } from './state.ts';
import { MAX_COMMANDS, NONE, addUnclear, within } from './state.ts';
import { lookUp, setVariable, valueOf } from './variables.ts';
import { expandOne, expandWord } from './words.ts';
import { unwrap } from './wrappers.ts';

/** One program with its arguments, before wrappers are taken off. */
export interface Call {
  readonly words: readonly ShellWord[];
  readonly assigns: Draft['assigns'];
  readonly redirects: readonly ShellRedirect[];
  readonly input: ShellInput | undefined;
  readonly text: string;
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
      if (name === undefined) setAssigned(one, value, shell);
      else given.push({ name: one.name, value: { text: one.text.slice(one.name.length + 1), known: !value.text.includes(UNKNOWN), value: value.text, glob: false, from: value.from } });
    }
    assigns = given;
  }
  const words: ShellWord[] = [];
  if (name) {
    words.push(...expandWord(name, shell));
    for (const argument of node.args) {
      if (argument.type === 'Word') words.push(...expandWord(argument, shell));
      else words.push(declare(argument, words[0]?.value ?? '', shell));
    }
  }
  const { redirects, input } = readRedirects(node.redirects, shell);
  if (words.length === 0 && redirects.length === 0) return '';
  return perform({ words, assigns, redirects, input, text }, shell);
}

function runAlias(node: Command, name: string, shell: Shell): string | undefined {
  const meant = shell.aliases.get(name);
  if (meant === undefined || shell.calls.includes(`alias ${name}`)) return undefined;
  const start = node.name?.end ?? node.pos;
  const source = meant + shell.source.slice(start, node.end);
  const script = parse(source);
  return within(shell, { source, calls: [...shell.calls, `alias ${name}`] }, () => runStatements(script.commands, shell));
}

/** Reads `program arguments`: takes wrappers off, follows functions and builtins, and goes into what it runs. */
export function perform(given: Call, shell: Shell): string {
  let call = foldCapitals(given);
  let { wrappers } = shell;
  let { dir } = shell;
  for (let layers = 0; layers < 16; layers += 1) {
    const first = call.words[0];
    if (first === undefined || !first.known) break;
    const name = programOf(first.value);
    const own = wrappers === shell.wrappers ? shell.functions.get(first.value) : undefined;
    if (own) {
      if (shell.calls.includes(first.value)) return UNKNOWN;
      const { redirects, input, words } = call;
      const changes = { redirects: [...shell.redirects, ...redirects], input: input ?? shell.input };
      return within(shell, changes, () => callFunction(own, first.value, words.slice(1), shell));
    }
    const inner = unwrap(name, call, dir);
    if (!inner) break;
    wrappers = [...wrappers, name];
    dir = inner.dir;
    call = inner.call;
    if (call.words.length === 0) break;
  }
  return emit(call, wrappers, dir, shell);
}

function emit(call: Call, wrappers: readonly string[], dir: string | undefined, shell: Shell): string {
  const { all } = shell;
  const { words, text } = call;
  if (all.commands.length >= MAX_COMMANDS) {
    addUnclear(all, 'too-many-commands', text);
    return UNKNOWN;
  }
  const first = words[0];
  const program = first?.known === true ? programOf(first.value) : '';
  if (first && !first.known) addUnclear(all, 'computed', text);
  const nested = shell.road.length > 0;
  const redirects = shell.redirects.length === 0 ? call.redirects : inherit(shell.redirects, call.redirects);
  const draft: Draft = {
    number: all.commands.length,
    words,
    program,
    text,
    wrappers,
    road: shell.road,
    position: nested ? 'nested' : all.led ? 'chained' : 'lead',
    dir,
    assigns: call.assigns,
    redirects,
    input: call.input ?? shell.input,
    pipedTo: undefined,
    keptIn: shell.keptIn,
    background: shell.background,
    depth: shell.road.length,
  };
  if (!nested) all.led = true;
  all.commands.push(draft);
  const kept = shell.outs && !redirects.some((one) => one.descriptor === 1 && one.target);
  if (kept) shell.outs?.push(draft.number);
  if (first === undefined) return draft.input?.kind === 'file' ? UNKNOWN : '';
  const built = runBuiltin(draft, shell);
  if (built !== undefined) return built;
  const printed = runNested(draft, shell);
  if (printed !== undefined) return kept ? printed : '';
  return kept ? outputOf(draft, shell) : '';
}

function inherit(outer: readonly ShellRedirect[], own: readonly ShellRedirect[]): readonly ShellRedirect[] {
  return [...outer.filter((one) => !own.some((other) => other.descriptor === one.descriptor)), ...own];
}

export function programOf(value: string): string {
  const slash = value.lastIndexOf('/');
  const name = (slash < 0 ? value : value.slice(slash + 1)).toLowerCase();
  return name.endsWith('.exe') ? name.slice(0, -4) : name;
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

function assignedValue(node: Assignment, shell: Shell): Value {
  const { value } = node;
  const before = shell.keptIn;
  shell.keptIn = node.name;
  try {
    if (value.type === 'Word') {
      const word = expandOne(value, shell);
      return { text: word.value, from: word.from, glob: word.glob };
    }
    const items = new Map<string, string>();
    const from: number[] = [];
    for (const element of value.elements) {
      const keyed = /^\[([^\]]*)\]=/.exec(element.text);
      for (const word of keyed ? [expandOne(element, shell)] : expandWord(element, shell)) {
        const key = keyed?.[1]?.replace(/^["']|["']$/g, '');
        const text = keyed ? word.value.slice(word.value.indexOf('=') + 1) : word.value;
        items.set(key ?? String(items.size), text);
        from.push(...word.from);
      }
    }
    return { text: items.get('0') ?? '', from, items };
  } finally {
    shell.keptIn = before;
  }
}

function setAssigned(node: Assignment, value: Value, shell: Shell): void {
  const { name, index, append } = node;
  const old = append === true || index ? lookUp(shell, name) : undefined;
  if (index) {
    const items = new Map(old?.items ?? (old && !old.unset ? [['0', old.text]] : []));
    const key = expandOne(index, shell).value;
    items.set(key, (append === true ? (items.get(key) ?? '') : '') + value.text);
    setVariable(shell, name, { text: items.get('0') ?? '', from: value.from, items });
    return;
  }
  if (append !== true) {
    setVariable(shell, name, value);
    return;
  }
  if (value.items) {
    const items = new Map(old?.items);
    for (const text of value.items.values()) items.set(String(items.size), text);
    setVariable(shell, name, { text: items.get('0') ?? '', from: value.from, items });
    return;
  }
  setVariable(shell, name, valueOf((old?.text ?? UNKNOWN) + value.text, [...(old?.from ?? NONE), ...value.from]));
}

/** An assignment among the arguments of `export`, `declare` and the like. */
function declare(node: Assignment, program: string, shell: Shell): ShellWord {
  const value = assignedValue(node, shell);
  if (program === 'local' && shell.locals && !shell.locals.has(node.name)) {
    shell.locals.set(node.name, shell.variables.get(node.name));
    shell.variables.delete(node.name);
  }
  setAssigned(node, value, shell);
  return {
    text: node.text,
    value: `${node.name}=${value.text}`,
    known: !value.text.includes(UNKNOWN),
    glob: false,
    from: value.from,
  };
}
