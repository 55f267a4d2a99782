import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { toolEvent } from '../../engine/engine.fixture.ts';
import type { LedgerDetail } from '../../event/ledger-row.ts';
import type { Action } from '../../event/verdict.ts';
import { countWaiting } from '../../ledger/outbox.ts';
import { openMemory } from '../../ledger/open.ts';
import type { Memory } from '../../ledger/open.ts';
import type { Database } from '../../platform/database.ts';
import { nodeFiles } from '../../platform/files.ts';
import { row } from '../../state/contract.ts';
import { expect } from 'vitest';
import { createOtlp } from './otlp.ts';
import type { Otlp } from './otlp.ts';
import type { ReceivedRecord, Receiver } from './receiver.fixture.ts';
import { OTLP_DEFAULTS } from './settings.ts';
import type { OtlpSettings } from './settings.ts';

export const START = 1_800_000_000_000;
const NO_TIMES = { parse: 0, workspace: 0, select: 0, rules: 0, commit: 0, render: 0 };

/** A ledger and who sends it, on a clock of their own. */
export interface Station {
  settings: Partial<OtlpSettings>;
  now: number;
  readonly failures: string[];
  readonly ids: string[];
  readonly memory: () => Memory;
  /** Where its state lies. */
  readonly folder: string;
  /** An event on which a rule decided; its id is kept. */
  decide(action?: Action, more?: Partial<LedgerDetail>): string;
  neutral(): void;
  /** Time passes, and what is due is done. */
  pass(ms: number): Promise<void>;
  /** Starts what is due and does not wait for it. */
  begin(): void;
  /** As a process that is killed, and the next one. */
  restart(): void;
  rotate(days: number, rows: number): void;
  close(): void;
}

export function openStation(settings: Partial<OtlpSettings>, copyOf?: Station): Station {
  const folder = mkdtempSync(join(tmpdir(), 'fairlead-otlp-'));
  if (copyOf) {
    copyOf.memory().gatherIn();
    cpSync(copyOf.folder, folder, { recursive: true });
  }
  let kept = { days: 30, rows: 200_000, bodies: 2_000 };
  let made = 0;
  const open = () =>
    openMemory({
      path: join(folder, 'state.db'),
      busyMs: 500,
      resident: true,
      now: () => station.now,
      random: Math.random,
      retention: () => kept,
      onFailure: (what, error) => station.failures.push(`${what}: ${String(error)}`),
    });
  const follow = (): Otlp =>
    createOtlp({
      userHome: folder,
      state: folder,
      files: nodeFiles,
      outbox: () => memory.outbox,
      now: () => station.now,
      random: () => 1,
      newId: () => crypto.randomUUID(),
      askedAt: () => START,
      isOff: () => false,
      onFailure: (what, error) => station.failures.push(`${what}: ${String(error)}`),
      settings: () => Promise.resolve({ ...OTLP_DEFAULTS, ...station.settings }),
    });
  const record = (action: Action, rules: string, more: Partial<LedgerDetail>): string => {
    made += 1;
    const id = `d${made}`;
    const decided = {
      ...row(id, 's1'),
      at: station.now,
      action,
      rules,
      replyBytes: rules === '' ? 0 : 20,
      micros: 700,
    };
    const decision = { action, by: rules === '' ? [] : [rules], notes: [], warns: [], reason: 'no' };
    const event = toolEvent({ id: `call-${made}`, input: { command: 'rm x' } });
    memory.ledger.record(decided, () => ({ event, trace: [], decision, times: NO_TIMES, attempts: 1, ...more }), false);
    memory.ledger.flush();
    return id;
  };
  const station: Station = {
    settings,
    now: copyOf?.now ?? START,
    failures: [],
    ids: [],
    folder,
    memory: () => memory,
    decide(action = 'deny', more = {}) {
      const id = record(action, 'guard/git', more);
      station.ids.push(id);
      return id;
    },
    neutral: () => void record('pass', '', {}),
    async pass(ms) {
      station.now += ms;
      await otlp.look();
    },
    begin: () => void otlp.look(),
    restart() {
      otlp.close();
      memory.db?.close();
      memory = open();
      otlp = follow();
    },
    rotate(days, rows) {
      kept = { ...kept, days, rows };
      memory.rotate(station.now);
    },
    close() {
      otlp.close();
      memory.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
  let memory = open();
  let otlp = follow();
  return station;
}

export const decisionsIn = ({ records }: Pick<Receiver, 'records'>): ReceivedRecord[] =>
  records.filter(({ name }) => name === 'fairlead.decision');

export const idsIn = (receiver: Pick<Receiver, 'records'>): string[] =>
  decisionsIn(receiver).map(({ attributes }) => attributes['fairlead.decision.id'] as string);

/** Each once at least, and, told apart by its id and by its number, once. */
export function expectAll(ids: readonly string[], receiver: Pick<Receiver, 'records'>): void {
  expect([...new Set(idsIn(receiver))].toSorted()).toEqual(ids.toSorted());
  const got = decisionsIn(receiver).map(({ attributes }) => attributes);
  const numbers = new Map(got.map((each) => [each['fairlead.decision.id'], each['fairlead.sequence']]));
  expect(new Set(numbers.values()).size).toBe(ids.length);
  for (const each of got) expect(each['fairlead.sequence']).toBe(numbers.get(each['fairlead.decision.id']));
}

export const databaseOf = (station: Station): Database => station.memory().db as Database;

/** Until nothing waits, or so long. */
export async function drain(station: Station, ms = 7_200_000): Promise<void> {
  const isWaiting = () => countWaiting(databaseOf(station)) > 0;
  for (const end = station.now + ms; station.now < end && isWaiting();) await station.pass(5_000);
}

/** What it kept, as a collector would write it into a file. */
export const exportOf = (receiver: Pick<Receiver, 'exported'>, wanted = 'logs'): string =>
  receiver.exported.flatMap(({ signal, line }) => (signal === wanted ? [line] : [])).join('\n');
