import { IN_AGENT } from './rooms.ts';
import type { Import, SourceFile, Use } from './source.ts';

export interface Violation {
  readonly path: string;
  readonly line: number;
  readonly what: string;
}

/** Path → text of a made-up repository. */
export type Snippet = Readonly<Record<string, string>>;

export interface Check {
  readonly name: string;
  /** The files this check is about; one that is about none proves nothing. */
  readonly covers: (file: SourceFile) => boolean;
  readonly find: (files: readonly SourceFile[]) => readonly Violation[];
  readonly bad: readonly Snippet[];
  /** Looks like a breach and is none. */
  readonly fine: readonly Snippet[];
}

const under =
  (...places: readonly string[]) =>
  (path: string): boolean =>
    places.some((place) => (place.endsWith('/') ? path.startsWith(place) : path === place));

const isTest = (path: string): boolean => /\.(test|fixture)\.ts$|[/-]contract\.ts$/.test(path);
export const isGenerated = (path: string): boolean => path.endsWith('.generated.ts');
export const inProduct = (file: SourceFile): boolean => file.path.startsWith('src/') && !isTest(file.path);
export const isCore = under('src/event/', 'src/engine/');
const INDEXER = 'src/indexer.ts';
const isEntry = under(
  ...[
    'src/hook.ts',
    'src/client.ts',
    'src/hook-streams.ts',
    'src/daemon.ts',
    'src/cli/',
    'src/cli.ts',
    'src/take-out.ts',
  ],
  ...['src/copier.ts', INDEXER, 'src/page/'],
);
/** What a pack has for the command line may do what commands may. */
export const isPackCli = (path: string): boolean => /^src\/packs\/[^/]+\/cli\//.test(path);
export const isEntryPoint = (path: string): boolean => isEntry(path) || isPackCli(path) || IN_AGENT.test(path);
export const asksIndexer = (file: SourceFile): boolean =>
  inProduct(file) && isEntryPoint(file.path) && file.path !== INDEXER;
export const isOutside = (target: string): boolean => !target.startsWith('src/');

const AGENT_FOLDER = /^src\/adapters\/[^/]+\//;
/** Whether this is a part of an agent in whose folder the file does not lie. */
export const isOtherAgent = (path: string, target: string): boolean =>
  AGENT_FOLDER.test(target) && !path.startsWith(AGENT_FOLDER.exec(target)?.[0] ?? '');
/** The lists of agents, asked for the one at a place. */
export const FIRST_AGENT = /^(ADAPTERS|INSTALLERS)\.(\d+|at)\b/;
/** What adapters may know; of Node what only computes. */
export const ADAPTER_WORLD = under(
  'src/adapters/',
  'src/event/',
  'src/platform/',
  'node:path',
  'node:crypto',
  'smol-toml',
);
/** And what an agent loads into its own process: the way to the engine. */
export const CLIENT_WORLD = (target: string): boolean =>
  target.startsWith('src/transport/') || target.startsWith('node:');
/** What rules of every pack may use beside the rule API and their own pack. */
export const RULE_WORLD = under(
  'src/engine/rule.ts',
  'src/jobs/job.ts',
  'src/telemetry/observer.ts',
  'src/event/',
  'src/shell/',
  'src/effects/',
  'src/text/',
  'src/git/',
  'node:path',
);
/** The folders that only compute, and what each may use. */
export const PURE = [
  ['src/shell/', under('src/shell/', 'unbash')],
  [
    'src/effects/',
    under('src/effects/', 'src/shell/', 'src/event/', 'src/text/glob.ts', 'src/text/stamp.ts', 'node:path'),
  ],
  ['src/text/', under('src/text/')],
  ['src/git/', under('src/git/', 'node:path')],
  [
    'src/graph/resolve/',
    under(
      'src/graph/resolve/',
      'src/graph/model/',
      'src/graph/languages/language-rules.ts',
      'src/graph/languages/module-finder.ts',
      'src/graph/languages/resolution.generated.ts',
    ),
  ],
] as const;
/** Beside `shell/`, which says what a command would do: takes the functions and calls out of whole scripts. */
export const SCRIPT_READER = 'src/graph/languages/shell/extractor.ts';
/** What reads code or renders pictures: only the indexing process loads it. */
const READS_CODE = under(
  'src/graph/parse/',
  'src/graph/languages/',
  'src/platform/picture-renderer.ts',
  'oxc-parser',
  'web-tree-sitter',
  '@resvg/resvg-wasm',
);
/** What every process may know of languages. */
const KNOWN_TO_ALL =
  /^src\/graph\/languages\/(?:index\.generated|descriptor|[^/]+\/(?:language|method-types|standard-methods))\.ts$/;
