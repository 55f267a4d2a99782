import { Server } from '@modelcontextprotocol/server';
import type { CallToolResult, ServerContext, Tool } from '@modelcontextprotocol/server';
import {
  clean,
  fitText,
  canvasLines,
  renderCanvas,
  USUAL_LIMIT,
  viewCanvas,
  KNOWN_LANGUAGES,
  renderAnswer,
  SYMBOL_KINDS,
} from '../graph/index.ts';
import type { Progress, CanvasView, Ask } from '../graph/index.ts';
import { systemClock } from '../platform/clock.ts';
import { counted } from '../text/counted.ts';
import { shorten } from '../text/shorten.ts';
import { messageOf } from '../text/message-of.ts';
import { readArguments } from './arguments.ts';
import type { ArgumentType } from './arguments.ts';
import { Pending, ask } from './ask.ts';
import type { Action, Call } from './call.ts';
import { findToolRoot } from './find-root.ts';
import type { McpWorld, Projects } from './projects.ts';
import { Refusal } from './refusal.ts';
import { ALIASES, EVERYWHERE, TOOLS } from './tools.ts';
import type { ToolTable } from './tools.ts';
import { impact } from './impact.ts';
import { statusLines, graphStatus } from './graph-status.ts';
import { indexRoot } from './index-root.ts';
import { callFor, wordingFor } from './wording.ts';
import { nearestWord } from '../user-rules/nearest-word.ts';
import { drawPicture } from './draw.ts';
import { namingOf, pathBelow } from './naming.ts';

export const GRAPH_ACTIONS: Readonly<Record<string, Action>> = {
  search: (call) => answer(call, searchOf(call)),
  callers: (call) => answer(call, callsOf(call, 'callers')),
  callees: (call) => answer(call, callsOf(call, 'callees')),
  impact,
  context: (call) => answer(call, contextOf(call)),
  files: (call) => answer(call, filesOf(call)),
  draw: drawPicture,
  index: indexRoot,
  status: graphStatus,
};

async function answer(call: Call, question: Ask): Promise<string> {
  return renderAnswer(await ask(call, question), call.maxChars, wordingFor('graph', call.root));
}

function searchOf({ given }: Call): Ask {
  const query = given.text('query') ?? '';
  if (query.trim() === '') throw new Refusal('search wants the argument query: words of a name');
  return { action: 'search', query, kinds: kindsOf(given.texts('kind')), limit: given.number('limit') };
}

function callsOf(call: Call, action: 'callers' | 'callees'): Ask {
  const { given } = call;
  return { action, ...namingOf(call), limit: given.number('limit'), possible: given.boolean('possible') };
}

function contextOf({ given, maxChars }: Call): Ask {
  const symbol = given.text('symbol');
  const symbols = given.texts('symbols') ?? (symbol === undefined ? [] : [symbol]);
  const query = given.text('query') ?? '';
  if (query.trim() === '' && symbols.length === 0)
    throw new Refusal('context wants the argument query (words) or symbols (names)');
  return { action: 'context', query, symbols, maxChars };
}

