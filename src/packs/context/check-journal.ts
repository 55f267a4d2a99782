import { dirname } from 'node:path';
import { defineRule, marker } from '../../engine/rule.ts';
import type { Event, RuleContext, Verdict } from '../../engine/rule.ts';
import { LOOKED, lookAgain } from './daily.ts';
import type { Look } from './daily.ts';
import { CONTEXT_DIR } from './files.ts';
import { journalPath, walkBacklog } from './journal.ts';
import { INDEX_FILE } from './journal-index.ts';
import { EXPORT_JOB } from './jobs.ts';
import { nudge } from './nudge.ts';
import type { Told } from './nudge.ts';
import { readGroup } from './options.ts';
import { contextKey, contextRoot } from './place.ts';

const DEFAULTS = { export_on_session_end: false };

const STATE = { today: marker('context.day.journal', { scope: 'day' }), looked: LOOKED };

interface Context extends Pick<
  RuleContext<typeof STATE>,
  'facts' | 'files' | 'later' | 'options' | 'pass' | 'state' | 'transcripts' | 'workspace'
> {
  note(variant: string, values?: Told['values']): Verdict;
}

type Leaving = Pick<RuleContext, 'files' | 'later' | 'options' | 'pass'>;

export default defineRule({
  id: 'context/check-journal',
  pack: 'context',
  summary: 'Once a day, says how many sessions the journal lacks and how many of its entries wait to be enriched.',
  on: [{ event: ['prompt.submit', 'session.end'] }],
  at: 'cwd',
  needs: { entry: CONTEXT_DIR, main: true },
  nudge: 'deferrable',
  priority: 40,
  // The walk keeps its own time.
  budgetMs: 1_000,
  state: STATE,
  options: { journal: DEFAULTS },
  messages: {
    both: 'The journal is behind the sessions of this project.\nSessions that are not exported: {unexportedCount}\nEntries that are not enriched: {unenrichedCount}\nNext: fairlead journal export --all, then fairlead journal enrich',
    unexported:
      'The journal lacks sessions of this project.\nSessions that are not exported: {unexportedCount}\nNext: fairlead journal export --all',
    unenriched:
      'Journal entries wait for a summary.\nEntries that are not enriched: {unenrichedCount}\nNext: fairlead journal enrich',
  },
  expect: { tool: 'shell', words: ['journal export', 'journal enrich'], within: 40, until: 'session' },
  examples: { pass: [{ prompt: 'Go on.' }] },
  check(event, context) {
    const root = contextRoot(context);
    if (root === undefined) return context.pass('the context is not initialised');
    if (event.name === 'session.end') return exportAtEnd(event, context, root);
    if (event.prompt?.origin !== 'human') return context.pass('not typed by a person');
    const key = contextKey(context.workspace, root);
    if (context.state.today.isSet(key)) return context.pass('said today');
    const sessions = event.transcript === undefined ? [] : [dirname(event.transcript)];
    const look = lookAgain(context, 'journal', [journalPath(root), journalPath(root, INDEX_FILE), ...sessions]);
    if (!look.isDue) return context.pass('nothing has changed since the last look');
    const isDir = (path: string) => context.files.stat(path)?.kind === 'dir';
    if (!isDir(journalPath(root)) || !sessions.every(isDir)) return context.pass('no journal, or no transcripts');
    return sayBacklog(context, root, event, look);
  },
});

/** The walk may take a while; what it finds too late for this prompt is said at the next. */
async function sayBacklog(
  context: Context,
  root: string,
  { session, transcript }: Event,
  look: Look,
): Promise<Verdict | readonly Verdict[]> {
  const { facts, files, state, workspace } = context;
  const walk = () => walkBacklog(files, root, () => context.transcripts());
  const backlog = await facts.walk(`journal ${root}`, look.seen, walk);
  if (!backlog) return context.pass('it is still being counted');
  const { transcripts, unenriched } = backlog;
  const unexported = backlog.unexported.filter((each) => each !== session).length;
  const isPlaceKnown = transcript !== undefined || transcripts > 0;
  if (!isPlaceKnown || unexported + unenriched === 0) {
    look.foundNothing();
    return context.pass('nothing waits for the journal');
  }
  state.today.first(contextKey(workspace, root));
  return nudge(context, root, {
    variant: variantFor(unexported, unenriched),
    values: { unexportedCount: unexported, unenrichedCount: unenriched },
    relayed: { unexported, unenriched },
  });
}

function exportAtEnd({ session, hasSession, transcript }: Event, context: Leaving, root: string): Verdict {
  const { export_on_session_end: isWanted } = readGroup(context.options['journal'], DEFAULTS);
  if (!isWanted || !hasSession) return context.pass('the session is not exported at its end');
  // One in which nothing was said leaves none, and a client can be told to keep none.
  if (transcript !== undefined && context.files.stat(transcript)?.kind !== 'file')
    return context.pass('the session left no transcript');
  context.later.run(EXPORT_JOB, session, root);
  return context.pass('the session is exported');
}

function variantFor(unexported: number, unenriched: number): 'both' | 'unexported' | 'unenriched' {
  if (unexported === 0) return 'unenriched';
  if (unenriched === 0) return 'unexported';
  return 'both';
}
