import type { Base, FileFacts } from '../model/facts.ts';
import { once } from './resolution.ts';
import type { Resolution } from './resolution.ts';
import type { Env, Type } from './types.ts';

/** What a class extends, as objects of it see it. A function that makes a class is on the way to no member. */
export function baseType(r: Resolution, file: FileFacts, base: Base, env: Env): Type {
  return once(r, env.values, base, () => {
    const type = r.type(r, file, base.type, env);
    r.returned = false;
    return type;
  });
}
