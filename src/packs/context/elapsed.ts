const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** How long something took or is ago, in words and rounded: `1 minute`, `45 minutes`, `3 hours`, `2 days`. */
export function showElapsed(ms: number): string {
  if (ms < 90 * MINUTE) return count(ms / MINUTE, 'minute');
  return ms < 36 * HOUR ? count(ms / HOUR, 'hour') : count(ms / DAY, 'day');
}

function count(amount: number, unit: string): string {
  const rounded = Math.max(1, Math.round(amount));
  return `${rounded} ${unit}${rounded === 1 ? '' : 's'}`;
}
