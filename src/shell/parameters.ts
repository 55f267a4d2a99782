import type { ParameterExpansionPart, Word } from 'unbash';
import type { ShellWord } from './command.ts';
import { UNKNOWN } from './command.ts';
import { replacePattern, stripPattern, workOf } from './patterns.ts';
import type { Shell, Value } from './state.ts';
import { NONE, addUnclear, spend } from './state.ts';
import { lookUp, setVariable, valueOf, variableValue } from './variables.ts';

const UNTOLD: Value = { text: UNKNOWN, from: NONE };

/** What `${…}` stands for: one value, or several for `${list[@]}`. */
export function expandParameter(
  part: ParameterExpansionPart,
  shell: Shell,
  expand: (word: Word, shell: Shell) => ShellWord,
): readonly Value[] {
  const { operation, prefix } = part;
  let values = baseValues(part, shell, expand);
  if (prefix === '#') {
    if (!values) return [UNTOLD];
    if (part.index?.text === '@' || part.index?.text === '*') return [valueOf(String(values.length))];
    const [only] = values;
    return [only && !only.text.includes(UNKNOWN) ? valueOf(String(only.text.length)) : UNTOLD];
  }
  if (prefix === '!') {
    if (operation?.type === 'Names') return [UNTOLD];
    if (part.index) {
      const keys = lookUp(shell, part.parameter)?.items?.keys();
      return keys ? [...keys].map((key) => valueOf(key)) : [UNTOLD];
    }
    const named = values?.[0]?.text;
    const meant = named === undefined || named.includes(UNKNOWN) ? undefined : variableValue(named, shell);
    values = meant ? [meant] : undefined;
  }
  if (!operation) return values ?? [UNTOLD];
  if (operation.type === 'Default') {
    const { operator } = operation;
    const kind = operator.at(-1);
    const missing =
      !values || values.every((one) => one.unset === true || (operator.startsWith(':') && one.text === ''));
    if (kind === '+')
      return missing ? (values ? [valueOf('')] : [UNTOLD]) : [asValue(expand(operation.operand, shell))];
    if (!missing) return values as readonly Value[];
    if (kind === '?') return [UNTOLD];
    const meant = asValue(expand(operation.operand, shell));
    if (kind === '=') setVariable(shell, part.parameter, meant);
    return [meant];
  }
  if (!values) return [UNTOLD];
  if (operation.type === 'Slice') {
    const offset = asNumber(expand(operation.offset, shell).value, shell);
    const length = operation.length ? asNumber(expand(operation.length, shell).value, shell) : undefined;
    if (offset === undefined || (operation.length && length === undefined)) return [UNTOLD];
    if (values.length !== 1 || part.index || part.parameter === '@') {
      const list = part.parameter === '@' || part.parameter === '*' ? [valueOf(''), ...values] : values;
      return list.slice(offset, length === undefined ? undefined : offset + length);
    }
    return values.map((one) => map(one, (text) => slice(text, offset, length), part, shell));
  }
  const change = changeOf(operation, shell, expand);
  return change ? values.map((one) => map(one, change, part, shell)) : [UNTOLD];
}

type Operation = NonNullable<ParameterExpansionPart['operation']>;

function changeOf(
  operation: Operation,
  shell: Shell,
  expand: (word: Word, shell: Shell) => ShellWord,
): ((text: string) => string | undefined) | undefined {
  switch (operation.type) {
    case 'Remove': {
      const pattern = expand(operation.operand, shell).value;
      return (text) =>
        spend(shell.all, workOf(text, pattern, false), pattern)
          ? stripPattern(text, pattern, operation.operator)
          : undefined;
    }
    case 'Replace': {
      const pattern = expand(operation.pattern, shell).value;
      const by = expand(operation.replacement, shell).value;
      return (text) =>
        spend(shell.all, workOf(text, pattern, true), pattern)
          ? replacePattern(text, pattern, by, operation.operator)
          : undefined;
    }
    case 'CaseModification': {
      const up = operation.operator.startsWith('^');
      const turn = (text: string) => (up ? text.toUpperCase() : text.toLowerCase());
      return operation.operator.length === 2 ? turn : (text) => turn(text.slice(0, 1)) + text.slice(1);
    }
    case 'Transform':
      switch (operation.operand.text) {
        case 'U':
          return (text) => text.toUpperCase();
        case 'L':
          return (text) => text.toLowerCase();
        case 'u':
          return (text) => text.slice(0, 1).toUpperCase() + text.slice(1);
        case 'E':
        case 'P':
          return (text) => text;
        default:
          return undefined;
      }
    default:
      return undefined;
  }
}

function map(
  { text, from }: Value,
  change: (text: string) => string | undefined,
  part: ParameterExpansionPart,
  shell: Shell,
): Value {
  const changed = text.includes(UNKNOWN) ? UNKNOWN : change(text);
  if (changed === undefined) addUnclear(shell.all, 'too-long', part.text);
  return { text: changed ?? UNKNOWN, from };
}

function slice(text: string, offset: number, length: number | undefined): string {
  const start = offset < 0 ? Math.max(0, text.length + offset) : offset;
  if (length === undefined) return text.slice(start);
  return length < 0 ? text.slice(start, text.length + length) : text.slice(start, start + length);
}

function baseValues(
  part: ParameterExpansionPart,
  shell: Shell,
  expand: (word: Word, shell: Shell) => ShellWord,
): readonly Value[] | undefined {
  const { parameter, index } = part;
  if (parameter === '@' || parameter === '*') {
    return shell.args?.map(({ value, from, glob }) => ({ text: value, from, glob }));
  }
  const value = variableValue(parameter, shell);
  if (!value) return undefined;
  if (!index) return [value];
  const { items, from } = value;
  const key = index.text;
  if (key === '@' || key === '*')
    return items ? [...items.values()].map((text) => valueOf(text, from, value.glob)) : [value];
  if (!items) return key === '0' ? [value] : [{ text: '', from, unset: true }];
  const named = expand(index, shell).value;
  let at = items.has(named) ? named : String(asNumber(named, shell) ?? named);
  if (at.startsWith('-')) at = String(items.size + Number(at));
  const held = items.get(at);
  return [held === undefined ? { text: '', from, unset: true } : valueOf(held, from)];
}

function asValue(word: ShellWord): Value {
  return { text: word.value, from: word.from, glob: word.glob };
}

function asNumber(text: string, shell: Shell): number | undefined {
  const held = /^\s*-?\d+\s*$/.test(text) ? text : lookUp(shell, text.trim())?.text;
  return held !== undefined && /^\s*-?\d+\s*$/.test(held) ? Number(held) : undefined;
}
