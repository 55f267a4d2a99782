import { stampOf } from '../../dates.ts';
import { MEMORY_DIR } from '../../files.ts';
import {
  ARCHIVE_DIR,
  changedLines,
  MAX_ARCHIVED,
  MEMORY_HASH,
  memoryDrift,
  MIRROR_FILE,
  mirrorPath,
} from '../../memory.ts';
import type { Drift } from '../../memory.ts';
import { nodeFiles } from '../../../../platform/files.ts';
import { dirname, join } from '../../../../platform/paths.ts';
import { memoryOf } from '../agent-records.ts';
import { tellMissing } from '../../../../cli/agents.ts';
import { changeState, draftOf } from '../../../../cli/change-state.ts';
import { JSON_OPTION, printJson } from '../../../../cli/command.ts';
import type { CliWorld, Command, VerbFile } from '../../../../cli/command.ts';
import { contextKey, requireContext, workspaceCell } from '../context-place.ts';
import type { ContextPlace } from '../context-place.ts';
import { alone, editContextFile, readExactly, requireInside } from '../edit-context.ts';
import { counted, paint, printableLine } from '../../../../cli/table.ts';

export const sync: Command = {
  summary: "copy the agent's own memory of this project",
  details: `The copy is .context/memory/mirror.md; the ${MAX_ARCHIVED} before it are kept beside it in archive/.`,
  options: JSON_OPTION,
  async run(input, world) {
    const place = requireContext(world);
    const { path, memory } = memoryOf(place.root, world);
    if (!memory) return tellNone(path, input.has('json'), world);
    const mirror = mirrorPath(place.root);
    const before = await alone(world, place, () => {
      const text = readExactly(mirror);
      if (text !== memory.text) {
        requireInside(place, mirror);
        nodeFiles.makeDirLikeParent(join(dirname(mirror), ARCHIVE_DIR));
        if (text !== undefined) archive(place, text, world);
        editContextFile(place, `${MEMORY_DIR}/${MIRROR_FILE}`, () => memory.text);
      }
      changeState(world, (draft) => {
        const cell = workspaceCell(MEMORY_HASH, draft, place);
        if (cell.get(contextKey(place)) !== memory.sha256) cell.set(memory.sha256, contextKey(place));
      });
      return text;
    });
    const isNew = before !== memory.text;
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
    world.out(
      drift.state === 'first' ? 'It was never copied.\n' : `It changed since it was copied: ${describe(drift)}.\n`,
    );
    world.out('`fairlead memory sync` copies it.\n');
  },
};

export const diff: Command = {
  summary: 'the lines that came and went since then',
  options: JSON_OPTION,
  run(input, world) {
    const { root } = requireContext(world);
    const { path, memory } = memoryOf(root, world);
    if (!memory) return tellNone(path, input.has('json'), world);
    const { added, removed } = changedLines(readExactly(mirrorPath(root)) ?? '', memory.text);
    if (input.has('json')) return printJson(world, { path, added, removed });
    for (const line of removed) world.out(`${paint(world, 'red', `- ${printableLine(line)}`)}\n`);
    for (const line of added) world.out(`${paint(world, 'green', `+ ${printableLine(line)}`)}\n`);
    if (added.length + removed.length === 0) world.out('No line differs.\n');
  },
};

function look(world: CliWorld): { readonly path: string | undefined; readonly drift?: Drift } {
  const place = requireContext(world);
  const { path, memory } = memoryOf(place.root, world);
  if (!memory) return { path };
  const hash = workspaceCell(MEMORY_HASH, draftOf(world), place).get(contextKey(place));
  return { path, drift: memoryDrift(nodeFiles, place.root, memory, hash) };
}

const ARCHIVED = /^mirror-.*\.md$/;

function archive(place: ContextPlace, text: string, world: CliWorld): void {
  const dir = join(dirname(mirrorPath(place.root)), ARCHIVE_DIR);
  const names = nodeFiles.list(dir).filter((name) => ARCHIVED.test(name));
  const now = world.engine().clock.now();
  const name = `mirror-${stampOf(now)}-${String(now % 1_000).padStart(3, '0')}.md`;
  editContextFile(place, `${MEMORY_DIR}/${ARCHIVE_DIR}/${name}`, () => text);
  for (const old of [...names, name].toSorted().slice(0, -MAX_ARCHIVED)) nodeFiles.remove(join(dir, old));
}

function tellNone(path: string | undefined, json: boolean, world: CliWorld): void {
  tellMissing('memory', world.cwd, world);
  if (json) return printJson(world, { path, state: 'none' });
  if (path === undefined) return world.out('No agent keeps a memory of this project that Fairlead reads.\n');
  world.out(`The agent has written nothing down for this project: there is no ${path}.\n`);
}

function describe({ added, removed }: { readonly added: number; readonly removed: number }): string {
  return `${counted(added, 'line')} added, ${counted(removed, 'line')} removed`;
}

export default {
  order: 290,
  groups: { memory: 'a copy of what the agent itself remembers' },
  verbs: { 'memory sync': sync, 'memory status': status, 'memory diff': diff },
} satisfies VerbFile;
