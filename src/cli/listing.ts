import { UsageError } from './command.ts';
import type { CliWorld, Input } from './command.ts';
import { layOut } from './table.ts';
import type { Cells, Column, Table } from './table.ts';

/** Something that grows at its end and can be shown line by line. */
export interface Listing<Row extends { readonly n: number }> {
  /** Newest last; without `last` no limit. */
  read(range: { readonly after?: number; readonly last?: number }): readonly Row[];
  /** The highest position there is, whether or not its row is asked for; 0 when there is none. */
  newest(): number;
  print(rows: readonly Row[]): void;
  /** For an answer without rows. */
  emptyText(newest: number): string;
}

export interface Lines<Row> {
  readonly columns: readonly Column[];
  /** Gives the widths where rows are still to come. */
  readonly sample: Cells;
  readonly goesOn: boolean;
  cells(row: Row): Cells;
  /** Lines of their own under a row. */
  below?(rows: readonly Row[]): (row: Row) => readonly string[];
}

/** Prints a table that may go on: widths are those of the first rows, and the head comes once. */
export function linePrinter<Row>(world: CliWorld, lines: Lines<Row>): (rows: readonly Row[]) => void {
  let table: Table | undefined;
  let isHeaded = false;
  return (rows) => {
    table ??= layOut(world, lines.columns, [...rows.map(lines.cells), ...(lines.goesOn ? [lines.sample] : [])]);
    if (rows.length === 0) return;
    const { head, line } = table;
    const below = lines.below?.(rows) ?? (() => []);
    const printed = rows.flatMap((row) => [line(lines.cells(row)), ...below(row)]);
    world.out([...(isHeaded ? [] : [head]), ...printed].map((each) => `${each}\n`).join(''));
    isHeaded = true;
  };
}

const POLL_MS = 250;
export const DEFAULT_LAST = 50;

/** Shows what there is, and with `--follow` what comes, until the first interrupt. */
export async function showListing<Row extends { readonly n: number }>(
  input: Input,
  world: CliWorld,
  listing: Listing<Row>,
): Promise<void> {
  const limit = limitOf(input);
  const newest = listing.newest();
  const rows = listing.read(limit);
  listing.print(rows);
  if (input.has('follow')) await follow(listing, rows.at(-1)?.n ?? newest);
  else if (rows.length === 0 && !input.has('json')) world.out(`${listing.emptyText(newest)}\n`);
}

function limitOf(input: Input): { readonly last?: number } {
  const given = input.text('last');
  if (given === 'all') return {};
  if (given === undefined) return { last: DEFAULT_LAST };
  const count = Number(given);
  if (!Number.isInteger(count) || count < 0 || given.trim() === '')
    throw new UsageError(`--last wants a number or all, not "${given}"`);
  return { last: count };
}

async function follow<Row extends { readonly n: number }>(listing: Listing<Row>, from: number): Promise<void> {
  let after = from;
  let timer: NodeJS.Timeout | undefined;
  try {
    await new Promise<void>((resolve, reject) => {
      process.once('SIGINT', resolve);
      timer = setInterval(() => {
        try {
          const rows = listing.read({ after });
          listing.print(rows);
          after = rows.at(-1)?.n ?? after;
        } catch (error) {
          reject(error instanceof Error ? error : new Error(String(error)));
        }
      }, POLL_MS);
    });
  } finally {
    clearInterval(timer);
  }
}
