import type { Reader } from './reader.ts';
import { addCall, bind, deeper, isMark, nameValue } from './reader.ts';
import type { Value } from './values.ts';
import { NOTHING, joinedValue, knownTextOf, textValue } from './values.ts';

/** Languages of `(f a b)`. */
export function readLists(reader: Reader): void {
  while (reader.at < reader.tokens.length) {
    const before = reader.at;
    readForm(reader);
    if (reader.at === before) reader.at += 1;
  }
}

function readForm(reader: Reader): Value {
  return deeper(reader, NOTHING, () => readOne(reader));
}

function readOne(reader: Reader): Value {
  const token = reader.tokens[reader.at];
  if (!token) return NOTHING;
  reader.at += 1;
  if (token.kind === 'string') return textValue(token.text);
  if (token.kind === 'name') return token.text === 'nil' ? NOTHING : nameValue(reader, token.text);
  if (token.kind === 'number') return textValue(token.text);
  // `'f` and `#'f` stand for the function.
  if (isMark(token, "'") || isMark(token, '#') || isMark(token, '`') || isMark(token, ',')) return readForm(reader);
  if (!isMark(token, '(') && !isMark(token, '[')) return NOTHING;
  const start = reader.at;
  const values: Value[] = [];
  while (reader.at < reader.tokens.length && !/^[)\]]$/.test(reader.tokens[reader.at]?.text ?? '')) {
    const before = reader.at;
    if (reader.tokens[reader.at]?.kind === 'break') reader.at += 1;
    else values.push(readForm(reader));
    if (reader.at === before) reader.at += 1;
    // `(setq p v)` and `(p v)` of a `let` give a name its value.
    if (values.length % 2 === 1) bindPair(reader, values, start);
  }
  reader.at += 1;
  const [head, ...args] = values;
  if (values.length === 2 && head?.name !== undefined && args[0]?.texts && isMark(reader.tokens[start - 2], '('))
    bind(reader, head.name, args[0]);
  if (head?.name === undefined) return { items: values };
  return formOf(reader, head.name, args, start);
}

function bindPair(reader: Reader, values: readonly Value[], start: number): void {
  const head = reader.tokens[start]?.text ?? '';
  if (!/^(?:setq|setq-local|defvar|defconst|set|setf)$/.test(head) || values.length < 3) return;
  const name = values.at(-2)?.name;
  if (name !== undefined) bind(reader, name, values.at(-1) as Value);
}

function formOf(reader: Reader, head: string, args: readonly Value[], start: number): Value {
  const [first] = args;
  if (head === 'concat') return joinedValue(args);
  if (head === 'list' || head === 'quote') return { items: args };
  if (head === 'progn' || head === 'let' || head === 'let*' || head === 'or') return args.at(-1) ?? NOTHING;
  if ((head === 'funcall' || head === 'apply') && first !== undefined) {
    const meant = first.name ?? knownTextOf(first);
    const given = args.slice(1).flatMap((one) => (head === 'apply' ? (one.items ?? [one]) : [one]));
    if (meant !== undefined) return addCall(reader, meant, undefined, { values: given, named: new Map() }, start);
  }
  return addCall(reader, head, undefined, { values: args, named: new Map() }, start);
}
