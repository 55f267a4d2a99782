import type { Question } from '../links.ts';
import { mentionsOf } from './mentions.ts';
import type { StoredWorld } from './stored-world.ts';

/**
 * Says which files may have looked up one of some names in a file: those that write one, and those that were led through
 * a file in which a definition, an import or an export does. Resolution goes by names alone, so the others find what they found.
 */
export function createLookers(
  world: StoredWorld,
  askedBy: (path: string) => readonly Question[],
  about: string,
  names: ReadonlySet<string>,
): (path: string) => boolean {
  const leads = new Map<string, boolean>();
  const named = new Map<string, boolean>();

  const hasAny = (found: ReadonlySet<string> | undefined): boolean => {
    if (found !== undefined) for (const name of names) if (found.has(name)) return true;
    return false;
  };

  function leadsThere(path: string): boolean {
    // What the file itself offers is known not to name them.
    if (path === about) return false;
    let found = leads.get(path);
    if (found === undefined) {
      const facts = world.file(path);
      leads.set(path, (found = hasAny(facts && mentionsOf(facts).outside)));
    }
    return found;
  }

  function isReached(name: string): boolean {
    let found = named.get(name);
    if (found === undefined) {
      found = names.has(name);
      if (!found) for (const path of world.pathsOf(name)) if ((found = leadsThere(path))) break;
      named.set(name, found);
    }
    return found;
  }

  return (path) => {
    const facts = world.file(path);
    if (facts === undefined || hasAny(mentionsOf(facts).inside)) return true;
    for (const question of askedBy(path)) {
      if (question.startsWith('file:') && leadsThere(question.slice(5))) return true;
      if (question.startsWith('name:') && isReached(question.slice(5))) return true;
    }
    return false;
  };
}
