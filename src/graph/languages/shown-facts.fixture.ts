import type { Expression } from '../expression.ts';
import { keysOf } from '../facts.ts';
import type { FileFacts, Language } from '../facts.ts';
import { createParser } from '../parse/parse-file.ts';

/** One line per fact, with the line and column where it stands, both from 1. */
export interface ShownFacts {
  readonly definitions: readonly string[];
  readonly imports: readonly string[];
  /** Calls and `new`, with receiver, enclosing definition and number of arguments. */
  readonly calls: readonly string[];
  /** All other references. */
  readonly others: readonly string[];
  readonly facts: FileFacts;
}

const parser = createParser();

export async function shownFacts(path: string, language: Language, text: string): Promise<ShownFacts> {
  const facts = await parser.parse(path, language, new TextEncoder().encode(text));
  const keys = keysOf(facts);
  const place = (offset: number) => {
    let line = 0;
    while ((facts.lines[line + 1] ?? Infinity) <= offset) line += 1;
    return `${line + 1}:${offset - (facts.lines[line] ?? 0) + 1}`;
  };
  const references = facts.references.map(({ kind, name, receiver, within, at, args }) => {
    const before = receiver === undefined ? '' : `${shown(receiver)}.`;
    const count = args === undefined ? '' : `/${args}`;
    return { kind, text: `${place(at)} ${kind} ${before}${name}${count} in ${keys[within] ?? '-'}` };
  });
  const isCall = (kind: string) => kind === 'call' || kind === 'new';
  return {
    facts,
    definitions: facts.definitions.map(({ at, kind, traits, bases, visibility }, index) => {
      const more = [...traits, ...(visibility === 'public' ? [] : [visibility])];
      const above = bases.map(({ how, type }) => `${how} ${shown(type)}`);
      return [`${place(at)} ${kind} ${keys[index]}`, ...more, ...above].join(', ');
    }),
    imports: facts.imports.map(({ at, module, local }) => `${place(at)} ${local} of ${module}`),
    calls: references.filter(({ kind }) => isCall(kind)).map(({ text: line }) => line),
    others: references.filter(({ kind }) => !isCall(kind)).map(({ text: line }) => line),
  };
}

export function shown(expression: Expression): string {
  switch (expression.is) {
    case 'name':
      return expression.name;
    case 'member':
      return `${shown(expression.of)}.${expression.name}`;
    case 'call':
      return `${shown(expression.of)}()`;
    case 'new':
      return `new ${shown(expression.of)}`;
    case 'apply':
      return `${shown(expression.of)}<${expression.types.map(shown).join(', ')}>`;
    case 'as':
      return `as ${shown(expression.type)}`;
    case 'element':
    case 'each':
      return `${expression.is} ${shown(expression.of)}`;
    default:
      return expression.is;
  }
}
