import type { Event, ToolKind } from '../event/event.ts';
import type { Action, Decision } from '../event/verdict.ts';
import { redact } from '../ledger/redact.ts';
import { redactCommand } from '../ledger/secret-files.ts';
import type { Outcome } from './replay-engine.ts';

export interface RuleTally {
  /** Events on which it had something to say, whatever its mode made of it. */
  fires: number;
  blocks: number;
  asks: number;
  saves: number;
  notes: number;
  /** What it gave the agent to read. */
  characters: number;
  /** Decisions that it may have made, but for what nothing tells. */
  unknown: number;
}

/** One event that is worth a line of its own. */
export interface Example {
  readonly at: number;
  readonly session: string;
  readonly event: string;
  readonly tool: string;
  readonly subject: string;
  readonly action: Action | 'unknown';
  readonly rules: readonly string[];
  readonly reason: string;
  /** Of an unknown one: what it may have been, and what was missing. */
  readonly possible?: readonly Action[];
  readonly missing?: readonly string[];
}

export interface Tally {
  from: number;
  to: number;
  readonly sessions: Set<string>;
  events: number;
  /** Calls of tools, and those of them that are commands of a shell. */
  calls: number;
  commands: number;
  stopped: number;
  asked: number;
  saved: number;
  /** Calls before which a copy may have been made, if there was something to copy. */
  perhapsSaved: number;
  advised: number;
  searchesAnswered: number;
  characters: number;
  unknown: number;
  /** What was missing, and for how many decisions. */
  readonly missing: Map<string, number>;
  readonly rules: Map<string, RuleTally>;
  readonly stops: Example[];
  readonly unknowns: Example[];
}

/** As many as a person looks through; the rest is counted. */
const MOST_STOPS = 200;
const MOST_UNKNOWN = 50;
const SEARCHES: ReadonlySet<ToolKind | undefined> = new Set(['search', 'glob'] as const);

export function createTally(): Tally {
  return {
    from: Number.POSITIVE_INFINITY,
    to: 0,
    sessions: new Set(),
    events: 0,
    calls: 0,
    commands: 0,
    stopped: 0,
    asked: 0,
    saved: 0,
    perhapsSaved: 0,
    advised: 0,
    searchesAnswered: 0,
    characters: 0,
    unknown: 0,
    missing: new Map(),
    rules: new Map(),
    stops: [],
    unknowns: [],
  };
}

/** Counts one event; with a rule, only what that one did. */
export function count(tally: Tally, outcome: Outcome, only?: string): void {
  const { row, event, unknown, decision } = outcome;
  tally.from = Math.min(tally.from, row.at);
  tally.to = Math.max(tally.to, row.at);
  tally.sessions.add(row.session);
  tally.events += 1;
  if (event.name === 'tool.before') {
    tally.calls += 1;
    if (event.tool?.kind === 'shell') tally.commands += 1;
  }
  countRules(tally, outcome);
  if (only !== undefined && !speaks(outcome, only)) return;
  if (unknown) return countUnknown(tally, outcome);
  const { action, notes } = decision;
  if (action === 'deny') tally.stopped += 1;
  if (action === 'ask') tally.asked += 1;
  if (action === 'save') tally.saved += 1;
  if (notes.length > 0) tally.advised += 1;
  if (SEARCHES.has(event.tool?.kind) && (notes.length > 0 || action === 'deny')) tally.searchesAnswered += 1;
  tally.characters += row.chars;
  if ((action === 'deny' || action === 'ask') && tally.stops.length < MOST_STOPS) tally.stops.push(exampleOf(outcome));
}

function speaks({ decision, trace, unknown }: Outcome, rule: string): boolean {
  const spoke = trace.some((entry) => entry.rule === rule && entry.verdicts !== undefined);
  return spoke || decision.by.includes(rule) || (unknown?.by.includes(rule) ?? false);
}

function countUnknown(tally: Tally, outcome: Outcome): void {
  tally.unknown += 1;
  for (const what of new Set(outcome.unknown?.missing.map((each) => each.what)))
    tally.missing.set(what, (tally.missing.get(what) ?? 0) + 1);
  if (isPerhapsSaved(outcome)) tally.perhapsSaved += 1;
  if (tally.unknowns.length < MOST_UNKNOWN) tally.unknowns.push(exampleOf(outcome));
}

/** Nobody would have been asked: a copy was made if there was anything to copy. */
function isPerhapsSaved({ unknown }: Outcome): boolean {
  const possible = unknown?.possible ?? [];
  return possible.includes('save') && possible.every((action) => action === 'save' || action === 'pass');
}

