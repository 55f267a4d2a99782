import { parse } from 'node:path';
import { record } from '../../engine/rule.ts';
import type { Event, Turn } from '../../engine/rule.ts';
import type { GraphCall } from './graph-call.ts';
import { isFields } from './providers.ts';

/** That an agent asked a graph in a turn; the names of its fields are part of what people may rely on. */
export interface Mark {
  readonly transcript_id: string;
  readonly turn: Turn;
  readonly agent: string;
  /** Providers, first asked first. */
  readonly families: readonly string[];
  /** `attempted`: asked, and the graph failed. */
  readonly outcome: 'used' | 'attempted';
  readonly at: number;
}

/** Graph calls that have begun, by the id of the call. */
export type Flights = Readonly<Record<string, { readonly at: number; readonly families: readonly string[] }>>;

/** Graph calls of a workspace whose end was never seen. */
export interface Unended {
  readonly count: number;
  readonly last: number;
}

export const MARK = record<Mark>('codegraph.mark');
export const FLIGHTS = record<Flights>('codegraph.flights');
export const UNENDED = record<Unended>('codegraph.unended', { scope: 'workspace', ttl: '14d' });

/** A call that has not ended by then is not waited for. */
export const FLIGHT_MS = 120_000;
const MAX_FLIGHTS = 20;

export function agentOf(event: Event): string {
  return event.subagent?.id ?? 'main';
}

export function transcriptOf({ transcript, session }: Event): string {
  return transcript === undefined ? session : parse(transcript).name || session;
}

/** The mark after a graph call has ended; one of another turn or transcript, or one that is damaged, gives way. */
export function markedBy(
  call: GraphCall,
  outcome: Mark['outcome'],
  before: unknown,
  now: { readonly event: Event; readonly turn: Turn; readonly at: number },
): Mark {
  const current = { transcript_id: transcriptOf(now.event), turn: now.turn, agent: agentOf(now.event) };
  const same = holds(before, current) ? before : undefined;
  return {
    ...current,
    families: [...new Set([...(same?.families ?? []), ...call.families])],
    outcome: same?.outcome === 'used' ? 'used' : outcome,
    at: now.at,
  };
}

/** Whether the agent has asked a graph in this very turn. */
export function isMarked(mark: unknown, event: Event, turn: Turn): boolean {
  return holds(mark, { transcript_id: transcriptOf(event), turn, agent: agentOf(event) });
}

function holds(mark: unknown, current: Pick<Mark, 'transcript_id' | 'turn' | 'agent'>): mark is Mark {
  return (
    isFields(mark) &&
    Array.isArray(mark['families']) &&
    mark['transcript_id'] === current.transcript_id &&
    mark['turn'] === current.turn &&
    mark['agent'] === current.agent
  );
}

export function isFlying(flights: unknown, now: number): boolean {
  return flightsIn(flights).some(([, { at }]) => isYoung(at, now));
}

export interface Passed {
  readonly flights: Flights | undefined;
  /** Calls given up on. */
  readonly lost: number;
}

/** The calls under way once one has begun or ended; those that never ended are counted and dropped. */
export function flightsAfter(
  before: unknown,
  change: { readonly begun: GraphCall } | { readonly ended: string },
  now: number,
): Passed {
  const others = flightsIn(before).filter(([id]) => id !== ('begun' in change ? change.begun.id : change.ended));
  const young = others.filter(([, { at }]) => isYoung(at, now)).slice(-MAX_FLIGHTS);
  const begun: [string, Flights[string]][] =
    'begun' in change ? [[change.begun.id, { at: now, families: change.begun.families }]] : [];
  const flights = [...young, ...begun];
  return {
    flights: flights.length === 0 ? undefined : Object.fromEntries(flights),
    lost: others.length - young.length,
  };
}

function isYoung(at: number, now: number): boolean {
  return now - at < FLIGHT_MS;
}

function flightsIn(value: unknown): [string, Flights[string]][] {
  if (!isFields(value)) return [];
  return Object.entries(value).flatMap(([id, flight]): [string, Flights[string]][] =>
    isFields(flight) && typeof flight['at'] === 'number' ? [[id, flight as unknown as Flights[string]]] : [],
  );
}
