import { completionFacts, describeOpen } from '../../completion.ts';
import type { CompletionFacts } from '../../completion.ts';
import { incrementIds, readIncrement, readTexts } from '../../increments.ts';
import type { Increment, IncrementTexts } from '../../increments.ts';
import type { JobFound } from '../../jobs.ts';
import { setMembers } from '../../../../text/json-text.ts';
import { incrementFile } from '../../layout.ts';
import type { IncrementOptions } from '../../options.ts';
import { isComplete, readTasks } from '../../tasks.ts';
import { readSpec, tickedById } from '../../spec.ts';
import { unreadCriteria, unreadTasks } from '../../unread.ts';
import { nodeFiles } from '../../../../platform/files.ts';
import { CommandError, JSON_OPTION, printJson } from '../../../../cli/command.ts';
import type { CliWorld, Command, VerbFile } from '../../../../cli/command.ts';
import {
  describeLeadsOut,
  incrementNamed,
  incrementOptions,
  incrementsRoot,
  leadsOut,
  requireWriting,
} from '../increments-root.ts';
import { counted, paint, printableLine, printTable } from '../../../../cli/table.ts';

const PACK = 'increments';
const COMPLETED = 'completed';
const MAX_ATTEMPTS = 3;

export const list: Command = {
  summary: 'the increments and how far each is',
  details: 'Archived increments are left out.',
  options: JSON_OPTION,
  async run(input, world) {
    const root = incrementsRoot(world);
    const options = await incrementOptions(world, root);
    const all = incrementIds(nodeFiles, root).map((id) => lookAt(root, id, options));
    if (input.has('json')) return printJson(world, all.map(summaryOf));
    if (all.length === 0) world.out('No increments yet.\n');
    else printAll(world, all);
    printLeadsOut(world, root);
  },
};

function printAll(world: CliWorld, all: readonly Looked[]): void {
  printTable(
    world,
    [
      { title: 'increment', shrinksTo: 12 },
      { title: 'status' },
      { title: 'tasks', align: 'right' },
      { title: 'criteria', align: 'right' },
    ],
    all.map(({ increment, facts, texts }) => [
      printableLine(increment.id),
      { text: printableLine(increment.standing.status ?? 'unknown'), ...(increment.active ? {} : { style: 'dim' }) },
      typeof texts.tasks === 'object' ? '?' : `${facts.tasks.completed}/${facts.tasks.total}`,
      typeof texts.spec === 'object' ? '?' : `${facts.criteria.ticked}/${facts.criteria.total}`,
    ]),
  );
}

function printLeadsOut(world: CliWorld, root: string): void {
  const real = leadsOut(root);
  if (real !== undefined) world.out(`\nNote: ${printableLine(describeLeadsOut(root, real))}.\n`);
}

export const show: Command = {
  summary: 'one increment: tasks, criteria and what is open',
  usage: '<id>',
  details: 'The id, its number or its name.',
  args: [1, 1],
  options: JSON_OPTION,
  async run(input, world) {
    const root = incrementsRoot(world);
    const options = await incrementOptions(world, root);
    const id = incrementNamed(input.args[0] ?? '', root);
    const looked = lookAt(root, id, options);
    const { tasks, spec } = textsOf(looked);
    const warnings = [
      ...unreadTasks(tasks).map((each) => `tasks.md: ${each}`),
      ...unreadCriteria(spec).map((each) => `spec.md: ${each}`),
    ];
    const { openCriteria, conflicts, openTasks } = looked.facts;
    if (input.has('json'))
      return printJson(world, {
        ...summaryOf(looked),
        openTasks: openTasks.map((task) => task.id),
        openCriteria,
        conflicts,
        unclear: looked.facts.unclear,
        warnings,
        complete: looked.facts.isComplete,
      });
    const { standing, active } = looked.increment;
    const otherwise =
      standing.otherwise === undefined ? '' : `; the front matter of spec.md says ${standing.otherwise}`;
    const named = standing.status ?? 'no status, so it counts as active';
    world.out(`${paint(world, 'bold', id)}  ${printableLine(named + otherwise)}${active ? '' : ' (not active)'}\n\n`);
    for (const task of readTasks(tasks))
      world.out(`${box(isComplete(task, options.completeWhen))} ${task.id}  ${printableLine(task.title)}\n`);
    for (const [criterion, ticked] of tickedById(readSpec(spec).criteria)) world.out(`${box(ticked)} ${criterion}\n`);
    for (const warning of warnings) world.out(`warning  ${warning}\n`);
    world.out(looked.facts.isComplete ? '\nNothing is open.\n' : `\n${describeState(looked.facts)}.\n`);
    printLeadsOut(world, root);
  },
};