function countRules(tally: Tally, { trace, decision, unknown }: Outcome): void {
  for (const { rule, verdicts } of trace) if (verdicts !== undefined) ruleOf(tally, rule).fires += 1;
  if (unknown) {
    for (const rule of unknown.by) ruleOf(tally, rule).unknown += 1;
    return;
  }
  const { action, by, reason = '', notes } = decision;
  for (const [at, rule] of by.entries()) {
    const own = ruleOf(tally, rule);
    if (action === 'deny') own.blocks += 1;
    if (action === 'ask') own.asks += 1;
    if (action === 'save') own.saves += 1;
    if (at === 0) own.characters += reason.length;
  }
  for (const { rule, text } of notes) {
    const own = ruleOf(tally, rule);
    own.notes += 1;
    own.characters += text.length;
  }
}

function ruleOf({ rules }: Tally, rule: string): RuleTally {
  const known = rules.get(rule);
  if (known) return known;
  const made = { fires: 0, blocks: 0, asks: 0, saves: 0, notes: 0, characters: 0, unknown: 0 };
  rules.set(rule, made);
  return made;
}

const LONGEST_SUBJECT = 300;

export function exampleOf({ row, event, decision, unknown }: Outcome): Example {
  const { at, session, tool } = row;
  const about = { at, session, event: event.name, tool, subject: subjectOf(event) };
  if (unknown) {
    const missing = unknown.missing.map(({ what, of }) => (of === undefined ? what : `${what}: ${of}`));
    return { ...about, action: 'unknown', rules: unknown.by, reason: '', possible: unknown.possible, missing };
  }
  return { ...about, action: decision.action, rules: rulesIn(decision), reason: redact(wordsOf(decision)) };
}

function rulesIn({ by, notes }: Decision): readonly string[] {
  return [...new Set([...by, ...notes.map(({ rule }) => rule)])];
}

/** What, and what to do instead; the way out that follows is one for a call that waits. */
const REASON_LINES = 2;

function wordsOf({ reason, notes }: Decision): string {
  const why = reason === undefined ? [] : reason.split('\n').slice(0, REASON_LINES);
  return [...why, ...notes.map(({ text }) => text)].join('\n');
}

/** What the event is about, fit for being shown to others. */
function subjectOf({ tool, prompt }: Event): string {
  const { command } = tool ?? {};
  const text = command === undefined ? (tool?.paths[0] ?? tool?.query ?? prompt?.text ?? '') : redactCommand(command);
  return redact(text).slice(0, LONGEST_SUBJECT);
}

/** Where two configurations part. */
export interface Difference {
  events: number;
  /** By what it was and became, such as `pass → deny`, and the rules that make it so. */
  readonly kinds: Map<
    string,
    { count: number; readonly examples: { readonly one: Example; readonly other: Example }[] }
  >;
}

const MOST_EXAMPLES = 5;
const MOST_KINDS = 200;

export function createDifference(): Difference {
  return { events: 0, kinds: new Map() };
}

export function compare(difference: Difference, one: Outcome, other: Outcome, only?: string): void {
  if (keyOf(one) === keyOf(other)) return;
  if (only !== undefined && !speaks(one, only) && !speaks(other, only)) return;
  const [before, after] = [exampleOf(one), exampleOf(other)];
  const same = before.action === after.action && before.rules.join() === after.rules.join();
  difference.events += 1;
  const rules = [...new Set([...before.rules, ...after.rules])].join(', ');
  const words = same ? 'other words' : `${labelOf(before)} → ${labelOf(after)}`;
  const key = `${words}  ${rules}`;
  const kind = difference.kinds.get(key);
  if (!kind && difference.kinds.size >= MOST_KINDS) return;
  const found = kind ?? { count: 0, examples: [] };
  found.count += 1;
  if (found.examples.length < MOST_EXAMPLES) found.examples.push({ one: before, other: after });
  difference.kinds.set(key, found);
}

function keyOf({ decision: { action, by, reason, notes }, unknown }: Outcome): string {
  if (unknown) return `unknown ${unknown.by.join()} ${unknown.possible.join()}`;
  if (action === 'pass' && notes.length === 0) return '';
  return JSON.stringify([action, by, reason, notes]);
}

/** A note is no action, yet it is what many rules are about. */
function labelOf({ action, reason }: Example): string {
  return action === 'pass' && reason !== '' ? 'note' : action;
}
