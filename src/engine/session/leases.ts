import type { Event, EventName } from '../../event/event.ts';
import type { Taken } from '../../event/lease.ts';
import { cellId, parseValue, scopedId } from '../../state/cells.ts';
import type { OwnerOf } from '../../state/cells.ts';
import type { Draft } from '../../state/draft.ts';
import { callName } from '../api/call-name.ts';
import type { Sharing } from './scope.ts';

/** Who holds a lease. Of a team's it tells what this machine knows; the server has the last word. */
export interface HeldLease {
  /** The person and the machine, where a team shares it, and the session. */
  readonly holder: string;
  /** Higher than that of every holder before. */
  readonly fence: number;
  readonly since: number;
  readonly until: number;
}

/** A lease that a session has, and the calls that it has it for. */
export interface OwnLease {
  readonly name: string;
  readonly holder: string;
  readonly fence: number;
  readonly until: number;
  readonly calls: readonly string[];
}

export const LEASE = 'lease';
const FENCE = 'lease.fence';

/** The leases of a session. */
export function ownLeasesId(session: string): string {
  return cellId('session', session, 'leases');
}

export function holderOf(session: string, sharing: Sharing | undefined): string {
  return sharing ? `${sharing.person}@${sharing.machine} ${session}` : session;
}

export function parseHeld(value: string | undefined): HeldLease | undefined {
  const held = parseValue(value) as Partial<HeldLease> | null | undefined;
  return typeof held?.holder === 'string' && typeof held.until === 'number' ? (held as HeldLease) : undefined;
}

export function ownLeases(value: string | undefined): readonly OwnLease[] {
  const found = parseValue(value);
  return Array.isArray(found) ? (found as readonly OwnLease[]) : [];
}

/** Takes a lease of this machine alone: two sessions that try at once read the same cell, and one commit is refused. */
export function takeHere(draft: Draft, name: string, holder: string, ttlMs: number): Taken {
  const alone: OwnerOf = () => '';
  const held = parseHeld(draft.read(scopedId('team', alone, LEASE, name)));
  if (held && held.holder !== holder && held.until > draft.now)
    return { taken: false, holder: held.holder, until: held.until };
  const fenceId = cellId('user', '', FENCE, name);
  const isOurs = held?.holder === holder && held.until > draft.now;
  if (!isOurs) draft.add(fenceId, 1, 0);
  const fence = isOurs ? held.fence : Number(draft.read(fenceId));
  return { taken: true, fence, until: draft.now + ttlMs };
}

/** Keeps in mind who holds it, for all who share it, and for which call, for its end. True when the session had it before. */
export function keepTaken(
  draft: Draft,
  event: Event,
  ownerOf: OwnerOf,
  { name, holder, fence, until }: Omit<OwnLease, 'calls'>,
): boolean {
  const id = ownLeasesId(event.session);
  const before = ownLeases(draft.read(id));
  const known = before.find((each) => each.name === name && each.fence === fence);
  const shownId = scopedId('team', ownerOf, LEASE, name);
  const since = known ? (parseHeld(draft.read(shownId))?.since ?? draft.now) : draft.now;
  draft.set(shownId, JSON.stringify({ holder, fence, since, until } satisfies HeldLease), until);
  const call = event.tool ? callName(event.tool) : '';
  const calls = [...new Set([...(known?.calls ?? []), call])];
  const own = [...before.filter((each) => each.name !== name), { name, holder, fence, until, calls }];
  draft.set(id, JSON.stringify(own), Math.max(...own.map((each) => each.until)));
  return known !== undefined;
}

export const LEASE_ENDS: readonly EventName[] = ['tool.after', 'tool.failed', 'permission.denied', 'session.end'];

/** Whether an event may end what its session holds a lease for: no rule in force has one elsewhere than at the end of a session. */
export function mayRelease({ name }: Event, hasLeases: boolean): boolean {
  return hasLeases ? LEASE_ENDS.includes(name) : name === 'session.end';
}

/** Gives back what an event ends: the last call that needed it is over, or the session. What goes on in the background keeps it. */
export function releaseEnded(event: Event, draft: Draft, ownerOf: OwnerOf): readonly OwnLease[] {
  const id = ownLeasesId(event.session);
  if (!draft.holds(id)) return NONE;
  const before = ownLeases(draft.read(id));
  const left = event.name === 'session.end' ? [] : before.flatMap((lease) => withoutCall(lease, event));
  const isLeft = (lease: OwnLease) => left.some(({ name }) => name === lease.name);
  const over = before.filter((lease) => !isLeft(lease));
  if (left.length === 0) draft.delete(id);
  else if (JSON.stringify(left) !== JSON.stringify(before))
    draft.set(id, JSON.stringify(left), Math.max(...left.map(({ until }) => until)));
  for (const { name, holder } of over) forgetHeld(draft, scopedId('team', ownerOf, LEASE, name), holder);
  return over;
}

const NONE: readonly OwnLease[] = [];

function withoutCall(lease: OwnLease, { tool }: Event): readonly OwnLease[] {
  if (!tool || tool.background === true) return [lease];
  const calls = lease.calls.filter((call) => call !== callName(tool));
  return calls.length === 0 ? [] : [{ ...lease, calls }];
}

/** Only what the holder itself had: somebody else may have taken it since. */
export function forgetHeld(draft: Draft, id: string, holder: string): void {
  if (parseHeld(draft.read(id))?.holder === holder) draft.delete(id);
}
