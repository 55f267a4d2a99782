import { MARGIN } from '../frame.ts';

export const WIDTH = 1400;
/** On the left of each band: the name of the layer and what had no room in it. */
export const SIDE = 150;
export const CARD_HEIGHT = 84;
/** Lines that run past cards run here; so many fit beside each other that all edges find a place. */
const LANE = 7;

export interface Grid {
  readonly cardWidth: number;
  readonly lanes: number;
  left(column: number): number;
  /** Of the nth lane in the space to the left of a column, or to the right of the last. */
  lane(gutter: number, nth: number): number;
}

export function layGrid(columns: number): Grid {
  const lanes = Math.ceil(20 / (columns + 1));
  const gutter = lanes * LANE + 10;
  const start = MARGIN + SIDE;
  const cardWidth = Math.floor((WIDTH - MARGIN - start - gutter * (columns + 1)) / columns);
  const left = (column: number): number => start + gutter + column * (cardWidth + gutter);
  return {
    cardWidth,
    lanes,
    left,
    lane: (number, nth) => left(number) - gutter / 2 + (nth - (lanes - 1) / 2) * LANE,
  };
}
