import { completionFacts, describeOpen } from '../../packs/increments/completion.ts';
import type { CompletionFacts } from '../../packs/increments/completion.ts';
import { incrementIds, readIncrement, readWatched } from '../../packs/increments/increments.ts';
import type { Increment } from '../../packs/increments/increments.ts';
import type { JobFound } from '../../packs/increments/jobs.ts';
import { setMembers } from '../../packs/increments/json-text.ts';
import { incrementFile } from '../../packs/increments/layout.ts';
import type { IncrementOptions } from '../../packs/increments/options.ts';
import { isComplete, readTasks } from '../../packs/increments/tasks.ts';
import { readSpec, tickedById } from '../../packs/increments/spec.ts';
import { nodeFiles } from '../../platform/files.ts';
import { CommandError, JSON_OPTION, printJson } from '../command.ts';
import type { CliWorld, Command } from '../command.ts';
import { incrementNamed, incrementOptions, incrementsRoot } from '../increments.ts';
import { counted, paint, printableLine, printTable } from '../table.ts';

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
    if (all.length === 0) return world.out('No increments yet.\n');
    printTable(
      world,
      [
        { title: 'increment', shrinksTo: 12 },
        { title: 'status' },
        { title: 'tasks', align: 'right' },
        { title: 'criteria', align: 'right' },
      ],
      all.map(({ increment, facts }) => [
        printableLine(increment.id),
        { text: printableLine(increment.standing.status ?? 'unknown'), ...(increment.active ? {} : { style: 'dim' }) },
        `${facts.tasks.completed}/${facts.tasks.total}`,
        `${facts.criteria.ticked}/${facts.criteria.total}`,
      ]),
    );
  },
};

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
    const tasks = readTasks(readWatched(nodeFiles, root, id, 'tasks.md') ?? '');
    const criteria = tickedById(readSpec(readWatched(nodeFiles, root, id, 'spec.md') ?? '').criteria);
    const { openCriteria, conflicts, openTasks } = looked.facts;
    if (input.has('json'))
      return printJson(world, {
        ...summaryOf(looked),
        openTasks: openTasks.map((task) => task.id),
        openCriteria,
        conflicts,
        complete: looked.facts.isComplete,
      });
    const { standing, active } = looked.increment;
    const otherwise =
      standing.otherwise === undefined ? '' : `; the front matter of spec.md says ${standing.otherwise}`;
    const named = standing.status ?? 'no status, so it counts as active';
    world.out(`${paint(world, 'bold', id)}  ${printableLine(named + otherwise)}${active ? '' : ' (not active)'}\n\n`);
    for (const task of tasks)
      world.out(`${box(isComplete(task, options.completeWhen))} ${task.id}  ${printableLine(task.title)}\n`);
    for (const [criterion, ticked] of criteria) world.out(`${box(ticked)} ${criterion}\n`);
    world.out(looked.facts.isComplete ? '\nNothing is open.\n' : `\nOpen: ${describeOpen(looked.facts)}.\n`);
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
early. With none of them it sets the status to completed; otherwise it says what is missing and exits with 1.`,
  args: [1, 1],
  options: JSON_OPTION,
  async run(input, world) {
    const root = incrementsRoot(world);
    const options = await incrementOptions(world, root);
    const id = incrementNamed(input.args[0] ?? '', root);
    const before = lookAt(root, id, options).increment.standing.status;
    if (before !== COMPLETED) await syncNow(world, root, [id]);
    const { facts } = lookAt(root, id, options);
    const why = before === COMPLETED ? undefined : objection(before, facts, options);
    const changed = before !== COMPLETED && why === undefined;
    if (changed) {
      complete(root, id, world.engine().clock.now());
      await syncNow(world, root, [id]);
    }
    if (input.has('json'))
      printJson(world, {
        id,
        completed: why === undefined,
        changed,
        ...(why === undefined ? {} : { why }),
        openTasks: facts.openTasks.map((task) => task.id),
        openCriteria: facts.openCriteria,
        conflicts: facts.conflicts,
      });
    else if (why !== undefined) world.out(`${id} is not complete: ${why}\n`);
    else world.out(changed ? `${id} is completed.\n` : `${id} was completed already.\n`);
    return why === undefined ? 0 : 1;
  },
};

interface Looked {
  readonly increment: Increment;
  readonly facts: CompletionFacts;
}

function lookAt(root: string, id: string, { activeStatuses, completeWhen }: IncrementOptions): Looked {
  const texts = {
    tasks: readWatched(nodeFiles, root, id, 'tasks.md'),
    spec: readWatched(nodeFiles, root, id, 'spec.md'),
  };
  return {
    increment: readIncrement(nodeFiles, root, id, activeStatuses),
    facts: completionFacts(texts, completeWhen),
  };
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
    return `${describeOpen(facts)}.${next ? ` Next: ${next.id}${next.title ? ` (${printableLine(next.title)})` : ''}.` : ''}`;
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
    if (nodeFiles.replace(path, after, () => readExactly(path) === before)) return;
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
  world.out(`${paint(world, 'bold', id)}  ${written.length === 0 ? 'up to date' : counted(written.length, 'file')}\n`);
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
