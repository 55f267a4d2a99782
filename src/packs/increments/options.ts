import type { CompleteWhen } from './tasks.ts';

/** What the pack does unless the user says otherwise; the names are those of the configuration. */
export const DEFAULTS = {
  active_statuses: ['active', 'in-progress', 'planning', 'ready_for_review'],
  tasks: { complete_when: 'strict' },
  scan: { window_ms: 2_000, max_increments: 50 },
  tuning: { ring: 100, majority: 50, min_samples: 20 },
  jobs: {
    quiet_ms: 150,
    max_wait_ms: 1_000,
    max_parallel: 2,
    burst_count: 5,
    burst_window_s: 10,
    burst_quiet_ms: 500,
    burst_max_wait_ms: 3_000,
  },
  breaker: { failures: 5, window_s: 60, recovery_s: 30, successes: 3 },
  ac_sync: { enabled: true },
  status_line: { enabled: true },
  statusline: { show_context: true, ascii: false },
  living_docs: { enabled: true, root: '.specweave/docs/internal/specs' },
  on_change: {},
  guard: { require: 'facts', transitions: false },
  watch: false,
} as const;

export interface IncrementOptions {
  readonly activeStatuses: readonly string[];
  readonly completeWhen: CompleteWhen;
  readonly scan: { readonly windowMs: number; readonly maxIncrements: number };
  readonly tuning: { readonly ring: number; readonly majority: number; readonly minSamples: number };
  readonly jobs: {
    readonly quietMs: number;
    readonly maxWaitMs: number;
    readonly maxParallel: number;
    readonly burstCount: number;
    readonly burstWindowS: number;
    readonly burstQuietMs: number;
    readonly burstMaxWaitMs: number;
  };
  readonly breaker: {
    readonly failures: number;
    readonly windowS: number;
    readonly recoveryS: number;
    readonly successes: number;
  };
  readonly acSync: boolean;
  readonly statusLine: boolean;
  readonly statusline: { readonly showContext: boolean; readonly ascii: boolean };
  readonly livingDocs: { readonly enabled: boolean; readonly root: string };
  /** A program and its arguments. */
  readonly onChange?: readonly string[];
  readonly guard: { readonly require: 'facts' | 'command'; readonly transitions: boolean };
  readonly watch: boolean;
}

type Given = Readonly<Record<string, unknown>>;

/** Reads what the user wrote; whatever is not of the kind that its key wants counts as not written. */
export function readOptions(given: Given): IncrementOptions {
  const { scan, tuning, jobs, breaker } = DEFAULTS;
  const at = (key: string): Given => {
    const value = given[key];
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Given) : {};
  };
  const onChange = textsIn(at('on_change')['command']);
  return {
    activeStatuses: textsIn(given['active_statuses']) ?? DEFAULTS.active_statuses,
    completeWhen: oneOf(at('tasks')['complete_when'], ['strict', 'status']),
    scan: {
      windowMs: numberIn(at('scan')['window_ms'], scan.window_ms),
      maxIncrements: countIn(at('scan')['max_increments'], scan.max_increments),
    },
    tuning: {
      ring: countIn(at('tuning')['ring'], tuning.ring),
      majority: countIn(at('tuning')['majority'], tuning.majority),
      minSamples: countIn(at('tuning')['min_samples'], tuning.min_samples),
    },
    jobs: {
      quietMs: numberIn(at('jobs')['quiet_ms'], jobs.quiet_ms),
      maxWaitMs: numberIn(at('jobs')['max_wait_ms'], jobs.max_wait_ms),
      maxParallel: countIn(at('jobs')['max_parallel'], jobs.max_parallel),
      burstCount: countIn(at('jobs')['burst_count'], jobs.burst_count),
      burstWindowS: numberIn(at('jobs')['burst_window_s'], jobs.burst_window_s),
      burstQuietMs: numberIn(at('jobs')['burst_quiet_ms'], jobs.burst_quiet_ms),
      burstMaxWaitMs: numberIn(at('jobs')['burst_max_wait_ms'], jobs.burst_max_wait_ms),
    },
    breaker: {
      failures: countIn(at('breaker')['failures'], breaker.failures),
      windowS: numberIn(at('breaker')['window_s'], breaker.window_s),
      recoveryS: numberIn(at('breaker')['recovery_s'], breaker.recovery_s),
      successes: countIn(at('breaker')['successes'], breaker.successes),
    },
    acSync: switchIn(at('ac_sync')['enabled'], true),
    statusLine: switchIn(at('status_line')['enabled'], true),
    statusline: {
      showContext: switchIn(at('statusline')['show_context'], true),
      ascii: switchIn(at('statusline')['ascii'], false),
    },
    livingDocs: {
      enabled: switchIn(at('living_docs')['enabled'], true),
      root: insidePath(at('living_docs')['root']) ?? DEFAULTS.living_docs.root,
    },
    ...(onChange === undefined ? {} : { onChange }),
    guard: {
      require: oneOf(at('guard')['require'], ['facts', 'command']),
      transitions: switchIn(at('guard')['transitions'], false),
    },
    watch: switchIn(given['watch'], false),
  };
}

function switchIn(value: unknown, otherwise: boolean): boolean {
  return typeof value === 'boolean' ? value : otherwise;
}

function numberIn(value: unknown, otherwise: number): number {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : otherwise;
}

function countIn(value: unknown, otherwise: number): number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value > 0 ? value : otherwise;
}

function textsIn(value: unknown): readonly string[] | undefined {
  const isList = Array.isArray(value) && value.length > 0 && value.every((each) => typeof each === 'string');
  return isList && value[0] !== '' ? value : undefined;
}

/** The first choice is the default. */
function oneOf<const Choice extends string>(value: unknown, choices: readonly [Choice, ...Choice[]]): Choice {
  return choices.find((choice) => choice === value) ?? choices[0];
}

/** A path that stays below the project's root. */
function insidePath(value: unknown): string | undefined {
  if (typeof value !== 'string' || value.trim() === '' || /^([/\\~]|[A-Za-z]:)/.test(value)) return undefined;
  const parts = value.split(/[/\\]+/).filter((part) => part !== '' && part !== '.');
  return parts.length === 0 || parts.includes('..') ? undefined : parts.join('/');
}
