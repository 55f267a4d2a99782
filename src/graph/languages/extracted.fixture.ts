import { isLong } from '../../../test/cases.ts';
import { keysOf } from '../model/facts.ts';
import type { Language } from '../model/facts.ts';
import type { Extracted, Extractor } from './language.ts';
import { linesOf, placeIn, show } from './shown.fixture.ts';

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
  return {
    definitions: facts.definitions.map(({ kind, at }, index) => `${keys[index]} ${kind} ${placeIn(lines, at)}`),
    imports: facts.imports.map(({ local, module, name, at }) => `${local} = ${module} ${name} ${placeIn(lines, at)}`),
    calls: facts.references
      .filter(({ kind }) => kind === 'call' || kind === 'new')
      .map(({ within, receiver, kind, name, at }) => {
        const before = receiver === undefined ? '' : `${show(receiver)}.`;
        return `${keys[within] ?? '.'}: ${kind === 'new' ? 'new ' : ''}${before}${name} ${placeIn(lines, at)}`;
      }),
  };
}

export function extract(extractor: Extractor, language: Language, text: string): Extracted {
  return extractor.extract({ path: `a.${language}`, language, text, lines: linesOf(text) });
}

/** Places of a text lie so far apart: a long run tries eight times as many. Steps that a line of code does not have. */
const [END_STEP, GAP_STEP] = isLong ? [3, 7] : [23, 57];

/** What an extractor must survive: all beginnings of a text, and the text with a piece taken out anywhere. */
export function* damagedTexts(text: string): Generator<string> {
  for (let end = 0; end < text.length; end += END_STEP) yield text.slice(0, end);
  for (let at = 0; at < text.length; at += GAP_STEP) yield text.slice(0, at) + text.slice(at + 5);
}
