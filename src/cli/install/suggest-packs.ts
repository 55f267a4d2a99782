import { PACK_SETUPS } from '../../packs/cli.generated.ts';
import type { CliWorld, Input } from '../command.ts';
import { readConfigAt, userConfigPath } from '../user-config.ts';
import { readWhole } from './file-change.ts';

/** Lines on packs that this project has something for and about which nobody has said anything yet. */
export async function suggestPacks(root: string, chosen: readonly string[], world: CliWorld): Promise<string[]> {
  const open = PACK_SETUPS.filter(({ pack }) => isOpen(pack, chosen, world));
  const setups = await Promise.all(open.map(({ load }) => load()));
  return setups.flatMap((setup) => setup.found(root, world)?.suggestion ?? []);
}

/**
 * Says what the project has for packs and what would become of it, and which of them are to be switched on: only a person
 * who can be asked says so here, `--pack` says it beforehand.
 */
export async function askAboutPacks(root: string, input: Input, world: CliWorld): Promise<string[]> {
  const chosen = input.list('pack');
  const wanted: string[] = [];
  for (const { pack, load } of PACK_SETUPS) {
    const open = isOpen(pack, chosen, world);
    const { report } = (open || chosen.includes(pack) ? (await load()).found(root, world) : undefined) ?? {};
    if (!report) continue;
    for (const line of report) world.out(`${line}\n`);
    if (!open || !world.interactive || input.has('yes') || input.has('dry-run')) continue;
    if (await world.ask(`Switch the pack ${pack} on, in your own settings?`)) wanted.push(pack);
  }
  return wanted;
}

function isOpen(pack: string, chosen: readonly string[], world: CliWorld): boolean {
  const config = userConfigPath(world.paths.config);
  return !chosen.includes(pack) && readConfigAt(readWhole(config) ?? '', ['packs', pack], config) === undefined;
}