export const HEAVY = (target: string): boolean => READS_CODE(target) && !KNOWN_TO_ALL.test(target);
/** What others import of the graph: answers for whoever asks, what settings say of it, and the way in for the process that parses. */
const GRAPH_DOORS = under('src/graph/index.ts', 'src/graph/settings.ts');
const INDEXING_DOOR = 'src/graph/indexing.ts';
export const isInsideGraph = (file: SourceFile, target: string): boolean => {
  if (!target.startsWith('src/graph/') || GRAPH_DOORS(target)) return false;
  return inProduct(file) ? file.path !== INDEXER || target !== INDEXING_DOOR : !isTest(target);
};
/** What speaks the protocol of tools: of no use to an event. */
export const TOOL_SERVER = under('src/mcp/', '@modelcontextprotocol/');
export const answersEvents = (file: SourceFile): boolean => under('src/hook.ts', 'src/daemon.ts')(file.path);
/** What runs in the browser, and the shapes of what it is given. */
export const inBrowser = (file: SourceFile): boolean => file.path.startsWith('src/page/');
export const PAGE_WORLD = under('src/page/', 'preact', 'preact/hooks');
export const PAGE_SHAPES = 'src/cli/page/shapes.ts';
/** Node's modules that compute and touch nothing. */
const PURE_NODE = under('node:path', 'node:url', 'node:util', 'node:crypto', 'node:buffer');
export const leadsOut = (target: string): boolean =>
  target === '@photostructure/sqlite' || (target.startsWith('node:') && !PURE_NODE(target));
export const WORLD_GLOBALS = new Set(
  'process performance setTimeout setInterval setImmediate require fetch'.split(' '),
);
export const CORE_GLOBALS = new Set([...WORLD_GLOBALS, 'Buffer', 'console']);
const PRINTS_OR_EXITS = /^(console\b|process\.(stdout|stderr|exit|exitCode|abort|kill|reallyExit)\b)/;
/** Dynamic imports, and why each is one. */
export const LOADS_LATE = new Map([
  [/^src\/cli\/commands\/lease\.ts$/, 'the client of the server of a team, which one of its verbs asks'],
  [
    /^src\/packs\/([^/]+\/)?index\.generated\.ts$/,
    "the body of a rule loads when an event reaches it, a pack's jobs, observer and reader when they are needed",
  ],
  [/^src\/packs\/cli\.generated\.ts$/, 'what packs have for the command line loads with the verb that asks for it'],
  [/^src\/cli\/verbs\.generated\.ts$/, 'a verb loads itself and no other'],
  [/^src\/cli\/dispatch\.ts$/, 'what explains verbs, which reads settings'],
  [/^src\/transport\/answer\.ts$/, 'what runs hooks of others, where an entry asks for it'],
  [/^src\/daemon\.ts$/, 'the rest of its own code, before an update takes the files away'],
  [/^src\/hook\.ts$/, 'the way an event takes: the daemon, or an engine of its own'],
  [
    /^src\/assembly\/(open-(engine|workspaces|followers)|follow-team)\.ts$/,
    'what fetches the policy of a team, and what talks to the server of its state; what a rule in force may need: the parts of user rules, the reader of effects, what copies',
  ],
  [/^src\/graph\/indexing\.ts$/, 'what draws pictures, and its renderer'],
  [
    /^src\/facts\/facts\.ts$/,
    'what reads keys and the settings of agents, needed by one rule once a day; what looks for losses, where a call would be stopped',
  ],
  [/^src\/undo\/open-keeper\.ts$/, 'what copies, where that is not done in a thread of its own'],
  [/^src\/platform\/outside\.ts$/, 'where slow facts come from, needed when a rule asks for one'],
  [
    /^src\/relay\/relay\.ts$/,
    'what sends records, where somebody subscribed to them, and what names messages that do not fit',
  ],
  [/^src\/telemetry\/otlp\/otlp\.ts$/, 'what sends the record to a receiver, where somebody asked for it'],
  [
    /^src\/graph\/languages\/extractors\.generated\.ts$/,
    'the extractor and the grammar of a language that the project has',
  ],
  [/^src\/workspace\/config\/layer\.ts$/, 'the YAML parser, needed only when a configuration changed'],
]);
/** The timers outside `platform/`: deadlines of a rule and of an event, by a function that every JavaScript runtime has. */
const TIMER = { paths: ['src/engine/decide/run.ts', 'src/engine/decide/deadlines.ts'], chain: 'setTimeout' };
/** The processes that are ended outside entry points: a command that a job started, and a hook of somebody else's, at its limit. */
export const endsChild = ({ path }: SourceFile, { chain }: Use): boolean =>
  ['src/platform/run-command.ts', 'src/platform/run-hook.ts'].includes(path) && chain === 'process.kill';
