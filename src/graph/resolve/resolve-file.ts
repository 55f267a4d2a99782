import type { FileFacts, FileFlag } from '../model/facts.ts';
import type { FileLinks } from '../model/links.ts';
import { finish, startCollecting } from './collect.ts';
import { readValue } from './evaluate.ts';
import { linkReference } from './references.ts';
import { startResolution } from './resolution.ts';
import { linkStructure } from './structure.ts';
import { readType } from './type-space.ts';
import { watched } from './world.ts';
import type { World } from './world.ts';
import { placedRole, ROLE_FLAGS } from '../model/role.ts';
import { rulesOf } from './language-rules.ts';

/** What the manifests around a file say that it is there for. What settings or its own text say goes before. */
function manifestRole(world: World, file: FileFacts): FileFlag | undefined {
  if (file.flags.some((flag) => ROLE_FLAGS.has(flag))) return undefined;
  const { role, unless } = placedRole(file.path, file.flags);
  if (role !== 'production' && !unless) return undefined;
  const said = rulesOf(file.language).roleOf(world, file.path, role === 'production');
  return said === 'product' && role === 'production' ? undefined : said;
}

/** Where everything in a file leads to. Depends on nothing but the facts in the world. */
export function resolveFile(world: World, file: FileFacts): FileLinks {
  const seen = watched(world);
  const r = startResolution(seen.world, file, readValue, readType);
  const into = startCollecting();
  linkStructure(r, into);
  for (const reference of file.references) linkReference(r, reference, into);
  const role = manifestRole(seen.world, file);
  const links = finish(into, seen.asked());
  return role === undefined ? links : { ...links, role };
}
