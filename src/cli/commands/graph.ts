import { ANSWER_SCHEMA } from '../../graph/query/answer.ts';
import type { IndexRequest, IndexResult } from '../../graph/indexer/request.ts';
import { readStatus } from '../../graph/read-status.ts';
import type { GraphRoot, GraphStatus } from '../../graph/read-status.ts';
import type { GraphCounts } from '../../graph/query/graph-reader.ts';
import { holderOf } from '../../graph/store/lease.ts';
import { graphPlace } from '../../graph/store/place.ts';
import { nodeFiles } from '../../platform/files.ts';
import { CommandError, JSON_OPTION, printJson, UsageError } from '../command.ts';
import type { CliWorld, Command } from '../command.ts';
import { graphRoot, ROOT_OPTION } from '../graph/graph-root.ts';
import { openIndexing } from '../graph/indexing.ts';
import { createProgressLine } from '../graph/progress-line.ts';
import { commandFor } from '../graph/show-answer.ts';
import { counted, formatBytes, formatSpan, formatTime, paint } from '../table.ts';

const NOTHING = 1;
/** As shells report a program that was ended by an interrupt. */
const INTERRUPTED = 130;

export const index: Command = {
  summary: 'make the code graph of a project, or bring it up to date',
  details: `Reads the files that are new or changed since the last time; the first time, all of them. What .gitignore, .ignore and
.fairleadignore leave out is left out, as are dependencies and build output. Everything is kept below the state directory:
nothing is written into the project. After an interrupt the next call goes on with what was read.`,
  options: {
    force: { type: 'boolean', help: 'read all files anew' },
    verify: { type: 'boolean', help: 'compare the content of all files, also where size and time are what they were' },
    ...ROOT_OPTION,
    ...JSON_OPTION,
  },
  async run(input, world) {
    if (input.has('force') && input.has('verify')) throw new UsageError('give --force or --verify, not both');
    const named = graphRoot(input, world);
    const root = named.path;
    const request: IndexRequest = input.has('verify')
      ? { do: 'verify', root }
      : { do: 'index', root, force: input.has('force') };
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
    try {
      result = await indexing.ask(request, line.show);
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
    return tellIndexed(world, input.has('json'), root, result, Date.now() - started);
  },
};

function whyNot(error: unknown, { paths }: CliWorld, root: GraphRoot): string {
  const said = error instanceof Error ? error.message : String(error);
  if (!holderOf(nodeFiles, graphPlace(paths.state, root.path))) return said;
  const how = (verb: string) => `\`${commandFor(root, verb, '', {})}\``;
  return `${said}; wait until it is done, which ${how('status')} tells, then run ${how('index')} again`;
}

function tellIndexed(world: CliWorld, json: boolean, root: string, result: IndexResult, ms: number): number {
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
    }
  }
  return isEmpty ? NOTHING : 0;
}

export const status: Command = {
  summary: 'what the code graph of a project knows, and whether it is up to date',
  details: 'Exit code 0 when there is a graph, 1 when there is none.',
  options: { ...ROOT_OPTION, ...JSON_OPTION },
  run(input, world) {
    const root = graphRoot(input, world);
    const found = readStatus(root, { state: world.paths.state, files: nodeFiles, look: true });
    if (input.has('json')) printJson(world, { schema: ANSWER_SCHEMA, ...found });
    else showStatus(world, found);
    return found.counts ? 0 : NOTHING;
  },
};

function showStatus(world: CliWorld, found: GraphStatus): void {
  const { root, reason, state, counts, stale, skipped, bytes, format, indexedAt, holder } = found;
  world.out(`${paint(world, 'bold', root)}  (${REASONS[reason]})\n`);
  const row = (name: string, value: string) => world.out(`  ${name.padEnd(10)}  ${value}\n`);
  const showHolder = () => {
    if (holder) row('writer', `process ${holder.pid}, for ${formatSpan(Date.now() - holder.since)}`);
  };
  if (!counts) {
    const why = found.problem ? `: ${found.problem}` : '';
    const how = holder ? 'One is being made.' : `\`${commandFor({ path: root, reason }, 'index', '', {})}\` makes one.`;
    world.out(`There is no code graph${why}. ${how}\n`);
    showHolder();
    return;
  }
  row('state', state === 'stale' ? `stale: ${counted(stale, 'file')}` : state);
  showCounts(world, counts, skipped);
  row('size', `${formatBytes(bytes)}, format ${format}`);
  if (indexedAt !== undefined) row('written', formatTime(indexedAt));
  showHolder();
}

const REASONS: Readonly<Record<GraphStatus['reason'], string>> = {
  explicit: 'named',
  environment: 'set in the environment',
  repository: 'a repository',
  workspace: 'a workspace of packages',
  project: 'a project',
  weak: 'a build file',
  none: 'nothing marks it as a project',
};

function showCounts(world: CliWorld, counts: GraphCounts, skipped: Readonly<Record<string, number>>): void {
  const { files, symbols, edges, possible, unresolved, outside, languages } = counts;
  const row = (name: string, value: string) => world.out(`  ${name.padEnd(10)}  ${value}\n`);
  row('files', `${files}, with ${counted(symbols, 'symbol')}`);
  const known = Object.entries(languages).filter(([name]) => name !== 'manifest');
  for (const [name, of] of known.sort(([, a], [, b]) => b.files - a.files))
    row('', `${name}: ${counted(of.files, 'file')}, ${counted(of.symbols, 'symbol')}`);
  row('edges', `${edges}; ${possible} possible, ${unresolved} unresolved, ${outside} lead out of the project`);
  showSkipped(world, { ...skipped, ...counts.skipped });
}

function showSkipped(world: CliWorld, skipped: Readonly<Record<string, number>>): void {
  const reasons = Object.entries(skipped).filter(([, count]) => count > 0);
  if (reasons.length > 0)
    world.out(`  left out    ${reasons.map(([reason, count]) => `${reason} ${count}`).join(', ')}\n`);
}
