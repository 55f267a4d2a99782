import { MARGIN } from '../frame.ts';

export const WIDTH = 1400;
/** On the left of each band: the name of the layer and what had no room in it. */
export const SIDE = 150;
export const CARD_HEIGHT = 84;
/** Lines that run past cards run here; so many fit beside each other that all edges find a place. */
const LANE = { least: 7, most: 13 } as const;

export interface Grid {
  readonly cardWidth: number;
  /** Between two columns. */
  readonly lanes: number;
  left(column: number): number;
  /** Of the nth of several lanes in the space to the left of a column, or to the right of the last. */
  lane(gutter: number, nth: number, of: number): number;
}

export function layGrid(columns: number): Grid {
  const lanes = Math.ceil(20 / (columns + 1));
  const gutter = lanes * LANE.least + 10;
  const start = MARGIN + SIDE;
  const cardWidth = Math.floor((WIDTH - MARGIN - start - gutter * (columns + 1)) / columns);
  const left = (column: number): number => start + gutter + column * (cardWidth + gutter);
  return {
    cardWidth,
    lanes,
    left,
    lane: (number, nth, of) =>
      left(number) - gutter / 2 + (nth - (of - 1) / 2) * Math.min(LANE.most, (gutter - 10) / Math.max(1, of)),
  };
}
