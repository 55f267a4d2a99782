import type { HookAnswer, HookRun } from '../adapters/adopting.ts';
import { redact } from '../ledger/redact.ts';
import { appendRotating } from '../platform/append-rotating.ts';
import type { Files } from '../platform/files.ts';
import { join } from '../platform/paths.ts';

/** One run of a hook of somebody else's. */
export interface BilledRun {
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly set: string;
  readonly name: string;
  readonly event: string;
  readonly ms: number;
  readonly verdict: string;
  readonly problem?: string;
}

const MAX_BYTES = 1 << 20;
const LONGEST = 300;

const fileOf = (state: string): string => join(state, 'adopted-runs.jsonl');

/** What runs took and came to, after the reply. Never throws: a full disk changes nothing about the session. */
export function billRuns(
  state: string,
  at: number,
  set: string,
  runs: readonly HookRun[],
  outcomes: HookAnswer['outcomes'],
): void {
  const lines = runs.map(({ hook, ms }, index): BilledRun => {
    const { verdict = 'none', problem } = outcomes[index] ?? {};
    return {
      ...{ at, set, name: hook.name, event: hook.event, ms: Math.round(ms * 10) / 10, verdict },
      ...(problem === undefined ? {} : { problem: redact(problem).slice(0, LONGEST) }),
    };
  });
  const path = fileOf(state);
  try {
    appendRotating(path, `${path}.1`, lines.map((line) => `${JSON.stringify(line)}\n`).join(''), MAX_BYTES, 0o600);
  } catch {
    // Said by nobody.
  }
}

export function readBilled(files: Pick<Files, 'readText'>, state: string, since: number): readonly BilledRun[] {
  const path = fileOf(state);
  const lines = [`${path}.1`, path].flatMap((each) => (files.readText(each) ?? '').split('\n'));
  return lines.flatMap((line): BilledRun[] => {
    try {
      const run = JSON.parse(line) as BilledRun;
      return run.at >= since ? [run] : [];
    } catch {
      return [];
    }
  });
}
