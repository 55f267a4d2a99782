import { descriptorOfPath } from '../walk/known-languages.ts';
import { byMerit } from './best-symbol.ts';
import { definitionOf } from './declared.ts';
import { nameOf } from './describe-symbol.ts';
import { familyOf, isCallable } from './family.ts';
import type { GraphReader } from './graph-reader.ts';
import { similarNames } from './similar-names.ts';
import { variantsOf } from './variants.ts';

export interface NamingOptions {
  /** Only symbols of this file, or below this directory. */
  readonly file?: string | undefined;
  /** Of several that fit equally, the best is meant. */
  readonly pickBest?: boolean | undefined;
}

export type Naming =
  /** `others` fit the same words and were passed over, best first. */
  | { readonly is: 'one'; readonly id: number; readonly others: readonly number[] }
  | { readonly is: 'several'; readonly ids: readonly number[] }
  | { readonly is: 'none'; readonly similar: readonly number[] };

/**
 * The symbol that words mean: a key, `path:line`, a qualified name, a name; then the same whatever the case; then as the end
 * of a longer one. The first of these that fits anything decides, so that a better fit never yields to a worse one.
 */
export function nameSymbol(reader: GraphReader, words: string, { file, pickBest }: NamingOptions = {}): Naming {
  const wanted = normalise(reader, words);
  const isIn = (id: number) => file === undefined || lies(reader.symbol(id).path, normalise(reader, file));
  for (const find of STAGES) {
    const found = distinct(reader, find(reader, wanted).filter(isIn));
    const [only] = found;
    if (only === undefined) continue;
    if (found.length === 1) return { is: 'one', id: only, others: namesakes(reader, wanted, only, isIn) };
    const [best = only, ...others] = byMerit(reader, found);
    const [first, ...rivals] = found.filter((id) => isOfProduct(reader, id));
    if (first !== undefined && rivals.length === 0)
      return { is: 'one', id: first, others: [best, ...others].filter((id) => id !== first) };
    return pickBest === true ? { is: 'one', id: best, others } : { is: 'several', ids: [best, ...others] };
  }
  const elsewhere = file === undefined ? [] : distinct(reader, byName(reader, wanted));
  const similar = elsewhere.length > 0 ? byMerit(reader, elsewhere) : similarNames(reader, wanted);
  return { is: 'none', similar: similar.slice(0, MOST_SIMILAR) };
}

const MOST_SIMILAR = 5;

/** Who names no place means the product, not what tests, samples or files of declarations have under the same name. */
function isOfProduct(reader: GraphReader, id: number): boolean {
  const { role, path } = reader.symbol(id);
  return role === 'production' && descriptorOfPath(path)?.stubs?.test(path) !== true;
}

type Stage = (reader: GraphReader, wanted: string) => readonly number[];

const STAGES: readonly Stage[] = [
  byKey,
  byLine,
  byQualifiedName,
  (reader, wanted) => byName(reader, wanted).filter((id) => !reader.symbol(id).isLocal),
  byName,
  (reader, wanted) => anyCase(reader, wanted).filter((id) => sameText(nameOf(reader.symbol(id)), wanted)),
  (reader, wanted) => (wanted.includes('.') ? [] : anyCase(reader, wanted)),
  byEnd,
];

function byKey(reader: GraphReader, wanted: string): readonly number[] {
  const id = reader.byKey(wanted) ?? reader.file(wanted)?.module;
  return id === undefined ? [] : [id];
}

/** The innermost definition around a line; the module where there is none. */
function byLine(reader: GraphReader, wanted: string): readonly number[] {
  const [, path, digits] = /^(.+?):(\d+)(?::\d+)?$/.exec(wanted) ?? [];
  if (path === undefined) return [];
  const line = Number(digits);
  return filesAt(reader, path).map(({ path: found, module }) => {
    let best = module;
    let span = Infinity;
    for (const id of reader.symbolsOf(found)) {
      const { firstLine, lastLine } = reader.symbol(id);
      if (firstLine > line || lastLine < line || lastLine - firstLine > span) continue;
      best = id;
      span = lastLine - firstLine;
    }
    return best;
  });
}

function byQualifiedName(reader: GraphReader, wanted: string): readonly number[] {
  return reader.named(lastPart(wanted)).filter((id) => nameOf(reader.symbol(id)) === wanted);
}

