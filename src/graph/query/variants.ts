import { directoryOf } from '../model/paths.ts';
import { descriptorOfPath } from '../walk/known-languages.ts';
import { labelOf } from './declared.ts';
import type { GraphReader, SymbolEntry } from './graph-reader.ts';
import { receiverOf } from './package-methods.ts';

const known = new WeakMap<GraphReader, Map<string, ReadonlyMap<number, readonly number[]>>>();
const NONE: readonly number[] = [];

/**
 * The definitions of one thing of which each build has one, this one among them, by path and place: for systems, features or
 * compilers. Empty for what is defined once.
 */
export function variantsOf(reader: GraphReader, symbol: SymbolEntry): readonly number[] {
  if (descriptorOfPath(symbol.path)?.variants === undefined || symbol.kind === 'module') return NONE;
  const names = known.get(reader) ?? new Map<string, ReadonlyMap<number, readonly number[]>>();
  known.set(reader, names);
  let found = names.get(symbol.name);
  if (found === undefined) names.set(symbol.name, (found = groupVariants(reader, symbol.name)));
  return found.get(symbol.id) ?? NONE;
}

/** The one that stands for all of them. */
export function firstVariant(reader: GraphReader, id: number): number {
  return variantsOf(reader, reader.symbol(id))[0] ?? id;
}

function groupVariants(reader: GraphReader, name: string): ReadonlyMap<number, readonly number[]> {
  const groups = new Map<string, number[]>();
  for (const id of reader.named(name)) {
    const symbol = reader.symbol(id);
    const what = whatItIs(symbol);
    if (what === undefined) continue;
    const group = groups.get(what);
    if (group) group.push(id);
    else groups.set(what, [id]);
  }
  const found = new Map<number, readonly number[]>();
  for (const group of groups.values()) if (group.length > 1) for (const id of group) found.set(id, group);
  return found;
}

/** The same for those that cannot be in one build; undefined for what there may be several of. */
function whatItIs(symbol: SymbolEntry): string | undefined {
  const { path, name, kind, signature, role, isLocal, isDeclared } = symbol;
  const rule = descriptorOfPath(path)?.variants;
  if (rule === undefined || isLocal || isDeclared || kind === 'module' || rule.repeated?.test(name)) return undefined;
  if (kind === 'method' && rule.methods?.test(signature) === false) return undefined;
  const label = labelOf(symbol);
  const owner = receiverOf(symbol) ?? label.slice(0, Math.max(0, label.length - name.length - 1));
  const place = rule.in === 'file' ? path : directoryOf(path);
  const isRun = kind === 'function' || kind === 'method';
  return [place, role === 'test', kind, owner, rule.bySignature && isRun ? signature : ''].join('\n');
}
