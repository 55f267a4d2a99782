import type { RelayRecord } from '../event/follow-up.ts';
import type { Seen } from '../engine/engine.ts';
import type { Files } from '../platform/files.ts';
import type { RecordSpec } from '../state/cell.ts';

export type { Seen };

/**
 * The part of a pack that watches instead of deciding. It is told of every event that a rule of the pack hears by name
 * and tool, whether or not the rule listened, in workspaces where such a rule is active; where rules of the pack need an
 * entry, only in workspaces that have one. It runs after the reply, one event after the other, and never for a copy, for
 * a call that silences the pack, or for an agent that a rule started.
 */
export type Observe = (seen: Seen, to: Observing) => void;

/** What an observer may do; all of it is kept in memory and written a little later, together. */
export interface Observing extends PackTelemetry {
  readonly now: number;
  /** Options of the pack's rule of this id as they are here; empty when it is off. */
  options(rule: string): Readonly<Record<string, unknown>>;
  readonly memory: ObserverMemory;
  /** A record for the log and those who subscribed to it; time, workspace and session are those of the event. */
  relay(said: Saying): void;
  /**
   * Runs `look` a moment later, once for all events of this root until then. A process for one event leaves it to one
   * that stays.
   */
  lookLater(root: string, look: (at: Looking) => void): void;
}

/** A look at files between events. */
export interface Looking {
  readonly files: Pick<Files, 'stat' | 'readText' | 'list'>;
  /** Marks a job of the pack as due, for the session of the event; false where it is due already or its rule changes nothing. */
  run(rule: string, job: string, subject: string): boolean;
}

/** Numbers of one pack in one workspace. Names are few and fixed: they are not made of what an event brings. */
export interface PackTelemetry {
  count(name: string, by?: number): void;
  /** A span in milliseconds, for a histogram. */
  time(name: string, ms: number): void;
  /** Keeps the highest value. */
  peak(name: string, value: number): void;
}

export interface Saying extends Pick<RelayRecord, 'rule' | 'variant' | 'variables'> {
  readonly text: string;
}

/** Cells of scope session, workspace or user; the event says of which session and workspace. */
export interface ObserverMemory {
  /** What is stored, with the changes that are not yet. */
  get<T>(cell: RecordSpec<T>, key?: string): T | undefined;
  /**
   * Returns the new value; undefined removes it. `change` is made again on what another process has stored meanwhile, so
   * it only computes; it must cope with a value of any shape.
   */
  change<T>(cell: RecordSpec<T>, change: (before: T | undefined) => T | undefined, key?: string): T | undefined;
  /** Stores all changes at once, for one that the next event has to see. */
  store(): void;
}

/** One line of `PACK_OBSERVERS`: the module is loaded when the first event concerns it. */
export interface PackObserver {
  readonly pack: string;
  load(): Promise<Observe>;
}
