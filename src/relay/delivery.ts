import type { RelayRecord } from '../event/follow-up.ts';
import { VERSION } from '../platform/build.ts';
import { canonicalPath } from '../platform/files.ts';
import type { Files } from '../platform/files.ts';
import { postJson } from '../platform/post.ts';
import type { PostProblem } from '../platform/post.ts';
import type { Store } from '../state/store.ts';
import { arrived, changeHealth, dropped, failed, readHealth } from './health.ts';
import type { HealthStep } from './health.ts';
import type { RelaySettings } from '../engine/settings.ts';
import { readWebhook, webhookFile } from './webhook.ts';
import type { WebhookLocation } from './webhook.ts';
import { channelOf, toWire } from './wire.ts';
import { appendRotating } from '../platform/append-rotating.ts';
import { contains, join } from '../platform/paths.ts';
import { RELAY_DIR } from './settings.ts';

/** What a webhook is sent, in order; the oldest give way when it does not keep up. */
interface Line<Item> {
  add(parcel: Item): void;
  /** Resolves when nothing is left to send. */
  idle(): Promise<void>;
  /** How many were given up by it. */
  close(): number;
}

interface LineOptions<Item> {
  post(parcel: Item): Promise<PostProblem>;
  pause(ms: number): Promise<void>;
  /** Nothing may be sent now, so what waits is given up. */
  isOff(): boolean;
  onSent(): void;
  onFailed(problem: string): void;
  onDropped(): void;
}

const MAX_WAITING = 100;
/** Before the second and the third attempt. */
const PAUSES_MS = [1_000, 5_000];

export function createLine<Item>(options: LineOptions<Item>): Line<Item> {
  const waiting: Item[] = [];
  let working: Promise<void> | undefined;
  let isClosed = false;

  async function attempt(parcel: Item): Promise<PostProblem | 'dropped'> {
    if (options.isOff()) return 'dropped';
    let problem = await options.post(parcel);
    for (const ms of PAUSES_MS) {
      if (!problem || problem.isFinal || isClosed) return problem;
      await options.pause(ms);
      if (isClosed || options.isOff()) return problem;
      problem = await options.post(parcel);
    }
    return problem;
  }

  async function work(): Promise<void> {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const outcome = await attempt(next);
      if (isClosed) return;
      if (outcome === 'dropped') options.onDropped();
      else if (outcome) options.onFailed(outcome.message);
      else options.onSent();
    }
    working = undefined;
  }

  return {
    add(parcel) {
      if (waiting.length >= MAX_WAITING) {
        waiting.shift();
        options.onDropped();
      }
      waiting.push(parcel);
      working ??= work();
    },
    idle: async () => working,
    close() {
      const left = waiting.length + (working ? 1 : 0);
      isClosed = true;
      waiting.length = 0;
      return left;
    },
  };
}

const MAX_BYTES = 1024 * 1024;

/** Adds a record to the project's own log, where the project has a place for it. A link out of the project is not followed. */
export function logEvent(files: Files, record: RelayRecord): void {
  const { root } = record;
  const home = join(root, RELAY_DIR);
  const dir = join(home, 'state');
  if (files.stat(home)?.kind !== 'dir') return;
  const path = join(dir, 'events.jsonl');
  if (!contains(root, canonicalPath(files, path))) throw new Error(`${path} leads out of the project`);
  files.makeDirLikeParent(dir);
  appendRotating(path, join(dir, 'events.1.jsonl'), `${JSON.stringify(toWire(record))}\n`, MAX_BYTES);
}

export interface DeliveryOptions {
  readonly store: Store;
  readonly files: Files;
  /** The user's config directory. */
  readonly config: string;
  readonly userHome: string;
  /** False for a process that somebody waits for. */
  readonly isResident: boolean;
  now(): number;
  soon(ms: number, work: () => void): void;
  isOff(): boolean;
  onFailure(what: string, error: unknown): void;
}

/** The part of the relay that leaves the process; loaded when the first record is wanted somewhere. */
export interface Delivery {
  take(record: RelayRecord, settings: RelaySettings): void;
  idle(): Promise<void>;
  /** What has not arrived by now is given up. */
  close(): void;
}

interface Parcel {
  readonly body: string;
  readonly settings: RelaySettings;
}

/** For so long after a failure a process that somebody waits for does not try again. */
const REST_MS = 60_000;

export function createDelivery(options: DeliveryOptions): Delivery {
  const { store, files, now, onFailure } = options;
  const lines = new Map<string, Line<Parcel>>();
  const closing = new AbortController();

  function note(root: string, step: HealthStep): void {
    try {
      changeHealth(store, root, now(), step);
    } catch (error) {
      onFailure('counting what the webhook was sent', error);
    }
  }

  /** The log of failures gets the first of a row; the others are counted. */
  function fail(root: string, problem: string): void {
    if (readHealth(store, root, now()).problem === undefined) onFailure(`sending to the webhook of ${root}`, problem);
    note(root, failed(now(), problem));
  }

  function lineOf(root: string): Line<Parcel> {
    const line =
      lines.get(root) ??
      createLine<Parcel>({
        post: ({ body, settings }) => post(webhookLocation(root, settings, options), body, settings, closing.signal),
        pause: (ms) =>
          new Promise((resolve) => {
            options.soon(ms, resolve);
          }),
        isOff: options.isOff,
        onSent: () => note(root, arrived(now())),
        onFailed: (problem) => fail(root, problem),
        onDropped: () => note(root, dropped(now(), 1)),
      });
    lines.set(root, line);
    return line;
  }

  /** Somebody would wait for the same outcome again. */
  function rests(root: string): boolean {
    if (options.isResident) return false;
    const { problem, failedAt = 0 } = readHealth(store, root, now());
    return problem !== undefined && now() - failedAt < REST_MS;
  }

  return {
    take(record, settings) {
      const { root } = record;
      try {
        if (settings.eventLog) logEvent(files, record);
      } catch (error) {
        onFailure('writing the event log of a project', error);
      }
      const channel = channelOf(record.event, settings.events);
      if (!channel || !files.exists(webhookFile(root))) return;
      if (rests(root)) note(root, dropped(now(), 1));
      else lineOf(root).add({ body: JSON.stringify(toWire(record, channel)), settings });
    },
    async idle() {
      await Promise.all([...lines.values()].map((line) => line.idle()));
    },
    close() {
      for (const [root, line] of lines) {
        const left = line.close();
        if (left === 0) continue;
        // For a process that ends at once this is all it learns of a webhook that does not answer.
        if (!options.isResident) fail(root, 'no answer before the process ended');
        note(root, dropped(now(), options.isResident ? left : left - 1));
      }
      closing.abort();
    },
  };
}

export function webhookLocation(
  root: string,
  { keyPath }: RelaySettings,
  { files, config, userHome }: Pick<DeliveryOptions, 'files' | 'config' | 'userHome'>,
): WebhookLocation {
  return { files, root, config, userHome, ...(keyPath !== undefined && { keyPath }) };
}

/** One attempt at a project's webhook. */
export async function post(
  location: WebhookLocation,
  body: string,
  { timeoutMs }: RelaySettings,
  signal: AbortSignal,
): Promise<PostProblem> {
  const webhook = readWebhook(location);
  if (webhook.state === 'absent') return { message: 'no webhook is set up any more', isFinal: true };
  if (webhook.state === 'broken') return { message: webhook.problem, isFinal: true };
  try {
    return await postJson(webhook.url, body, { timeoutMs, userAgent: `fairlead/${VERSION}`, signal });
  } catch (error) {
    return { message: error instanceof Error ? error.message : String(error), isFinal: true };
  }
}
