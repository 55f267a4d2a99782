import type { CallLink, Impact } from '../../engine/rule.ts';
import { shortenMiddle } from '../../text/shorten.ts';
import { escapedPath, flat, quoted } from '../../text/quoted.ts';
import { byRole } from '../../text/by-role.ts';
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
/** Files that were not read, of which the others are counted. */
const NAMED = 2;

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
    dispatch(impact, extent),
    extent.tests ? beside(facts, extent) : '',
    callees(facts, extent),
    extent.tests && proven.tests.length > 0 ? tests(facts, extent) : '',
    impact.callers.total > 0 ? doubt(impact) : '',
    unread(facts, extent),
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

/** The other symbol that matters, where there is one. */
function beside(facts: CardFacts, { name }: Extent): string {
  const { also } = facts.proven;
  if (also === undefined) return '';
  const counts = byRole(also.callers, ['caller', 'callers']);
  return `Also: ${also.kind} ${short(also.qualified, name)}, ${locationOf(also, facts)}${counts === '' ? '' : `; ${counts}`}`;
}

function callers(facts: CardFacts, extent: Extent): string {
  const { callers: calls, use, possible, unresolved } = facts.impact;
  if (calls.total > 0) return `Callers: ${byRole(calls.roles)}${list(facts.proven.callers, facts, extent)}`;
  const places = byRole(use.places, ['place', 'places']);
  const used = [
    ...(places === '' ? [] : [`named in ${places}`]),
    ...(use.implementers > 0 ? [`implemented or extended by ${use.implementers}`] : []),
  ];
  return used.length > 0
    ? `Used: ${used.join(', ')}`
    : `Callers: none found (${possible} possible, ${sites(unresolved)})`;
}

/** As what it may be called, and how many stand in for it. */
function dispatch({ dispatch: found }: Impact, { name }: Extent): string {
  const { as, implemented = 0 } = found ?? {};
  const others = as && as.more > 0 ? `, and as ${as.more} more` : '';
  return [
    as
      ? `May be called as ${short(as.name, name)}: ${byRole(as.callers, ['caller', 'callers']) || 'no callers'}${others}`
      : '',
    implemented > 0 ? `Implemented or overridden by ${implemented}` : '',
  ]
    .filter((line) => line !== '')
    .join('\n');
}

function callees(facts: CardFacts, extent: Extent): string {
  const { callees: called, calleeDoubt } = facts.impact;
  if (called.total + calleeDoubt.possible + calleeDoubt.unresolved === 0) return '';
  if (called.total === 0)
    return `Calls: none found (${calleeDoubt.possible} possible, ${calleeDoubt.unresolved} unresolved in its file)`;
  return `Calls: ${called.total}${list(facts.proven.callees, facts, extent)}`;
}

function tests(facts: CardFacts, extent: Extent): string {
  const { proven, impact } = facts;
  const more = impact.tests.total > proven.tests.length ? ' and others' : '';
  return `Tests that ${impact.dispatch?.areTestsThrough ? 'may reach it so' : 'reach it'}${list(proven.tests, facts, extent)}${more}`;
}

function doubt({ possible, unresolved }: Impact): string {
  return [possible > 0 ? `+${possible} possible` : '', unresolved > 0 ? sites(unresolved) : '']
    .filter((part) => part !== '')
    .join(', ');
}

/** Files that may have more callers. */
function unread({ impact, relative }: CardFacts, extent: Extent): string {
  const { total = 0, items = [] } = impact.unread ?? {};
  if (total === 0) return '';
  const named = extent.tests ? items.slice(0, NAMED).map((path) => escapedPath(relative(path), undefined)) : [];
  const rest = total - named.length;
  if (named.length === 0) return `Not read: ${total} ${total === 1 ? 'file' : 'files'} that may have more`;
  return `Not read, and may have more: ${named.join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`;
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
