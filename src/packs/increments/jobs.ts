import { asPath, joined } from '../../engine/rule.ts';
import { dirname, posix } from 'node:path';
import type { Job, JobContext, JobResult, PackJobs } from '../../jobs/job.ts';
import { describeChange, describeConflict, recordSync, syncCriteria } from './ac-sync.ts';
import { completionFacts, describeOpen, idOf } from './completion.ts';
import { readIncrement, readTexts, readWhole } from './increments.ts';
import { COMPLETION_JOB, incrementFile, isIncrement, statusFilePath, WATCHED } from './layout.ts';
import type { JobKind, WatchedFile } from './layout.ts';
import { livingDocs } from './living-docs.ts';
import { notice, timeOf } from './noticed.ts';
import { readOptions } from './options.ts';
import type { IncrementOptions } from './options.ts';
import { countStatus, statusText } from './status-line.ts';
import { readTasks } from './tasks.ts';
import { unreadCriteria, unreadTasks } from './unread.ts';

/** What a job did, for `fairlead increment sync`. */
export interface JobFound {
  readonly changes: readonly string[];
  readonly conflicts: readonly string[];
  readonly warnings: readonly string[];
  /** Files that were written, from the root. */
  readonly written: readonly string[];
}

const RULE = 'increments/detect';

function defineJob(kind: JobKind, work: (context: JobContext, options: IncrementOptions) => JobResult): Job {
  return {
    kind,
    rule: RULE,
    ...(kind === 'ac-sync' ? {} : { after: ['ac-sync'] }),
    run(context) {
      if (!isIncrement(context.subject)) return {};
      const { root, subject, files } = context;
      const paths = new Map(WATCHED.map((file) => [incrementFile(root, subject, file), file]));
      const timesOf = (chosen: (path: string, file: WatchedFile) => boolean) =>
        new Map([...paths].flatMap(([path, file]) => (chosen(path, file) ? [[path, timeOf(files, path)]] : [])));
      const read = timesOf((_path, file) => (kind === 'ac-sync') === (file !== 'metadata.json'));
      const result = work(context, readOptions(context.options));
      const { written = [] } = (result.found ?? {}) as Partial<JobFound>;
      notice(root, new Map([...read, ...timesOf((path) => written.includes(fromRoot(root, path)))]));
      return result;
    },
  };
}

const acSync = defineJob('ac-sync', (context, options) => {
  if (!options.acSync) return {};
  const { root, subject: id, files } = context;
  const { tasks, spec } = readTexts(files, root, id);
  if (typeof tasks !== 'string' || typeof spec !== 'string') {
    const why = (file: string, text: typeof tasks) =>
      text === undefined ? [`${id} has no ${file}`] : typeof text === 'string' ? [] : [`${file} ${text.problem}`];
    return { found: foundIn(context, { warnings: [...why('tasks.md', tasks), ...why('spec.md', spec)] }) };
  }
  const sync = syncCriteria(readTasks(tasks), spec, options.completeWhen);
  const { changes, conflicts } = sync;
  const warnings = [...sync.warnings, ...unreadIn(tasks, spec)];
  const metadataPath = incrementFile(root, id, 'metadata.json');
  const specPath = incrementFile(root, id, 'spec.md');
  const metadata = readWhole(files, metadataPath);
  const record = (text: string) => recordSync(text, sync, new Date(context.now).toISOString());
  const isRecorded = metadata !== undefined && record(metadata) !== metadata;
  // Neither a tick without its record nor a record of a tick that did not happen.
  if (isRecorded) files.check(metadataPath, metadata);
  files.write(specPath, sync.text, spec);
  let unrecorded: string | undefined;
  try {
    if (isRecorded) files.update(metadataPath, record);
  } catch (error) {
    // The ticks are made: those who are told of them must not miss it.
    if (changes.length === 0) throw error;
    unrecorded = `not recorded: ${error instanceof Error ? error.message : String(error)}`;
  }
  const idsOf = (each: readonly { readonly id: string }[]) =>
    joined(
      each.map((one) => idOf(one.id)),
      ', ',
    );
  return {
    notes: [
      ...(changes.length === 0
        ? []
        : [{ variant: 'synced', values: { criteria: idsOf(changes), spec: asPath(specPath) } }]),
      ...(conflicts.length === 0
        ? []
        : [{ variant: 'conflict', values: { increment: asPath(id), criteria: idsOf(conflicts) }, topic: 'conflicts' }]),
    ],
    counts: { 'criteria.ticked': changes.length },
    ...(changes.length === 0 ? {} : { marks: [{ kind: 'status-line' }, { kind: 'living-docs' }] }),
    ...(changes.length === 0 || options.livingDocs.enabled ? {} : outlets(context, options)),
    found: foundIn(context, {
      changes: changes.map(describeChange),
      conflicts: conflicts.map(describeConflict),
      warnings: unrecorded === undefined ? warnings : [...warnings, unrecorded],
      written: [
        ...(sync.text === spec ? [] : [specPath]),
        ...(isRecorded && unrecorded === undefined ? [metadataPath] : []),
      ],
    }),
  };
});

