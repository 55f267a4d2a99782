import type { FileFacts, FileFlag } from '../model/facts.ts';
import { placedRole, ROLE_FLAGS } from '../model/role.ts';
import { rulesOf } from './language-rules.ts';
import type { World } from './world.ts';

/** What the manifests around a file say that it is there for. What settings or its own text say goes before. */
export function manifestRole(world: World, file: FileFacts): FileFlag | undefined {
  if (file.flags.some((flag) => ROLE_FLAGS.has(flag))) return undefined;
  const { role, unless } = placedRole(file.path, file.flags);
  if (role !== 'production' && !unless) return undefined;
  const said = rulesOf(file.language).roleOf(world, file.path, role === 'production');
  return said === 'product' && role === 'production' ? undefined : said;
}
