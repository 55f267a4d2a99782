/** What is asked of a graph: by words, for what calls one symbol, or for the files of a language. */
export type QueryKind = 'search' | 'callers' | 'files';

/** A file or directory that an index consists of, below each directory that it covers. */
export interface IndexPlace {
  readonly dir: string;
  /** The file in it that makes it an index; without one the directory does. */
  readonly file?: string;
  /** An empty file is none. */
  readonly filled?: true;
  /** A variable of the environment that renames `dir`. */
  readonly variable?: string;
  /** Its name where Linux runs inside Windows. */
  readonly wsl?: string;
  /** Written when the index is, where the file or directory itself is not: names below `dir`. */
  readonly writes?: readonly string[];
}

export interface QueryTool {
  readonly tool: string;
  /** The argument that takes the words. */
  readonly argument: string;
  /** An argument that takes the kind of query, and the kinds it knows; without one, everything is a search. */
  readonly action?: string;
  /** The server offers it unless told otherwise, so its being registered is enough to name it. */
  readonly byDefault?: true;
}

export interface QueryCommand {
  readonly program: string;
  /** What stands between the program and the verb. */
  readonly group?: string;
  /** Verbs that count as use of the graph. */
  readonly verbs: readonly string[];
  /** Those of another group that do. */
  readonly elsewhere?: { readonly group: string; readonly verbs: readonly string[] };
  readonly search: string;
  readonly callers?: string;
  readonly files?: string;
}

/** A code graph that a project may have, as data: where its index lies, and by which calls it is used. */
export interface Provider {
  readonly id: string;
  /** As people call it. */
  readonly name: string;
  /** Absent for the built-in graph, which the workspace itself knows of. */
  readonly index?: IndexPlace;
  readonly server: string;
  /** Tools that take a query, best first. */
  readonly tools: readonly QueryTool[];
  /** Only these count as use, each by the value of one argument; otherwise every tool of the server does. */
  readonly use?: readonly { readonly tool: string; readonly argument: string; readonly values: readonly string[] }[];
  readonly command?: QueryCommand;
  /** What its own hook on prompts has in its command: a turn that it served has graph context already. */
  readonly promptHook?: string;
}

const GRAPH_VERBS = ['search', 'context', 'callers', 'callees', 'impact', 'files'];

export const BUILT_IN = 'fairlead';

/** Best first. */
export const PROVIDERS: readonly Provider[] = [
  {
    id: BUILT_IN,
    name: 'Fairlead',
    server: 'fairlead',
    tools: [{ tool: 'graph', argument: 'query', action: 'action', byDefault: true }],
    use: [
      { tool: 'graph', argument: 'action', values: GRAPH_VERBS },
      { tool: 'canvas', argument: 'action', values: ['impact'] },
    ],
    command: {
      program: 'fairlead',
      group: 'graph',
      verbs: GRAPH_VERBS,
      elsewhere: { group: 'canvas', verbs: ['impact'] },
      search: 'search',
      callers: 'callers',
      files: 'files',
    },
  },
  {
    id: 'codegraph',
    name: 'CodeGraph',
    index: {
      dir: '.codegraph',
      file: 'codegraph.db',
      filled: true,
      variable: 'CODEGRAPH_DIR',
      wsl: '.codegraph-wsl',
      // Its database is written through a log beside it.
      writes: ['codegraph.db-wal'],
    },
    server: 'codegraph',
    tools: [
      { tool: 'codegraph_explore', argument: 'query', byDefault: true },
      { tool: 'codegraph_search', argument: 'query' },
      { tool: 'codegraph_context', argument: 'task' },
    ],
    command: {
      program: 'codegraph',
      verbs: ['explore', 'query', 'node', 'callers', 'callees', 'impact', 'context', 'affected', 'files'],
      search: 'explore',
    },
    promptHook: 'codegraph prompt-hook',
  },
  {
    id: 'repowise',
    name: 'Repowise',
    index: { dir: '.repowise', writes: ['wiki.db', 'wiki.db-wal', 'state.json'] },
    server: 'repowise',
    tools: [
      { tool: 'search_codebase', argument: 'query', byDefault: true },
      { tool: 'get_answer', argument: 'question' },
    ],
  },
  {
    id: 'graphify',
    name: 'Graphify',
    index: { dir: 'graphify-out', file: 'graph.json', variable: 'GRAPHIFY_OUT' },
    server: 'graphify',
    tools: [{ tool: 'query_graph', argument: 'question', byDefault: true }],
    command: { program: 'graphify', verbs: ['query', 'path', 'explain'], search: 'query' },
  },
];

type Fields = Readonly<Record<string, unknown>>;

const read = new WeakMap<object, readonly Provider[]>();

/** The providers that count here, best first: the table, and what `packs.codegraph.providers` makes of it. */
export function providersIn(options: Fields): readonly Provider[] {
  const given = options['providers'];
  if (!isFields(given)) return PROVIDERS;
  const known = read.get(given);
  if (known) return known;
  const providers = readProviders(given);
  read.set(given, providers);
  return providers;
}

function readProviders(given: Fields): readonly Provider[] {
  const extra = (Array.isArray(given['extra']) ? given['extra'] : []).flatMap(readProvider);
  const ids = new Set(extra.map(({ id }) => id));
  const disabled = textsAt(given, 'disable');
  const order = textsAt(given, 'order');
  const rank = ({ id }: Provider) => (order.includes(id) ? order.indexOf(id) : order.length);
  return [...PROVIDERS.filter(({ id }) => !ids.has(id)), ...extra]
    .filter(({ id }) => !disabled.includes(id))
    .toSorted((a, b) => rank(a) - rank(b));
}

/** A row that lacks what a provider needs is left out; `id` and where the index lies are enough. */
function readProvider(row: unknown): Provider[] {
  if (!isFields(row)) return [];
  const id = textAt(row, 'id');
  const dir = textAt(row, 'dir');
  if (id === undefined || dir === undefined || id === BUILT_IN || !isName(dir)) return [];
  const file = textAt(row, 'file');
  const program = textAt(row, 'program');
  const verbs = textsAt(row, 'verbs');
  const argument = textAt(row, 'argument') ?? 'query';
  const tools = textsAt(row, 'tools').map((tool): QueryTool => ({ tool, argument, byDefault: true }));
  const [search] = verbs;
  return [
    {
      id,
      name: textAt(row, 'name') ?? id,
      index: file === undefined ? { dir } : { dir, file },
      server: textAt(row, 'server') ?? id,
      tools,
      ...(program !== undefined && search !== undefined && { command: { program, verbs, search } }),
    },
  ];
}

/** One step below a directory, never out of it. */
export function isName(dir: string): boolean {
  return dir !== '' && !dir.startsWith('/') && !dir.split(/[/\\]/).includes('..');
}

export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function textAt(fields: Fields, key: string): string | undefined {
  const value = fields[key];
  return typeof value === 'string' && value !== '' ? value : undefined;
}

function textsAt(fields: Fields, key: string): string[] {
  const value = fields[key];
  const list = Array.isArray(value) ? value : [value];
  return list.filter((item): item is string => typeof item === 'string' && item !== '');
}
