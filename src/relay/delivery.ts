import type { RelayRecord } from '../event/follow-up.ts';
import { VERSION } from '../platform/build.ts';
import type { Files } from '../platform/files.ts';
import { postJson } from '../platform/post.ts';
import type { PostProblem } from '../platform/post.ts';
import type { Store } from '../state/store.ts';
import { logEvent } from './event-log.ts';
import { arrived, changeHealth, dropped, failed, readHealth } from './health.ts';
import type { HealthStep } from './health.ts';
import { createLine } from './line.ts';
import type { Line } from './line.ts';
import type { RelaySettings } from '../engine/settings.ts';
import { readWebhook, webhookFile } from './webhook.ts';
import type { WebhookLocation } from './webhook.ts';
import { channelOf, toWire } from './wire.ts';

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
