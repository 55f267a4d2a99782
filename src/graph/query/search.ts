import type { DefinitionKind } from '../model/facts.ts';
import { byRole } from '../model/role.ts';
import type { SearchAnswer, Shown } from './answer.ts';
import { byText } from './best-symbol.ts';
import { definitionOf } from './declared.ts';
import { describeSymbol, mention, nameOf } from './describe-symbol.ts';
import { countCallers, familyOf, isCallable } from './family.ts';
import type { GraphReader, SymbolEntry } from './graph-reader.ts';
import { similarNames } from './similar-names.ts';
import { variantsOf } from './variants.ts';
import { wordParts } from './word-parts.ts';

export const SYMBOL_KINDS = [
  'function',
  'method',
  'class',
  'struct',
  'interface',
  'trait',
  'enum',
  'type',
  'namespace',
  'field',
  'variable',
  'constant',
  'module',
] as const satisfies readonly SymbolEntry['kind'][];

export interface SearchOptions {
  readonly kinds?: readonly (DefinitionKind | 'module')[] | undefined;
  readonly limit: number;
}

/** How well a name fits, best first. */
const EXACT = 0;
const SAME_WORDS = 1;
const PREFIX = 2;
const PARTS = 3;
const SUBSTRING = 4;
const NOT = 5;

interface Word {
  readonly text: string;
  readonly lower: string;
  readonly parts: readonly string[];
  /** What the container of the symbol must be called: `Store` in `Store.save`. */
  readonly container: string;
}

interface Found {
  readonly symbol: SymbolEntry;
  readonly callers: number;
}

/** Symbols whose names fit the words; several words are several names, unless one name has them all. */
export function searchSymbols(reader: GraphReader, query: string, { kinds, limit }: SearchOptions): SearchAnswer {
  const { total, items } = rankSymbols(reader, query, { kinds, limit });
  const similar = total > 0 ? [] : similarNames(reader, query.trim());
  return {
    is: 'search',
    query,
    ...(kinds === undefined ? {} : { kinds }),
    symbols: { total, items: items.map(({ symbol }) => describeSymbol(reader, symbol.id)) },
    similar: similar.map((id) => mention(reader.symbol(id))),
  };
}

/** Of each grade only so many are held against each other; a word that fits more names than that is no help anyway. */
const MOST_RANKED = 4_000;

/** The best of all symbols that fit the words, best first. */
export function rankSymbols(reader: GraphReader, query: string, { kinds, limit }: SearchOptions): Shown<Found> {
  const words = query.split(/[\s,]+/).flatMap(readWord);
  if (words.length === 0) return { total: 0, items: [] };
  const asks = graderOf(words);
  const byGrade = new Map<number, number[]>();
  const add = (grade: number, id: number) => {
    const ids = byGrade.get(grade);
    if (!ids) byGrade.set(grade, [id]);
    else if (ids.length < MOST_RANKED) ids.push(id);
  };
  const wanted = kinds && new Set<SymbolEntry['kind']>(kinds);
  const hasContainer = words.some(({ container }) => container !== '');
  if (!wanted || [...wanted].some((kind) => kind !== 'module')) {
    reader.eachName((name, symbols) => {
      const grade = asks(name);
      if (grade === undefined) return;
      for (const id of withoutOverloads(reader, symbols)) {
        if (!hasContainer && !wanted) add(grade, id);
        else {
          const symbol = reader.symbol(id);
          if ((!wanted || wanted.has(symbol.kind)) && isInside(symbol, name, words)) add(grade, id);
        }
      }
    });
  }
  if (!hasContainer && (!wanted || wanted.has('module')))
    for (const { path, module, language } of reader.files()) {
      const grade = language === 'manifest' ? undefined : asks(baseName(path));
      if (grade !== undefined) add(grade, module);
    }
  const items: Found[] = [];
  let total = 0;
  for (const [, ids] of [...byGrade].sort(([a], [b]) => a - b)) {
    // What comes after enough of better ones is counted only.
    if (items.length < limit) items.push(...ordered(reader, ids).slice(0, limit - items.length));
    total += ids.length;
  }
  return { total, items };
}

