import { addEntry, ENTRY_FILES, newestEntries } from '../../entries.ts';
import type { EntryKind } from '../../entries.ts';
import { MADE_HERE } from '../../command-cells.ts';
import {
  CONTEXT_DIR,
  contextPath,
  JOURNAL_DIR,
  LOAD_ORDER,
  MEMORY_DIR,
  newestJournal,
  REMINDERS_FILE,
  REQUIRED_FILES,
  STATE_DIR,
} from '../../files.ts';
import { STARTERS } from '../../starters.ts';
import { openTasks } from '../../tasks.ts';
import { nodeFiles } from '../../../../platform/files.ts';
import { join } from '../../../../platform/paths.ts';
import { isAccepted } from '../../../../workspace/policy.ts';
import { changeState } from '../../../../cli/change-state.ts';
import { CommandError, JSON_OPTION, printJson, UsageError } from '../../../../cli/command.ts';
import type { CliWorld, Command, VerbFile } from '../../../../cli/command.ts';
import { contextKey, placeForContext, requireContext, workspaceCell } from '../context-place.ts';
import type { ContextPlace } from '../context-place.ts';
import { alone, editContextFile, requireInside } from '../edit-context.ts';
import { shown } from '../../../../cli/known-rules.ts';
import { counted, printable, printableLine } from '../../../../cli/table.ts';

const MAX_TASKS = 10;
const MAX_DECISIONS = 5;
const MAX_JOURNAL_LINES = 12;
const EARLIER_GITIGNORE = `${JOURNAL_DIR}/\n${MEMORY_DIR}/\n`;
const GITIGNORE = `${EARLIER_GITIGNORE}${STATE_DIR}/\n`;

export const init: Command = {
  summary: 'make the files that the context pack is about',
  details: `Makes ${CONTEXT_DIR}/ with a starter for each file, at the root of the project. What is there already stays as it is. Journal, memory
and state are kept out of version control by ${CONTEXT_DIR}/.gitignore, unless --track-journal leaves that file out.

What it makes is given to the agent. Where there were other texts before, all of them wait for \`fairlead trust\`.`,
  options: {
    minimal: { type: 'boolean', help: `only ${REQUIRED_FILES.join(', ')}` },
    'track-journal': { type: 'boolean', help: `make no ${CONTEXT_DIR}/.gitignore` },
    ...JSON_OPTION,
  },
  async run(input, world) {
    const place = placeForContext(world);
    requireInside(place, contextPath(place.root));
    const names = input.has('minimal') ? REQUIRED_FILES : LOAD_ORDER;
    const { made, isOurs } = await alone(world, place, () => {
      const isNew = holdsNoText(place.root);
      const dirs = ['', JOURNAL_DIR, MEMORY_DIR].filter((name) => makeDir(contextPath(place.root, name)));
      const files = names.filter((name) => makeFile(contextPath(place.root, name), STARTERS[name]));
      const ignore = !input.has('track-journal') && makeIgnore(contextPath(place.root, '.gitignore'));
      if (isNew && REQUIRED_FILES.some((name) => files.includes(name))) rememberMaker(world, place);
      return { made: [...dirs.map((name) => `${name}/`), ...files, ...(ignore ? ['.gitignore'] : [])], isOurs: isNew };
    });
    const paths = made.map((name) => join(CONTEXT_DIR, name));
    const inTheWay = names.filter((name) => nodeFiles.stat(contextPath(place.root, name))?.kind !== 'file');
    const code = inTheWay.length > 0 ? 1 : 0;
    if (input.has('json')) {
      const notFiles = inTheWay.map((name) => join(CONTEXT_DIR, name));
      printJson(world, { root: place.root, made: paths, ...(code === 0 ? {} : { notFiles }) });
      return code;
    }
    for (const path of paths) world.out(`made  ${path}\n`);
    for (const name of inTheWay)
      world.err(
        `fairlead: ${shown(world, contextPath(place.root, name))} is no file and was left as it is; move it away, then run this again\n`,
      );
    if (paths.length === 0) {
      if (code === 0) world.out(`${shown(world, contextPath(place.root))} has all of its files.\n`);
      return code;
    }
    world.out(`\nIn ${place.root}. \`fairlead init --pack context\` switches the rules on that read them.\n`);
    const { project } = await world.engine().workspaces.layersAt(place.workspace);
    if (!isOurs && !isAccepted(project))
      world.out(
        'Other texts were there before: a person accepts them with `fairlead trust`, and none goes to the agent until then.\n',
      );
    return code;
  },
};

function rememberMaker(world: CliWorld, place: ContextPlace): void {
  changeState(world, (draft) => workspaceCell(MADE_HERE, draft, place).set({ at: draft.now }, contextKey(place)));
}

function makeDir(path: string): boolean {
  const found = nodeFiles.stat(path);
  if (found && found.kind !== 'dir') throw new CommandError(`${path} is in the way: it is no directory`);
  if (!found) nodeFiles.makeDirLikeParent(path);
  return !found;
}

