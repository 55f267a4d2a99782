import { isDate } from './dates.ts';

export interface Reminder {
  readonly id: number;
  readonly message: string;
  /** When it was made, as its maker wrote it. */
  readonly created: string;
  /** The first day on which it is due, `2026-03-10`; null is at once. */
  readonly after: string | null;
}

/** The store, with every member as it was found: what is not understood is written back. */
export type ReminderStore = readonly unknown[];

/** Undefined when a text is no store at all; an absent or empty file is an empty one. */
export function parseStore(text: string | undefined): ReminderStore | undefined {
  const json = (text?.startsWith('\ufeff') ? text.slice(1) : (text ?? '')).trim();
  if (json === '') return [];
  try {
    const value = JSON.parse(json) as unknown;
    return Array.isArray(value) ? value : value === null ? [] : undefined;
  } catch {
    return undefined;
  }
}

export function storeText(store: ReminderStore): string {
  return `${JSON.stringify(store, null, 2)}\n`;
}

/** Those that can be shown, in the order of their ids. */
export function remindersIn(store: ReminderStore): readonly Reminder[] {
  return store
    .flatMap((member): Reminder[] => {
      const reminder = toReminder(member);
      return reminder ? [reminder] : [];
    })
    .sort((one, other) => one.id - other.id);
}

export function isDue({ after }: Reminder, today: string): boolean {
  return after === null || after <= today;
}

export function dueReminders(store: ReminderStore, today: string): readonly Reminder[] {
  return remindersIn(store).filter((reminder) => isDue(reminder, today));
}

export interface NewReminder {
  readonly message: string;
  readonly after: string | null;
  readonly created: string;
}

/** `lastId` is the highest id ever given here, which may have been dismissed since. */
export function addReminder(
  store: ReminderStore,
  lastId: number,
  { message, after, created }: NewReminder,
): { readonly store: ReminderStore; readonly reminder: Reminder } {
  const id = Math.max(lastId, highestId(store)) + 1;
  const reminder = { id, message, created, after };
  return { store: [...store, reminder], reminder };
}

export function dismissReminders(
  store: ReminderStore,
  ids: readonly number[] | 'all',
): { readonly store: ReminderStore; readonly dismissed: readonly Reminder[]; readonly unknown: readonly number[] } {
  const known = remindersIn(store);
  const dismissed = ids === 'all' ? known : known.filter(({ id }) => ids.includes(id));
  const gone = new Set(dismissed.map(({ id }) => id));
  return {
    store: store.filter((member) => !gone.has(toReminder(member)?.id ?? Number.NaN)),
    dismissed,
    unknown: ids === 'all' ? [] : ids.filter((id) => !gone.has(id)),
  };
}

export function highestId(store: ReminderStore): number {
  return store.reduce<number>((highest, member) => Math.max(highest, idOf(member) ?? 0), 0);
}

function toReminder(member: unknown): Reminder | undefined {
  const id = idOf(member);
  const { message, created, after } = (member ?? {}) as Partial<Record<keyof Reminder, unknown>>;
  if (id === undefined || typeof message !== 'string') return undefined;
  return { id, message, created: typeof created === 'string' ? created : '', after: readDay(after) };
}

function idOf(member: unknown): number | undefined {
  if (typeof member !== 'object' || member === null) return undefined;
  const { id } = member as { readonly id?: unknown };
  return typeof id === 'number' && Number.isSafeInteger(id) && id > 0 ? id : undefined;
}

/** A day that cannot be read is no reason to keep a reminder back. */
function readDay(value: unknown): string | null {
  const day = typeof value === 'string' ? value.slice(0, 10) : '';
  return isDate(day) ? day : null;
}
