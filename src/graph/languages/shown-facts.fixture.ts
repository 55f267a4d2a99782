import { keysOf } from '../model/facts.ts';
import type { FileFacts, Language } from '../model/facts.ts';
import { createParser } from '../parse/parse-file.ts';
import { placeIn, show } from './shown.fixture.ts';

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

const parser = createParser({ budgetMs: 60_000 });

export async function shownFacts(path: string, language: Language, text: string): Promise<ShownFacts> {
  const facts = await parser.parse(path, language, new TextEncoder().encode(text));
  const keys = keysOf(facts);
  const place = (at: number) => placeIn(facts.lines, at);
  const references = facts.references.map(({ kind, name, receiver, within, at, args }) => {
    const before = receiver === undefined ? '' : `${show(receiver)}.`;
    const count = args === undefined ? '' : `/${args}`;
    return { kind, text: `${place(at)} ${kind} ${before}${name}${count} in ${keys[within] ?? '-'}` };
  });
  const isCall = (kind: string) => kind === 'call' || kind === 'new';
  return {
    facts,
    definitions: facts.definitions.map(({ at, kind, traits, bases, visibility }, index) => {
      const more = [...traits, ...(visibility === 'public' ? [] : [visibility])];
      const above = bases.map(({ how, type }) => `${how} ${show(type)}`);
      return [`${place(at)} ${kind} ${keys[index]}`, ...more, ...above].join(', ');
    }),
    imports: facts.imports.map(({ at, module, local }) => `${place(at)} ${local} of ${module}`),
    calls: references.filter(({ kind }) => isCall(kind)).map(({ text: line }) => line),
    others: references.filter(({ kind }) => !isCall(kind)).map(({ text: line }) => line),
  };
}
