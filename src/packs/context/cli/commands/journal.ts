import type { Walk } from '../../../../engine/rule.ts';
import { exportJournal, indexIn, keepRecord } from '../../export-journal.ts';
import type { Exported, ExportFiles } from '../../export-journal.ts';
import { JOURNAL_DIR } from '../../files.ts';
import { withValue } from '../../front-matter.ts';
import { journalEntries, journalPath, readIndex, unenrichedEntries, walkBacklog } from '../../journal.ts';
import { nodeFiles } from '../../../../platform/files.ts';
import { basename } from '../../../../platform/paths.ts';
import { transcriptsOf } from '../agent-records.ts';
import type { OwnTranscript } from '../agent-records.ts';
import { tellMissing } from '../../../../cli/agents.ts';
import { JSON_OPTION, printJson, UsageError } from '../../../../cli/command.ts';
import type { CliWorld, Command, VerbFile } from '../../../../cli/command.ts';
import { currentSession, requireContext } from '../context-place.ts';
import type { ContextPlace } from '../context-place.ts';
import { sessionNamed } from '../../../../cli/database.ts';
import { editContextFile, readExactly, requireInside } from '../edit-context.ts';
import { hint } from '../../../../cli/hint.ts';
import { counted, printableLine } from '../../../../cli/table.ts';

/** An index or an entry that is a link out of the project is neither read nor written. */
function filesOf(place: ContextPlace): ExportFiles {
  const inside =
    <Rest extends readonly unknown[], T>(act: (path: string, ...rest: Rest) => T) =>
    (path: string, ...rest: Rest): T => {
      requireInside(place, path);
      return act(path, ...rest);
    };
  return {
    stat: nodeFiles.stat,
    isProtected: nodeFiles.isProtected,
    readWhole: inside(readExactly),
    replace: inside(nodeFiles.replace),
    makeDir: inside(nodeFiles.makeDirLikeParent),
  };
}

const exportVerb: Command = {
  summary: 'write sessions of this project to its journal',
  details: `Every session that the journal lacks, or that went on since it was written, becomes a file in .context/journal: prompts,
answers and one line per tool call, secrets masked, no tool output. What stands below <!-- notes --> in such a file stays.
Sub-agents have no entry of their own.`,
  options: {
    all: { type: 'boolean', help: 'all sessions that are new or went on; so it is without an option too' },
    session: { type: 'string', value: 'ID', help: 'this session, whether or not the journal has it' },
    ...JSON_OPTION,
  },
  run(input, world) {
    const given = input.text('session');
    if (given !== undefined && input.has('all')) throw new UsageError('--all and --session exclude each other');
    const place = requireContext(world);
    const { root } = place;
    requireInside(place, journalPath(root));
    const known = transcriptsOf(root, world);
    tellMissing('transcripts', root, world);
    const wanted = given === undefined ? known : chosen(given, known);
    const bySession = new Map(wanted.map((each) => [each.session, each]));
    const all = exportJournal(wanted, {
      files: filesOf(place),
      root,
      now: world.engine().clock.now(),
      always: given !== undefined,
      linesOf: ({ session }) => bySession.get(session)?.lines() ?? [],
      ...(world.interactive ? { onProgress: (done, of) => showProgress(world, done, of) } : {}),
    });
    if (input.has('json')) printJson(world, { root, sessions: all });
    else printExported(world, all);
    const isWrong = ({ state }: Exported) => state === 'failed' || (given !== undefined && state === 'elsewhere');
    return all.some(isWrong) ? 1 : 0;
  },
};
export { exportVerb as export };

export const enrich: Command = {
  summary: 'the entries that wait for a summary, or mark one as done',
  usage: '[<file>]',
  details: `Without a file it lists the entries that nobody has enriched. To enrich one, write what matters of it below its notes mark:
what was decided, what was learned, what is open. Then mark it with --done.`,
  args: [0, 1],
  options: { done: { type: 'boolean', help: 'the entry is enriched' }, ...JSON_OPTION },
  run(input, world) {
    const place = requireContext(world);
    const { root } = place;
    const [given] = input.args;
    if (given === undefined) {
      if (input.has('done')) throw new UsageError('--done wants the file that is done');
      return listUnenriched(root, input.has('json'), world);
    }
    const name = entryNamed(given, root);
    const path = journalPath(root, name);
    if (!input.has('done')) {
      if (input.has('json')) return printJson(world, { file: name, path });
      return world.out(`${path}\nWrite below its notes mark, then: fairlead journal enrich ${name} --done\n`);
    }
    const at = new Date(world.engine().clock.now()).toISOString();
    // The index first: it is what other programs look at, and it decides alone.
    keepRecord(filesOf(place), root, name, { enriched: at });
    if (!nodeFiles.isProtected(path))
      editContextFile(place, `${JOURNAL_DIR}/${name}`, (before) => before && withValue(before, 'enriched', 'true'));
    if (input.has('json')) return printJson(world, { file: name, enriched: at });
    world.out(`${name} is marked as enriched.\n`);
  },
};

