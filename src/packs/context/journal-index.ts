/** What is known of the journal's entries, by file name. Fields that others keep in the same file stay as they are. */
export interface JournalIndex {
  readonly version: number;
  readonly entries: Readonly<Record<string, JournalRecord>>;
}

export interface JournalRecord {
  readonly session?: string;
  /** The size of the transcript that was exported; unknown for entries that another program wrote. */
  readonly bytes?: number;
  /** When; a day is enough for other programs. */
  readonly exported?: string;
  /** When the entry was enriched; others may say no more than that it was. */
  readonly enriched?: string | boolean;
  /** The session had nothing to tell, so there is no file. */
  readonly empty?: boolean;
  readonly [other: string]: unknown;
}

export const INDEX_FILE = '.state.json';
export const NO_INDEX: JournalIndex = { version: 1, entries: {} };

/** Undefined for a text that is no index; entries of a wrong kind are left out. */
export function parseIndex(text: string): JournalIndex | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (!isObject(value)) return undefined;
  const entries = isObject(value['entries']) ? value['entries'] : {};
  const version = typeof value['version'] === 'number' ? value['version'] : NO_INDEX.version;
  const records = Object.entries(entries).flatMap(([file, record]) => (isObject(record) ? [[file, record]] : []));
  return { ...value, version, entries: Object.fromEntries(records) as JournalIndex['entries'] };
}

/** Sorted by name, so that a change shows as one. */
export function printIndex(index: JournalIndex): string {
  const entries = Object.fromEntries(Object.entries(index.entries).toSorted(([a], [b]) => (a < b ? -1 : 1)));
  return `${JSON.stringify({ ...index, entries }, null, 2)}\n`;
}

export function withRecord(index: JournalIndex, file: string, record: JournalRecord): JournalIndex {
  return { ...index, entries: { ...index.entries, [file]: { ...index.entries[file], ...record } } };
}

export function isEnriched({ enriched }: JournalRecord): boolean {
  return enriched === true || (typeof enriched === 'string' && enriched !== '');
}

/** The beginning of a session's id that its entries carry in their names. */
export function shortId(session: string): string {
  return session.replace(/[^A-Za-z0-9]/g, '').slice(0, 8);
}

/** Long sessions of other programs have several files. */
const SHORT_ID = /-([A-Za-z0-9]{8})(?:-p\d+)?\.md$/;

/** The records of a session's entries: by its id, or by their names where that is all there is. */
export function recordsOf(index: JournalIndex, session: string): readonly JournalRecord[] {
  const { bySession, byShortId } = lookupIn(index);
  return [...(bySession.get(session) ?? []), ...(byShortId.get(shortId(session)) ?? [])];
}

interface Lookup {
  readonly bySession: ReadonlyMap<string, readonly JournalRecord[]>;
  /** Of entries that do not name their session. */
  readonly byShortId: ReadonlyMap<string, readonly JournalRecord[]>;
}

/** A journal is asked about each of its sessions, so its records are gone through once and not for every one of them. */
const lookups = new WeakMap<JournalIndex, Lookup>();

function lookupIn(index: JournalIndex): Lookup {
  const before = lookups.get(index);
  if (before) return before;
  const bySession = new Map<string, JournalRecord[]>();
  const byShortId = new Map<string, JournalRecord[]>();
  for (const [file, record] of Object.entries(index.entries)) {
    const { session } = record;
    const isNamed = typeof session === 'string';
    const key = isNamed ? session : SHORT_ID.exec(file)?.[1];
    if (key === undefined) continue;
    const found = isNamed ? bySession : byShortId;
    const known = found.get(key);
    if (known) known.push(record);
    else found.set(key, [record]);
  }
  const lookup = { bySession, byShortId };
  lookups.set(index, lookup);
  return lookup;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
