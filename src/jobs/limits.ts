/** How marks become runs; all times in milliseconds. */
export interface QueueLimits {
  /** A job runs when nobody has marked it for this long, */
  readonly quietMs: number;
  /** and at the latest this long after the first mark. */
  readonly maxWaitMs: number;
  /** More marks than this within the window are a burst, which ends when the window passes without one. */
  readonly burstCount: number;
  readonly burstWindowMs: number;
  readonly burstQuietMs: number;
  readonly burstMaxWaitMs: number;
  /** Jobs that run at the same time, of all workspaces. */
  readonly maxParallel: number;
}

/** When a kind of job that keeps failing is left alone. */
export interface JobBreakerLimits {
  readonly failures: number;
  readonly windowMs: number;
  readonly recoveryMs: number;
  /** Successes in a row after which it is trusted again. */
  readonly successes: number;
}

export interface JobLimits {
  readonly queue: QueueLimits;
  readonly breaker: JobBreakerLimits;
}

type Options = Readonly<Record<string, unknown>>;

/** Limits from a pack's options: what is missing or makes no sense has its default. */
export function readLimits(options: Options): JobLimits {
  const jobs = numbersIn(options['jobs']);
  const breaker = numbersIn(options['breaker']);
  return {
    queue: {
      quietMs: jobs('quiet_ms', 150, 0),
      maxWaitMs: jobs('max_wait_ms', 1_000, 0),
      burstCount: jobs('burst_count', 5, 1),
      burstWindowMs: jobs('burst_window_s', 10, 0) * 1_000,
      burstQuietMs: jobs('burst_quiet_ms', 500, 0),
      burstMaxWaitMs: jobs('burst_max_wait_ms', 3_000, 0),
      maxParallel: jobs('max_parallel', 2, 1),
    },
    breaker: {
      failures: breaker('failures', 5, 1),
      windowMs: breaker('window_s', 60, 0) * 1_000,
      recoveryMs: breaker('recovery_s', 30, 1) * 1_000,
      successes: breaker('successes', 3, 1),
    },
  };
}

/** Nothing in a queue is put off for longer than a day. */
const MOST = 86_400_000;

function numbersIn(group: unknown): (name: string, otherwise: number, least: number) => number {
  const found = typeof group === 'object' && group !== null ? (group as Options) : {};
  return (name, otherwise, least) => {
    const value = found[name];
    return typeof value === 'number' && value >= least && value <= MOST ? value : otherwise;
  };
}
