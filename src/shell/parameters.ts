import type { ParameterExpansionPart, Word } from 'unbash';
import type { ShellWord } from './command.ts';
import { UNKNOWN } from './command.ts';
import { replacePattern, stripPattern, workOf } from './patterns.ts';
import { expandAgain, readNumber, readSubscripts } from './run-code.ts';
import type { Shell, Value } from './state.ts';
import { addUnclear, spend } from './state.ts';
import { asValue, lookUp, setVariable, untold, valueOf, variableValue } from './variables.ts';

/** What `${…}` stands for: one value, or several for `${list[@]}`. */
export function expandParameter(
  part: ParameterExpansionPart,
  shell: Shell,
  expand: (word: Word, shell: Shell) => ShellWord,
): readonly Value[] {
  const { operation, prefix } = part;
  const nothing = untold(part.parameter);
  let values = baseValues(part, shell, expand);
  if (prefix === '#') {
    if (!values) return [nothing];
    if (part.index?.text === '@' || part.index?.text === '*') return [valueOf(String(values.length))];
    const [only] = values;
    return [only && !only.text.includes(UNKNOWN) ? valueOf(String(only.text.length)) : nothing];
  }
  if (prefix === '!') {
    if (operation?.type === 'Names') return [nothing];
    if (part.index) {
      const keys = lookUp(shell, part.parameter)?.items?.keys();
      return keys ? [...keys].map((key) => valueOf(key)) : [nothing];
    }
    const named = values?.[0]?.text;
    if (named !== undefined) readSubscripts(named, shell);
    if (named === undefined || named.includes(UNKNOWN)) values = undefined;
    else values = [variableValue(named, shell) ?? untold(named)];
  }
  // What only another shell takes for an expansion: `${(e)x}`, `${=x}`.
  if (part.parameter === '' || operation?.type === 'Unknown') addUnclear(shell.all, 'syntax', part.text);
  if (!operation) return values ?? [nothing];
  if (operation.type === 'Default') {
    const { operator } = operation;
    const kind = operator.at(-1);
    const missing =
      !values || values.every((one) => one.unset === true || (operator.startsWith(':') && one.text === ''));
    if (kind === '+' ? missing && values : !missing) return kind === '+' ? [valueOf('')] : (values as readonly Value[]);
    const meant = asValue(expand(operation.operand, shell));
    if (kind === '+') return missing ? [nothing] : [meant];
    if (kind === '?') return [nothing];
    if (kind === '=') setVariable(shell, part.parameter, meant);
    return [meant];
  }
  if (operation.type === 'Slice') {
    const offset = asNumber(expand(operation.offset, shell).value, shell);
    const length = operation.length ? asNumber(expand(operation.length, shell).value, shell) : undefined;
    if (!values || offset === undefined || (operation.length && length === undefined)) return [nothing];
    if (values.length !== 1 || part.index || part.parameter === '@') {
      const list = part.parameter === '@' || part.parameter === '*' ? [valueOf(''), ...values] : values;
      return list.slice(offset, length === undefined ? undefined : offset + length);
    }
    return values.map((one) => map(one, (text) => slice(text, offset, length), part, shell));
  }
  const change = changeOf(operation, part.text.slice(2, -1), shell, expand);
  return change && values ? values.map((one) => map(one, change, part, shell)) : [nothing];
}

/** A command that nothing closes. */
const CUT = /\$\([^)]*$|^[^`]*`[^`]*$/;

type Operation = NonNullable<ParameterExpansionPart['operation']>;

function changeOf(
  operation: Operation,
  whole: string,
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
      // The parser ends a pattern at a slash in a command as well.
      if (CUT.test(operation.pattern.text)) expandAgain(whole, '${ / }', shell);
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
          return (text) => text;
        case 'P':
          return (text) => expandAgain(text, '${ @P}', shell);
        default:
          return undefined;
      }
    default:
      return undefined;
  }
}

function map(
  { text, from, env }: Value,
  change: (text: string) => string | undefined,
  part: ParameterExpansionPart,
  shell: Shell,
): Value {
  const changed = text.includes(UNKNOWN) ? UNKNOWN : change(text);
  if (changed === undefined) addUnclear(shell.all, 'too-long', part.text);
  return { text: changed ?? UNKNOWN, from, ...(env && { env }) };
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
    return shell.args?.map(asValue);
  }
  const value = variableValue(parameter, shell);
  if (!index) return value && [value];
  const key = index.text;
  // A subscript is expanded whether there is such a variable or not.
  const named = key === '@' || key === '*' ? key : expand(index, shell).value;
  readNumber(named, shell);
  if (!value) return undefined;
  const { items, from } = value;
  if (key === '@' || key === '*')
    return items ? [...items.values()].map((text) => valueOf(text, from, value.glob)) : [value];
  if (!items) return key === '0' ? [value] : [{ text: '', from, unset: true }];
  let at = items.has(named) ? named : String(asNumber(named, shell) ?? named);
  if (at.startsWith('-')) at = String(items.size + Number(at));
  const held = items.get(at);
  return [held === undefined ? { text: '', from, unset: true } : valueOf(held, from)];
}

function asNumber(text: string, shell: Shell): number | undefined {
  readNumber(text, shell);
  const held = /^\s*-?\d+\s*$/.test(text) ? text : lookUp(shell, text.trim())?.text;
  return held !== undefined && /^\s*-?\d+\s*$/.test(held) ? Number(held) : undefined;
}