/** Of one name. Overloads are one function: the one of them that calls lead to stands for all. A definition stands for its declarations. */
export function withoutOverloads(reader: GraphReader, ids: readonly number[]): number[] {
  if (ids.length === 1) return [...ids];
  const kept = new Map<number | string, number>();
  for (const each of ids) {
    const id = definitionOf(reader, each);
    const symbol = reader.symbol(id);
    const of = variantsOf(reader, symbol)[0] ?? (isCallable(symbol) ? symbol.key.replace(/~\d+$/, '') : id);
    const other = kept.get(of);
    if (other === undefined || reader.incoming(id).length > reader.incoming(other).length) kept.set(of, id);
  }
  return [...kept.values()];
}

function ordered(reader: GraphReader, ids: readonly number[]): Found[] {
  return ids
    .map((id) => ({ symbol: reader.symbol(id), callers: countCallers(reader, familyOf(reader, id)) }))
    .sort(
      (a, b) =>
        // A file has the callers of all that is in it, and is seldom what was looked for.
        Number(a.symbol.kind === 'module') - Number(b.symbol.kind === 'module') ||
        byRole(a.symbol.role, b.symbol.role) ||
        b.callers - a.callers ||
        Number(b.symbol.exported) - Number(a.symbol.exported) ||
        byText(a.symbol.key, b.symbol.key),
    );
}

function readWord(text: string): Word[] {
  const plain = text.replace(/\(\)$/, '').replaceAll('::', '.');
  const at = Math.max(plain.lastIndexOf('.'), plain.lastIndexOf('#'));
  const name = plain.slice(at + 1);
  const parts = wordParts(name);
  if (parts.length === 0) return [];
  return [{ text: name, lower: name.toLowerCase(), parts, container: at < 0 ? '' : plain.slice(0, at).toLowerCase() }];
}

/**
 * Words in prose describe one name, and a name with more of them fits better. Words that are names themselves stand for
 * several, and the best fit of any of them counts first.
 */
function graderOf(words: readonly Word[]): (name: string) => number | undefined {
  const [first] = words;
  if (first && words.length === 1)
    return (name) => {
      const grade = gradeOf(name, name.toLowerCase(), first);
      return grade === NOT ? undefined : grade;
    };
  const isProse = words.every(({ parts, container }) => parts.length === 1 && container === '');
  const phrase = words.flatMap(({ parts }) => parts);
  return (name) => {
    const lower = name.toLowerCase();
    let best = NOT;
    let fitting = 0;
    for (const word of words) {
      const grade = gradeOf(name, lower, word);
      if (grade === NOT) continue;
      fitting += 1;
      if (grade < best) best = grade;
    }
    if (fitting === 0) return undefined;
    if (fitting === words.length && isSame(wordParts(name), phrase)) return EXACT;
    const missing = words.length - fitting;
    return isProse ? missing * (NOT + 1) + best : best * (words.length + 1) + missing;
  };
}

function gradeOf(name: string, lower: string, { text, lower: wanted, parts }: Word): number {
  const [head = ''] = parts;
  const at = lower.indexOf(head);
  if (at < 0) return NOT;
  if (name === text) return EXACT;
  if (lower === wanted) return SAME_WORDS;
  if (at === 0 && lower.startsWith(wanted)) return PREFIX;
  const own = wordParts(name);
  if (isSame(own, parts)) return SAME_WORDS;
  if (fitInOrder(own, parts)) return PARTS;
  // Two letters are part of nearly everything.
  return wanted.length > 2 && lower.includes(wanted) ? SUBSTRING : NOT;
}

function fitInOrder(own: readonly string[], wanted: readonly string[]): boolean {
  let at = 0;
  for (const part of own) if (part.startsWith(wanted[at] ?? '')) at += 1;
  return at >= wanted.length;
}

function isSame(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((part, at) => part === b[at]);
}

function isInside(symbol: SymbolEntry, name: string, words: readonly Word[]): boolean {
  const lower = name.toLowerCase();
  const own = `.${nameOf(symbol).toLowerCase()}`;
  return words.some(
    (word) => gradeOf(name, lower, word) !== NOT && (word.container === '' || own.includes(`.${word.container}.`)),
  );
}

function baseName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1).replace(/\.[^.]*$/, '');
}
