import type { Expression } from '../expression.ts';
import { keysOf } from '../facts.ts';
import type { Language } from '../facts.ts';
import type { Extracted, Extractor } from './language.ts';

export interface ShownFacts {
  /** `key kind line:column` */
  readonly definitions: readonly string[];
  /** `local = module name` */
  readonly imports: readonly string[];
  /** `enclosing: receiver.name line:column`, `new` before what makes objects. */
  readonly calls: readonly string[];
}

/** The facts of a text as a person would check them. Lines and columns start with 1. */
export function showFacts(extractor: Extractor, language: Language, text: string): ShownFacts {
  const facts = extract(extractor, language, text);
  const keys = keysOf(facts);
  const lines = linesOf(text);
  const place = (at: number): string => {
    let line = 0;
    while (line + 1 < lines.length && (lines[line + 1] ?? 0) <= at) line++;
    return `${line + 1}:${at - (lines[line] ?? 0) + 1}`;
  };
  return {
    definitions: facts.definitions.map(({ kind, at }, index) => `${keys[index]} ${kind} ${place(at)}`),
    imports: facts.imports.map(({ local, module, name, at }) => `${local} = ${module} ${name} ${place(at)}`),
    calls: facts.references
      .filter(({ kind }) => kind === 'call' || kind === 'new')
      .map(({ within, receiver, kind, name, at }) => {
        const before = receiver === undefined ? '' : `${show(receiver)}.`;
        return `${keys[within] ?? '.'}: ${kind === 'new' ? 'new ' : ''}${before}${name} ${place(at)}`;
      }),
  };
}

export function extract(extractor: Extractor, language: Language, text: string): Extracted {
  return extractor.extract({ path: `a.${language}`, language, text, lines: linesOf(text) });
}

function linesOf(text: string): number[] {
  const lines = [0];
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) lines.push(at + 1);
  return lines;
}

export function show(e: Expression): string {
  switch (e.is) {
    case 'name':
      return e.name;
    case 'member':
      return `${show(e.of)}.${e.name}`;
    case 'call':
      return `${show(e.of)}(${e.args.map(show).join(', ')})`;
    case 'new':
      return `new ${show(e.of)}(${e.args.map(show).join(', ')})`;
    case 'element':
      return `${show(e.of)}[]`;
    case 'each':
    case 'await':
    case 'entered':
      return `${e.is} ${show(e.of)}`;
    case 'part':
      return `${show(e.of)}#${e.n}`;
    case 'as':
      return `as ${show(e.type)}`;
    case 'apply':
      return `${show(e.of)}<${e.types.map(show).join(', ')}>`;
    case 'tuple':
      return `[${e.of.map(show).join(', ')}]`;
    case 'either':
      return e.of.map(show).join(' | ');
    case 'parameter':
      return `parameter ${e.n} of ${show(e.of)}`;
    case 'expected':
      return `argument ${e.n} of ${show(e.call)}`;
    case 'literal':
      return `'${e.type}'`;
    case 'function':
      return 'function';
    default:
      return e.is;
  }
}

/** What an extractor must survive: all beginnings of a text, and the text with a piece taken out anywhere. */
export function* damagedTexts(text: string): Generator<string> {
  for (let end = 0; end < text.length; end += 3) yield text.slice(0, end);
  for (let at = 0; at < text.length; at += 7) yield text.slice(0, at) + text.slice(at + 5);
}
