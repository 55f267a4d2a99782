import { rmSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { summarize } from '../lib/measure.ts';
import type { Measured } from '../lib/measure.ts';
import { after, bashAfter, before, breathe, openStage, wrong } from './stage.ts';
import type { Fields } from './stage.ts';

const WARMUP = 300;
const RUNS = 1_500;
const SESSION_CALLS = 50;

export interface TierCase {
  readonly name: string;
  /** The counter that every timed event adds to. */
  readonly exit: string;
  /** Milliseconds that the 95th percentile (or another one) may take. */
  readonly limit: number;
  readonly share?: 'p99';
  readonly runs?: number;
  /** Untimed. */
  first?(id: string): Fields;
  /** A file that has just changed. */
  touches?(): string;
  /** One event or both halves of an edit. */
  timed(id: string): readonly Fields[];
}

export interface TierRow {
  readonly on: Measured;
  /** The same events with the pack off. */
  readonly off: Measured;
  /** What is done for the pack and others once the reply is out. */
  readonly afterwards: Measured;
}

/** Budgets of the tiers, in milliseconds; with the pack's first half or a scan it is that of the whole edit. */
const BUDGET = { tier0: 1, tier1: 5, tier2: 10, signal: 15, scan: 20 } as const;

export function casesIn(project: string): TierCase[] {
  const source = join(project, 'src/app.ts');
  const config = join(project, '.specweave/config.json');
  const file = (id: string, name = 'tasks.md') => join(project, '.specweave/increments', id, name);
  const active = file('0025-step');
  return [
    { name: '0 edit without arguments', exit: 'before.0', limit: BUDGET.tier0, timed: (id) => [before(id)] },
    { name: '0 command without a hint', exit: 'after.0', limit: BUDGET.tier0, timed: (id) => [bashAfter(id, 'ls')] },
    { name: '1 before an edit in src/', exit: 'before.1', limit: BUDGET.tier1, timed: (id) => [before(id, source)] },
    { name: '1 after an edit in src/', exit: 'after.1', limit: BUDGET.tier1, timed: (id) => [after(id, source)] },
    { name: '2 another file', exit: 'before.2', limit: BUDGET.tier2, timed: (id) => [before(id, config)] },
    {
      name: '2 an increment that is paused',
      exit: 'before.2',
      limit: BUDGET.tier2,
      timed: (id) => [before(id, file('0000-step'))],
    },
    { name: '3 signal stored', exit: 'before.3', limit: BUDGET.signal, timed: (id) => [before(id, active)] },
    {
      name: '3 signal taken, jobs marked',
      exit: 'after.3',
      limit: BUDGET.signal,
      first: (id) => before(id, active),
      timed: (id) => [after(id, active)],
    },
    { name: '3 payload, jobs marked', exit: 'after.3', limit: BUDGET.signal, timed: (id) => [after(id, active)] },
    {
      name: '3 mtime of 50 increments, jobs marked',
      exit: 'after.3',
      limit: BUDGET.scan,
      touches: () => active,
      timed: (id) => [after(id)],
    },
    {
      name: 'both halves, with signal',
      exit: 'after.3',
      limit: BUDGET.signal,
      timed: (id) => [before(id, active), after(id, active)],
    },
    {
      name: 'both halves, with mtime',
      exit: 'after.3',
      limit: BUDGET.scan,
      touches: () => active,
      timed: (id) => [before(id), after(id)],
    },
    {
      name: '10,000 edits without arguments',
      exit: 'before.0',
      limit: BUDGET.tier0,
      share: 'p99',
      runs: 10_000,
      timed: (id) => [before(id)],
    },
  ];
}

/** The pack on and off in turn, so that both meet the same weather. */
export async function measureCase(one: TierCase, top: string, project: string): Promise<TierRow> {
  const { runs = RUNS } = one;
  const stages = ['on', 'off'].map((mode) => openStage(join(top, mode), project, `packs: { increments: ${mode} }\n`));
  const times = [new Float64Array(runs), new Float64Array(runs)];
  const afterwards = new Float64Array(runs);
  for (let at = -WARMUP; at < runs; at += 1) {
    const id = `toolu_${at + WARMUP}`;
    const session = `session-${Math.floor((at + WARMUP) / SESSION_CALLS)}`;
    for (const [which, stage] of stages.entries()) {
      const first = one.first?.(id);
      if (first) await stage.send(first, session);
      const touched = one.touches?.();
      if (touched !== undefined) utimesSync(touched, new Date(), new Date());
      await stage.finish();
      let sum = 0;
      for (const payload of one.timed(id)) sum += await stage.send(payload, session);
      const rest = await stage.finish();
      const into = times[which];
      if (at >= 0 && into) into[at] = sum;
      if (at >= 0 && which === 0) afterwards[at] = rest;
    }
    await breathe();
  }
  const [on, off] = times.map(summarize);
  checkExits(one, stages[0]?.numbers().counts ?? {}, runs + WARMUP);
  for (const { opened } of stages) opened.close();
  for (const name of ['on', 'off']) rmSync(join(top, name), { recursive: true });
  if (!on || !off) throw new Error('nothing was measured');
  return { on, off, afterwards: summarize(afterwards) };
}

/** A case that leaves elsewhere than it says measures something else. */
function checkExits({ name, exit }: TierCase, counts: Readonly<Record<string, number>>, expected: number): void {
  const found = counts[`exit.${exit}`] ?? 0;
  if (found !== expected) wrong.push(`${name}: ${found} of ${expected} events left at ${exit}`);
}