function byName(reader: GraphReader, wanted: string): readonly number[] {
  return wanted.includes('.') ? byQualifiedName(reader, wanted) : reader.named(wanted);
}

function anyCase(reader: GraphReader, wanted: string): readonly number[] {
  const lower = lastPart(wanted).toLowerCase();
  const found: number[] = [];
  reader.eachName((name, symbols) => {
    if (name.length === lower.length && name.toLowerCase() === lower) for (const id of symbols) found.push(id);
  });
  return found;
}

/** `Store.save` of `app.Store.save`, `store.ts#save` of `src/store.ts#save`, `store.ts` and `store` of `src/store.ts`. */
function byEnd(reader: GraphReader, wanted: string): readonly number[] {
  const hash = wanted.indexOf('#');
  if (hash > 0) {
    const name = wanted.slice(hash + 1);
    const files = filesAt(reader, wanted.slice(0, hash));
    return files.flatMap(({ path }) => reader.byKey(`${path}#${name}`) ?? []);
  }
  const lower = `.${wanted.toLowerCase()}`;
  const symbols = wanted.includes('.')
    ? anyCase(reader, wanted).filter((id) => `.${nameOf(reader.symbol(id))}`.toLowerCase().endsWith(lower))
    : [];
  return symbols.length > 0 ? symbols : filesAt(reader, wanted).map(({ module }) => module);
}

function filesAt(reader: GraphReader, path: string): { readonly path: string; readonly module: number }[] {
  const exact = reader.file(path);
  if (exact) return [exact];
  const files = reader.files().filter((file) => file.language !== 'manifest');
  const ending = files.filter((file) => file.path.endsWith(`/${path}`));
  return ending.length > 0 ? ending : files.filter((file) => `/${withoutEnding(file.path)}`.endsWith(`/${path}`));
}

/** Symbols of the very name that was given, where a better fit was found: nobody should take the one for the other. */
function namesakes(reader: GraphReader, wanted: string, found: number, isIn: (id: number) => boolean): number[] {
  if (/[#/:]/.test(wanted)) return [];
  const family = familyOf(reader, found).ids;
  const others = byName(reader, wanted).filter((id) => isIn(id) && !reader.symbol(id).isLocal);
  return byMerit(
    reader,
    distinct(reader, others).filter((id) => !family.has(id)),
  );
}

/** Overloads are one function: the one of them that calls lead to stands for all. A definition stands for its declarations. */
function distinct(reader: GraphReader, found: readonly number[]): number[] {
  const ids = found.map((id) => definitionOf(reader, id));
  if (ids.length < 2) return ids;
  const kept: number[] = [];
  const covered = new Set<number>();
  for (const id of ids) {
    if (covered.has(id)) continue;
    const symbol = reader.symbol(id);
    const family = isCallable(symbol) ? [...familyOf(reader, id).ids] : [id, ...variantsOf(reader, symbol)];
    for (const each of family) covered.add(each);
    kept.push(family.length === 1 ? id : mostCalled(reader, family));
  }
  return kept;
}

function mostCalled(reader: GraphReader, ids: readonly number[]): number {
  return ids.reduce((best, id) => (reader.incoming(id).length > reader.incoming(best).length ? id : best));
}

/** As people write names: with brackets after them, with the marks of other languages, from the root or with its path. */
function normalise({ root }: GraphReader, words: string): string {
  let wanted = words.trim().replace(/\(\)$/, '');
  if (wanted.startsWith(`${root}/`)) wanted = wanted.slice(root.length + 1);
  wanted = wanted.replace(/^(\.\/)+/, '').replaceAll('::', '.');
  // `Store#save` in the manner of some languages; `store.ts#save` is a key.
  return /^[\p{L}\p{N}_$]+#[^#/]+$/u.test(wanted) ? wanted.replace('#', '.') : wanted;
}

function lies(path: string, place: string): boolean {
  return path === place || path.endsWith(`/${place}`) || path.startsWith(place.endsWith('/') ? place : `${place}/`);
}

function lastPart(wanted: string): string {
  return wanted.slice(Math.max(wanted.lastIndexOf('.'), wanted.lastIndexOf('#')) + 1);
}

function withoutEnding(path: string): string {
  return path.replace(/\.[^./]+$/, '');
}

function sameText(name: string, wanted: string): boolean {
  return name.toLowerCase() === wanted.toLowerCase();
}