export const status: Command = {
  summary: 'what waits to be exported or enriched',
  options: JSON_OPTION,
  run(input, world) {
    const place = requireContext(world);
    const { root } = place;
    indexIn(filesOf(place), root);
    tellMissing('transcripts', root, world);
    const backlog = finish(walkBacklog(nodeFiles, root, () => transcriptsOf(root, world)));
    const entries = journalEntries(nodeFiles, root).length;
    const running = currentSession(world);
    const unexported = (backlog?.unexported ?? []).filter((session) => session !== running).length;
    const unenriched = backlog?.unenriched ?? 0;
    if (input.has('json')) return printJson(world, { root, entries, unexported, unenriched });
    world.out(
      `${counted(entries, 'session')} in the journal, ${unenriched} of them not enriched; ${unexported} not exported\n`,
    );
    if (unexported > 0) world.out('`fairlead journal export` writes them.\n');
    if (unenriched > 0) world.out('`fairlead journal enrich` lists the entries.\n');
  },
};

function chosen(given: string, known: readonly OwnTranscript[]): readonly OwnTranscript[] {
  const sessions = known.map(({ session }) => session);
  if (!sessions.some((session) => session.startsWith(given)))
    throw new UsageError(`no transcript of a session "${given}" of this project${hint(given, sessions)}`);
  const session = sessionNamed(given, sessions);
  return known.filter((each) => each.session === session);
}

function showProgress(world: CliWorld, done: number, of: number): void {
  if (of > 1) world.err(`\r\u001B[Kreading session ${done} of ${of}${done === of ? '\r\u001B[K' : ''}`);
}

function printExported(world: CliWorld, all: readonly Exported[]): void {
  for (const { state, file, prompts = 0, session, problem = '' } of all) {
    if (state === 'failed') world.err(`fairlead: session ${printableLine(session)}: ${printableLine(problem)}\n`);
    if (state === 'new' || state === 'updated')
      world.out(`${state.padEnd(7)}  ${printableLine(file ?? '')}  ${counted(prompts, 'prompt')}\n`);
    if (state === 'kept')
      world.out(`kept     ${printableLine(file ?? '')}  it is write-protected or has no notes mark any more\n`);
    if (state === 'elsewhere' && all.length === 1)
      world.out(`Session ${printableLine(session)} belongs to another project.\n`);
  }
  const written = all.filter(({ state }) => state === 'new' || state === 'updated').length;
  const unchanged = all.filter(({ state }) => state === 'unchanged').length;
  const isTold = all.some(
    ({ state }) => state === 'kept' || state === 'failed' || (state === 'elsewhere' && all.length === 1),
  );
  if (written === 0 && !isTold)
    world.out(
      unchanged === 0 ? 'No session to export.\n' : `Nothing new: the journal has ${counted(unchanged, 'session')}.\n`,
    );
}

function listUnenriched(root: string, json: boolean, world: CliWorld): void {
  const names = unenrichedEntries(nodeFiles, root, journalEntries(nodeFiles, root), readIndex(nodeFiles, root));
  if (json) return printJson(world, names);
  if (names.length === 0) return world.out('Every entry is enriched.\n');
  for (const name of names) world.out(`${printableLine(name)}\n`);
}

function entryNamed(given: string, root: string): string {
  const name = basename(given);
  if (nodeFiles.stat(journalPath(root, name))?.kind === 'file' && name.endsWith('.md')) return name;
  const names = journalEntries(nodeFiles, root);
  const [only, ...others] = names.filter((each) => each.includes(given));
  if (only !== undefined && others.length === 0) return only;
  if (only !== undefined) throw new UsageError(`"${given}" may be ${[only, ...others].join(' or ')}`);
  throw new UsageError(`no entry "${given}" in the journal${hint(given, names)}`);
}

/** Nobody else waits here. */
function finish<T>(walk: Walk<T>): T {
  for (;;) {
    const { done, value } = walk.next();
    if (done === true) return value;
  }
}

export default {
  order: 280,
  groups: { journal: 'what sessions did, kept with the project' },
  verbs: { 'journal export': exportVerb, 'journal enrich': enrich, 'journal status': status },
} satisfies VerbFile;
