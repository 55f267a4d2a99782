export interface Measured {
  readonly p50: number;
  readonly p95: number;
  readonly p99: number;
}

export interface MeasureOptions<T> {
  /** Makes what `work` is given; left out of the times. */
  prepare(): T;
  readonly runs: number;
  readonly warmup: number;
  /** Work that a resident process does between events, left out of the times. */
  between?(): void;
  readonly every?: number;
}

/** Microseconds per call. */
export async function measure<T>(work: (input: T) => unknown, options: MeasureOptions<T>): Promise<Measured> {
  const { runs, warmup, prepare, between, every = 1_000 } = options;
  for (let at = 0; at < warmup; at += 1) {
    await work(prepare());
    if (at % every === 0) between?.();
  }
  const times = new Float64Array(runs);
  for (let at = 0; at < runs; at += 1) {
    const input = prepare();
    const started = performance.now();
    await work(input);
    times[at] = (performance.now() - started) * 1_000;
    if (at % every === 0) between?.();
  }
  return summarize(times);
}

/** Sorts what it is given. */
export function summarize(times: Float64Array): Measured {
  times.sort();
  return { p50: percentile(times, 0.5), p95: percentile(times, 0.95), p99: percentile(times, 0.99) };
}

function percentile(sorted: Float64Array, share: number): number {
  return sorted[Math.floor(sorted.length * share)] ?? Number.NaN;
}

export function printTable(head: readonly string[], rows: readonly (readonly (string | number)[])[]): void {
  const text = [head, ...rows].map((row) =>
    row.map((cell) => (typeof cell === 'number' && !Number.isInteger(cell) ? cell.toFixed(1) : String(cell))),
  );
  const widths = head.map((_, at) => Math.max(...text.map((row) => row[at]?.length ?? 0)));
  for (const row of text)
    console.log(
      `  ${row.map((cell, at) => (at === 0 || Number.isNaN(Number(cell)) ? cell.padEnd(widths[at] ?? 0) : cell.padStart(widths[at] ?? 0))).join('  ')}`,
    );
}
