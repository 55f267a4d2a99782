import type { ServerResponse } from 'node:http';

/** How often the record is looked at; nobody waits longer than that for news. */
const LOOK_MS = 250;
/** Comments that keep the line open, and show a tab that is gone. */
const BEAT_MS = 15_000;

export interface Live {
  /** Tells this tab of news until it is closed. */
  join(response: ServerResponse): void;
  readonly count: number;
  /** The row that tabs were told of last. */
  readonly newest: number;
  close(): void;
}

/**
 * Tells all tabs that there is something new, and nothing of what: each asks for what it shows. A tab that does not read is not
 * written to, and hears once when it reads again.
 */
export function createLive(newest: () => number, onEmpty: () => void): Live {
  const tabs = new Map<ServerResponse, { isFull: boolean; isBehind: boolean }>();
  let known = 0;
  known = look();

  /** What cannot be read now is looked at again. */
  function look(): number {
    try {
      return newest();
    } catch {
      return known;
    }
  }

  function say(response: ServerResponse, text: string): void {
    const tab = tabs.get(response);
    if (!tab) return;
    if (tab.isFull) tab.isBehind = true;
    else if (!response.write(text)) {
      tab.isFull = true;
      response.once('drain', () => {
        const wasBehind = tab.isBehind;
        Object.assign(tab, { isFull: false, isBehind: false });
        if (wasBehind) say(response, news());
      });
    }
  }

  const news = () => `data: ${known}\n\n`;
  const looking = setInterval(() => {
    if (tabs.size === 0) return;
    const now = look();
    if (now === known) return;
    known = now;
    for (const tab of tabs.keys()) say(tab, news());
  }, LOOK_MS);
  const beating = setInterval(() => {
    for (const tab of tabs.keys()) say(tab, ':\n\n');
  }, BEAT_MS);

  return {
    join(response) {
      tabs.set(response, { isFull: false, isBehind: false });
      response.once('close', () => {
        tabs.delete(response);
        if (tabs.size === 0) onEmpty();
      });
      say(response, news());
    },
    get count() {
      return tabs.size;
    },
    get newest() {
      return known;
    },
    close() {
      clearInterval(looking);
      clearInterval(beating);
      for (const tab of tabs.keys()) tab.end();
    },
  };
}
