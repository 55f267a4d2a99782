import type { CellOf, CellSpec, Scope, SharedScope } from './cell.ts';
import type { Draft } from './draft.ts';

/**
 * Resolves a scope to the name of its owner; `turn` costs a read, so it is asked for, not prepared. The owner of what a team
 * shares is the team, and whose part of it that is, after a `PART`; empty where nothing is shared.
 */
export type OwnerOf = (scope: Scope) => string;

/** Between the parts of a cell id; it cannot occur in a session id, a path people type, or a rule's cell name. */
export const SEPARATOR = '\u001f';

/** The database ends a text at a zero character, where two cells would become one. */
export function cellId(scope: Scope, owner: string, name: string, key = ''): string {
  const id = scope + SEPARATOR + owner + SEPARATOR + name + SEPARATOR + key;
  return id.includes('\0') ? id.replaceAll('\0', '\ufffd') : id;
}

/** Between the parts of an owner, or of a key. */
export const PART = '\u001e';

/** Where the cells of a team lie on a machine that has none. */
const ALONE: Readonly<Record<SharedScope, Scope>> = { team: 'user', person: 'user', remote: 'repository' };

/** The id of a cell by the owner of its scope. What a team shares has ids of its own kind; where there is no team, it is this machine's. */
export function scopedId(scope: Scope, ownerOf: OwnerOf, name: string, key = ''): string {
  if (!isShared(scope)) return cellId(scope, ownerOf(scope), name, key);
  const [team = '', part = ''] = ownerOf(scope).split(PART, 2);
  if (team === '') return cellId(ALONE[scope], ownerOf(ALONE[scope]), name, key);
  return cellId('team', team, name, part === '' ? key : part + PART + key);
}

export function isShared(scope: Scope): scope is SharedScope {
  return Object.hasOwn(ALONE, scope);
}

/** What happened to the state file, for the person. */
export const STATE_NOTICE = cellId('user', '', 'state-notice');

export interface CellName {
  readonly scope: string;
  readonly owner: string;
  readonly name: string;
  readonly key: string;
}

export function parseCellId(id: string): CellName {
  const [scope = '', owner = '', name = '', ...key] = id.split(SEPARATOR);
  return { scope, owner, name, key: key.join(SEPARATOR) };
}

/** No session ends a day, so the cells of one outlive it by a day and go. */
const DAY_CELL_MS = 2 * 86_400_000;

/** When a cell of this scope expires: after its own time, with its scope, or never (0). */
export function expiryOf(scope: Scope, ttlMs: number, now: number): number {
  const lasts = ttlMs === 0 && scope === 'day' ? DAY_CELL_MS : ttlMs;
  return lasts === 0 ? 0 : now + lasts;
}

export type Cells<Specs extends Readonly<Record<string, CellSpec>>> = { readonly [K in keyof Specs]: CellOf<Specs[K]> };

export function bindCells<Specs extends Readonly<Record<string, CellSpec>>>(
  specs: Specs,
  draft: Draft,
  ownerOf: OwnerOf,
): Cells<Specs> {
  const cells: Record<string, unknown> = {};
  for (const name of Object.keys(specs)) cells[name] = bindCell(specs[name] as CellSpec, draft, ownerOf);
  return cells as Cells<Specs>;
}

export function bindCell<S extends CellSpec>(spec: S, draft: Draft, ownerOf: OwnerOf): CellOf<S> {
  const idOf = (key?: string) => scopedId(spec.scope, ownerOf, spec.name, key);
  const expires = () => expiryOf(spec.scope, spec.ttlMs, draft.now);
  const isSet = (key?: string) => draft.read(idOf(key)) !== undefined;
  const clear = (key?: string) => {
    if (isSet(key)) draft.delete(idOf(key));
  };
  const set = (value: unknown, key?: string) => draft.set(idOf(key), JSON.stringify(value), expires());
  const mark = (key?: string) => draft.mark(idOf(key), JSON.stringify(draft.now), expires());
  const number = (key?: string) => Number(draft.read(idOf(key)) ?? 0);
  const get = (key?: string) => parseValue(draft.read(idOf(key)));

  // Every rule of an event binds its cells: only what this one can do is made.
  const bind = (): CellOf<CellSpec> => {
    switch (spec.kind) {
      case 'flag':
        return {
          isSet,
          clear,
          set: mark,
          take: (key?: string) => {
            const was = isSet(key);
            if (was && spec.oneShot) draft.delete(idOf(key));
            return was;
          },
        };
      case 'counter':
        return {
          value: number,
          add: (by = 1, key?: string) => draft.add(idOf(key), by, expires()),
          next: (by = 1, key?: string) => {
            draft.add(idOf(key), by, expires());
            return number(key);
          },
          reset: clear,
        };
      case 'marker':
        return {
          isSet,
          clear,
          first: (key?: string) => {
            if (isSet(key)) return false;
            mark(key);
            return true;
          },
        };
      case 'record':
        return {
          get,
          set,
          say: (value: unknown, key?: string) => draft.markAnew(idOf(key), JSON.stringify(value), expires()),
          clear,
        };
      case 'lease':
        return {
          take: (holder: string, key?: string) => {
            const held = get(key);
            if (held !== undefined && held !== holder) return false;
            set(holder, key);
            return true;
          },
          release: (holder: string, key?: string) => {
            if (get(key) === holder) draft.delete(idOf(key));
          },
        };
    }
  };
  return bind() as CellOf<S>;
}

/** A damaged value counts as absent: its reader starts afresh instead of failing on every event. */
export function parseValue(value: string | undefined): unknown {
  if (value === undefined) return undefined;
  try {
    return JSON.parse(value);
  } catch {
    return undefined;
  }
}
