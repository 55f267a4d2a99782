import { MEMORY_HASH, ARCHIVE_DIR, changedLines, MAX_ARCHIVED, memoryDrift, mirrorPath } from '../../packs/context/memory.ts';
import type { Drift } from '../../packs/context/memory.ts';
import { stampOf } from '../../packs/context/dates.ts';
import { nodeFiles } from '../../platform/files.ts';
import { dirname, join } from '../../platform/paths.ts';
import { bindCell } from '../../state/cells.ts';
import type { Draft } from '../../state/draft.ts';
import { memoryOf } from '../agent-records.ts';
import { changeState, draftOf } from '../change-state.ts';
import { CommandError, JSON_OPTION, printJson } from '../command.ts';
import type { CliWorld, Command } from '../command.ts';
import { contextRoot, readWhole, requireInside } from '../context-root.ts';
import { rootAt } from '../known-rules.ts';
import { counted, paint, printableLine } from '../table.ts';

export const sync: Command = {
  summary: "copy the agent's own memory of this project",
  details: `The copy is .context/memory/mirror.md; the ${MAX_ARCHIVED} before it are kept beside it in archive/.`,
  options: JSON_OPTION,
  run(input, world) {
    const root = contextRoot(world);
    const { path, memory } = memoryOf(root, world);
    if (!memory) return tellNone(path, input.has('json'), world);
    const mirror = mirrorPath(root);
    requireInside(root, mirror);
    const before = readWhole(mirror);
    const isNew = before !== memory.text;
    if (isNew) {
      if (nodeFiles.isProtected(mirror)) throw new CommandError(`${mirror} is write-protected and stays as it is`);
      nodeFiles.makeDirLikeParent(dirname(mirror));
      if (before !== undefined) archive(mirror, before, root, world);
      if (!nodeFiles.replace(mirror, memory.text, before)) throw new CommandError(`${mirror} changed meanwhile; try again`);
    }
    changeState(world, (draft) => {
      const cell = hashCell(draft, world);
      if (cell.get() !== memory.sha256) cell.set(memory.sha256);
    });
    const { added, removed } = changedLines(before ?? '', memory.text);
    const changes = { added: added.length, removed: removed.length };
    if (input.has('json')) return printJson(world, { path, mirror, changed: isNew, ...changes });
    world.out(isNew ? `Copied to ${mirror}: ${describe(changes)}.\n` : 'The mirror is up to date.\n');
  },
};

export const status: Command = {
  summary: 'whether that memory changed since it was copied',
  options: JSON_OPTION,
  run(input, world) {
    const { path, drift } = look(world);
    if (!drift) return tellNone(path, input.has('json'), world);
    if (input.has('json')) return printJson(world, { path, ...drift });
    world.out(`${path}\n`);
    if (drift.state === 'same') return world.out('The mirror is up to date.\n');
    world.out(drift.state === 'first' ? 'It was never copied.\n' : `It changed since it was copied: ${describe(drift)}.\n`);
    world.out('`fairlead memory sync` copies it.\n');
  },
};

export const diff: Command = {
  summary: 'the lines that came and went since then',
  options: JSON_OPTION,
  run(input, world) {
    const root = contextRoot(world);
    const { path, memory } = memoryOf(root, world);
    if (!memory) return tellNone(path, input.has('json'), world);
    const { added, removed } = changedLines(readWhole(mirrorPath(root)) ?? '', memory.text);
    if (input.has('json')) return printJson(world, { path, added, removed });
    for (const line of removed) world.out(`${paint(world, 'red', `- ${printableLine(line)}`)}\n`);
    for (const line of added) world.out(`${paint(world, 'green', `+ ${printableLine(line)}`)}\n`);
    if (added.length + removed.length === 0) world.out('No line differs.\n');
  },
};

function look(world: CliWorld): { readonly path: string; readonly drift?: Drift } {
  const root = contextRoot(world);
  const { path, memory } = memoryOf(root, world);
  if (!memory) return { path };
  return { path, drift: memoryDrift(nodeFiles, root, memory, hashCell(draftOf(world), world).get()) };
}

function hashCell(draft: Draft, world: CliWorld) {
  const workspace = rootAt(world);
  return bindCell(MEMORY_HASH, draft, () => workspace);
}

const ARCHIVED = /^mirror-.*\.md$/;

function archive(mirror: string, text: string, root: string, world: CliWorld): void {
  const dir = join(dirname(mirror), ARCHIVE_DIR);
  requireInside(root, dir);
  nodeFiles.makeDirLikeParent(dir);
  const stamp = stampOf(world.engine().clock.now());
  for (let copy = 1; !nodeFiles.replace(join(dir, `mirror-${stamp}${copy === 1 ? '' : `-${copy}`}.md`), text, undefined);) copy += 1;
  const old = nodeFiles.list(dir).filter((name) => ARCHIVED.test(name)).slice(0, -MAX_ARCHIVED);
  for (const name of old) nodeFiles.remove(join(dir, name));
}

function tellNone(path: string, json: boolean, world: CliWorld): void {
  if (json) return printJson(world, { path, state: 'none' });
  world.out(`The agent has written nothing down for this project: there is no ${path}.\n`);
}

function describe({ added, removed }: { readonly added: number; readonly removed: number }): string {
  return `${counted(added, 'line')} added, ${counted(removed, 'line')} removed`;
}