/** A query is a language where there is one of that name, a pattern where it has stars, else a path. */
function filesOf(call: Call): Ask {
  const { given } = call;
  const query = given.text('query')?.trim() ?? '';
  const isLanguage = KNOWN_LANGUAGES.has(query.toLowerCase());
  const isPattern = !isLanguage && /[*?[{]/.test(query);
  const isPath = !isLanguage && !isPattern && query !== '';
  const format = given.text('format');
  return {
    action: 'files',
    path: pathBelow(given.text('path') ?? (isPath ? query : undefined), call),
    pattern: given.text('pattern') ?? (isPattern ? query : undefined),
    language: given.text('language')?.toLowerCase() || (isLanguage ? query.toLowerCase() : undefined),
    format: format === 'flat' || format === 'tree' ? format : undefined,
    maxDepth: given.number('max_depth'),
    limit: given.number('limit'),
  };
}

type Kind = NonNullable<Extract<Ask, { action: 'search' }>['kinds']>[number];

function kindsOf(words: readonly string[] | undefined): Kind[] | undefined {
  const kinds = words?.map((word) => {
    const kind = SYMBOL_KINDS.find((each) => each === word.toLowerCase());
    if (kind !== undefined) return kind;
    const near = nearestWord(word, SYMBOL_KINDS);
    throw new Refusal(
      `no kind of symbol is called "${word}"${near === undefined ? '' : `, perhaps ${near}`}; there is ${SYMBOL_KINDS.join(', ')}`,
    );
  });
  return kinds === undefined || kinds.length === 0 ? undefined : kinds;
}

/** As clients are told of a tool. Every client shows this to its model: no word more than a call needs. */
export function defineTool(table: ToolTable, meta: Readonly<Record<string, unknown>>): Tool {
  const { name, description, readOnly, actions, types, shown } = table;
  const names = Object.keys(actions);
  const aliases = Object.keys(ALIASES).filter((alias) => names.includes(ALIASES[alias] ?? ''));
  const properties = Object.fromEntries(
    shown.flatMap((argument) => (types[argument] ? [[argument, schemaOf(types[argument])]] : [])),
  );
  return {
    name,
    description,
    inputSchema: {
      type: 'object',
      properties: { action: { type: 'string', enum: [...names, ...aliases] }, ...properties },
      required: ['action'],
    },
    annotations: { readOnlyHint: readOnly, ...(!readOnly && { destructiveHint: false }), openWorldHint: false },
    ...(Object.keys(meta).length > 0 && { _meta: { ...meta } }),
  };
}

function schemaOf(type: ArgumentType): { [key: string]: string | number | readonly string[] | object } {
  const about = type.about ? { description: type.about } : {};
  switch (type.is) {
    case 'text':
      return { type: 'string', ...(type.among && { enum: type.among }), ...about };
    case 'texts':
      return { type: 'array', items: { type: 'string' }, ...about };
    case 'boolean':
      return { type: 'boolean', ...about };
    case 'number':
      return { type: type.fraction ? 'number' : 'integer', ...about };
  }
}

export const CANVAS_ACTIONS: Readonly<Record<string, Action>> = {
  impact,
  index: indexRoot,
  async status(call) {
    const view = await look(call);
    return [...canvasLines(view), ...(await statusLines(call))].join('\n');
  },
  async read(call) {
    const limit = call.given.number('limit') ?? USUAL_LIMIT;
    const more = (options: Readonly<Record<string, number>>) => callFor('canvas', 'read', '', options, call.root);
    return renderCanvas(await look(call), limit, call.maxChars, more);
  },
};

/** Compared with the files as they are now, where there is an index. */
async function look(call: Call): Promise<CanvasView> {
  const { root, world, projects } = call;
  const { state, files, pid } = world;
  const freshener = await projects.freshener(root.path, call.leftMs());
  if (freshener.open()) await freshener.sweep();
  return viewCanvas({ state, root: root.path, files, pid }, freshener.open());
}

export interface ServerOptions {
  readonly world: McpWorld;
  readonly projects: Projects;
  readonly version: string;
  /** What agents want to read in the definition of each tool. */
  readonly toolMeta: Readonly<Record<string, unknown>>;
  onFailure(error: unknown): void;
}

const ACTIONS: Readonly<Record<string, Readonly<Record<string, Action>>>> = {
  graph: GRAPH_ACTIONS,
  canvas: CANVAS_ACTIONS,
};

const MAX_CHARS = 6_000;
const WAIT_S = 10;
/** An error may quote what it was given. */
const MOST_WHY = 1_000;

/** The tools of the code graph. Our own tables check the arguments, so that a wrong one gets an answer a model can act on. */
export function createServer(options: ServerOptions): Server {
  const { version, toolMeta } = options;
  const server = new Server({ name: 'fairlead', version }, { capabilities: { tools: {} } });
  const tools = TOOLS.map((table) => defineTool(table, toolMeta));
  server.setRequestHandler('tools/list', () => ({ tools }));
  server.setRequestHandler('tools/call', ({ params }, context) =>
    answerCall(params.name, params.arguments, options, progressTo(context)),
  );
  return server;
}

async function answerCall(
  name: string,
  given: unknown,
  options: ServerOptions,
  onProgress: (progress: Progress) => void,
): Promise<CallToolResult> {
  try {
    return told(await perform(name, given, options, onProgress));
  } catch (error) {
    if (error instanceof Pending) return told(error.message);
    if (!(error instanceof Refusal)) options.onFailure(error);
    const why = messageOf(error);
    return { ...told(shorten(clean(why), MOST_WHY)), isError: true };
  }
}

function told(text: string): CallToolResult {
  return { content: [{ type: 'text', text }] };
}

async function perform(
  name: string,
  given: unknown,
  { world, projects }: ServerOptions,
  onProgress: (progress: Progress) => void,
): Promise<string> {
  const table = TOOLS.find((each) => each.name === name);
  if (table === undefined)
    throw new Refusal(`there is no tool "${name}"; there is ${TOOLS.map((each) => each.name).join(', ')}`);
  const read = readArguments(given, { ...table, everywhere: EVERYWHERE, aliases: ALIASES });
  const waitMs = 1_000 * (read.number('wait_s') ?? WAIT_S);
  const until = systemClock.now() + waitMs;
  const { state, files, home, env } = world;
  const note = read.unused.length === 0 ? '' : `\nnot used by ${read.action}: ${read.unused.join(', ')}`;
  const call: Call = {
    given: read,
    root: await findToolRoot(read.text('root'), {
      state,
      files,
      home,
      env,
      cwd: world.cwd(),
      forcesRoots: () => world.forcesRoots(),
    }),
    world,
    projects,
    maxChars: (read.number('max_chars') ?? MAX_CHARS) - note.length,
    waitMs,
    leftMs: () => Math.max(0, until - systemClock.now()),
    onProgress,
  };
  const text = await ACTIONS[name]?.[read.action]?.(call);
  if (text === undefined) throw new Error(`${name} ${read.action} is not built`);
  return keepWithin(text, call.maxChars) + note;
}

/** Answers that no budget was given to keep whole lines, too. */
function keepWithin(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text;
  const more = (left: number) => `… ${counted(left, 'line')} left out for length; max_chars ${text.length} shows all`;
  return fitText({ head: [], sections: [{ name: 'lines', lines: text.split('\n'), more }], tail: [] }, maxChars);
}

/** For a client that asked to be told how far it is; one that is gone is told nothing. */
function progressTo({ mcpReq }: ServerContext): (progress: Progress) => void {
  const { _meta: meta } = mcpReq;
  const progressToken = meta?.progressToken;
  if (progressToken === undefined) return () => {};
  let last = -1;
  return ({ phase, done, total }) => {
    // It must rise, and each phase begins anew.
    const progress = Math.max(last + 1, done);
    last = progress;
    const params = { progressToken, progress, message: total > 0 ? `${phase} ${done} of ${total} files` : phase };
    mcpReq.notify({ method: 'notifications/progress', params }).catch(() => {});
  };
}
