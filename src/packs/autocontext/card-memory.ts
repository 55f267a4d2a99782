import { record } from '../../engine/rule.ts';
import type { CardOptions } from './card-options.ts';

/** The last card of a file, and what was said about the file before. */
export interface CardMemory {
  readonly at: number;
  readonly symbol: string;
  readonly epoch: number;
  /** Stamps of texts, newest last. */
  readonly said: readonly string[];
}

/** By agent, root and file. */
export const CARDS = record<CardMemory>('autocontext.cards');

/** Texts about one file that are remembered. */
const MAX_SAID = 16;

/** Whether the last card of a file leaves room for one about this symbol. */
export function isDue(
  last: CardMemory | undefined,
  { symbol, epoch, now }: { readonly symbol: string; readonly epoch: number; readonly now: number },
  { throttleMs }: CardOptions,
): boolean {
  return last === undefined || last.epoch !== epoch || last.symbol !== symbol || now - last.at >= throttleMs;
}

/** Whether the agent still has this very text before it. */
export function wasSaid(last: CardMemory | undefined, stamp: string, epoch: number): boolean {
  return last !== undefined && last.epoch === epoch && last.said.includes(stamp);
}

export function remembered(last: CardMemory | undefined, card: Omit<CardMemory, 'said'>, stamp: string): CardMemory {
  const before = last?.epoch === card.epoch ? last.said.filter((other) => other !== stamp) : [];
  return { ...card, said: [...before.slice(1 - MAX_SAID), stamp] };
}
