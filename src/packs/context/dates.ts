/** Local, as people write it. */
export function dateOf(at: number): string {
  const date = new Date(at);
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}

/** Local, to the second: `2026-03-10-101500`. */
export function stampOf(at: number): string {
  const date = new Date(at);
  return `${dateOf(at)}-${two(date.getHours())}${two(date.getMinutes())}${two(date.getSeconds())}`;
}

/** Whether a text is a day of the calendar, written as `2026-03-10`. */
export function isDate(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const at = Date.parse(`${text}T00:00:00Z`);
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(text);
}

function two(part: number): string {
  return String(part).padStart(2, '0');
}
