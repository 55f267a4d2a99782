import { directoryOf, upwards } from '../../model/paths.ts';
import { collect } from './collect.ts';
import type { District, ModuleGraph } from './module-graph.ts';
import { splitFlat } from './split-flat.ts';

/** More say more, up to what a picture can hold. */
const MOST = 18;
/** Fewer tell nothing: then directories are divided, however many parts that makes. */
const FEWEST = 4;
/** A part of all that is not left in one piece where it can be divided. */
const TOO_LARGE = 0.5;
/** A part of all that is not worth dividing. */
const SMALL = 0.03;

/**
 * By directories, from the root down: what holds several packages is divided into them, then the largest directory into
 * what is in it, as long as a picture has room. What lies in one directory is divided by who imports whom.
 */
export function findDistricts(graph: ModuleGraph): readonly District[] {
  const paths = graph.modules.map(({ path }) => path);
  const total = paths.length;
  if (total === 0) return [];
  const most = Math.min(MOST, Math.max(6, Math.round(2 * Math.sqrt(total))));
  const all = paths.map((_, number) => number);
  let districts = divide(all);
  for (;;) {
    const next = districts.toSorted((a, b) => b.modules.length - a.modules.length).find(isDivided);
    if (next === undefined) break;
    districts = districts.flatMap((district) => (district === next ? partsOf(next) : [district]));
  }
  const isFew = districts.length < FEWEST;
  return districts
    .flatMap((district) => {
      const isOne = isFew || district.modules.length > total * TOO_LARGE;
      return isOne ? splitFlat(graph, district, most) : [district];
    })
    .toSorted((a, b) => (a.name < b.name ? -1 : 1));

  function partsOf({ name, modules }: District): readonly District[] {
    return name.endsWith('*') ? [] : divide(modules);
  }

  /** One part for each directory in what they have in common, and one for the files that lie in it. */
  function divide(modules: readonly number[]): readonly District[] {
    const directory = commonDirectory(modules.map((module) => paths[module] as string));
    const start = directory === '' ? 0 : directory.length + 1;
    const parts = collect(modules, (module) => {
      const path = paths[module] as string;
      const slash = path.indexOf('/', start);
      return slash === -1 ? '' : path.slice(0, slash);
    });
    return [...parts].map(([part, own]) => {
      const [first] = own;
      if (own.length === 1 && first !== undefined) return { name: paths[first] as string, modules: own };
      if (part === '') return { name: directory === '' ? './*' : `${directory}/*`, modules: own };
      const common = commonDirectory(own.map((module) => paths[module] as string));
      return {
        name: upwards(common).findLast((each) => isIn(each, part) && graph.packages.has(each)) ?? common,
        modules: own,
      };
    });
  }

  function isDivided(district: District): boolean {
    const { name, modules } = district;
    const parts = partsOf(district);
    if (parts.length < 2) return false;
    if (districts.length < FEWEST || modules.length > total * TOO_LARGE) return true;
    if (parts.filter((part) => graph.packages.has(part.name)).length > 1) return true;
    // One of several packages is a whole.
    if (graph.packages.has(name) && districts.filter((other) => graph.packages.has(other.name)).length > 1)
      return false;
    return modules.length >= total * SMALL && districts.length - 1 + parts.length <= most;
  }
}

function isIn(path: string, directory: string): boolean {
  return path === directory || path.startsWith(`${directory}/`);
}

function commonDirectory(paths: readonly string[]): string {
  let common = directoryOf(paths[0] ?? '');
  for (const path of paths) while (common !== '' && !path.startsWith(`${common}/`)) common = directoryOf(common);
  return common;
}
