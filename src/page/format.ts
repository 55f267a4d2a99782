const DAY_MS = 86_400_000;
const UNITS = [
  ['day', DAY_MS],
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1_000],
] as const;

const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto', style: 'narrow' });
const moment = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' });
const clock = new Intl.DateTimeFormat(undefined, { timeStyle: 'medium' });
const date = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short', timeZone: 'UTC' });
const numbers = new Intl.NumberFormat('en');

/** In the zone of whoever looks. */
export const formatMoment = (at: number): string => moment.format(at);
export const formatClock = (at: number): string => clock.format(at);
export const formatDay = (day: number): string => date.format(day * DAY_MS);
export const formatCount = (count: number): string => numbers.format(count);

export function formatAgo(at: number, now: number): string {
  const passed = Math.max(0, now - at);
  for (const [unit, ms] of UNITS)
    if (passed >= ms || unit === 'second') return relative.format(-Math.floor(passed / ms), unit);
  return '';
}

export function formatSpan(ms: number): string {
  if (ms < 1_000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${(ms / 1_000).toFixed(1)} s`;
  const minutes = Math.round(ms / 60_000);
  return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

export function formatBytes(bytes: number): string {
  if (bytes < 1_024) return `${bytes} B`;
  return bytes < 1_048_576 ? `${(bytes / 1_024).toFixed(1)} KiB` : `${(bytes / 1_048_576).toFixed(1)} MiB`;
}

export const formatShare = (share: number): string => `${Math.round(100 * share)} %`;

/** The last two parts of a path: enough to know a project by. */
export const shortRoot = (root: string): string => root.split('/').filter(Boolean).slice(-2).join('/');
export const shortId = (id: string): string => (id.length > 12 ? `${id.slice(0, 8)}…` : id);

export function counted(count: number, noun: string): string {
  return `${formatCount(count)} ${noun}${count === 1 ? '' : 's'}`;
}

/** Of a long text the beginning and, as it tells more, most of the end. */
export function cutMiddle(text: string, most: number): string {
  if (text.length <= most) return text;
  const head = Math.floor((most - 1) / 3);
  return `${text.slice(0, head)}…${text.slice(text.length - (most - 1 - head))}`;
}

/** As one word of a command line. */
export const quoted = (text: string): string =>
  /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
