import { durationMs } from '../text/duration.ts';

/**
 * Whose memory a cell is. A `turn` cell belongs to one agent of the session, a `day` cell to a workspace and a local date, a
 * `repository` cell to all work trees of a repository. What a team shares: a `team` cell belongs to all of it, a `person` cell
 * to one person on all their machines, a `remote` cell to a repository on all machines.
 */
export type Scope = 'session' | 'turn' | 'day' | 'workspace' | 'repository' | 'user' | SharedScope;
export type SharedScope = 'team' | 'person' | 'remote';

interface CellBase<Kind extends string> {
  readonly kind: Kind;
  /** Stable: it is the cell's name in the store and in `fairlead state`. */
  readonly name: string;
  readonly scope: Scope;
  /** 0: lives as long as its scope. */
  readonly ttlMs: number;
}

export interface FlagSpec extends CellBase<'flag'> {
  readonly oneShot: boolean;
}
export type CounterSpec = CellBase<'counter'>;
export type MarkerSpec = CellBase<'marker'>;
export interface RecordSpec<T> extends CellBase<'record'> {
  /** Never present at run time; it carries the type. */
  readonly holds?: T;
}
export type LeaseSpec = CellBase<'lease'>;
export type CellSpec = FlagSpec | CounterSpec | MarkerSpec | RecordSpec<unknown> | LeaseSpec;

interface CellOptions {
  readonly scope?: Scope;
  readonly ttl?: string;
}

function base<Kind extends string>(kind: Kind, name: string, options: CellOptions): CellBase<Kind> {
  return {
    kind,
    name,
    scope: options.scope ?? 'session',
    ttlMs: options.ttl === undefined ? 0 : durationMs(options.ttl),
  };
}

export function flag(name: string, options: CellOptions & { readonly oneShot?: boolean } = {}): FlagSpec {
  return { ...base('flag', name, options), oneShot: options.oneShot ?? false };
}

export function counter(name: string, options: CellOptions = {}): CounterSpec {
  return base('counter', name, options);
}

/** True once per scope and key. */
export function marker(name: string, options: CellOptions = {}): MarkerSpec {
  return base('marker', name, options);
}

export function record<T>(name: string, options: CellOptions = {}): RecordSpec<T> {
  return base('record', name, options);
}

export function lease(name: string, options: CellOptions & { readonly ttl: string }): LeaseSpec {
  return base('lease', name, options);
}

export interface FlagCell {
  isSet(key?: string): boolean;
  set(key?: string): void;
  clear(key?: string): void;
  /** Whether it was set; a one-shot flag is consumed by asking. */
  take(key?: string): boolean;
}
export interface CounterCell {
  value(key?: string): number;
  /** Exact however many processes count at once, since nothing is read. */
  add(by?: number, key?: string): void;
  /** Counts and returns the new value. */
  next(by?: number, key?: string): number;
  reset(key?: string): void;
}
export interface MarkerCell {
  isSet(key?: string): boolean;
  /** True for the first caller in this scope, false ever after. */
  first(key?: string): boolean;
  clear(key?: string): void;
}
export interface RecordCell<T> {
  get(key?: string): T | undefined;
  set(value: T, key?: string): void;
  /** As `set`, of what is said with the event: taken back when nobody hears it. */
  say(value: T, key?: string): void;
  clear(key?: string): void;
}
export interface LeaseCell {
  /** True when free, expired, or already held by `holder`; it is then held for its time. */
  take(holder: string, key?: string): boolean;
  release(holder: string, key?: string): void;
}

export type CellOf<S> = S extends FlagSpec
  ? FlagCell
  : S extends CounterSpec
    ? CounterCell
    : S extends MarkerSpec
      ? MarkerCell
      : S extends LeaseSpec
        ? LeaseCell
        : S extends RecordSpec<infer T>
          ? RecordCell<T>
          : never;
