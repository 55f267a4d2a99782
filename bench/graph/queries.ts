import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { graphPaths } from '../../src/graph/index.ts';
import type { Ask } from '../../src/graph/index.ts';
import { askGraph, openGraph } from '../../src/graph/graph.fixture.ts';
import type { GraphReader } from '../../src/graph/graph.fixture.ts';
import { nodeFiles } from '../../src/platform/files.ts';
import { share } from './refresh.ts';

export interface Times {
  readonly question: string;
  readonly runs: number;
  /** Milliseconds. */
  readonly p50: number;
  readonly p95: number;
  readonly max: number;
}

export interface Answered {
  readonly symbols: number;
  readonly edges: number;
  /** Milliseconds from files to the first answer, in the order they were measured. */
  readonly opened: readonly number[];
  readonly times: readonly Times[];
}

const OPENINGS = 9;
const SAMPLE = 3_000;

/** Asks about symbols spread over the whole index, and about those that are called most. */
export function askAll(state: string, root: string): Answered {
  const location = graphPaths(state, root);
  const opened: number[] = [];
  let reader: GraphReader | undefined;
  for (let at = 0; at < OPENINGS; at += 1) {
    const started = performance.now();
    reader = openGraph(nodeFiles, location, root);
    reader?.incoming(0);
    opened.push(performance.now() - started);
  }
  if (reader === undefined) throw new Error(`there is no graph of ${root}`);
  const open = reader;
  const { symbols, edges } = open.counts;
  const keys = sample(open, symbols);
  const hubs = hubsOf(open, symbols);
  const read = (path: string) => readFileSync(join(root, path), 'utf8');
  const times = (question: string, asks: readonly Ask[]): Times => {
    for (const ask of asks.slice(0, 200)) askGraph(open, ask, read);
    const spent = asks.map((ask) => {
      const started = performance.now();
      askGraph(open, ask, read);
      return performance.now() - started;
    });
    return { question, runs: asks.length, p50: share(spent, 0.5), p95: share(spent, 0.95), max: share(spent, 1) };
  };
  return {
    symbols,
    edges,
    opened,
    times: [
      times(
        'callers of any symbol',
        keys.map((symbol) => ({ action: 'callers', symbol })),
      ),
      times(
        'callers of the 100 most called',
        hubs.map((symbol) => ({ action: 'callers', symbol })),
      ),
      times(
        'callees of any symbol',
        keys.map((symbol) => ({ action: 'callees', symbol })),
      ),
      times(
        'impact, depth 3, of any symbol',
        keys.map((symbol) => ({ action: 'impact', symbol, depth: 3 })),
      ),
      times(
        'impact, depth 3, of the 100 most called',
        hubs.map((symbol) => ({ action: 'impact', symbol, depth: 3 })),
      ),
      times(
        'search by name',
        keys.slice(0, 300).map((key) => ({ action: 'search', query: key.replace(/.*[#.]/, '') })),
      ),
      times(
        'context of a symbol',
        keys.slice(0, 300).map((key) => ({ action: 'context', symbols: [key], maxChars: 6_000 })),
      ),
    ],
  };
}

function sample(reader: GraphReader, symbols: number): string[] {
  const step = Math.max(1, Math.floor(symbols / SAMPLE));
  const keys: string[] = [];
  for (let id = 0; id < symbols; id += step) keys.push(reader.symbol(id).key);
  return keys;
}

function hubsOf(reader: GraphReader, symbols: number): string[] {
  const degrees: { id: number; degree: number }[] = [];
  for (let id = 0; id < symbols; id += 1) degrees.push({ id, degree: reader.incoming(id).length });
  degrees.sort((a, b) => b.degree - a.degree || a.id - b.id);
  return degrees.slice(0, 100).map(({ id }) => reader.symbol(id).key);
}
