/** What one file may take; then it is left out as `slow`. */
export const FILE_BUDGET_MS = 250;
