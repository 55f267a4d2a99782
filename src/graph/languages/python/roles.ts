import { strings } from '../../manifests/fields.ts';
import type { FileFlag } from '../../model/facts.ts';
import { below, directoryOf, join, upwards } from '../../model/paths.ts';
import { isProductIn } from '../../model/role.ts';
import type { World } from '../../resolve/world.ts';

const MANIFESTS = ['pyproject.toml', 'setup.cfg'];

/** Where pytest looks for tests, and packages that are published from a place that looks like no product. */
export function roleOf(world: World, path: string): FileFlag | undefined {
  for (const directory of upwards(directoryOf(path))) {
    for (const name of MANIFESTS) {
      const manifest = world.file(below(directory, name))?.manifest ?? {};
      const places = (key: string) => strings(manifest[key]).map((place) => join(directory, place) ?? '');
      if (places('packages').some((place) => isProductIn(path, place))) return 'product';
      if (places('tests').some((place) => place !== '' && path.startsWith(`${place}/`))) return 'test';
    }
  }
  return undefined;
}
