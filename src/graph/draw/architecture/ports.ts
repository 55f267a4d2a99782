import { widthOf } from '../text.ts';
import { SIZES } from '../theme.ts';
import type { DistrictEdge } from './architecture-model.ts';
import { shortCount } from './card.ts';
import { collect } from './collect.ts';
import type { Grid } from './grid.ts';
import type { Cell } from './place-cards.ts';

/** One end of an edge at a card. */
export interface Port {
  readonly edge: number;
  readonly isTarget: boolean;
  readonly cell: Cell;
  readonly side: 'top' | 'bottom';
  /** Where the line heads for. */
  readonly aim: number;
  x: number;
  /** Number at this end; empty at the other. */
  label: string;
}

type Sides = ReadonlyMap<string, readonly Port[]>;

export const PILL = { height: 16, padding: 5 } as const;
const APART = 22;
const CLOSEST = 9;
const TOO_NEAR = 6;
/** Of a card, where its corners are round. */
const CORNER = 10;

export function labelWidth(label: string): number {
  return widthOf(label, { size: SIZES.small }) + 2 * PILL.padding;
}

/** Puts the ports of each side of a card beside each other, in the order of where their lines lead. */
export function spreadPorts(ports: readonly Port[], edges: readonly DistrictEdge[], grid: Grid): void {
  const sides = collect(ports, sideOf);
  chooseLabels(ports, edges, (port) => sides.get(sideOf(port))?.length ?? 0);
  for (const own of sides.values()) {
    const sorted = own.toSorted((a, b) => a.aim - b.aim || a.edge - b.edge);
    const [first] = sorted as [Port];
    const room = grid.cardWidth - 2 * CORNER;
    const needs = (apart: number): number[] =>
      sorted.map(({ label }) => Math.max(apart, label === '' ? 0 : labelWidth(label) + 4));
    const sum = (widths: readonly number[]): number => widths.reduce((all, width) => all + width, 0);
    const wide = needs(APART);
    const widths = sum(wide) <= room ? wide : needs(CLOSEST);
    const scale = Math.min(1, room / sum(widths));
    let x = grid.left(first.cell.column) + grid.cardWidth / 2 - (sum(widths) * scale) / 2;
    sorted.forEach((port, index) => {
      const width = (widths[index] as number) * scale;
      port.x = x + width / 2;
      x += width;
    });
  }
  straighten(ports, sides, grid);
  setApart(ports, sides, grid);
}

/** At the end that has the fewer neighbours. */
function chooseLabels(ports: readonly Port[], edges: readonly DistrictEdge[], crowd: (port: Port) => number): void {
  edges.forEach(({ imports }, edge) => {
    const [source, target] = endsOf(ports, edge);
    const chosen = crowd(target) < crowd(source) ? target : source;
    chosen.label = imports < 2 ? '' : shortCount(imports);
  });
}

export function endsOf(ports: readonly Port[], edge: number): readonly [source: Port, target: Port] {
  return [ports[2 * edge] as Port, ports[2 * edge + 1] as Port];
}

/** Moves ports so that lines between neighbouring rows need no corner, where the order and the distances allow it. */
function straighten(ports: readonly Port[], sides: Sides, grid: Grid): void {
  for (let edge = 0; 2 * edge < ports.length; edge += 1) {
    const [source, target] = endsOf(ports, edge);
    if (source.side === target.side || Math.abs(source.cell.row - target.cell.row) !== 1) continue;
    if (canStand(target, source.x, sides, grid)) target.x = source.x;
    else if (canStand(source, target.x, sides, grid)) source.x = target.x;
  }
}

const ASIDE: readonly number[] = [7, -7, 10, -10, 14, -14];

/** Lines out of a card and into the one below it never lie on each other. */
function setApart(ports: readonly Port[], sides: Sides, grid: Grid): void {
  for (const port of ports) {
    if (port.side !== 'top') continue;
    const { row, column } = port.cell;
    const above = sides.get(sideOf({ cell: { row: row - 1, column }, side: 'bottom' })) ?? [];
    const isFree = (x: number): boolean =>
      above.every((other) => other.edge === port.edge || Math.abs(other.x - x) >= TOO_NEAR);
    if (isFree(port.x)) continue;
    const aside = ASIDE.find((by) => isFree(port.x + by) && canStand(port, port.x + by, sides, grid));
    if (aside !== undefined) port.x += aside;
  }
}

function canStand(port: Port, x: number, sides: Sides, grid: Grid): boolean {
  const left = grid.left(port.cell.column);
  const half = Math.max(CORNER, halfOf(port));
  if (x < left + half || x > left + grid.cardWidth - half) return false;
  return (sides.get(sideOf(port)) ?? []).every(
    (other) =>
      other === port ||
      (Math.sign(other.x - x) === Math.sign(other.x - port.x) && Math.abs(other.x - x) >= halfOf(port) + halfOf(other)),
  );
}

function halfOf({ label }: Port): number {
  return (label === '' ? CLOSEST : labelWidth(label) + 4) / 2;
}

function sideOf({ cell, side }: Pick<Port, 'cell' | 'side'>): string {
  return `${cell.row} ${cell.column} ${side}`;
}
