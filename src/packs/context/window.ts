import type { Usage } from '../../engine/rule.ts';

export interface WindowOptions {
  /** What the person says it is; 0 leaves it to be found out. */
  readonly size: number;
  /** By patterns of model names, with `*` for anything. */
  readonly models: Readonly<Record<string, number>>;
}

export interface Fill {
  readonly tokens: number;
  readonly window: number;
  /** Whole percent, rounded down. */
  readonly pct: number;
  /** The window turned out to be the large one; it is so for the rest of the session. */
  readonly isRaised: boolean;
}

const USUAL = 200_000;
const LARGE = 1_000_000;

/** How full the context is. `wasRaised` says that an earlier prompt of the session had more in it than was thought to fit. */
export function fillOf(usage: Usage, options: WindowOptions, wasRaised: boolean): Fill {
  const { tokens } = usage;
  const assumed = options.size > 0 ? options.size : (usage.window ?? sizeOfModel(usage.model, options.models) ?? USUAL);
  const isRaised = (wasRaised && assumed < LARGE) || tokens > assumed;
  const window = isRaised ? LARGE : assumed;
  return { tokens, window, pct: Math.floor((tokens * 100) / window), isRaised };
}

/** `950`, `4.2k`, `124k`. */
export function showTokens(tokens: number): string {
  if (tokens < 1_000) return String(tokens);
  if (tokens < 10_000) return `${(Math.floor(tokens / 100) / 10).toFixed(1)}k`;
  return `${Math.floor(tokens / 1_000)}k`;
}

function sizeOfModel(model: string | undefined, sizes: WindowOptions['models']): number | undefined {
  if (model === undefined) return undefined;
  const fitting = Object.keys(sizes).find((pattern) => fits(pattern, model));
  return fitting === undefined ? undefined : sizes[fitting];
}

function fits(pattern: string, model: string): boolean {
  const parts = pattern
    .toLowerCase()
    .split('*')
    .map((part) => part.replace(/[.+?^${}()|[\]\\]/g, String.raw`\$&`));
  return new RegExp(`^${parts.join('.*')}$`).test(model.toLowerCase());
}
