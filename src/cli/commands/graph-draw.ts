import { ANSWER_SCHEMA, askRoot } from '../../graph/index.ts';
import type { Ask, DrawRequest, DrawResult, Draws, GraphRoot } from '../../graph/index.ts';
import { nodeFiles } from '../../platform/files.ts';
import { basename, join, resolve } from '../../platform/paths.ts';
import { messageOf } from '../../text/message-of.ts';
import { CommandError, JSON_OPTION, printJson, UsageError } from '../command.ts';
import type { CliWorld, Command, Input, VerbFile } from '../command.ts';
import { graphRoot, ROOT_OPTION } from '../graph/graph-root.ts';
import { printAnswer, whyNone } from '../graph/show-answer.ts';
import { withFreshener } from '../graph/with-freshener.ts';
import type { Asking } from '../graph/with-freshener.ts';
import { hint } from '../hint.ts';

const UNCLEAR = 1;
const MAX_CHARS = 6_000;
const WHAT = ['architecture', 'impact'] as const;

export const draw: Command = {
  summary: 'a picture of the project, or of what depends on a symbol',
  usage: '[symbol]',
  args: [0, 2],
  details: `Without a symbol, or with the word architecture: the parts of the project and how they import each other, from what nobody imports down to what imports
nobody. With a symbol, or impact and a symbol: who calls it, and what it calls; SYMBOL is a key, a place (src/store.ts:12), a qualified name or a
name, and the exit code is 1 when none or several fit.

Each picture is written as SVG and PNG beside the code graph, under a name that stays the same, and only when what it shows
has changed. Files of the project that changed are read again first. The paths are printed.`,
  options: {
    out: {
      type: 'string',
      value: 'DIR',
      help: 'copy the pictures there, and print those paths; by default to pictures.out of the settings',
    },
    pick: { type: 'string', value: 'best', help: 'of several symbols, take the best' },
    ...ROOT_OPTION,
    ...JSON_OPTION,
  },
  async run(input, world) {
    const ask = questionOf(input);
    const root = await graphRoot(input, world);
    return await withFreshener(world, root.path, undefined, (asking) => drawFresh(input, world, ask, root, asking));
  },
};

function questionOf(input: Input): Extract<Ask, { action: 'impact' | 'files' }> {
  const [first = 'architecture', second] = input.args;
  const isWord = WHAT.some((each) => each === first);
  if (!isWord && second !== undefined)
    throw new UsageError(`draw takes one symbol, or ${WHAT.join(' or ')} first${hint(first, WHAT)}`);
  const [what, symbol] = isWord ? [first, second] : ['impact', first];
  const pick = input.text('pick');
  if (pick !== undefined && pick !== 'best') throw new UsageError(`--pick knows best alone, not "${pick}"`);
  if (what === 'architecture') {
    if (symbol !== undefined)
      throw new UsageError('the architecture is that of the whole project; leave out the symbol');
    return { action: 'files', limit: 1 };
  }
  if (symbol === undefined) throw new UsageError('impact of which symbol?');
  return { action: 'impact', symbol, pickBest: pick === 'best', depth: 1, maxNodes: 1 };
}

async function drawFresh(
  input: Input,
  world: CliWorld,
  ask: Ask,
  root: GraphRoot,
  { indexing, freshener, settings }: Asking,
): Promise<number> {
  const answered = await askRoot(ask, root.path, nodeFiles, freshener);
  if (!answered) throw new CommandError(whyNone(root, world, freshener.isThere()));
  const { answer } = answered;
  if (answer.is === 'missing' || answer.is === 'choice') {
    printAnswer(answered, world, input.has('json') ? undefined : MAX_CHARS, root);
    return UNCLEAR;
  }
  const request: DrawRequest = {
    do: 'draw',
    root: root.path,
    origin: 'explicit',
    ...(answer.is === 'impact' ? { what: 'impact', symbol: answer.symbol.key } : { what: 'architecture' }),
  };
  const drawn = await drawOrSay(indexing, request);
  const dir = outOf(input, world, root.path, settings.picturesOut);
  const paths = [drawn.svg, drawn.png].filter((path) => path !== undefined);
  const shown = dir === undefined ? paths : copyTo(dir, paths);
  if (input.has('json')) {
    const [svg, png] = ['.svg', '.png'].map((ending) => shown.find((path) => path.endsWith(ending)));
    const { evidence, warning } = drawn;
    printJson(world, { schema: ANSWER_SCHEMA, root: root.path, what: request.what, evidence, svg, png, warning });
  } else {
    for (const path of shown) world.out(`${path}\n`);
    if (drawn.warning !== undefined) world.err(`${drawn.warning}\n`);
  }
  return shown.length > 0 ? 0 : UNCLEAR;
}

/** As it was asked for, from the working directory; else as the project has it set, from its root and inside it. */
function outOf(input: Input, world: CliWorld, root: string, set: string | undefined): string | undefined {
  const asked = input.text('out');
  if (asked !== undefined) return resolve(world.cwd, asked);
  if (set === undefined) return undefined;
  const dir = resolve(root, set);
  if (dir !== root && !dir.startsWith(`${root}/`))
    throw new CommandError(`pictures.out is to lie inside of the project: ${set}`);
  return dir;
}

async function drawOrSay(indexing: Draws, request: DrawRequest): Promise<DrawResult> {
  try {
    return await indexing.draw(request);
  } catch (error) {
    throw new CommandError(`nothing was drawn: ${messageOf(error)}`);
  }
}

/** Under the same names; what lies there with such a name is replaced. */
function copyTo(dir: string, paths: readonly string[]): string[] {
  try {
    nodeFiles.makeDirLikeParent(dir);
    return paths.map((path) => {
      const bytes = nodeFiles.readBytes(path);
      if (bytes === undefined) throw new Error(`${path} is gone`);
      const copy = join(dir, basename(path));
      nodeFiles.writeAtomic(copy, bytes, nodeFiles.exists(copy) ? undefined : OPEN_TO_READ);
      return copy;
    });
  } catch (error) {
    throw new CommandError(`cannot write to ${dir}: ${messageOf(error)}`);
  }
}

const OPEN_TO_READ = 0o644;

export default { order: 320, verbs: { 'graph draw': draw } } satisfies VerbFile;
