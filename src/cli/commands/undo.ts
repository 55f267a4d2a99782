import { relative, resolve } from '../../platform/paths.ts';
import type { Copy } from '../../undo/manifest.ts';
import { compare, restore } from '../../undo/restore.ts';
import type { Restoration } from '../../undo/restore.ts';
import type { FileStep } from '../../undo/restore-files.ts';
import { CommandError, JSON_OPTION, printJson } from '../command.ts';
import type { CliWorld, Command, VerbFile } from '../command.ts';
import { unifiedDiff } from '../install/diff.ts';
import { rootAt } from '../known-rules.ts';
import { counted, formatBytes, formatMoment, formatTime, printableLine, printTable } from '../table.ts';
import { copiesOf, copyMeant } from '../undo-copies.ts';
import type { Copies } from '../undo-copies.ts';

/** Nobody to ask. */
const UNASKED = 2;
const DECLINED = 1;

export const undo: Command = {
  summary: 'bring back what a call destroyed',
  gated: 'it puts copies over what is there now',
  usage: '[number]',
  details: `Puts a copy back that was made before a call ran: files with their rights, links and times, the index, branches, stashes and
reflogs. Without a number it is the newest copy of this project. What it replaces is kept first, as a copy of its own, so an undo can be
undone. A file that somebody has written since is shown and asked about. It never cleans, and never checks out over changed files.
\`fairlead undo list\` names the copies, \`fairlead undo show N\` what is in one.
An agent that calls it is asked about; what the person approves there holds for that very call.`,
  args: [0, 1],
  options: {
    path: { type: 'string', value: 'PATH', help: 'only this file, or what lies below this directory' },
    to: { type: 'string', value: 'DIR', help: 'the files into this directory, instead of where they were' },
    yes: { type: 'boolean', short: 'y', help: 'do not ask, also where files were written since' },
    ...JSON_OPTION,
  },
  check: (input, world) => void copyMeant(input.args[0], copiesOf(world), world),
  redeem: ({ root }, _input, world) => root === rootAt(world),
  async run(input, world) {
    const copies = copiesOf(world);
    const copy = copyMeant(input.args[0], copies, world);
    const [only, to] = [input.text('path'), input.text('to')].map((path) =>
      path === undefined ? undefined : resolve(world.cwd, path),
    );
    const plan = await compare(copy, copies.world, { only, to });
    if (only !== undefined && plan.files.length === 0)
      throw new CommandError(`copy ${copy.number} has nothing at ${only}`);
    if (isDone(plan)) {
      if (input.has('json')) return printJson(world, { number: copy.number, files: 0, left: [] });
      return world.out(`Nothing to do: all is as in copy ${copy.number}.\n`);
    }
    const answer = input.has('yes') ? 'yes' : await askAbout(copy, plan, world);
    if (answer !== 'yes') return answer;
    const { saved, files, left } = await restore(copy, copies.store, copies.world, plan);
    if (input.has('json'))
      return printJson(world, { number: copy.number, files, left, ...(saved && { saved: saved.number }) });
    world.out(`Copy ${copy.number} is back: ${[counted(files, 'file'), ...refsIn(plan)].join(', ')}.\n`);
    for (const each of left) world.err(`left as it is: ${printableLine(each)}\n`);
    if (saved) world.out(`What was there before is copy ${saved.number}: fairlead undo ${saved.number}\n`);
    return left.length === 0 ? 0 : 1;
  },
};

function isDone({ files, repositories }: Restoration): boolean {
  return (
    files.every(({ now, entry }) => now === 'same' || entry.kind === 'absent') &&
    repositories.every(
      ({ refs, isAway, kept }) => refs.length === 0 && !isAway && kept.logs.length === 0 && kept.index === undefined,
    )
  );
}

function refsIn({ repositories }: Restoration): readonly string[] {
  return repositories.flatMap(({ refs }) => refs.map(({ name }) => name));
}

const MOST_SHOWN = 20;

/** Anything but `yes` is an exit code. */
async function askAbout(
  copy: Copy,
  { conflicts, repositories }: Restoration,
  world: CliWorld,
): Promise<'yes' | number> {
  const moved = repositories.flatMap(({ refs, isAway }) => [
    ...refs.flatMap(({ name, now }) => (now === undefined ? [] : [`${name} moves back`])),
    ...(isAway ? ['HEAD moves back'] : []),
  ]);
  if (conflicts.length === 0 && moved.length === 0) return 'yes';
  const lines = [...conflicts.map(({ path }) => `${short(path, copy)}: written since`), ...moved];
  for (const line of lines.slice(0, MOST_SHOWN)) world.err(`  ${printableLine(line)}\n`);
  if (lines.length > MOST_SHOWN) world.err(`  and ${lines.length - MOST_SHOWN} more\n`);
  if (!world.interactive) {
    world.err(
      'Nothing was changed: there is nobody to ask here. `--yes` puts the copy there, and keeps what is there now.\n',
    );
    return UNASKED;
  }
  if (await world.ask('Put the copy there? What is there now is kept as a copy, too.')) return 'yes';
  world.out('Nothing was changed.\n');
  return DECLINED;
}

