import {
  ANSWER_SCHEMA,
  askForPicture,
  graphPaths,
  holderOf,
  indexExplicitly,
  readActiveRoot,
  readStatus,
} from '../../graph/index.ts';
import type { Draws, GraphRoot, IndexResult, Kept } from '../../graph/index.ts';
import type { GraphSettings } from '../../engine/settings.ts';
import { nodeFiles } from '../../platform/files.ts';
import { messageOf } from '../../text/message-of.ts';
import { CommandError, JSON_OPTION, printJson, UsageError } from '../command.ts';
import type { CliWorld, Command, VerbFile } from '../command.ts';
import { graphRoot, isMarked, ROOT_OPTION } from '../graph/graph-root.ts';
import { graphSettingsAt } from '../graph/graph-settings.ts';
import { openIndexing } from '../graph/indexing.ts';
import { createProgressLine } from '../graph/progress-line.ts';
import { commandFor } from '../graph/show-answer.ts';
import { showCounts, showSkipped, showStatus } from '../graph/show-status.ts';
import { wholeNumber } from '../graph/whole-number.ts';
import { counted, paint } from '../table.ts';

const NOTHING = 1;
/** As shells report a program that was ended by an interrupt. */
const INTERRUPTED = 130;
const DRAW_MS = 10_000;
const MAX_WAIT = 60;

export const index: Command = {
  summary: 'make the code graph of a project, or bring it up to date',
  details: `Reads the files that are new or changed since the last time; the first time, all of them. What .gitignore, .ignore and
.fairleadignore leave out is left out, as are dependencies and build output. Everything is kept below the state directory:
nothing is written into the project. After an interrupt the next call goes on with what was read.`,
  options: {
    force: { type: 'boolean', help: 'read all files anew' },
    verify: { type: 'boolean', help: 'compare the content of all files, also where size and time are what they were' },
    wait: {
      type: 'string',
      value: 'S',
      help: `wait so many seconds for another process that writes there, at most ${MAX_WAIT}; 10 by default`,
    },
    ...ROOT_OPTION,
    ...JSON_OPTION,
  },
  async run(input, world) {
    if (input.has('force') && input.has('verify')) throw new UsageError('give --force or --verify, not both');
    const seconds = wholeNumber(input, 'wait', 0, MAX_WAIT);
    const named = await graphRoot(input, world);
    const root = named.path;
    const settings = await graphSettingsAt(world, root);
    const started = Date.now();
    const line = createProgressLine(world, world.interactive && process.stderr.isTTY, Date.now);
    const indexing = openIndexing(world);
    let isInterrupted = false;
    const interrupt = () => {
      isInterrupted = true;
      indexing.close();
    };
    process.once('SIGINT', interrupt);
    let result: IndexResult;
    let drawn: Kept = {};
    try {
      result = await indexExplicitly({
        state: world.paths.state,
        root,
        files: nodeFiles,
        indexing,
        settings,
        how: input.has('force') ? 'force' : input.has('verify') ? 'verify' : undefined,
        waitMs: seconds === undefined ? undefined : 1_000 * seconds,
        onProgress: line.show,
        isGivenUp: () => isInterrupted,
      });
      if (result.files > 0) drawn = await drawArchitecture(indexing, root, settings);
    } catch (error) {
      line.clear();
      if (!isInterrupted) throw new CommandError(whyNot(error, world, named));
      world.err('Interrupted. What was read is kept; `fairlead graph index` goes on from there.\n');
      return INTERRUPTED;
    } finally {
      process.off('SIGINT', interrupt);
      line.clear();
      indexing.close();
    }
    return tellIndexed(world, input.has('json'), root, { ...result, ...drawn }, Date.now() - started);
  },
};

function whyNot(error: unknown, { paths }: CliWorld, root: GraphRoot): string {
  const said = messageOf(error);
  if (!holderOf(nodeFiles, graphPaths(paths.state, root.path))) return said;
  const how = (verb: string) => `\`${commandFor(root, verb, '', {})}\``;
  return `${said}; wait until it is done, which ${how('status')} tells, then run ${how('index')} again`;
}

/** What was indexed is there, whatever becomes of the picture of it. */
function drawArchitecture(indexing: Draws, root: string, { pictures }: GraphSettings): Promise<Kept> {
  const request = { do: 'draw', root, what: 'architecture', origin: 'explicit' } as const;
  return askForPicture(indexing, { ...request, isTextOnly: pictures === 'off' }, DRAW_MS);
}

function tellIndexed(world: CliWorld, json: boolean, root: string, result: IndexResult & Kept, ms: number): number {
  const { counts } = readStatus(
    { path: root, reason: 'explicit' },
    { state: world.paths.state, files: nodeFiles, look: false },
  );
  const isEmpty = counts === undefined || counts.files === 0;
  if (json) printJson(world, { schema: ANSWER_SCHEMA, root, ...result, ms, ...(counts && { counts }) });
  else {
    for (const notice of result.notices) world.out(`${notice}; it was made anew\n`);
    if (isEmpty) {
      world.out(`${root} has no file in a language that is known, so there is nothing to index.\n`);
      showSkipped(world, result.skipped ?? {});
    } else {
      world.out(`${paint(world, 'bold', root)}\n`);
      world.out(`${counted(result.parsed, 'file')} read, ${result.removed} gone, in ${(ms / 1_000).toFixed(1)} s\n`);
      showCounts(world, counts, result.skipped ?? {});
      if (result.pictures?.svg) world.out(`  picture     ${result.pictures.svg}\n`);
      if (result.warning !== undefined) world.out(`  picture     ${result.warning}\n`);
    }
  }
  return isEmpty ? NOTHING : 0;
}

export const status: Command = {
  summary: 'what the code graph knows, and whether it is up to date',
  details: 'Exit code 0 when there is a graph, 1 when there is none.',
  options: { ...ROOT_OPTION, ...JSON_OPTION },
  async run(input, world) {
    const root = await graphRoot(input, world);
    const { walk } = await graphSettingsAt(world, root.path);
    const found = readStatus(root, {
      state: world.paths.state,
      files: nodeFiles,
      look: true,
      walk,
      isMarked: isMarked(root, world),
    });
    const here = input.text('root') === undefined ? world.cwd : root.path;
    const said = readActiveRoot(nodeFiles, world.paths.state, here);
    const active = said && nodeFiles.stat(said.root)?.kind === 'dir' ? said : undefined;
    if (input.has('json')) printJson(world, { schema: ANSWER_SCHEMA, ...found, ...(active && { active }) });
    else showStatus(world, found, active);
    return found.counts ? 0 : NOTHING;
  },
};

export default {
  order: 300,
  groups: { graph: 'who calls what: index, search, callers, impact, draw' },
  verbs: { 'graph index': index, 'graph status': status },
} satisfies VerbFile;