export const VAGUE_NAMES = /^(utils?|helpers?|misc|common|shared|manager)$/i;
export const MAX_LINES = 500;

export const at = (file: SourceFile, { line }: { line: number }, what: string): Violation => ({
  path: file.path,
  line,
  what,
});

export const importsWhere = (file: SourceFile, test: (each: Import) => boolean, why: string): Violation[] =>
  file.imports.filter(test).map((each) => at(file, each, `${why}: imports ${each.target || 'a computed name'}`));

export const usesWhere = (file: SourceFile, test: (each: Use) => boolean, why: string): Violation[] =>
  file.uses.filter(test).map((each) => at(file, each, `${why}: uses ${each.chain}`));

export const globalsWhere = (file: SourceFile, names: ReadonlySet<string>, why: string): Violation[] =>
  usesWhere(
    file,
    ({ chain, isGlobal }) =>
      isGlobal && names.has(chain.split('.')[0] ?? '') && !(TIMER.paths.includes(file.path) && chain === TIMER.chain),
    why,
  );

export function readsClock({ chain, form, args, isGlobal }: Use): boolean {
  if (!isGlobal) return false;
  return chain === 'Date.now' || (chain === 'Date' && (form === 'call' || (form === 'new' && args.length === 0)));
}

export function printsOrExits({ chain, args, isGlobal }: Use): boolean {
  const [target, signal] = args;
  const asksWhetherAlive = chain === 'process.kill' && signal?.['value'] === 0;
  if (isGlobal && PRINTS_OR_EXITS.test(chain) && !asksWhetherAlive) return true;
  return /(^|\.)write(File)?Sync$/.test(chain) && (target?.['value'] === 1 || target?.['value'] === 2);
}

/** A check of each covered file by itself. */
export function eachFile(
  covers: (file: SourceFile) => boolean,
  find: (file: SourceFile) => readonly Violation[],
): Pick<Check, 'covers' | 'find'> {
  return { covers, find: (files) => files.filter(covers).flatMap(find) };
}

/** What a file does beside computing with what `world` has. */
export function impure(file: SourceFile, world: (path: string) => boolean): Violation[] {
  const why = 'it only reads what it is given';
  return [
    ...importsWhere(file, ({ target }) => !world(target), why),
    ...globalsWhere(file, CORE_GLOBALS, why),
    ...usesWhere(file, readsClock, why),
  ];
}

/** The files that `starts` picks and all that they load at run time, wherever that lies. */
export function loadedFrom(files: readonly SourceFile[], starts: (file: SourceFile) => boolean): SourceFile[] {
  const byPath = new Map(files.map((file) => [file.path, file]));
  const reached = new Set(files.filter(starts));
  for (const file of reached) {
    for (const { kind, target } of file.imports) {
      const next = byPath.get(target);
      if (next && kind !== 'type') reached.add(next);
    }
  }
  return [...reached];
}
