import type { RecordCell, Turn } from '../../engine/rule.ts';

/** Drawings that one turn of one agent was refused, by their hash; the newest last. */
export interface Refused {
  readonly turn: Turn;
  readonly drawings: readonly string[];
}

/** Older ones are told of as if they were new. */
const MOST_DRAWINGS = 100;

/** Takes a refusal down; whether it is the first of these drawings in this turn. */
export function refuse(cell: RecordCell<Refused>, drawings: string, turn: Turn, agent: string): boolean {
  const kept = cell.get(agent);
  const before = kept?.turn === turn ? kept.drawings : [];
  if (before.includes(drawings)) return false;
  cell.set({ turn, drawings: [...before.slice(1 - MOST_DRAWINGS), drawings] }, agent);
  return true;
}
