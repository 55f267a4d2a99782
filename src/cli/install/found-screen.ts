import { INSTALLERS } from '../../adapters/installers.generated.ts';
import type { Installer } from '../../adapters/installer.ts';
import { adapterNamed } from '../../adapters/registry.ts';
import { DEFAULT_PACKS } from '../../event/known-packs.ts';
import { canonicalPath, nodeFiles } from '../../platform/files.ts';
import { findOnPath } from '../../platform/find-program.ts';
import { contains, relative } from '../../platform/paths.ts';
import { beside } from '../beside.ts';
import type { Row } from '../beside.ts';
import type { CliWorld } from '../command.ts';
import { counted, paint, printableLine } from '../table.ts';
import { rightsOf } from './confirm.ts';
import type { FileChange } from './file-change.ts';
import type { Wiring } from './inspect.ts';
import type { FittingPack } from './fitting-packs.ts';
import { originalHooks } from './original-hooks.ts';
import type { Target } from './target.ts';

/** What `init` came upon. */
export interface Came {
  readonly installers: readonly Installer[];
  readonly target: Target;
  /** The project counts; with the scope of a person it does not. */
  readonly isOfProject: boolean;
  readonly wirings: readonly Wiring[];
  readonly fitting: readonly FittingPack[];
}

export function foundScreen({ installers, target, isOfProject, wirings, fitting }: Came, world: CliWorld): string {
  const rows: Row[] = installers.map(({ agent }) => ['agent', `${agent}, ${placeOf(agent, world)}`]);
  if (isOfProject)
    rows.push(['project', `${target.root}${target.workspace.markerBacked ? '' : ' (nothing marks it as a project)'}`]);
  const foreign = wirings.reduce((sum, wiring) => sum + wiring.foreign, 0);
  const own = wirings.filter(({ wired }) => wired.length > 0);
  rows.push([
    'hooks',
    [
      ...own.map(
        ({ path, wired }) => `fairlead's own on ${counted(wired.length, 'event')} in ${shownFrom(target.root, path)}`,
      ),
      foreign === 0
        ? 'none of others'
        : `${foreign} of others, which stay as they are${canAdopt(wirings) ? '; see `fairlead adopt`' : ''}`,
    ].join('; '),
  ]);
  for (const { what, program, file, pack, both } of originalHooks(wirings, world))
    rows.push([
      '',
      printableLine(
        `${what} of ${program} in ${file}: kept; take that out, or leave the pack ${pack} off, else ${both}`,
      ),
    ]);
  if (isOfProject) for (const installer of installers) rows.push(...rulesOfOthers(installer, target));
  for (const { pack, found, does, report, isOpen } of fitting) {
    const isUsual = DEFAULT_PACKS.has(pack);
    rows.push([
      `pack ${pack}`,
      `${found}${isUsual ? '; the pack is on by itself' : isOpen ? `; the pack ${does}` : ''}`,
    ]);
    if (isOpen) rows.push(...report.map((line): Row => ['', line.trim()]));
  }
  return section('Found', rows, world);
}

function canAdopt(wirings: readonly Wiring[]): boolean {
  return wirings.some(
    ({ agent, foreign }) => foreign > 0 && INSTALLERS.some((each) => each.agent === agent && each.adopting),
  );
}

function placeOf(agent: string, { env }: CliWorld): string {
  const names = adapterNamed(agent)?.program.names ?? [];
  return names.map((name) => findOnPath(name, env)).find((path) => path !== undefined) ?? 'not on your PATH';
}

/** Rules that people wrote for something else, and that work here as they are. */
function rulesOfOthers({ otherRules }: Installer, target: Target): Row[] {
  return (otherRules?.(target) ?? []).flatMap(({ kind, dir, isRule }): Row[] => {
    const names = nodeFiles.list(dir).filter(isRule);
    if (names.length === 0) return [];
    return [
      [
        kind,
        `${counted(names.length, 'rule')} in ${shownFrom(target.root, dir)}; \`fairlead adopt\` makes rules of them`,
      ],
    ];
  });
}

/** What will be done: each file with what comes into it, or goes. */
export function writeScreen<Change extends FileChange>(
  title: string,
  changes: readonly Change[],
  about: (change: Change) => string,
  root: string,
  world: CliWorld,
): string {
  const rows = changes.flatMap((change): Row[] => {
    const real = canonicalPath(nodeFiles, change.path);
    const rights = rightsOf(change);
    return [
      [shownFrom(root, change.path), about(change)],
      ...(real === change.path ? [] : [['', `the file is ${real}`] as const]),
      ...(rights === undefined ? [] : [['', `mode ${rights}`] as const]),
    ];
  });
  return section(title, rows, world);
}

function section(title: string, rows: readonly Row[], world: CliWorld): string {
  return `${[paint(world, 'bold', title), ...beside(rows, world)].join('\n')}\n\n`;
}

function shownFrom(root: string, path: string): string {
  return contains(root, path) ? relative(root, path) : path;
}
