/** What one file may take; then it is left out as `slow`. */
export const FILE_BUDGET_MS = 250;

/** When a parser is stopped, by the time of day: far beyond the budget, because a busy machine is not the file's fault. */
export const PARSER_LIMIT_MS = 10_000;