/** Only where nothing has the name, not even a link to nowhere; whole or not at all, since it is not made again. */
function makeFile(path: string, text: string): boolean {
  return nodeFiles.lstat(path) === undefined && nodeFiles.replace(path, text, undefined);
}

/** One that an earlier release made, and nobody has changed, is brought up to date. */
function makeIgnore(path: string): boolean {
  const isEarlier = nodeFiles.lstat(path)?.kind === 'file' && nodeFiles.readText(path) === EARLIER_GITIGNORE;
  return isEarlier ? nodeFiles.replace(path, GITIGNORE, EARLIER_GITIGNORE) : makeFile(path, GITIGNORE);
}

/**
 * Whoever makes a context stands behind it, but not behind texts that came with the project: none of those that go to the
 * agent may be there yet. A starter may, since an earlier run can have been cut short.
 */
function holdsNoText(root: string): boolean {
  return nodeFiles
    .list(contextPath(root))
    .filter((name) => name.endsWith('.md') || name === REMINDERS_FILE)
    .every((name) => isStarter(name) && nodeFiles.readText(contextPath(root, name)) === STARTERS[name]);
}

function isStarter(name: string): name is keyof typeof STARTERS {
  return Object.hasOwn(STARTERS, name);
}

export const add: Command = {
  summary: 'write down a decision or a learning',
  usage: 'decision|learning <title>',
  details: 'Adds an entry with empty fields to DECISIONS.md or LEARNINGS.md and refreshes the index of the file.',
  args: [2, 2],
  options: JSON_OPTION,
  async run(input, world) {
    const [kind = '', given = ''] = input.args;
    if (!isEntryKind(kind)) throw new UsageError(`expected decision or learning, not "${kind}"`);
    const title = given.replaceAll(/\s+/g, ' ').trim();
    if (title === '') throw new UsageError('an entry wants a title');
    const place = requireContext(world);
    const name = ENTRY_FILES[kind];
    const stamp = await alone(world, place, () => {
      let added = '';
      editContextFile(place, name, (before) => {
        const start = before ?? STARTERS[name as keyof typeof STARTERS];
        const entry = addEntry(start, kind, title, world.engine().clock.now());
        added = entry.stamp;
        return entry.text;
      });
      return added;
    });
    const path = contextPath(place.root, name);
    if (input.has('json')) return printJson(world, { kind, title, stamp, path });
    world.out(`Added [${stamp}] ${printableLine(title)} to ${shown(world, path)}; its fields are empty.\n`);
  },
};

function isEntryKind(kind: string): kind is EntryKind {
  return Object.hasOwn(ENTRY_FILES, kind);
}

export const remember: Command = {
  summary: 'open tasks, newest decisions and the last journal entry',
  options: JSON_OPTION,
  run(input, world) {
    const { root } = requireContext(world);
    const read = (name: string) => nodeFiles.readText(contextPath(root, name)) ?? '';
    const tasks = openTasks(read('TASKS.md'));
    const decisions = newestEntries(read(ENTRY_FILES.decision), MAX_DECISIONS);
    const [journal] = newestJournal(nodeFiles, root, 1);
    if (input.has('json'))
      return printJson(world, {
        tasks,
        decisions: decisions.map(({ stamp, title }) => ({ stamp, title })),
        ...(journal === undefined ? {} : { journal: join(CONTEXT_DIR, JOURNAL_DIR, journal) }),
      });
    const listed = (lines: readonly string[], none: string) =>
      lines.length === 0 ? `  ${none}\n` : lines.map((line) => `  ${printableLine(line)}\n`).join('');
    world.out(
      `${counted(tasks.length, 'open task')}\n${listed(
        tasks.slice(0, MAX_TASKS).map((title) => `- ${title}`),
        'none',
      )}`,
    );
    if (tasks.length > MAX_TASKS)
      world.out(`  and ${tasks.length - MAX_TASKS} more in ${join(CONTEXT_DIR, 'TASKS.md')}\n`);
    world.out(
      `\nNewest decisions\n${listed(
        decisions.map(({ stamp, title }) => `[${stamp}] ${title}`),
        'none',
      )}`,
    );
    world.out(`\nLast journal entry\n`);
    if (journal === undefined) return world.out('  none\n');
    world.out(
      `  ${printableLine(join(CONTEXT_DIR, JOURNAL_DIR, journal))}\n${beginningOf(read(join(JOURNAL_DIR, journal)))}`,
    );
  },
};

function beginningOf(text: string): string {
  return text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .slice(0, MAX_JOURNAL_LINES)
    .map((line) => `  | ${printable(line)}\n`)
    .join('');
}

export default {
  order: 210,
  groups: { context: 'decisions, learnings and open tasks of a project' },
  verbs: { 'context init': init, 'context add': add, 'context remember': remember },
} satisfies VerbFile;
