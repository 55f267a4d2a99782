import type { Question } from '../model/links.ts';
import { mentionsOf } from './mentions.ts';
import type { StoredWorld } from './stored-world.ts';

/** What a file asked about, by kind. */
export interface Asked {
  readonly all: readonly Question[];
  readonly files: readonly string[];
  readonly names: readonly string[];
}

export function sortAsked(given: readonly Question[]): Asked {
  const all = given.map((question) => question.toWellFormed() as Question);
  const of = (kind: string): string[] =>
    all.flatMap((question) => (question.startsWith(kind) ? question.slice(kind.length) : []));
  return { all, files: of('file:'), names: of('name:') };
}

const NOTHING: Asked = { all: [], files: [], names: [] };

/**
 * Says which files may have looked up one of some names in a file: those that write one, and those that were led through
 * a file in which a definition, an import or an export does. Resolution goes by names alone, so the others find what they found.
 */
export function createLookers(
  world: StoredWorld,
  askedBy: (path: string) => Asked | undefined,
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
    const { files, names: others } = askedBy(path) ?? NOTHING;
    return files.some(leadsThere) || others.some(isReached);
  };
}
