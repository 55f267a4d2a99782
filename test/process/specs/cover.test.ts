import { describe, expect, it } from 'vitest';
import { AUTOCONTEXT_ROOTS } from './autocontext-roots.rows.ts';
import { AUTOCONTEXT_CARDS } from './autocontext-cards.rows.ts';
import { AUTOCONTEXT_GRAPH } from './autocontext-graph.rows.ts';
import { CAREFUL } from './careful.rows.ts';
import { CONTEXT_CALLS } from './context-calls.rows.ts';
import { CONTEXT_COUNTED } from './context-counted.rows.ts';
import { CONTEXT_DAILY } from './context-daily.rows.ts';
import { CONTEXT_TOGETHER } from './context-together.rows.ts';
import { DIAGRAMS_DRAWINGS } from './diagrams-drawings.rows.ts';
import { DIAGRAMS_FLAG } from './diagrams-flag.rows.ts';
import { INCREMENTS_DETECTION } from './increments-detection.rows.ts';
import { INCREMENTS_JOBS } from './increments-jobs.rows.ts';
import type { Row } from './rows.ts';
import { SEARCH_NUDGE_SHAPES } from './search-nudge-shapes.rows.ts';
import { SEARCH_NUDGE_TURNS } from './search-nudge-turns.rows.ts';
import { SEEDS, idsOf } from './sections.ts';
import type { Seed } from './sections.ts';

const NUDGE = 'nudge/';
const idsIn = (rows: readonly Row[]): readonly string[] => rows.flatMap(({ id }) => id.split(' '));
/** Rows about the built-in graph stand among those of autocontext, which has it indexed. */
const inGraph = idsIn([...AUTOCONTEXT_ROOTS, ...AUTOCONTEXT_CARDS, ...AUTOCONTEXT_GRAPH]).filter((id) =>
  id.startsWith(NUDGE),
);
const TABLES: readonly (readonly [seed: Seed, rows: readonly Row[], ids: readonly string[]])[] = [
  [
    SEEDS.searchNudge,
    [...SEARCH_NUDGE_SHAPES, ...SEARCH_NUDGE_TURNS, ...CAREFUL],
    inGraph.map((id) => id.slice(NUDGE.length)),
  ],
  [SEEDS.diagrams, [...DIAGRAMS_DRAWINGS, ...DIAGRAMS_FLAG], []],
  [SEEDS.increments, [...INCREMENTS_DETECTION, ...INCREMENTS_JOBS], []],
  [SEEDS.autocontext, [...AUTOCONTEXT_ROOTS, ...AUTOCONTEXT_CARDS, ...AUTOCONTEXT_GRAPH], []],
  [SEEDS.context, [...CONTEXT_CALLS, ...CONTEXT_COUNTED, ...CONTEXT_DAILY, ...CONTEXT_TOGETHER], []],
];
const rowsOf = TABLES.flatMap(([{ name }, rows]) => rows.map((row) => ({ ...row, seed: name })));

/** What the specifications have and Fairlead lacks, by the ids of the rows that show it. One that is mended leaves the list. */
const GAPS: readonly string[] = ['context 5.1.trust', 'context 5.17.1 5.17.6', 'context 5.17.2 5.17.version.compare'];

describe('the rows of a specification', () => {
  it.each(TABLES.map(([seed, rows, more]) => ({ seed, rows, more })))(
    '$seed.name: each section has a row or a reason',
    ({ seed, rows, more }) => {
      const shown = new Set([...idsIn(rows).filter((id) => !id.startsWith(NUDGE)), ...more]);
      const known = idsOf(seed);
      const reasons = Object.keys(seed.undriven);
      expect(known.length).toBe(new Set(known).size);
      expect({ unknown: [...shown, ...reasons].filter((id) => !known.includes(id)) }).toEqual({ unknown: [] });
      expect({ without: known.filter((id) => !shown.has(id) && !reasons.includes(id)) }).toEqual({ without: [] });
      expect({ both: reasons.filter((id) => shown.has(id)) }).toEqual({ both: [] });
    },
  );

  it('every row expects something', () => {
    expect(
      rowsOf.filter(({ steps }) => steps.every((step) => typeof step !== 'function' && step.length === 1)),
    ).toEqual([]);
    expect(rowsOf.length).toBeGreaterThan(400);
  });

  it('gaps are told and counted', () => {
    const gaps = rowsOf.flatMap(({ seed, id, what, gap }) =>
      gap === undefined ? [] : [`${seed} ${id}: ${what}: ${gap}`],
    );
    const tally = TABLES.map(([{ name }, rows]) => `${name} ${rows.length}`).join(', ');
    process.stdout.write(`rows: ${tally}; gaps: ${gaps.length}\n${gaps.map((gap) => `  gap: ${gap}\n`).join('')}`);
    expect(gaps.map((gap) => gap.split(': ')[0])).toEqual(GAPS);
  });
});
