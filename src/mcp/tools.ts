import type { ArgumentTypes } from './arguments.ts';

/** The actions of each tool, and what each takes besides what all take. */
export interface ToolTable {
  readonly name: string;
  readonly description: string;
  readonly readOnly: boolean;
  readonly actions: Readonly<Record<string, readonly string[]>>;
  readonly types: ArgumentTypes;
  /** Arguments that models are told of; the others are taken all the same. */
  readonly shown: readonly string[];
}

/** Other words for an action. */
export const ALIASES: Readonly<Record<string, string>> = { init: 'index' };

const SYMBOL = ['symbol', 'query', 'file', 'pick'];
const IMPACT = [...SYMBOL, 'depth', 'max_nodes', 'draw'];
export const EVERYWHERE: readonly string[] = ['root', 'max_chars', 'wait_s'];

const TYPES: ArgumentTypes = {
  query: { is: 'text', about: 'words; files: language, path or glob' },
  symbol: { is: 'text', about: 'key, path:line or name' },
  symbols: { is: 'texts' },
  file: { is: 'text', about: 'where the symbol is' },
  pick: { is: 'text', among: ['best'] },
  kind: { is: 'texts' },
  limit: { is: 'number', least: 1 },
  possible: { is: 'boolean' },
  depth: { is: 'number', least: 1, most: 5, about: '1-5, 2' },
  max_nodes: { is: 'number', least: 1 },
  draw: { is: 'boolean', about: 'true' },
  path: { is: 'text' },
  pattern: { is: 'text' },
  language: { is: 'text' },
  format: { is: 'text', among: ['tree', 'flat'] },
  max_depth: { is: 'number', least: 1 },
  what: { is: 'text', among: ['architecture', 'impact'] },
  force: { is: 'boolean' },
  verify: { is: 'boolean' },
  root: { is: 'text', about: 'project directory' },
  max_chars: { is: 'number', least: 100, about: '6000' },
  wait_s: { is: 'number', least: 0, most: 60, fraction: true, about: '0-60, 10' },
};

export const GRAPH: ToolTable = {
  name: 'graph',
  description:
    'Code graph of the project, kept current. search: symbols by name. callers, callees: of a symbol, with call sites. impact: what a change touches. context: source of symbols, callers, callees. files: indexed files. draw: picture. index, status.',
  // What is written is derived from the code and kept apart from it.
  readOnly: true,
  actions: {
    search: ['query', 'kind', 'limit'],
    callers: [...SYMBOL, 'limit', 'possible'],
    callees: [...SYMBOL, 'limit', 'possible'],
    impact: IMPACT,
    context: ['query', 'symbols', 'symbol'],
    files: ['path', 'pattern', 'query', 'language', 'format', 'max_depth', 'limit'],
    draw: ['what', ...SYMBOL],
    index: ['force', 'verify'],
    status: [],
  },
  types: TYPES,
  shown: [
    'query',
    'symbol',
    'symbols',
    'file',
    'pick',
    'limit',
    'depth',
    'draw',
    'what',
    'root',
    'max_chars',
    'wait_s',
  ],
};

export const CANVAS: ToolTable = {
  name: 'canvas',
  description:
    'Evidence about the project, with pictures. impact: as in graph, kept as the focus. read: focus, newest evidence. status, index.',
  readOnly: false,
  actions: { impact: IMPACT, read: ['limit'], status: [], index: ['force', 'verify'] },
  types: TYPES,
  shown: ['symbol', 'depth', 'limit', 'root'],
};

export const TOOLS: readonly ToolTable[] = [GRAPH, CANVAS];
