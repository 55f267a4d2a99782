import type { ArchitectureModel, DistrictCard, DistrictEdge } from './architecture-model.ts';
import type { LayerName } from './layers.ts';

/** Where each card stands on the grid; the cards for what had no room stand beside it. */
export interface Placement {
  readonly columns: number;
  readonly rows: readonly Row[];
  cellOf(id: string): Cell;
}

export interface Row {
  readonly layer: LayerName;
  /** One for each column; none where the column is free. */
  readonly cards: readonly (DistrictCard | undefined)[];
}

export interface Cell {
  readonly row: number;
  readonly column: number;
}

const FEWEST_COLUMNS = 3;
export const MOST_COLUMNS = 4;

/** Rows of a layer by depth; columns so that imports have short ways and cross each other little. */
export function placeCards({ layers, edges }: ArchitectureModel): Placement {
  const rows: { layer: LayerName; cards: (DistrictCard | undefined)[] }[] = [];
  for (const { name, cards } of layers) {
    const shown = cards.filter(({ districts }) => districts === 1);
    const count = Math.ceil(shown.length / MOST_COLUMNS);
    const byDepth = shown.toSorted((a, b) => a.depth - b.depth);
    const each = Math.ceil(shown.length / Math.max(1, count));
    for (let row = 0; row < count; row += 1)
      rows.push({
        layer: name,
        cards: byDepth.slice(row * each, (row + 1) * each).toSorted((a, b) => (a.name < b.name ? -1 : 1)),
      });
  }
  const columns = Math.max(FEWEST_COLUMNS, ...rows.map(({ cards }) => cards.length));
  for (const { cards } of rows) {
    for (let free = Math.floor((columns - cards.length) / 2); free > 0; free -= 1) cards.unshift(undefined);
    while (cards.length < columns) cards.push(undefined);
  }
  const cells = new Map<string, { row: number; column: number }>();
  rows.forEach(({ cards }, row) => cards.forEach((card, column) => card && cells.set(card.id, { row, column })));
  const cellOf = (id: string): Cell => cells.get(id) as Cell;
  shorten();
  return { columns, rows, cellOf };

  /** Exchanges two places of a row as long as that makes the whole better. */
  function shorten(): void {
    let cost = costOf(edges, cellOf);
    for (let isBetter = true; isBetter;) {
      isBetter = false;
      for (let row = 0; row < rows.length; row += 1)
        for (let one = 0; one < columns; one += 1)
          for (let other = one + 1; other < columns; other += 1) {
            exchange(row, one, other);
            const now = costOf(edges, cellOf);
            if (now < cost - 1e-9) [cost, isBetter] = [now, true];
            else exchange(row, one, other);
          }
    }
  }

  function exchange(row: number, one: number, other: number): void {
    const { cards } = rows[row] as (typeof rows)[number];
    [cards[one], cards[other]] = [cards[other], cards[one]];
    for (const column of [one, other]) {
      const card = cards[column];
      if (card !== undefined) cells.set(card.id, { row, column });
    }
  }
}

const CROSSING = 0.6;

function costOf(edges: readonly DistrictEdge[], cellOf: (id: string) => Cell): number {
  let cost = 0;
  const spans = edges.map(({ from, to, imports }) => {
    const [a, b] = [cellOf(from), cellOf(to)];
    const away = Math.abs(a.column - b.column);
    // What is right below in the next but one row has to go around what is between.
    const around = Math.abs(a.row - b.row) > 1 && away === 0 ? 0.5 : 0;
    cost += (away + around) * (1 + Math.log2(imports) / 2);
    return a.row <= b.row ? ([a, b] as const) : ([b, a] as const);
  });
  spans.forEach(([a, b], index) => {
    for (const [c, d] of spans.slice(index + 1))
      if (a.row < d.row && c.row < b.row && (a.column - c.column) * (b.column - d.column) < 0) cost += CROSSING;
  });
  return cost;
}
