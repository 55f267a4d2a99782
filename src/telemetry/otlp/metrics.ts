import type { OutboxState } from '../../ledger/outbox.ts';
import { DURATION_BOUNDS, OVERFLOW } from '../../ledger/outbox-sums.ts';
import type { LeavingMetric, LeavingSum } from '../../ledger/outbox-sums.ts';
import { NEWEST_SEQUENCE } from '../record/chain.ts';
import { encodeMessage } from './protobuf.ts';
import type { ProtoWriter } from './protobuf.ts';
import { nanosOf, writeAttributes } from './requests.ts';
import type { Attributes } from '../record/chain.ts';

type Metric = (writer: ProtoWriter) => void;

const CUMULATIVE = 2;
const MICROS = 1_000_000;

interface Counter {
  readonly name: string;
  readonly unit: string;
  readonly about: string;
  /** What the words of a key are. */
  readonly keys: readonly string[];
}

const RULE = 'fairlead.rule.id';
const COUNTERS: Readonly<Partial<Record<LeavingMetric, Counter>>> = {
  events: {
    name: 'fairlead.events',
    unit: '{event}',
    about: 'Events that were answered',
    keys: ['gen_ai.agent.name', 'fairlead.event'],
  },
  decisions: {
    name: 'fairlead.decisions',
    unit: '{decision}',
    about: 'What rules decided and said',
    keys: [RULE, 'fairlead.decision'],
  },
  attention: {
    name: 'fairlead.attention',
    unit: '{character}',
    about: 'Characters of notes for the model',
    keys: [RULE],
  },
  fates: {
    name: 'fairlead.fates',
    unit: '{decision}',
    about: 'What became of decisions on the side of the agent',
    keys: [RULE, 'fairlead.fate'],
  },
};

/** All of them since the first one, so each export stands for itself: one that is lost or comes twice changes nothing. */
export function metricsOf(
  sums: readonly LeavingSum[],
  state: OutboxState,
  rows: number,
  at: number,
): readonly Uint8Array[] {
  // A clock that was set back does not turn a span of time round.
  const now = Math.max(at, state.since);
  const { since, lost, refused } = state;
  const of = (metric: LeavingMetric) => sums.filter((sum) => sum.metric === metric);
  const counted = Object.entries(COUNTERS).flatMap(([metric, counter]) => {
    const points = of(metric as LeavingMetric).map(({ key, value }) => ({ value, attributes: named(counter, key) }));
    return points.length === 0 ? [] : [sumOf(counter, points, since, now)];
  });
  const total = (name: string, about: string, value: number) =>
    sumOf({ name, unit: '{decision}', about, keys: [] }, [{ value, attributes: {} }], since, now);
  return [
    ...counted,
    ...durationsOf(of('duration'), of('duration.sum'), since, now),
    total('fairlead.outbox.lost', 'Decisions that were deleted before they could be sent', lost),
    total('fairlead.outbox.refused', 'Decisions that the receiver did not take', refused),
    gaugeOf('fairlead.outbox.rows', 'Rows of the ledger that have not been looked at yet', rows, now),
    gaugeOf(NEWEST_SEQUENCE, 'The number of the newest record that arrived', state.chain.sequence, now),
  ].map(encodeMessage);
}

function named({ keys }: Counter, values: readonly string[]): Attributes {
  if (values.every((value) => value === OVERFLOW)) return { 'otel.metric.overflow': true };
  return Object.fromEntries(keys.map((key, at) => [key, values[at]]));
}

function head(metric: ProtoWriter, { name, about, unit }: Omit<Counter, 'keys'>): void {
  metric.text(1, name);
  metric.text(2, about);
  metric.text(3, unit);
}

interface Point {
  readonly value: number;
  readonly attributes: Attributes;
}

function sumOf(counter: Counter, points: readonly Point[], since: number, now: number): Metric {
  return (metric) => {
    head(metric, counter);
    metric.message(7, (sum) => {
      for (const { value, attributes } of points)
        sum.message(1, (point) => {
          point.fixed64(2, nanosOf(since));
          writePoint(point, value, now);
          writeAttributes(point, 7, attributes);
        });
      sum.uint(2, CUMULATIVE);
      sum.uint(3, 1);
    });
  };
}

function gaugeOf(name: string, about: string, value: number, now: number): Metric {
  return (metric) => {
    head(metric, { name, about, unit: '{row}' });
    metric.message(5, (gauge) => gauge.message(1, (point) => writePoint(point, value, now)));
  };
}

function writePoint(point: ProtoWriter, value: number, now: number): void {
  point.fixed64(3, nanosOf(now));
  point.fixed64(6, BigInt(Math.round(value)));
}

/** In seconds, by event. */
function durationsOf(
  buckets: readonly LeavingSum[],
  totals: readonly LeavingSum[],
  since: number,
  now: number,
): readonly Metric[] {
  if (totals.length === 0) return [];
  const counts = (event: string) => {
    const found = new Map(buckets.filter(({ key }) => key[0] === event).map(({ key, value }) => [key[1], value]));
    return Array.from({ length: DURATION_BOUNDS.length + 1 }, (_, at) => BigInt(found.get(String(at)) ?? 0));
  };
  return [
    (metric) => {
      head(metric, { name: 'fairlead.event.duration', about: 'How long the engine took to answer', unit: 's' });
      metric.message(9, (histogram) => {
        for (const { key, value } of totals) {
          const event = key[0] ?? '';
          const perBucket = counts(event);
          histogram.message(1, (point) => {
            point.fixed64(2, nanosOf(since));
            point.fixed64(3, nanosOf(now));
            point.fixed64(
              4,
              perBucket.reduce((sum, count) => sum + count, 0n),
            );
            point.double(5, value / MICROS);
            point.packed(6, perBucket);
            point.packed(
              7,
              DURATION_BOUNDS.map((bound) => bound / MICROS),
            );
            writeAttributes(point, 9, { 'fairlead.event': event });
          });
        }
        histogram.uint(2, CUMULATIVE);
      });
    },
  ];
}
