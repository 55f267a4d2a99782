import { EventEmitter } from 'node:events';
import type { ServerResponse } from 'node:http';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createLive } from './live.ts';

class Tab extends EventEmitter {
  readonly told: string[] = [];
  isFull = false;
  write(text: string): boolean {
    this.told.push(text);
    return !this.isFull;
  }
  end(): void {
    this.emit('close');
  }
}
const join = (live: ReturnType<typeof createLive>, tab: Tab) => live.join(tab as unknown as ServerResponse);

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it('tells every tab of news, once for all that came together', () => {
  let newest = 1;
  const live = createLive(
    () => newest,
    () => {},
  );
  const tabs = [new Tab(), new Tab()];
  for (const tab of tabs) join(live, tab);
  newest = 7;
  vi.advanceTimersByTime(1_000);
  for (const tab of tabs) expect(tab.told).toEqual(['data: 1\n\n', 'data: 7\n\n']);
  live.close();
});

it('writes nothing to a tab that does not read, and tells it once when it reads again', () => {
  let newest = 1;
  const live = createLive(
    () => newest,
    () => {},
  );
  const tab = new Tab();
  join(live, tab);
  tab.isFull = true;
  for (newest = 2; newest < 50; newest += 1) vi.advanceTimersByTime(300);
  expect(tab.told).toEqual(['data: 1\n\n', 'data: 2\n\n']);
  tab.isFull = false;
  tab.emit('drain');
  expect(tab.told).toEqual(['data: 1\n\n', 'data: 2\n\n', 'data: 49\n\n']);
  live.close();
});

it('says when the last tab is gone', () => {
  const onEmpty = vi.fn<() => void>();
  const live = createLive(() => 1, onEmpty);
  const [one, other] = [new Tab(), new Tab()];
  join(live, one);
  join(live, other);
  one.emit('close');
  expect(onEmpty).not.toHaveBeenCalled();
  other.emit('close');
  expect(onEmpty).toHaveBeenCalledOnce();
  live.close();
});
