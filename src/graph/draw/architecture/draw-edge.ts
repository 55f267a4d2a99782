import { element, group, tooltip } from '../svg.ts';
import type { Svg } from '../svg.ts';
import { drawText } from '../text.ts';
import { COLOURS, SIZES } from '../theme.ts';
import { CARD_HEIGHT } from './grid.ts';
import { ARROW } from './layout.ts';
import type { Layout } from './layout.ts';
import { labelWidth, PILL } from './ports.ts';
import type { Port } from './ports.ts';
import type { Route } from './route-edges.ts';

type Point = readonly [x: number, y: number];

const THINNEST = 1.5;
const ROUND = 6;

/** So many imports at least make the widest line. */
const MANY = 32;

/** Grows with the logarithm: 1 import is the thinnest, as many as the heaviest edge has the widest. */
export function widthOfEdge(imports: number, most: number, widest: number): number {
  return THINNEST + ((widest - THINNEST) * Math.log(imports)) / Math.log(Math.max(MANY, most));
}

export function drawEdge(route: Route, layout: Layout, width: number, stroke: string, told: string): Svg {
  const points = pointsOf(route, layout);
  const end = points.at(-1) as Point;
  const up = route.target.side === 'bottom' ? 1 : -1;
  const half = Math.min(ARROW / 2 + 1, 3 + width / 2);
  const line = [...points.slice(0, -1), [end[0], end[1] + up * (ARROW - 1)] as Point];
  return group(
    {},
    tooltip(told),
    element('path', { d: roundedPath(line), stroke, 'stroke-width': width, fill: 'none', 'stroke-linejoin': 'round' }),
    element('path', {
      d: `M${place(end)}L${place([end[0] - half, end[1] + up * ARROW])}L${place([end[0] + half, end[1] + up * ARROW])}Z`,
      fill: stroke,
    }),
  );
}

/** The number on a ground of its own, right at the card. */
export function drawEdgeLabel({ source, target }: Route, layout: Layout, colour: string): Svg | undefined {
  const port = source.label === '' ? target : source;
  if (port.label === '') return undefined;
  const [, edgeOfCard] = portAt(port, layout);
  const away = (port.isTarget ? ARROW : 3) + PILL.height / 2 + 1;
  const y = edgeOfCard + (port.side === 'bottom' ? away : -away);
  const width = labelWidth(port.label);
  return group(
    {},
    element('rect', {
      x: port.x - width / 2,
      y: y - PILL.height / 2,
      width,
      height: PILL.height,
      rx: PILL.height / 2,
      fill: COLOURS.card,
      stroke: colour,
    }),
    drawText(port.x, y + 4.4, port.label, { size: SIZES.small, anchor: 'middle' }),
  );
}

function portAt({ cell, side, x }: Port, { rows }: Layout): Point {
  const top = rows[cell.row] as number;
  return [x, side === 'top' ? top : top + CARD_HEIGHT];
}

function pointsOf({ source, target, gaps, lane, tracks }: Route, layout: Layout): readonly Point[] {
  const [start, end] = [portAt(source, layout), portAt(target, layout)];
  const [first, last] = tracks;
  if (first === undefined || last === undefined) return [start, end];
  const y = layout.track(gaps[0], first);
  if (lane === undefined) return [start, [start[0], y], [end[0], y], end];
  const z = layout.track(gaps[1], last);
  return [start, [start[0], y], [lane, y], [lane, z], [end[0], z], end];
}

function roundedPath(points: readonly Point[]): string {
  let d = '';
  points.forEach((point, index) => {
    const [before, after] = [points[index - 1], points[index + 1]];
    if (before === undefined) d += `M${place(point)}`;
    else if (after === undefined) d += `L${place(point)}`;
    else d += `L${place(towards(point, before))}Q${place(point)} ${place(towards(point, after))}`;
  });
  return d;
}

/** A little of the way, never more than half of it. */
function towards([x, y]: Point, [toX, toY]: Point): Point {
  const length = Math.abs(toX - x) + Math.abs(toY - y);
  const part = length === 0 ? 0 : Math.min(ROUND, length / 2) / length;
  return [x + (toX - x) * part, y + (toY - y) * part];
}

function place([x, y]: Point): string {
  return `${Math.round(x * 100) / 100} ${Math.round(y * 100) / 100}`;
}
