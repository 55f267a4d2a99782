import type { Assignment } from 'unbash';
import type { ShellWord } from './command.ts';
import { UNKNOWN } from './command.ts';
import { runAny } from './may.ts';
import type { Shell, Value } from './state.ts';
import { MAX_VALUE, NONE, addUnclear, union, writeStore } from './state.ts';
import { asValue, lookUp, setVariable, valueOf } from './variables.ts';
import { expandOne, expandWord } from './words.ts';

/** In a function, their variables end with it. */
const LOCAL: ReadonlySet<string> = new Set(['local', 'declare', 'typeset']);

/** What an assignment gives its variable. */
export function assignedValue(node: Assignment, shell: Shell, declared = false): Value {
  const { value } = node;
  const before = shell.keptIn;
  shell.keptIn = node.name;
  try {
    if (value.type === 'Word') {
      // `declare X={a,b}` is two assignments, and the last one stays.
      const braced = value.parts?.some((part) => part.type === 'BraceExpansion') === true && declared;
      const word = braced ? (expandWord(value, shell).at(-1) ?? wordOf(valueOf(''))) : expandOne(value, shell);
      shell.all.budget -= word.value.length >> 8;
      return asValue(word);
    }
    const items = new Map<string, string>();
    let from: readonly number[] = NONE;
    for (const element of value.elements) {
      const keyed = /^\[([^\]]*)\]=/.exec(element.text);
      for (const word of keyed ? [expandOne(element, shell)] : expandWord(element, shell)) {
        const key = keyed?.[1]?.replace(/^["']|["']$/g, '');
        const text = keyed ? word.value.slice(word.value.indexOf('=') + 1) : word.value;
        items.set(key ?? String(items.size), text);
        from = union(from, word.from);
      }
    }
    shell.all.budget -= items.size >> 1;
    return { text: items.get('0') ?? '', from, items };
  } finally {
    shell.keptIn = before;
  }
}

export function setAssigned(node: Assignment, value: Value, shell: Shell): void {
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
  const text = (old?.text ?? UNKNOWN) + value.text;
  const from = union(old?.from ?? NONE, value.from);
  const long = text.length > MAX_VALUE;
  if (long) addUnclear(shell.all, 'too-long', node.text);
  setVariable(shell, name, valueOf(long ? UNKNOWN : text, from));
}

/** An assignment among the arguments of `export`, `declare` and the like. */
export function declare(
  node: Assignment,
  before: readonly ShellWord[],
  shell: Shell,
): { word: ShellWord; set: () => void } {
  const program = before[0]?.value ?? '';
  const refers = before.some(({ value }) => /^-[a-zA-Z]*n/.test(value));
  const value = assignedValue(node, shell, true);
  const set = () => {
    if (LOCAL.has(program) && shell.locals && !shell.locals.has(node.name)) {
      shell.locals.set(node.name, shell.variables.get(node.name));
      writeStore(shell, 'variables').delete(node.name);
    }
    // `declare -n` changes the name itself, not the variable that it was a name for until now.
    if (refers && program !== 'export') writeStore(shell, 'variables').delete(node.name);
    // Outside functions bash refuses it, and zsh does not.
    if (program === 'local' && !shell.locals) runAny([() => (setAssigned(node, value, shell), '')], true, shell);
    else setAssigned(node, value, shell);
  };
  return { word: { ...wordOf(value), text: node.text, value: `${node.name}=${value.text}` }, set };
}

export function wordOf({ text, from, glob = false, env }: Value): ShellWord {
  return { text, value: text, known: !text.includes(UNKNOWN), glob, from, ...(env && { env }) };
}
