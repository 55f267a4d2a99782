import type { Adapter } from '../../adapters/adapter.ts';
import type { Effect } from '../../event/effect.ts';
import type { Event } from '../../event/event.ts';
import { MENDABLE } from '../../event/keeping.ts';
import type { KeepResult, Kept } from '../../event/keeping.ts';
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

/** Copies for one event. Its rules may run again, and what is copied is copied once. */
export interface Copies {
  /** What a decision comes to once what the call destroys was copied, or could not be. */
  keepFirst(decision: Decision): Decision | Promise<Decision>;
}

export function createCopies(keeping: Keeping): Copies {
  const made = new Map<string, Promise<KeepResult>>();
  return {
    keepFirst(decision) {
      const { keeps, ...rest } = decision;
      if (keeps !== undefined) return copied(rest, keeps);
      return rest.action === 'save' ? conclude(rest, UNTOLD, keeping.event) : decision;
    },
  };

  async function copied(decision: Decision, keeps: readonly Effect[]): Promise<Decision> {
    const effects = decision.input === undefined ? keeps : await effectsAfter(decision.input, keeping);
    const key = JSON.stringify(effects);
    let result = made.get(key);
    if (!result) made.set(key, (result = keep(effects, keeping)));
    return conclude(decision, await result, keeping.event);
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

async function keep(effects: readonly Effect[] | undefined, { event, place, engine }: Keeping): Promise<KeepResult> {
  if (effects === undefined) return { unkept: 'another rule changes the call' };
  if (!engine.keep) return { unkept: 'nothing is copied here' };
  try {
    return await engine.keep(effects, event, place);
  } catch (error) {
    engine.onFailure('keeping a copy', error);
    return { unkept: shorten(flat(messageOf(error)), LONGEST_CAUSE) };
  }
}

const UNTOLD: KeepResult = { unkept: 'nothing tells what it destroys' };
const LONGEST_CAUSE = 120;

function conclude(decision: Decision, result: KeepResult, { asksPerson = true }: Event): Decision {
  const { action } = decision;
  // Nobody made the call, so nobody is told.
  if ('keepable' in result) return { ...(action === 'save' ? withoutReason(decision) : decision), ...result };
  if (decision.quiet)
    return 'kept' in result ? { ...withoutReason(decision), kept: result.kept } : letThrough(decision);
  if ('kept' in result) return action === 'save' ? saved(decision, result.kept) : askedWithCopy(decision, result.kept);
  if (action === 'ask') return decision;
  if ('nothing' in result) return letThrough(decision);
  const why = `Fairlead could not keep a copy first: ${result.unkept}.`;
  const { reason = '', person } = decision;
  return {
    ...decision,
    action: asksPerson ? 'ask' : 'deny',
    reason: withLine(reason, why),
    ...(person !== undefined && { person: withLine(person, why) }),
    ...(!asksPerson && { unasked: true as const }),
  };
}

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

function keptWords({ names, files, number }: Kept): string {
  const shown = names.slice(0, MOST_NAMES).map((name) => `\`${escapedPath(name, '`')}\``);
  const more = names.length > MOST_NAMES ? ' and more' : '';
  const what = names.length === 0 ? counted(files, 'file') : shown.join(', ') + more;
  return `${what} ${(names.length || files) === 1 ? 'was' : 'were'} kept as undo ${number}`;
}
