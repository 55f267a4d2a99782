/** What one file may take at least; with what its size adds, beyond which it is left out as `slow`. */
const FILE_BUDGET_MS = 250;

/** A slow machine needs 4 ms for 1,000 characters, a usual one less than 2. */
const BUDGET_MS_PER_KILO = 8;

export function budgetFor(chars: number): number {
  return FILE_BUDGET_MS + (chars / 1_000) * BUDGET_MS_PER_KILO;
}

/** When a parser is stopped, by the time of day: far beyond the budget, because a busy machine is not the file's fault. */
export function parserLimitFor(chars: number): number {
  return 10_000 + 4 * budgetFor(chars);
}
