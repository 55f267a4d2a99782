import { LINE_ENDS, WORD } from './pattern-ranges.ts';
import type { Ranges } from './pattern-ranges.ts';
import { PatternError } from './pattern-syntax.ts';
import type { Assertion, PatternNode } from './pattern-syntax.ts';

export type Op =
  | { readonly kind: 'set'; readonly ranges: Ranges }
  | { readonly kind: 'split'; first: number; second: number }
  | { readonly kind: 'jump'; to: number }
  | { readonly kind: 'assert'; readonly what: Assertion }
  | { readonly kind: 'match' };

export interface Program {
  readonly ops: readonly Op[];
  readonly hasAssertions: boolean;
  readonly alphabet: Alphabet;
}

/** Characters that no part of the pattern tells apart share a class. */
export interface Alphabet {
  readonly size: number;
  /** The classes of the first 128 codes, for the inner loop. */
  readonly ascii: Uint16Array;
  classOf(code: number): number;
  /** One code unit of each class. */
  readonly samples: readonly number[];
}

/** Matching costs at most this many steps per character. */
const MAX_OPS = 2_000;

export function compileProgram(node: PatternNode): Program {
  const ops: Op[] = [];
  emit(node, ops);
  push(ops, { kind: 'match' });
  return { ops, hasAssertions: ops.some((op) => op.kind === 'assert'), alphabet: alphabetOf(ops) };
}

function push(ops: Op[], op: Op): number {
  if (ops.length >= MAX_OPS)
    throw new PatternError(
      `the pattern is too large: it makes more than ${MAX_OPS} steps; use smaller counts, or split it into two rules`,
      0,
    );
  return ops.push(op) - 1;
}

function emit(node: PatternNode, ops: Op[]): void {
  switch (node.kind) {
    case 'set':
    case 'assert':
      push(ops, node);
      return;
    case 'cat':
      for (const item of node.items) emit(item, ops);
      return;
    case 'or':
      emitAlternatives(node.items, ops);
      return;
    case 'repeat':
      for (let count = 0; count < node.min; count += 1) emit(node.item, ops);
      if (node.max === Infinity) emitStar(node.item, node.greedy, ops);
      else emitOptional(node.item, node.max - node.min, node.greedy, ops);
  }
}

function emitAlternatives(items: readonly PatternNode[], ops: Op[]): void {
  const exits: number[] = [];
  items.forEach((item, index) => {
    const last = index === items.length - 1;
    const split = last ? -1 : openSplit(ops);
    emit(item, ops);
    if (last) return;
    exits.push(push(ops, { kind: 'jump', to: -1 }));
    closeSplit(ops, split, true);
  });
  for (const exit of exits) (ops[exit] as { to: number }).to = ops.length;
}

function emitStar(item: PatternNode, greedy: boolean, ops: Op[]): void {
  const split = openSplit(ops);
  emit(item, ops);
  push(ops, { kind: 'jump', to: split });
  closeSplit(ops, split, greedy);
}

function emitOptional(item: PatternNode, count: number, greedy: boolean, ops: Op[]): void {
  const splits: number[] = [];
  for (let at = 0; at < count; at += 1) {
    splits.push(openSplit(ops));
    emit(item, ops);
  }
  for (const split of splits) closeSplit(ops, split, greedy);
}

function openSplit(ops: Op[]): number {
  return push(ops, { kind: 'split', first: ops.length + 1, second: -1 });
}

/** The way out of a split is the next op; a greedy split tries its inside first. */
function closeSplit(ops: Op[], at: number, greedy: boolean): void {
  const split = ops[at] as { first: number; second: number };
  split.first = greedy ? at + 1 : ops.length;
  split.second = greedy ? ops.length : at + 1;
}

function alphabetOf(ops: readonly Op[]): Alphabet {
  const cuts = new Set([0]);
  const cut = (ranges: Ranges) => ranges.forEach((code, index) => cuts.add(index % 2 === 0 ? code : code + 1));
  for (const op of ops) if (op.kind === 'set') cut(op.ranges);
  if (ops.some((op) => op.kind === 'assert')) [WORD, LINE_ENDS].forEach(cut);
  const samples = [...cuts].filter((code) => code <= 0xffff).sort((a, b) => a - b);
  const ascii = Uint16Array.from({ length: 128 }, (_, code) => search(samples, code));
  return {
    size: samples.length,
    samples,
    ascii,
    classOf: (code) => search(samples, code),
  };
}

/** Index of the last cut at or below the code. */
function search(cuts: readonly number[], code: number): number {
  let low = 0;
  let high = cuts.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((cuts[middle] as number) <= code) low = middle;
    else high = middle - 1;
  }
  return low;
}
