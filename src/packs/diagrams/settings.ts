import { compileGlob, parseDuration } from '../../engine/rule.ts';
import type { Glob } from '../../engine/rule.ts';
import { DEFAULTS } from './drawing/drawing.ts';
import type { DrawingOptions } from './drawing/drawing.ts';
import { DEFAULT_SOURCES } from './drawing/sources.ts';

export interface Settings {
  /** In lower case, with their dot. */
  readonly extensions: ReadonlySet<string>;
  readonly drawing: DrawingOptions;
  /** Programs that draw, by base name in lower case. */
  readonly tools: readonly string[];
  readonly sources: readonly string[];
  readonly exempt: readonly Glob[];
  readonly freshForMs: number;
  readonly provenance: 'off' | 'extend' | 'require';
  /** The part of a drawing's box lines that a program must have printed. */
  readonly coverage: number;
}

/** `packs.diagrams` as it is when nobody sets anything. */
export const OPTIONS = {
  extensions: ['.md', '.mdx', '.markdown'],
  threshold: DEFAULTS.threshold,
  ascii: 'off',
  tools: ['graph-easy', 'mermaid-ascii', 'd2', 'svgbob', 'svgbob_cli', 'plantuml'],
  sources: DEFAULT_SOURCES,
  quotedFences: DEFAULTS.quotedFences,
  exempt: [] as readonly string[],
  freshFor: '30s',
  provenance: 'extend',
  coverage: 0.9,
};

const known = new WeakMap<object, Settings>();

/** What a person wrote, with the default for whatever makes no sense. */
export function settingsOf(options: Readonly<Record<string, unknown>>): Settings {
  let settings = known.get(options);
  if (!settings) known.set(options, (settings = read(options)));
  return settings;
}

function read(options: Readonly<Record<string, unknown>>): Settings {
  const { threshold, ascii, freshFor, provenance, coverage } = options;
  return {
    extensions: new Set(texts(options['extensions'], OPTIONS.extensions).map(asExtension)),
    drawing: {
      threshold: isNumber(threshold, 1, 100_000) ? threshold : OPTIONS.threshold,
      ascii: ascii === 'on' || ascii === true,
      quotedFences: texts(options['quotedFences'], OPTIONS.quotedFences).map((label) => label.toLowerCase()),
    },
    tools: texts(options['tools'], OPTIONS.tools).map((tool) => tool.toLowerCase()),
    sources: texts(options['sources'], OPTIONS.sources),
    exempt: texts(options['exempt'], OPTIONS.exempt).map(compileGlob),
    freshForMs: (typeof freshFor === 'string' ? parseDuration(freshFor) : undefined) ?? 30_000,
    provenance: provenance === 'require' || isOff(provenance) ? (isOff(provenance) ? 'off' : 'require') : 'extend',
    coverage: isNumber(coverage, 0, 1) ? coverage : OPTIONS.coverage,
  };
}

/** Old YAML reads `off` as a truth value. */
function isOff(value: unknown): boolean {
  return value === 'off' || value === false;
}

function isNumber(value: unknown, least: number, most: number): value is number {
  return typeof value === 'number' && value >= least && value <= most;
}

function texts(value: unknown, otherwise: readonly string[]): readonly string[] {
  if (!Array.isArray(value)) return otherwise;
  return (value as readonly unknown[]).filter((each) => typeof each === 'string');
}

function asExtension(text: string): string {
  return `.${text.replace(/^\./, '').toLowerCase()}`;
}
