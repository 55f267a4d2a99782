import type { CallLink, Impact } from '../../engine/rule.ts';
import { shortenMiddle } from '../../text/shorten.ts';
import { escapedPath, flat, quoted } from '../../text/quoted.ts';
import type { Proven } from './card-proof.ts';

export interface CardFacts {
  readonly impact: Impact;
  /** What may be named of it. */
  readonly proven: Proven;
  /** Base name of the root. */
  readonly root: string;
  readonly isPartial: boolean;
  /** The workspace has more files than are indexed. */
  readonly hasPartialScope?: boolean;
  relative(path: string): string;
  /** A call that tells all of the impact. */
  readonly query: string;
}

/** How much of a card is said. */
interface Extent {
  readonly next: boolean;
  readonly tests: boolean;
  readonly items: number;
  readonly name: number;
}

const IDENTIFIER = /^[\p{L}\p{N}_$#.:@/~<>!?=+*…-]+$/u;
const LONG_NAME = 60;
const SHORT_NAME = 24;

/** Fullest first. */
const EXTENTS: readonly Extent[] = [
  { next: true, tests: true, items: 3, name: LONG_NAME },
  { next: false, tests: true, items: 3, name: LONG_NAME },
  { next: false, tests: false, items: 3, name: LONG_NAME },
  { next: false, tests: false, items: 2, name: LONG_NAME },
  { next: false, tests: false, items: 1, name: LONG_NAME },
  { next: false, tests: false, items: 1, name: SHORT_NAME },
  { next: false, tests: false, items: 0, name: SHORT_NAME },
];

/** The fullest card that fits; undefined when none does. */
export function cardText(facts: CardFacts, room: number): string | undefined {
  for (const extent of EXTENTS) {
    const text = write(facts, extent);
    if (text.length <= room) return text;
  }
  return undefined;
}

function write(facts: CardFacts, extent: Extent): string {
  const { impact, proven } = facts;
  return [
    head(facts, extent),
    callers(facts, extent),
    callees(facts, extent),
    extent.tests && proven.tests.length > 0 ? tests(facts, extent) : '',
    impact.callers.total > 0 ? doubt(impact) : '',
    extent.next ? next(facts) : '',
  ]
    .filter((line) => line !== '')
    .join('\n');
}

function head(facts: CardFacts, { name }: Extent): string {
  const { impact, root, isPartial, hasPartialScope } = facts;
  const { symbol } = impact;
  const where = impact.package === undefined ? '' : ` (${short(impact.package, name)})`;
  const partial = isPartial ? '; partial: the index is being brought up to date' : '';
  const scope = hasPartialScope ? '; partial scope' : '';
  return `${short(root, name)}${where}: ${symbol.kind} ${short(symbol.qualified, name)}, ${locationOf(symbol, facts)}${scope}${partial}`;
}

function callers(facts: CardFacts, extent: Extent): string {
  const { total, files } = facts.impact.callers;
  if (total === 0) return `Callers: none found (${facts.impact.possible} possible, ${sites(facts.impact.unresolved)})`;
  return `Callers: ${total} in ${files} ${files === 1 ? 'file' : 'files'}${list(facts.proven.callers, facts, extent)}`;
}

function callees(facts: CardFacts, extent: Extent): string {
  const { callees: called, calleeDoubt } = facts.impact;
  if (called.total === 0)
    return `Calls: none found (${calleeDoubt.possible} possible, ${calleeDoubt.unresolved} unresolved in its file)`;
  return `Calls: ${called.total}${list(facts.proven.callees, facts, extent)}`;
}

function tests(facts: CardFacts, extent: Extent): string {
  const { proven, impact } = facts;
  const more = impact.tests.total > proven.tests.length ? ' and others' : '';
  return `Tests that reach it${list(proven.tests, facts, extent)}${more}`;
}

function doubt({ possible, unresolved }: Impact): string {
  return [possible > 0 ? `+${possible} possible` : '', unresolved > 0 ? sites(unresolved) : '']
    .filter((part) => part !== '')
    .join(', ');
}

function sites(unresolved: number): string {
  return `${unresolved} unresolved ${unresolved === 1 ? 'site' : 'sites'} of that name`;
}

/** What a reader would look at next: all callers when some are not named, else what is in another file. */
function next(facts: CardFacts): string {
  const { proven, impact, query } = facts;
  if (impact.callers.total > proven.callers.length) return `All of them: ${query}`;
  const isElsewhere = ({ path }: CallLink) => path !== impact.symbol.path;
  const caller = proven.callers.find(isElsewhere);
  if (caller) return `Next to read: ${locationOf(caller, facts)}, which calls it`;
  const callee = proven.callees.find(isElsewhere);
  return callee ? `Next to read: ${locationOf(callee, facts)}, which it calls` : `More: ${query}`;
}

function list(calls: readonly CallLink[], facts: CardFacts, { items, name }: Extent): string {
  const shown = calls.slice(0, items).map((call) => item(call, facts, name));
  return shown.length === 0 ? '' : `: ${shown.join(', ')}`;
}

/** A call outside of all functions has a file for its name. */
function item(call: CallLink, facts: CardFacts, name: number): string {
  const location = locationOf(call, facts);
  const times = call.sites > 1 ? ` ×${call.sites}` : '';
  return call.name === facts.relative(call.path)
    ? `${location}${times}`
    : `${short(call.name, name)}${times} (${location})`;
}

function locationOf({ path, line }: { readonly path: string; readonly line: number }, { relative }: CardFacts): string {
  return `${escapedPath(relative(path), undefined)}:${line}`;
}

function short(name: string, most: number): string {
  const shown = shortenMiddle(flat(name), most);
  // A name of code reads as one; what else a language lets stand in its place, such as a text, is quoted.
  return IDENTIFIER.test(shown) ? shown : quoted(shown, undefined);
}
