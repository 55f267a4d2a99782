import { toldBy } from '../../../adapters/registry.ts';
import { MADE_HERE } from '../command-cells.ts';
import { CONTEXT_DIR, contextPath } from '../files.ts';
import { contextKey as keyIn } from '../place.ts';
import { nodeFiles } from '../../../platform/files.ts';
import { dirname } from '../../../platform/paths.ts';
import { bindCell, cellId } from '../../../state/cells.ts';
import type { CellOf, CellSpec } from '../../../state/cell.ts';
import type { Draft } from '../../../state/draft.ts';
import { settingsOf } from '../../../workspace/policy.ts';
import { CommandError } from '../../../cli/command.ts';
import type { CliWorld } from '../../../cli/command.ts';
import { rootAt } from '../../../cli/known-rules.ts';

export interface ContextPlace {
  /** The directory that holds `.context`. */
  readonly root: string;
  /** The workspace whose cells rules read here; the root, or a directory above it. */
  readonly workspace: string;
}

/** The nearest `.context` at the working directory or above it in the workspace; else that of the agent's project. */
export function findContext(world: CliWorld): ContextPlace | undefined {
  return contextFrom(world, world.cwd) ?? fromProject(world);
}

export function requireContext(world: CliWorld): ContextPlace {
  const place = findContext(world);
  if (!place)
    throw new CommandError(`no ${CONTEXT_DIR} directory at ${world.cwd} or above; \`fairlead context init\` makes one`);
  return place;
}

/** Where `context init` makes one: where there is one already, or at the root of the workspace. */
export function placeForContext(world: CliWorld): ContextPlace {
  const workspace = rootAt(world);
  return contextFrom(world, world.cwd) ?? { root: workspace, workspace };
}

function contextFrom(world: CliWorld, start: string): ContextPlace | undefined {
  const workspace = rootAt(world, start);
  for (let dir = nodeFiles.realpath(start) ?? start; ; dir = dirname(dir)) {
    if (nodeFiles.stat(contextPath(dir))?.kind === 'dir') return { root: dir, workspace };
    if (dir === workspace || dirname(dir) === dir) return undefined;
  }
}

function fromProject(world: CliWorld): ContextPlace | undefined {
  const dir = toldBy(world.env).projectDir;
  return dir === undefined ? undefined : contextFrom(world, dir);
}

export function currentSession(world: CliWorld): string | undefined {
  return toldBy(world.env).sessionId;
}

/** What the person set for the pack, as it stands in the settings. */
export async function contextOptions(
  world: CliWorld,
  { workspace }: ContextPlace,
): Promise<Readonly<Record<string, unknown>>> {
  const { packs } = settingsOf(await world.engine().workspaces.layersAt(workspace));
  return packs['context']?.options ?? {};
}

/** A cell of the workspace, as the rules there see it. */
export function workspaceCell<Spec extends CellSpec>(
  spec: Spec,
  draft: Draft,
  { workspace }: ContextPlace,
): CellOf<Spec> {
  return bindCell(spec, draft, () => workspace);
}

/** Under which the cells of a workspace hold what is about this context alone. */
export function contextKey({ root, workspace }: ContextPlace): string {
  return keyIn({ root: workspace }, root);
}

/** Whether this user made it with `context init`, so that its text goes to the agent without an act of trust. */
export function isMadeHere(world: CliWorld, place: ContextPlace): boolean {
  const { store, clock } = world.engine();
  const { scope, name } = MADE_HERE;
  return store.get(cellId(scope, place.workspace, name, contextKey(place)), clock.now()) !== undefined;
}
