import { ACROSS, DOWN, LEFT, RIGHT, UP, UPRIGHT, armsOf } from './characters.ts';
import { eachColumn } from '../../../text/columns.ts';

/** A horizontal stroke between two corners, or between two side junctions. */
export interface Edge {
  readonly left: number;
  readonly right: number;
  /** Columns where a line leaves it downwards and upwards. */
  readonly down: readonly number[];
  readonly up: readonly number[];
}

/** What one line of a block brings to boxes; all of it from left to right. */
export interface Row {
  readonly tops: readonly Edge[];
  readonly bottoms: readonly Edge[];
  /** Strokes from one side junction to another. */
  readonly rules: readonly Edge[];
  /** Columns of verticals and side junctions. */
  readonly uprights: readonly number[];
}

const TOP_LEFT = RIGHT | DOWN;
const TOP_RIGHT = LEFT | DOWN;
const BOTTOM_LEFT = RIGHT | UP;
const BOTTOM_RIGHT = LEFT | UP;
const SIDE_LEFT = UPRIGHT | RIGHT;
const SIDE_RIGHT = UPRIGHT | LEFT;

/** Which arms end a stroke that began with these. */
const END_OF: Readonly<Record<number, number>> = {
  [TOP_LEFT]: TOP_RIGHT,
  [BOTTOM_LEFT]: BOTTOM_RIGHT,
  [SIDE_LEFT]: SIDE_RIGHT,
};

interface Stroke {
  readonly from: number;
  readonly left: number;
  length: number;
  readonly down: number[];
  readonly up: number[];
}

/** Fewer characters between the corners make no edge. */
const MIN_LENGTH = 2;

/** One pass: at any time at most one stroke is open, and a corner or a vertical that does not end it drops it. */
export function readRow(line: string): Row {
  const tops: Edge[] = [];
  const bottoms: Edge[] = [];
  const rules: Edge[] = [];
  const uprights: number[] = [];
  let stroke: Stroke | undefined;

  eachColumn(line, (point, column) => {
    const arms = armsOf(point);
    if (arms === 0) return; // a label may stand in an edge
    if ((arms & UPRIGHT) === UPRIGHT || arms === UP || arms === DOWN) uprights.push(column);
    if (stroke !== undefined && arms === END_OF[stroke.from]) {
      if (stroke.length >= MIN_LENGTH) {
        const edge = { left: stroke.left, right: column, down: stroke.down, up: stroke.up };
        if (stroke.from === TOP_LEFT) tops.push(edge);
        else if (stroke.from === BOTTOM_LEFT) bottoms.push(edge);
        else rules.push(edge);
      }
      stroke = undefined;
    } else if (END_OF[arms] !== undefined && !(arms === SIDE_LEFT && stroke !== undefined)) {
      stroke = { from: arms, left: column, length: 0, down: [], up: [] };
    } else if ((arms & ACROSS) === 0 || arms === TOP_RIGHT || arms === BOTTOM_RIGHT) {
      stroke = undefined;
    } else if (stroke !== undefined) {
      stroke.length += 1;
      if (arms & DOWN) stroke.down.push(column);
      if (arms & UP) stroke.up.push(column);
    }
  });
  return { tops, bottoms, rules, uprights };
}
