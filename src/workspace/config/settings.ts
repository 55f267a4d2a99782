import { packsHolding } from '../../event/known-packs.ts';
import type { Attention } from '../../engine/advice/attention.ts';
import type { Throttle } from '../../engine/rule.ts';
import { OTLP_DEFAULTS } from '../../telemetry/otlp/settings.ts';
import type { OtlpSettings } from '../../telemetry/otlp/settings.ts';
import type { Mode } from '../../event/verdict.ts';
import type { TeamSettings } from '../../team/place.ts';
import type { TeamStateSettings } from '../../team/state/settings.ts';

export type Options = Readonly<Record<string, unknown>>;

export interface PackConfig {
  readonly enabled?: boolean;
  /** A ceiling for every rule of the pack. */
  readonly mode?: Mode;
  readonly options?: Options;
}

export interface RuleConfig {
  readonly enabled?: boolean;
  readonly mode?: Mode;
  readonly throttle?: Throttle;
  readonly priority?: number;
  readonly options?: Options;
}

export interface LedgerLimits {
  readonly days: number;
  readonly rows: number;
  readonly bodies: number;
}

export interface Breaker {
  readonly failures: number;
  readonly windowSeconds: number;
  readonly recoverySeconds: number;
}

/** Copies of what calls destroy. */
export interface UndoLimits {
  readonly days: number;
  readonly megabytes: number;
  readonly copies: number;
  /** What one copy may take before the reply. */
  readonly budgetMs: number;
  readonly budgetMegabytes: number;
  /** Globs of what is never copied. */
  readonly exclude: readonly string[];
}

/** What one layer sets; everything else is left to the layers below. */
export interface Config {
  readonly packs?: Readonly<Record<string, PackConfig>>;
  readonly rules?: Readonly<Record<string, RuleConfig>>;
  readonly attention?: Partial<Attention>;
  readonly ledger?: Partial<LedgerLimits>;
  /** `team` counts in the person's own settings and in a policy. */
  readonly state?: { readonly pruneDays?: number; readonly team?: TeamStateSettings };
  readonly daemon?: { readonly idleSeconds?: number };
  readonly breaker?: Partial<Breaker>;
  readonly undo?: Partial<UndoLimits>;
  /** Counts in the person's own settings alone. */
  readonly team?: TeamSettings;
  readonly telemetry?: { readonly otlp?: Partial<OtlpSettings> };
}

/** What is in force after all layers. */
export interface Settings {
  readonly packs: Readonly<Record<string, PackConfig>>;
  readonly rules: Readonly<Record<string, RuleConfig>>;
  readonly attention: Attention;
  readonly ledger: LedgerLimits;
  readonly state: { readonly pruneDays: number; readonly team?: TeamStateSettings };
  readonly daemon: { readonly idleSeconds: number };
  readonly breaker: Breaker;
  readonly undo: UndoLimits;
  readonly telemetry: { readonly otlp: OtlpSettings };
}

export const DEFAULTS: Settings = {
  packs: {},
  rules: {},
  attention: { event: 9_000, turn: 12_000, session: 60_000 },
  ledger: { days: 30, rows: 200_000, bodies: 2_000 },
  state: { pruneDays: 7 },
  daemon: { idleSeconds: 1_800 },
  breaker: { failures: 5, windowSeconds: 60, recoverySeconds: 30 },
  undo: { days: 14, megabytes: 2_048, copies: 1_000, budgetMs: 5_000, budgetMegabytes: 200, exclude: [] },
  telemetry: { otlp: OTLP_DEFAULTS },
};

/** Lays the layers over the defaults, the first one lowest. A key that a layer does not set keeps what is below it. */
export function mergeConfig(layers: readonly Config[]): Settings {
  return layers.reduce<Settings>(
    (below, layer) => ({
      packs: mergeNamed(below.packs, layer.packs),
      rules: mergeNamed(below.rules, layer.rules),
      attention: { ...below.attention, ...layer.attention },
      ledger: { ...below.ledger, ...layer.ledger },
      state: { ...below.state, ...layer.state },
      daemon: { ...below.daemon, ...layer.daemon },
      breaker: { ...below.breaker, ...layer.breaker },
      undo: { ...below.undo, ...layer.undo },
      telemetry: { otlp: { ...below.telemetry.otlp, ...layer.telemetry?.otlp } },
    }),
    DEFAULTS,
  );
}

function mergeNamed<T extends { readonly options?: Options }>(
  below: Readonly<Record<string, T>>,
  above: Readonly<Record<string, T>> = {},
): Readonly<Record<string, T>> {
  const merged = new Map(Object.entries(below));
  for (const [name, over] of Object.entries(above)) {
    const under = merged.get(name);
    const options = mergeOptions(under?.options, over.options);
    merged.set(name, { ...under, ...over, ...(Object.keys(options).length > 0 ? { options } : {}) });
  }
  return Object.fromEntries(merged);
}

/** Maps merge key by key at any depth; a list or a value takes the place of what is below it. */
export function mergeOptions(below: Options = {}, above: Options = {}): Options {
  const merged = new Map(Object.entries(below));
  for (const [key, value] of Object.entries(above)) {
    const under = merged.get(key);
    const isBoth = isMap(under) && isMap(value) && Object.keys(under).length > 0;
    merged.set(key, isBoth ? mergeOptions(under, value) : value);
  }
  return Object.fromEntries(merged);
}

function isMap(value: unknown): value is Options {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** How many days of silence a session is kept. The pack that forgets old ones with every session has a number of its own; without one, that of the state counts. */
export function usualDays({ packs, state }: Pick<Settings, 'packs' | 'state'>): number {
  const own = packs[packsHolding('sessions')[0]]?.options?.['prune_days'];
  return typeof own === 'number' && own > 0 ? own : state.pruneDays;
}
