import { cellId, parseCellId, parseValue, SEPARATOR } from './cells.ts';
import type { Draft } from './draft.ts';

/** Work that is due: kept in a cell of its own until it is done, so that a killed process loses none. */
export interface Dirty {
  /** When it was first and last marked since it last ran. */
  readonly first: number;
  readonly last: number;
  /** How often; the marks of one run are done in one. */
  readonly marks: number;
  /** The sessions and agents to tell. */
  readonly told: readonly { readonly session: string; readonly agent: string }[];
  /** How often it was tried in vain. */
  readonly failed?: number;
}

const MOST_TOLD = 20;
const ENDING = '.dirty';
/** In the id of every cell that holds due work. */
export const DIRTY = `${ENDING}${SEPARATOR}`;

export function dirtyName(pack: string): string {
  return `${pack}${ENDING}`;
}

export function jobKey(subject: string, job: string): string {
  return `${subject}:${job}`;
}

export function parseJobKey(key: string): { readonly subject: string; readonly job: string } {
  const cut = key.lastIndexOf(':');
  return { subject: key.slice(0, Math.max(cut, 0)), job: key.slice(cut + 1) };
}

export function dirtyId(root: string, pack: string, key: string): string {
  return cellId('workspace', root, dirtyName(pack), key);
}

export function readDirty(value: string | undefined): Dirty | undefined {
  const found = parseValue(value) as Partial<Dirty> | null | undefined;
  if (typeof found?.first !== 'number' || typeof found.last !== 'number') return undefined;
  const { first, last, marks = 1, told = [], failed } = found;
  return { first, last, marks, told, ...(typeof failed === 'number' && { failed }) };
}

export function markDirty(
  draft: Draft,
  id: string,
  who: { readonly session: string; readonly agent: string } | undefined,
): void {
  const before = readDirty(draft.read(id));
  const others = (before?.told ?? []).filter(({ session, agent }) => session !== who?.session || agent !== who.agent);
  const after: Dirty = {
    first: before?.first ?? draft.now,
    last: draft.now,
    marks: (before?.marks ?? 0) + 1,
    told: who ? [...others, who].slice(-MOST_TOLD) : others,
    ...(before?.failed !== undefined && { failed: before.failed }),
  };
  draft.set(id, JSON.stringify(after), 0);
}

/** The pack and key of a cell that holds due work; undefined for every other cell. */
export function parseDirtyId(
  id: string,
): { readonly root: string; readonly pack: string; readonly key: string } | undefined {
  const { scope, owner, name, key } = parseCellId(id);
  if (scope !== 'workspace' || !name.endsWith(ENDING)) return undefined;
  return { root: owner, pack: name.slice(0, -ENDING.length), key };
}
