import { join } from 'node:path';
import { readBreaker, breakerId } from '../../src/jobs/breaker.ts';
import { JOB_KINDS } from '../../src/packs/increments/layout.ts';
import { summarize } from '../lib/measure.ts';
import { after, before, breathe, openStage } from './stage.ts';

const EDITS = 300;
const SPAN_MS = 5_000;
const SUBJECTS = ['0001-step', '0002-step', '0003-step'];

export interface Storm {
  /** Milliseconds for both halves of an edit. */
  readonly p95: number;
  readonly longestQueue: number;
  readonly runs: number;
  readonly openBreakers: number;
  readonly children: number;
  readonly grownMiB: number;
}

/** Three sessions that edit three task lists as fast as agents ever did. */
export async function playStorm(top: string, project: string): Promise<Storm> {
  const stage = openStage(join(top, 'storm'), project, '');
  const path = (at: number) => join(project, '.specweave/increments', SUBJECTS[at % 3] ?? '', 'tasks.md');
  const edit = async (at: number, session: string): Promise<number> =>
    (await stage.send(before(`storm_${at}`, path(at)), session)) +
    (await stage.send(after(`storm_${at}`, path(at)), session));
  for (let at = 0; at < EDITS; at += 1) await edit(EDITS + at, `warm-${at % 3}`);
  await breathe(4_000);
  const used = heapUsed();
  const times = new Float64Array(EDITS);
  const started = performance.now();
  for (let at = 0; at < EDITS; at += 1) {
    times[at] = await edit(at, `storm-${at % 3}`);
    await breathe(Math.max(1, (SPAN_MS * at) / EDITS - (performance.now() - started)));
  }
  await breathe(4_000);
  const { counts, peaks } = stage.numbers();
  const { store, clock } = stage.opened;
  const result = {
    p95: summarize(times).p95 / 1_000,
    longestQueue: peaks['jobs.longest'] ?? 0,
    runs: counts['jobs.run'] ?? 0,
    openBreakers: JOB_KINDS.filter(
      (kind) => readBreaker(store.get(breakerId(project, 'increments', kind), clock.now()))?.state === 'open',
    ).length,
    children: counts['jobs.children'] ?? 0,
    grownMiB: (heapUsed() - used) / 1_048_576,
  };
  stage.opened.close();
  return result;
}

function heapUsed(): number {
  globalThis.gc?.();
  return process.memoryUsage().heapUsed;
}
