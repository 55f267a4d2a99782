import { compileProgram } from './pattern-program.ts';
import type { Op, Program } from './pattern-program.ts';
import { inRanges, LINE_ENDS, WORD } from './pattern-ranges.ts';
import { parsePattern } from './pattern-syntax.ts';
import type { Assertion } from './pattern-syntax.ts';

/** Threads times characters that one look at a text may take: a fraction of a second. */
const MAX_STEPS = 10_000_000;

/** The text is too long for this pattern. Linear time is still too long when both are big. */
export class PatternLimitError extends Error {}

/** A regular expression whose time grows with the text only linearly, whatever the pattern. */
export interface Pattern {
  test(text: string): boolean;
  /** The leftmost match. */
  find(text: string): string | undefined;
}

/** Throws a PatternError for what is malformed or cannot be matched in linear time. */
export function compilePattern(source: string, options: { readonly ignoreCase: boolean }): Pattern {
  const program = compileProgram(parsePattern(source, options.ignoreCase));
  const test = createTest(program);
  return { test, find: (text) => (test(text) ? simulate(program, text) : undefined) };
}

/** What a neighbouring character is to an assertion; `edge` is the start or the end of the text. */
const EDGE = 0;
const NEWLINE = 1;
const LETTER = 2;
const OTHER = 3;

function sideOf(code: number): number {
  return inRanges(WORD, code) ? LETTER : inRanges(LINE_ENDS, code) ? NEWLINE : OTHER;
}

function holds(what: Assertion, before: number, after: number): boolean {
  switch (what) {
    case 'start':
      return before === EDGE;
    case 'end':
      return after === EDGE;
    case 'line-start':
      return before <= NEWLINE;
    case 'line-end':
      return after <= NEWLINE;
    case 'word-edge':
      return (before === LETTER) !== (after === LETTER);
    case 'no-word-edge':
      return (before === LETTER) === (after === LETTER);
  }
}

const UNKNOWN = -1;
const MATCH = -2;
const MAX_STATES = 1_000;

interface State {
  /** Where the threads stand before the next character is known; sorted. */
  readonly places: readonly number[];
  readonly before: number;
  /** By class of the next character; the last one is the end of the text. */
  readonly next: Int32Array;
}

/** A deterministic automaton whose states are made when a text first needs them. */
function createTest(program: Program): (text: string) => boolean {
  const { ops, alphabet, hasAssertions } = program;
  const sides = alphabet.samples.map(sideOf);
  const end = alphabet.size;
  const { ascii } = alphabet;
  let states: State[] = [];
  let ids = new Map<string, number>();

  const idOf = (places: readonly number[], before: number): number => {
    const key = `${before}:${places.join(',')}`;
    let id = ids.get(key);
    if (id === undefined) {
      id = states.push({ places, before, next: new Int32Array(end + 1).fill(UNKNOWN) }) - 1;
      ids.set(key, id);
    }
    return id;
  };

  const follow = (state: State, symbol: number): number => {
    const after = symbol === end ? EDGE : (sides[symbol] as number);
    const reached = new Set<number>([0]);
    const seen = new Set<number>();
    const stack = [...state.places];
    for (let place = stack.pop(); place !== undefined; place = stack.pop()) {
      if (seen.has(place)) continue;
      seen.add(place);
      const op = ops[place];
      if (op?.kind === 'match') return MATCH;
      if (op?.kind === 'jump') stack.push(op.to);
      else if (op?.kind === 'split') stack.push(op.first, op.second);
      else if (op?.kind === 'assert') {
        if (holds(op.what, state.before, after)) stack.push(place + 1);
      } else if (op && symbol !== end && inRanges(op.ranges, alphabet.samples[symbol] as number))
        reached.add(place + 1);
    }
    return idOf(
      [...reached].sort((a, b) => a - b),
      hasAssertions ? after : OTHER,
    );
  };

  return (text) => {
    if (states.length > MAX_STATES) {
      states = [];
      ids = new Map();
    }
    let state = states[idOf([0], EDGE)] as State;
    for (let at = 0; at <= text.length; at += 1) {
      const code = at === text.length ? -1 : text.charCodeAt(at);
      const symbol = code < 0 ? end : code < 128 ? (ascii[code] as number) : alphabet.classOf(code);
      let next = state.next[symbol] as number;
      if (next === UNKNOWN) {
        // A pattern that needs a new state for every character is faster, and smaller, thread by thread.
        if (states.length > MAX_STATES) return simulate(program, text) !== undefined;
        next = follow(state, symbol);
        state.next[symbol] = next;
      }
      if (next === MATCH) return true;
      state = states[next] as State;
    }
    return false;
  };
}

/** Runs all threads side by side, most wanted first, so that the match is the one a backtracking engine would find. */
function simulate({ ops }: Program, text: string): string | undefined {
  let places = new Int32Array(ops.length + 1);
  let starts = new Int32Array(ops.length + 1);
  let nextPlaces = new Int32Array(ops.length + 1);
  let nextStarts = new Int32Array(ops.length + 1);
  let count = 0;
  let found: [number, number] | undefined;
  const seenAt = new Int32Array(ops.length).fill(-1);
  const stack: number[] = [];
  let before = EDGE;
  let steps = 0;

  for (let at = 0; at <= text.length; at += 1) {
    const code = text.charCodeAt(at);
    const after = at === text.length ? EDGE : sideOf(code);
    if (!found) {
      places[count] = 0;
      starts[count] = at;
      count += 1;
    }
    if (count === 0) break;
    steps += count;
    if (steps > MAX_STEPS) throw new PatternLimitError('the text is too long for the pattern');
    let nextCount = 0;
    threads: for (let thread = 0; thread < count; thread += 1) {
      const start = starts[thread] as number;
      stack.push(places[thread] as number);
      while (stack.length > 0) {
        const place = stack.pop() as number;
        if (seenAt[place] === at) continue;
        seenAt[place] = at;
        const op = ops[place] as Op;
        if (op.kind === 'set') {
          if (at === text.length || !inRanges(op.ranges, code)) continue;
          nextPlaces[nextCount] = place + 1;
          nextStarts[nextCount] = start;
          nextCount += 1;
        } else if (op.kind === 'split') stack.push(op.second, op.first);
        else if (op.kind === 'jump') stack.push(op.to);
        else if (op.kind === 'assert') {
          if (holds(op.what, before, after)) stack.push(place + 1);
        } else {
          found = [start, at];
          stack.length = 0;
          break threads;
        }
      }
    }
    [places, nextPlaces] = [nextPlaces, places];
    [starts, nextStarts] = [nextStarts, starts];
    count = nextCount;
    before = after;
  }
  return found && text.slice(...found);
}
