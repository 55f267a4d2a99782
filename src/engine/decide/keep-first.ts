import type { Adapter } from '../../adapters/adapter.ts';
import type { Effect } from '../../event/effect.ts';
import type { Event } from '../../event/event.ts';
import { MENDABLE } from '../../event/keeping.ts';
import type { CopyContents, Kept } from '../../event/keeping.ts';
import type { Decision, Note } from '../../event/verdict.ts';
import { counted } from '../../text/counted.ts';
import { escapedPath, flat } from '../../text/quoted.ts';
import { shorten } from '../../text/shorten.ts';
import { messageOf } from '../../text/message-of.ts';
import type { Engine, Place } from '../engine.ts';

interface Keeping {
  readonly event: Event;
  readonly place: Place;
  readonly adapter: Adapter;
  readonly engine: Engine;
}

/** What became of all that a call takes away. */
type Fate =
  | { readonly is: 'stopped' }
  | { readonly is: 'nothing' }
  | { readonly is: 'copied'; readonly kept: Kept }
  | { readonly is: 'copyable'; readonly keepable: CopyContents }
  | { readonly is: 'uncopied'; readonly why: string };

declare const SECURED: unique symbol;
/** A decision that knows the fate of what its call takes away. A reply is made of nothing else. */
export type Secured = Decision & { readonly [SECURED]: true };

/** A second delivery of a call gets the answer that the first one got. */
export const answeredBefore = (decision: Decision): Secured => decision as Secured;

/** Copies for one event. Its rules may run again, and what is copied is copied once. */
export interface Copies {
  /** What a decision comes to once what the call destroys was copied, or could not be. */
  keepFirst(decision: Decision): Secured | Promise<Secured>;
}

export function createCopies(keeping: Keeping): Copies {
  const made = new Map<string, Promise<Fate>>();
  const { event } = keeping;
  return {
    keepFirst(decision) {
      const { keeps, ...rest } = decision;
      if (decision.action === 'deny') return conclude(decision, { is: 'stopped' }, event);
      if (keeps !== undefined) return copied(rest, keeps);
      return conclude(rest, decision.action === 'save' ? UNTOLD : { is: 'nothing' }, event);
    },
  };

  async function copied(decision: Decision, keeps: readonly Effect[]): Promise<Secured> {
    const effects = decision.input === undefined ? keeps : await effectsAfter(decision.input, keeping);
    const key = JSON.stringify(effects);
    let fate = made.get(key);
    if (!fate) made.set(key, (fate = keep(effects, keeping)));
    return conclude(decision, await fate, event);
  }
}

/** What the call destroys as another rule has changed it. */
async function effectsAfter(
  input: NonNullable<Decision['input']>,
  { event, place, adapter, engine }: Keeping,
): Promise<readonly Effect[] | undefined> {
  const changed = adapter.withInput?.(event, input, place.workspace.home);
  if (!changed) return undefined;
  const effects = await engine.effectsOf(changed, place);
  return effects.filter(({ kind }) => MENDABLE.has(kind));
}

/** Never throws: what fails was not copied. */
async function keep(effects: readonly Effect[] | undefined, { event, place, engine }: Keeping): Promise<Fate> {
  const uncopied = (why: string): Fate => ({ is: 'uncopied', why });
  if (effects === undefined) return uncopied('another rule changes the call');
  if (!engine.keep) return uncopied('nothing is copied here');
  try {
    const result = await engine.keep(effects, event, place);
    if ('kept' in result) return { is: 'copied', kept: result.kept };
    if ('keepable' in result) return { is: 'copyable', keepable: result.keepable };
    return 'nothing' in result ? { is: 'nothing' } : uncopied(result.unkept);
  } catch (error) {
    engine.onFailure('keeping a copy', error);
    return uncopied(shorten(flat(messageOf(error)), LONGEST_CAUSE));
  }
}

const UNTOLD: Fate = { is: 'uncopied', why: 'nothing tells what it destroys' };
const LONGEST_CAUSE = 120;

function conclude(decision: Decision, fate: Fate, event: Event): Secured {
  return outcome(decision, fate, event) as Secured;
}

function outcome(decision: Decision, fate: Fate, { asksPerson = true }: Event): Decision {
  const { action, quiet } = decision;
  switch (fate.is) {
    case 'stopped':
      return decision;
    case 'nothing':
      return action === 'save' ? letThrough({ ...decision, uncopied: 'nothing is lost by it' }) : decision;
    // Nobody made the call, so nobody is told.
    case 'copyable':
      return { ...(action === 'save' ? withoutReason(decision) : decision), keepable: fate.keepable };
    case 'copied':
      if (action !== 'save') return askedWithCopy(decision, fate.kept);
      return quiet && !isSlow(fate.kept) ? { ...withoutReason(decision), kept: fate.kept } : saved(decision, fate.kept);
    case 'uncopied': {
      if (action === 'ask') return { ...decision, uncopied: fate.why };
      const why = `Fairlead could not keep a copy first: ${fate.why}.`;
      const { reason = '', person } = decision;
      return {
        ...decision,
        uncopied: fate.why,
        action: asksPerson ? 'ask' : 'deny',
        reason: withLine(reason, why),
        ...(person !== undefined && { person: withLine(person, why) }),
        ...(!asksPerson && { unasked: true as const }),
      };
    }
  }
}

/** A person who waits for so long is told what for. */
const SLOW_MS = 1_000;
const isSlow = ({ ms = 0 }: Kept): boolean => ms >= SLOW_MS;

function letThrough(decision: Decision): Decision {
  const rest = withoutReason(decision);
  return rest.input === undefined ? { ...rest, action: 'pass', by: [] } : { ...rest, action: 'rewrite' };
}

function withoutReason(decision: Decision): Decision {
  const { reason: _, person: __, ...rest } = decision;
  return rest;
}

function saved(decision: Decision, kept: Kept): Decision {
  const rule = decision.by[0] ?? 'fairlead';
  const say = (text: string): Note => ({ rule, variant: 'kept', priority: 100, text: `[${rule}] ${text}` });
  const what = keptWords(kept);
  return {
    ...withoutReason(decision),
    kept,
    notes: [say(`${what}.`), ...decision.notes],
    warns: [say(`${what}. Back: \`fairlead undo ${kept.number}\``), ...decision.warns],
  };
}

function askedWithCopy(decision: Decision, kept: Kept): Decision {
  const { reason = '', person } = decision;
  const line = `If it runs: ${keptWords(kept)}.`;
  return {
    ...decision,
    kept,
    reason: withLine(reason, line),
    ...(person !== undefined && { person: withLine(person, line) }),
  };
}

/** What, instead, and this. */
const MOST_LINES = 2;

function withLine(text: string, line: string): string {
  return [...text.split('\n').slice(0, MOST_LINES), line].join('\n');
}

const MOST_NAMES = 2;

function keptWords(kept: Kept): string {
  const { names, files, number, ms = 0 } = kept;
  const shown = names.slice(0, MOST_NAMES).map((name) => `\`${escapedPath(name, '`')}\``);
  const more = names.length > MOST_NAMES ? ' and more' : '';
  const what = names.length === 0 ? counted(files, 'file') : shown.join(', ') + more;
  const waited = isSlow(kept) ? `; copying took ${(ms / 1_000).toFixed(1)} s` : '';
  return `${what} ${(names.length || files) === 1 ? 'was' : 'were'} kept as undo ${number}${waited}`;
}
