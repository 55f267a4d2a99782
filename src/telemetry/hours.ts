import { cellId } from '../state/cells.ts';

export const HOUR_MS = 3_600_000;

/** How long the numbers of an hour are kept after it. */
const KEPT_MS = 8 * 24 * HOUR_MS;

/** The hour in universal time, so that it is the same for every process: `2027-03-02T10`. */
export function hourOf(at: number): string {
  return new Date(at).toISOString().slice(0, 13);
}

/** When an hour begins; NaN for a key that names none. */
export function startOf(hour: string): number {
  return Date.parse(`${hour}:00:00Z`);
}

export function expiryOf(hour: string): number {
  return startOf(hour) + HOUR_MS + KEPT_MS;
}

export function telemetryName(pack: string): string {
  return `${pack}.telemetry`;
}

/** Without an hour: what the ids of all its hours begin with. */
export function telemetryId(root: string, pack: string, hour = ''): string {
  return cellId('workspace', root, telemetryName(pack), hour);
}