export const sync: Command = {
  summary: 'bring criteria, status line and docs up to date now',
  usage: '[<id>]',
  details: 'Without an id, for every active increment.',
  args: [0, 1],
  options: JSON_OPTION,
  async run(input, world) {
    const root = incrementsRoot(world);
    requireWriting(world, root);
    const options = await incrementOptions(world, root);
    const [given] = input.args;
    const ids =
      given === undefined
        ? incrementIds(nodeFiles, root).filter(
            (id) => readIncrement(nodeFiles, root, id, options.activeStatuses).active,
          )
        : [incrementNamed(given, root)];
    const all = await syncNow(world, root, ids);
    if (input.has('json')) printJson(world, all);
    else if (all.length === 0) world.out('No active increment.\n');
    else for (const each of all) printSync(world, each);
    return all.some(({ problems }) => problems.length > 0) ? 1 : 0;
  },
};

export const done: Command = {
  summary: 'complete an increment, if nothing in it is open',
  usage: '<id>',
  details: `Ticks the criteria whose tasks are complete, then looks for open tasks, unticked criteria and criteria that were ticked too
early. With none of them it sets the status to completed; otherwise, and when a file cannot be read, it says why not and exits
with 1.`,
  args: [1, 1],
  options: JSON_OPTION,
  async run(input, world) {
    const root = incrementsRoot(world);
    const options = await incrementOptions(world, root);
    const id = incrementNamed(input.args[0] ?? '', root);
    requireWriting(world, root);
    const before = lookAt(root, id, options).increment.standing.status;
    const synced = before === COMPLETED ? [] : await syncNow(world, root, [id]);
    const { facts } = lookAt(root, id, options);
    const why = before === COMPLETED ? undefined : objection(before, facts, options);
    const changed = before !== COMPLETED && why === undefined;
    if (changed) {
      complete(root, id, world.engine().clock.now());
      synced.push(...(await syncNow(world, root, [id])));
    }
    const problems = [...new Set(synced.flatMap((each) => each.problems))];
    if (input.has('json'))
      printJson(world, {
        id,
        completed: why === undefined,
        changed,
        ...(why === undefined ? {} : { why }),
        openTasks: facts.openTasks.map((task) => task.id),
        openCriteria: facts.openCriteria,
        conflicts: facts.conflicts,
        unclear: facts.unclear,
        problems,
      });
    else {
      if (why !== undefined)
        world.out(`${id} ${isOpen(facts) || facts.isComplete ? 'is not' : 'may not be'} complete: ${why}\n`);
      else world.out(changed ? `${id} is completed.\n` : `${id} was completed already.\n`);
      for (const problem of problems) world.out(`  failed  ${printableLine(problem)}\n`);
    }
    return why === undefined ? 0 : 1;
  },
};

interface Looked {
  readonly increment: Increment;
  readonly texts: IncrementTexts;
  readonly facts: CompletionFacts;
}

function lookAt(root: string, id: string, { activeStatuses, completeWhen }: IncrementOptions): Looked {
  const texts = readTexts(nodeFiles, root, id);
  return {
    increment: readIncrement(nodeFiles, root, id, activeStatuses),
    texts,
    facts: completionFacts(texts, completeWhen),
  };
}

function textsOf({ texts: { tasks, spec } }: Looked): { readonly tasks: string; readonly spec: string } {
  return { tasks: typeof tasks === 'string' ? tasks : '', spec: typeof spec === 'string' ? spec : '' };
}