function short(path: string, { root }: Pick<Copy, 'root'>): string {
  const from = relative(root, path);
  return from.startsWith('..') ? path : from || '.';
}

export const list: Command = {
  summary: 'the copies: when, by which session and command, what, how much',
  options: { all: { type: 'boolean', short: 'a', help: 'of every project' }, ...JSON_OPTION },
  run(input, world) {
    const root = rootAt(world);
    const { store, world: outside } = copiesOf(world);
    const copies = store.list().filter((copy) => input.has('all') || copy.root === root);
    if (input.has('json')) return printJson(world, copies.map(dataOf));
    if (copies.length === 0)
      return world.out(`No copies${input.has('all') ? '' : ` of ${root}; --all shows those of other projects`}.\n`);
    const now = outside.now();
    printTable(
      world,
      [
        { title: 'number', align: 'right' },
        { title: 'when' },
        { title: 'session', shrinksTo: 8, leaves: 2 },
        { title: 'command', shrinksTo: 20 },
        { title: 'what', shrinksTo: 16, leaves: 1 },
        { title: 'size', align: 'right' },
      ],
      copies.map((copy) => [
        copy.number,
        formatMoment(copy.at, now),
        copy.session,
        copy.command,
        `${copy.names.join(', ')} (${counted(copy.files, 'file')})`,
        formatBytes(copy.bytes),
      ]),
    );
  },
};

function dataOf({ entries: _entries, repositories, ...about }: Copy): object {
  return { ...about, refs: repositories.flatMap(({ refs }) => refs) };
}

const NOW = { missing: 'gone', same: 'as it was', other: 'differs' } as const;

export const show: Command = {
  summary: 'what is in a copy, and how it differs from what is there now',
  usage: '<number>',
  args: [0, 1],
  options: JSON_OPTION,
  check: (input, world) => void copyMeant(input.args[0], copiesOf(world), world),
  async run(input, world) {
    const copies = copiesOf(world);
    const copy = copyMeant(input.args[0], copies, world);
    const { files, repositories } = await compare(copy, copies.world);
    if (input.has('json'))
      return printJson(world, {
        ...dataOf(copy),
        number: copy.number,
        files: files.map(({ entry, now, isConflict }) => ({ path: entry.path, kind: entry.kind, now, isConflict })),
        moved: repositories.flatMap(({ refs }) => refs),
      });
    const { number, at, session, command } = copy;
    world.out(`Copy ${number} of ${formatTime(at)}, session ${printableLine(session)}\n${printableLine(command)}\n\n`);
    printTable(
      world,
      [{ title: 'now' }, { title: 'path', shrinksTo: 20 }],
      [
        ...files.map(({ entry, now }) => [NOW[now], short(entry.path, copy) + (entry.kind === 'dir' ? '/' : '')]),
        ...repositories.flatMap(({ refs }) =>
          refs.map((ref) => [ref.now === undefined ? 'gone' : 'elsewhere', ref.name]),
        ),
      ],
    );
    for (const step of files.filter(({ now }) => now === 'other').slice(0, MOST_SHOWN))
      world.out(diffOf(copy, step, copies, world));
  },
};

const MOST_BYTES = 256 << 10;

/** From what is there now to what the copy has; nothing for what is no text. */
function diffOf(copy: Copy, { entry, path }: FileStep, { store, world: { files } }: Copies, world: CliWorld): string {
  if (entry.kind !== 'file' || entry.size > MOST_BYTES || (files.lstat(path)?.size ?? Infinity) > MOST_BYTES) return '';
  const [now, then] = [files.readText(path), files.readText(store.contentOf(copy.number, entry.sha))];
  if (now === undefined || then === undefined || `${now}${then}`.includes('\0')) return '';
  return `\n${unifiedDiff(short(entry.path, copy), now, then, world.colour)}`;
}

export default {
  order: 155,
  groups: { undo: 'bring back what a call destroyed' },
  verbs: { undo, 'undo list': list, 'undo show': show },
} satisfies VerbFile;
