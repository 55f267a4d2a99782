import type { Effect, EffectKind } from '../../event/effect.ts';
import { resolvePath } from './resolve-path.ts';
import type { Surroundings } from '../scene.ts';

/** Ways to change what a file holds or whether it is there. */
export const CHANGES: ReadonlySet<EffectKind> = new Set([
  'delete',
  'overwrite',
  'truncate',
  'write',
  'discard',
  'permissions',
]);
/** Nobody changes more; each look costs the event something. */
const MOST_LOOKS = 1_000;
/** As many as a system follows. */
const MOST_LINKS = 40;

/** Where paths lead: by links that the call itself makes, and by those on disk. */
export interface Links {
  /** With every link followed, the last one included. */
  leadsTo(path: string): string;
  /** What the effect changes where links lead; its own path when none is on the way. */
  changedBy(effect: Effect, path: string): string;
  /** Takes note of a link, a mount, or a copy of one that the effect makes. */
  keep(effect: Effect): void;
  /** Some were made. */
  readonly any: boolean;
  /** More than a call may look at. */
  readonly spent: boolean;
}

export function openLinks({ realPath }: Surroundings): Links {
  const made = new Map<string, string>();
  /** Of the places in it, so that few parts of a long path are looked up. */
  const lengths = new Set<number>();
  const looked = new Map<string, string>();

  function look(path: string): string {
    if (!realPath || path.includes('*')) return path;
    const known = looked.get(path);
    if (known !== undefined) return known;
    if (looked.size > MOST_LOOKS) return path;
    const real = looked.size < MOST_LOOKS ? (realPath(path) ?? path) : path;
    looked.set(path, real);
    return real;
  }

  /** Where the path leads by one that was made; `ends` where that lies below itself, as a mount of a part over the whole. */
  function throughMade(path: string): { readonly next: string; readonly ends: boolean } | undefined {
    for (let end = path.length; end > 0 && made.size > 0; end = path.lastIndexOf('/', end - 1)) {
      if (!lengths.has(end)) continue;
      const place = path.slice(0, end);
      const to = made.get(place);
      if (to !== undefined) return { next: to + path.slice(end), ends: to.startsWith(`${place}/`) };
    }
    return undefined;
  }

  /** The path itself where links lead round in a circle: no system finds anything there. */
  function leadsTo(path: string): string {
    let at = path;
    for (let left = MOST_LINKS; left > 0; left -= 1) {
      const through = throughMade(at);
      const next = through?.next ?? look(at);
      if (next === at || through?.ends) return next;
      at = next;
    }
    return path;
  }

  function make(place: string, to: string): void {
    made.set(place, to);
    lengths.add(place.length);
  }

  /** As the system walks: up from where a link leads, not from where it lies. */
  function unwind(path: string): string {
    let at = '';
    for (const part of path.split('/')) {
      if (part === '..') at = dirOf(leadsTo(at === '' ? '/' : at));
      else if (part !== '' && part !== '.') at += `/${part}`;
    }
    return at === '' ? '/' : at;
  }

  function changedBy(effect: Effect, path: string): string {
    const start = effect.winding === undefined ? path : unwind(effect.winding);
    if (followsLast(effect)) return leadsTo(start);
    const dir = dirOf(start);
    return dir === '' ? start : leadsTo(dir) + start.slice(dir.length);
  }

  function keep(effect: Effect): void {
    const { from, path, how, names = [] } = effect;
    if (from === undefined || path === undefined) return;
    const lead = how === 'link' || how === 'mount' ? from : leadsTo(from);
    const places = [path, changedBy(effect, path)].flatMap((one) => [one, ...names.map((name) => `${one}/${name}`)]);
    for (const place of new Set(places)) {
      if (lead !== from || how === 'link' || how === 'mount') make(place, lead);
      for (const [link, to] of [...made]) if (link.startsWith(`${from}/`)) make(place + link.slice(from.length), to);
      if (made.size > MOST_LOOKS) return;
    }
  }

  return {
    leadsTo,
    changedBy,
    keep,
    get any() {
      return made.size > 0;
    },
    get spent() {
      return looked.size >= MOST_LOOKS || made.size > MOST_LOOKS;
    },
  };
}

/** What is removed, moved away or linked anew is the link itself; all else goes through it. */
function followsLast({ kind, how }: Effect): boolean {
  return kind !== 'delete' && how !== 'moved-away' && how !== 'link';
}

/** The same effects where links lead to other files: the one thing that the text of a call cannot tell and a look can. */
export function followLinks(effects: readonly Effect[], links: Links, surroundings: Surroundings): readonly Effect[] {
  const found: Effect[] = [];
  for (const effect of effects) {
    const { path, kind } = effect;
    if (path === undefined || !CHANGES.has(kind)) continue;
    const real = links.changedBy(effect, path);
    const named = real === path ? path : nameIn(real, surroundings, links);
    if (named !== path) {
      const { name, scope } = resolvePath(named, surroundings.root, surroundings);
      found.push({ ...effect, path: named, target: name, scope });
    }
    links.keep(effect);
  }
  const last = effects.at(-1);
  if (links.spent && last) found.push({ ...last, kind: 'unknown', how: 'too-many-effects' });
  return found;
}

/** A workspace or a home that is itself reached through a link is meant by its own name. */
function nameIn(real: string, { root, home }: Surroundings, { leadsTo }: Links): string {
  for (const base of [root, home]) {
    const at = leadsTo(base);
    if (at !== base && (real === at || real.startsWith(`${at}/`))) return base + real.slice(at.length);
  }
  return real;
}

/** Empty for what lies in the root of the file system. */
function dirOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')));
}
