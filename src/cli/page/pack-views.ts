import { PACK_PAGES } from '../../packs/cli.generated.ts';
import { activePacks } from '../active-packs.ts';
import type { CliWorld } from '../command.ts';
import { shownAs } from './rows.ts';
import type { PackView, PackViewName } from './shapes.ts';

/** The views of packs that are on in the project at hand. */
export async function packViewNames(world: CliWorld): Promise<readonly PackViewName[]> {
  const active = await activePacks(world);
  const pages = await Promise.all(
    PACK_PAGES.filter(({ pack }) => active.includes(pack)).map(async ({ pack, load }) => ({ pack, ...(await load()) })),
  );
  return pages.toSorted((a, b) => a.order - b.order).map(({ pack, title }) => ({ pack, title }));
}

/** Undefined for a pack that is off, or has no view. */
export async function packView(world: CliWorld, wanted: string | undefined): Promise<PackView | undefined> {
  const part = PACK_PAGES.find(({ pack }) => pack === wanted);
  if (!part || !(await activePacks(world)).includes(part.pack)) return undefined;
  const { show } = await part.load();
  return shownThroughout(await show(world)) as PackView;
}

/** What files of a project say is shown as a terminal would. Commands stay as they are: they are copied. */
function shownThroughout(value: unknown, name = ''): unknown {
  if (typeof value === 'string') return shownAs(value);
  if (Array.isArray(value)) return name === 'commands' ? value : value.map((each) => shownThroughout(each));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, shownThroughout(each, key)]));
}
