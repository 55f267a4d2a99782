import { Server } from '@modelcontextprotocol/server';
import type { CallToolResult, ServerContext } from '@modelcontextprotocol/server';
import { clean, fitText } from '../graph/index.ts';
import type { Progress } from '../graph/index.ts';
import { systemClock } from '../platform/clock.ts';
import { counted } from '../text/counted.ts';
import { shorten } from '../text/shorten.ts';
import { messageOf } from '../text/message-of.ts';
import { readArguments } from './arguments.ts';
import { Pending } from './ask.ts';
import type { Action, Call } from './call.ts';
import { CANVAS_ACTIONS } from './canvas-actions.ts';
import { defineTool } from './define-tool.ts';
import { findToolRoot } from './find-root.ts';
import { GRAPH_ACTIONS } from './graph-actions.ts';
import type { McpWorld, Projects } from './projects.ts';
import { Refusal } from './refusal.ts';
import { ALIASES, EVERYWHERE, TOOLS } from './tools.ts';

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