/** What is open, or that it cannot be told. */
function describeState(facts: CompletionFacts): string {
  return isOpen(facts)
    ? `Open: ${describeOpen(facts).words}`
    : `It cannot be told whether anything is open: ${facts.unclear.join(', ')}`;
}

function isOpen({ openTasks, openCriteria, conflicts }: CompletionFacts): boolean {
  return openTasks.length + openCriteria.length + conflicts.length > 0;
}

function summaryOf({ increment: { id, standing, active, created }, facts: { tasks, criteria } }: Looked): object {
  return { id, ...standing, active, ...(created === undefined ? {} : { created }), tasks, criteria };
}

function objection(
  status: string | undefined,
  facts: CompletionFacts,
  { guard }: IncrementOptions,
): string | undefined {
  if (!facts.isComplete) {
    const next = facts.openTasks[0];
    return `${describeOpen(facts).words}.${next ? ` Next: ${next.id}${next.title ? ` (${printableLine(next.title)})` : ''}.` : ''}`;
  }
  if (!guard.transitions || status === 'ready_for_review') return undefined;
  return `its status is ${status ?? 'not set'}, and guard.transitions wants ready_for_review first.`;
}

function complete(root: string, id: string, now: number): void {
  const path = incrementFile(root, id, 'metadata.json');
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
    const before = readExactly(path);
    if (before === undefined) throw new CommandError(`${path} cannot be read; without it there is no status to set`);
    const after = setMembers(before, { status: COMPLETED, lastActivity: new Date(now).toISOString() });
    if (after === undefined) throw new CommandError(`${path} is not a JSON object; mend it first`);
    if (nodeFiles.isProtected(path)) throw new CommandError(`${path} is write-protected and stays as it is`);
    if (nodeFiles.replace(path, after, before)) return;
  }
  throw new CommandError(`${path} kept changing; try again`);
}

/** With its byte order mark, and only if it can be written back as it was. */
function readExactly(path: string): string | undefined {
  const bytes = nodeFiles.readBytes(path);
  try {
    return bytes && new TextDecoder('utf-8', { ignoreBOM: true, fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

interface Synced extends JobFound {
  readonly id: string;
  readonly problems: readonly string[];
}

async function syncNow(world: CliWorld, root: string, ids: readonly string[]): Promise<Synced[]> {
  const ran = (await world.engine().jobs?.runNow(root, PACK, ids)) ?? [];
  return ids.map((id): Synced => {
    const own = ran.filter(({ subject }) => subject === id);
    const found = own.flatMap(({ result }) => (result?.found === undefined ? [] : [result.found as JobFound]));
    return {
      id,
      changes: found.flatMap(({ changes }) => changes),
      conflicts: found.flatMap(({ conflicts }) => conflicts),
      warnings: found.flatMap(({ warnings }) => warnings),
      written: found.flatMap(({ written }) => written),
      problems: own.flatMap(({ kind, problem }) => (problem === undefined ? [] : [`${kind}: ${problem}`])),
    };
  });
}

function printSync(world: CliWorld, { id, changes, conflicts, warnings, written, problems }: Synced): void {
  const did = [
    ...(written.length > 0 ? [counted(written.length, 'file')] : []),
    ...(problems.length > 0 ? [`${counted(problems.length, 'job')} failed`] : []),
  ];
  world.out(`${paint(world, 'bold', id)}  ${did.join(', ') || 'up to date'}\n`);
  const lines = [
    ...changes,
    ...conflicts.map((each) => `conflict  ${each}`),
    ...warnings.map((each) => `warning  ${each}`),
    ...problems.map((each) => `failed  ${each}`),
    ...written.map((each) => `wrote  ${each}`),
  ];
  for (const line of lines) world.out(`  ${printableLine(line)}\n`);
}

function box(ticked: boolean): string {
  return ticked ? '[x]' : '[ ]';
}

export default {
  order: 260,
  groups: { increment: 'increments of a project: list, show, sync, done' },
  verbs: { 'increment list': list, 'increment show': show, 'increment sync': sync, 'increment done': done },
} satisfies VerbFile;
