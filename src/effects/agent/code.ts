import type { Effect } from '../../event/effect.ts';
import type { Glob } from '../../text/glob.ts';
import { compileGlob, matchGlob } from '../../text/glob.ts';
import { CHANGES } from '../paths/links.ts';
import type { Surroundings } from '../scene.ts';

const compiled = new WeakMap<readonly string[], readonly Glob[]>();

/** Changes of files that the agent runs by itself: one more effect beside each. */
export function readAgentCode(effects: readonly Effect[], { agentCode = NONE }: Surroundings): readonly Effect[] {
  if (agentCode.length === 0) return NO_EFFECTS;
  const globs = compiled.get(agentCode) ?? agentCode.map(compileGlob);
  compiled.set(agentCode, globs);
  return effects.flatMap((effect) => {
    const { path, kind, target } = effect;
    if (path === undefined || !CHANGES.has(kind)) return [];
    const parts = path.split('/').filter((part) => part !== '');
    if (!globs.some((glob) => matchGlob(glob, undefined, parts))) return [];
    return [{ ...effect, kind: 'system', how: 'later', target: `${target}, which the agent runs by itself` }];
  });
}

const NONE: readonly string[] = [];
const NO_EFFECTS: readonly Effect[] = [];
