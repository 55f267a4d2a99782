import type { Outbox } from '../../ledger/outbox.ts';
import type { Files } from '../../platform/files.ts';
import { keyPath, openMachineKey } from '../record/machine-key.ts';
import { createBackoff } from './backoff.ts';
import { tellProblem } from './lane.ts';
import type { Lane } from './lane.ts';
import { metricsOf } from './metrics.ts';
import { sendTo } from './receiver.ts';
import { encodeRequest } from './requests.ts';
import { createLogSending } from './send-logs.ts';
import type { OtlpSettings, Signal } from './settings.ts';

export interface ExporterOptions {
  readonly userHome: string;
  /** The state directory, where the machine's key lies. */
  readonly state: string;
  readonly files: Files;
  /** Undefined where the state is in memory alone: then nothing is kept, and nothing sent. */
  outbox(): Outbox | undefined;
  now(): number;
  random(): number;
  newId(): string;
  /** When the settings were written that asked for it. */
  askedAt(): number;
  isOff(now: number): boolean;
  onFailure(what: string, error: unknown): void;
}

/** Sends what the ledger has, after the replies: rows in batches, and the sums of all. */
export interface Exporter {
  /** Does what is due, beside whatever else is going on; resolves when that is done. */
  look(settings: OtlpSettings): Promise<void>;
  /** Sends the rest, unless the receiver was failing. */
  finish(settings: OtlpSettings): Promise<void>;
  close(): void;
}

const METRICS_MS = 60_000;

export function createExporter(options: ExporterOptions): Exporter {
  const { now, onFailure, userHome } = options;
  const closing = new AbortController();
  const laneOf = (signal: Signal): Lane => ({
    ...{ now, onFailure },
    backoff: createBackoff(options.random),
    isEnding: () => closing.signal.aborted,
    send: (state, items, settings, key) =>
      sendTo(signal, encodeRequest(state.machine, items, key), { settings, userHome, signal: closing.signal, now }),
    keyOf: ({ machine }) => openMachineKey(keyPath(options.state, machine), options.files),
  });
  const lanes = { logs: laneOf('logs'), metrics: laneOf('metrics') };
  const backoffs = [lanes.logs.backoff, lanes.metrics.backoff];
  const sendLogs = createLogSending(lanes.logs);
  let begun: OtlpSettings | undefined;
  let underway: Promise<void> | undefined;

  async function sendMetrics(outbox: Outbox, settings: OtlpSettings): Promise<void> {
    const lane = lanes.metrics;
    const state = outbox.state();
    if (!state) return;
    const rows = Math.max(0, outbox.newest() - state.n);
    // Where no rows are sent, none are lost.
    if (settings.logs === 'off' && rows > 0) outbox.passed(state, state.n + rows);
    if (!settings.metrics) return;
    const outcome = await lane.send(state, metricsOf(outbox.sums(), state, rows, now()), settings);
    if (outcome.kind === 'taken') return lane.backoff.ok();
    if (lane.isEnding()) return;
    const isNew = !lane.backoff.isFailing();
    lane.backoff.fail(now(), outcome.kind === 'failed' ? outcome.waitMs : undefined);
    // Both have the same receiver: what is wrong with it is told once.
    if (!lanes.logs.backoff.isFailing()) tellProblem(lane, outbox, `metrics: ${outcome.problem}`, isNew);
  }

  function begin(outbox: Outbox, settings: OtlpSettings): void {
    if (begun && JSON.stringify(begun) === JSON.stringify(settings)) return;
    outbox.begin(options.newId(), settings.logs === 'events', { now: now(), from: options.askedAt() });
    begun = settings;
    // Somebody mended what was wrong.
    for (const backoff of backoffs) {
      backoff.ok();
      backoff.rest(now(), 0);
    }
  }

  async function work(settings: OtlpSettings): Promise<void> {
    const outbox = options.outbox();
    if (!outbox || options.isOff(now())) return;
    const { logs, metrics } = lanes;
    const restMs = settings.intervalSeconds * 1_000;
    try {
      if (settings.endpoint === undefined) {
        begun = undefined;
        return outbox.end();
      }
      begin(outbox, settings);
      if (settings.logs !== 'off' && logs.backoff.isDue(now())) {
        logs.backoff.rest(now(), restMs);
        await sendLogs(outbox, settings);
      }
      if (metrics.backoff.isDue(now())) {
        metrics.backoff.rest(now(), Math.max(METRICS_MS, restMs));
        await sendMetrics(outbox, settings);
      }
    } catch (error) {
      // A full disk, or a file that another process holds: what arrived and could not be noted arrives again.
      onFailure('sending to the OTLP receiver', error);
      for (const backoff of backoffs) backoff.fail(now());
    }
  }

  const look = (settings: OtlpSettings) =>
    (underway ??= work(settings).finally(() => {
      underway = undefined;
    }));

  return {
    look,
    async finish(settings) {
      await underway;
      for (const backoff of backoffs) if (!backoff.isFailing()) backoff.rest(now(), 0);
      await look(settings);
    },
    close: () => closing.abort(),
  };
}