const statusLine = defineJob('status-line', (context, options) => {
  if (!options.statusLine) return {};
  const { root, files, now } = context;
  const path = statusFilePath(root);
  const before = readWhole(files, path);
  const text = statusText(before, countStatus(files, root, options, new Date(now).toISOString()));
  if (text !== before) {
    files.makeDir(dirname(path));
    files.write(path, text, before);
  }
  return { found: foundIn(context, { written: text === before ? [] : [path] }) };
});

const docs = defineJob('living-docs', (context, options) => {
  if (!options.livingDocs.enabled) return {};
  const { root, subject: id, files, now } = context;
  const { writes, problems } = livingDocs(id, { files, root, options, now: new Date(now).toISOString() });
  const failures = writes.flatMap(({ path, before, text }) => {
    try {
      files.makeDir(dirname(path));
      files.write(path, text, before);
      return [];
    } catch (error) {
      return [error];
    }
  });
  // One page that cannot be written keeps no other from being up to date.
  if (failures.length > 0) throw failures[0];
  return {
    ...(writes.length === 0 ? {} : outlets(context, options)),
    found: foundIn(context, {
      warnings: problems.map(({ path, problem }) => `${fromRoot(root, path)} is left alone: ${problem}`),
      written: writes.map(({ path }) => path),
    }),
  };
});

/** A state that was set where nobody could stop it is stated; nothing is reverted. */
const completion: Job = {
  kind: COMPLETION_JOB,
  rule: RULE,
  onlyWhenDue: true,
  run({ root, subject: increment, files, options }) {
    const { activeStatuses, completeWhen } = readOptions(options);
    if (!isIncrement(increment)) return {};
    const { standing } = readIncrement(files, root, increment, activeStatuses);
    const facts = completionFacts(readTexts(files, root, increment), completeWhen);
    if (standing.status !== 'completed' || facts.isComplete) return {};
    return {
      notes: [
        { variant: 'unbacked', values: { increment: asPath(increment), open: describeOpen(facts) }, topic: 'unbacked' },
      ],
    };
  },
};

export const jobs: PackJobs = [acSync, statusLine, docs, completion];

/** Others hear of a change once: from the docs, which reflect all that counts, or from the criteria where there are no docs. */
function outlets({ root, subject: id, files }: JobContext, options: IncrementOptions): JobResult {
  const { standing } = readIncrement(files, root, id, options.activeStatuses);
  const { tasks, criteria } = completionFacts(readTexts(files, root, id), options.completeWhen);
  const status = standing.status ?? 'unknown';
  const variables = {
    increment: id,
    status,
    tasks_completed: tasks.completed,
    tasks_total: tasks.total,
    criteria_ticked: criteria.ticked,
    criteria_total: criteria.total,
  };
  const text = `${id} is ${status}: ${tasks.completed}/${tasks.total} tasks, ${criteria.ticked}/${criteria.total} criteria`;
  return {
    relay: [{ variant: 'increment.changed', text, variables }],
    ...(options.onChange === undefined ? {} : { command: options.onChange }),
  };
}

/** Named with their lines, which move with every edit: they go into no record. */
function unreadIn(tasks: string, spec: string): string[] {
  return [
    ...unreadTasks(tasks).map((each) => `tasks.md: ${each}`),
    ...unreadCriteria(spec).map((each) => `spec.md: ${each}`),
  ];
}

function foundIn({ root }: JobContext, found: Partial<JobFound>): JobFound {
  const { changes = [], conflicts = [], warnings = [], written = [] } = found;
  return { changes, conflicts, warnings, written: written.map((path) => fromRoot(root, path)) };
}

function fromRoot(root: string, path: string): string {
  return posix.relative(root, path);
}
