import { useCallback, useEffect, useRef, useState } from 'preact/hooks';

/** Several events at once are one reason to look again. */
const GATHER_MS = 300;

export interface Loaded<T> {
  readonly data?: T;
  readonly error?: string;
}

export class Refused extends Error {}

export async function load<T>(path: string): Promise<T> {
  const response = await fetch(`/api/${path}`, { headers: headers() });
  if (response.status === 403) throw new Refused('This tab was not let in.');
  const body: unknown = response.status === 404 && !isJson(response) ? {} : await response.json();
  if (!response.ok) throw new Error((body as { error?: string }).error ?? 'There is nothing of that name.');
  return body as T;
}

function isJson(response: Response): boolean {
  return response.headers.get('content-type')?.startsWith('application/json') === true;
}

/** Kept for all tabs of this page. Not a cookie: browsers send those to every port of a machine. */
const KEY = 'fairlead-key';
const headers = () => ({ authorization: `Page ${localStorage.getItem(KEY) ?? ''}` });

/** Trades the ticket in the address for a key, and takes it out of the address. */
export async function enter(): Promise<void> {
  const ticket = /^#([\w-]{30,})$/.exec(location.hash)?.[1];
  if (ticket === undefined) return;
  history.replaceState(null, '', '/#/now');
  const response = await fetch('/enter', { method: 'POST', body: ticket });
  if (response.ok) localStorage.setItem(KEY, ((await response.json()) as { readonly key: string }).key);
}

const listeners = new Set<() => void>();
const AGAIN_MS = 1_500;

/** What one tab tells the others. */
type Word = 'news' | 'open' | 'lost';

/**
 * One line to the server for all tabs of the browser, which has no more than six: the tab that holds the lock listens and tells the
 * others, and when it is closed the next one does.
 */
export function listen(onConnection: (isOpen: boolean) => void): void {
  const channel = new BroadcastChannel('fairlead');
  let gathering: ReturnType<typeof setTimeout> | undefined;
  let isBehind = false;
  // A tab that nobody sees looks when it is seen again.
  const look = () => {
    isBehind = document.hidden;
    if (!isBehind) for (const each of listeners) each();
  };
  document.addEventListener('visibilitychange', () => isBehind && look());
  const hear = (word: Word) => {
    if (word !== 'news') return onConnection(word === 'open');
    gathering ??= setTimeout(() => {
      gathering = undefined;
      look();
    }, GATHER_MS);
  };
  const tell = (word: Word) => {
    hear(word);
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has no target
    channel.postMessage(word);
  };
  channel.addEventListener('message', ({ data }: MessageEvent<Word>) => hear(data));
  void navigator.locks.request('fairlead-live', async () => {
    for (;;) {
      await follow(tell).catch(() => {});
      tell('lost');
      await new Promise((resolve) => {
        setTimeout(resolve, AGAIN_MS);
      });
    }
  });
}

/** Until the line breaks. Whatever comes is a reason to look. */
async function follow(tell: (word: Word) => void): Promise<void> {
  const response = await fetch('/api/live', { headers: headers() });
  const reader = response.ok ? response.body?.getReader() : undefined;
  if (!reader) return;
  tell('open');
  const decoder = new TextDecoder();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    if (decoder.decode(value).includes('data:')) tell('news');
  }
}

/** Calls again when there is news. */
export function useNews(look: () => void): void {
  const latest = useRef(look);
  latest.current = look;
  useEffect(() => {
    const each = () => latest.current();
    listeners.add(each);
    return () => void listeners.delete(each);
  }, []);
}

/** What was there stays until what is new has come, so that nothing flickers. */
export function useData<T>(path: string, isLive = true): Loaded<T> {
  const [loaded, set] = useState<Loaded<T> & { readonly path: string }>({ path });
  const look = useCallback(() => {
    load<T>(path).then(
      (data) => set({ path, data }),
      (error: unknown) => set((before) => ({ ...before, path, error: messageOf(error) })),
    );
  }, [path]);
  useEffect(look, [look]);
  useNews(() => isLive && look());
  return loaded.path === path ? loaded : {};
}

interface Paged<Row> {
  readonly rows: readonly Row[];
  readonly hasMore: boolean;
  readonly error?: string;
  readonly isLoaded: boolean;
  more(): void;
}

type PageOf<Row> = Readonly<Partial<Record<'stops' | 'sessions' | 'rows', readonly Row[]>>> & {
  readonly next?: number | string;
};

interface Kept<Row> {
  readonly path: string;
  readonly rows: readonly Row[];
  readonly next?: string;
  readonly error?: string;
  readonly isLoaded: boolean;
}

/** A list whose newest rows come by themselves, and older ones a page at a time. */
export function usePages<Row>(
  path: string,
  list: 'stops' | 'sessions' | 'rows',
  keyOf: (row: Row) => string,
): Paged<Row> {
  const empty: Kept<Row> = { path, rows: [], isLoaded: false };
  const [state, set] = useState<Kept<Row>>(empty);
  const kept = state.path === path ? state : empty;
  const fetchPage = (before: string | undefined) => {
    const joint = path.includes('?') ? '&' : '?';
    load<PageOf<Row>>(before === undefined ? path : `${path}${joint}before=${encodeURIComponent(before)}`).then(
      (data) => set((was) => merge(was.path === path ? was : empty, data, before)),
      (error: unknown) => set((was) => ({ ...was, path, error: messageOf(error) })),
    );
  };
  const merge = (was: Kept<Row>, data: PageOf<Row>, before: string | undefined): Kept<Row> => {
    const rows = data[list] ?? [];
    const fresh = new Set(rows.map(keyOf));
    const older = was.rows.filter((row) => !fresh.has(keyOf(row)));
    // So much is new that there may be more between: the list begins again.
    const isBroken = before === undefined && data.next !== undefined && older.length === was.rows.length;
    const others = isBroken ? [] : older;
    // A first page that is looked at again says nothing about where the list ends.
    const isAgain = before === undefined && was.isLoaded && !isBroken;
    const next = isAgain ? was.next : data.next?.toString();
    return {
      path,
      rows: before === undefined ? [...rows, ...others] : [...others, ...rows],
      isLoaded: true,
      ...(next !== undefined && { next }),
    };
  };
  useEffect(() => fetchPage(undefined), [path]);
  useNews(() => fetchPage(undefined));
  return {
    rows: kept.rows,
    isLoaded: kept.isLoaded,
    hasMore: kept.next !== undefined,
    ...(kept.error !== undefined && { error: kept.error }),
    more: () => fetchPage(kept.next),
  };
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
