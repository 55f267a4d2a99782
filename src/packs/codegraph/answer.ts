import { asPath, joined, lineStands, own, presentAt } from '../../engine/rule.ts';
import type { CodeLocation, OwnWords, RuleContext, RuleGraph, RuleSymbol } from '../../engine/rule.ts';
import { byRole } from '../../text/by-role.ts';
import { counted } from '../../text/counted.ts';
import { hasName } from '../../text/plain.ts';

/** What is known of one name that is looked for, and was found to be so in the files as they are. */
export interface Known {
  readonly name: string;
  readonly total: number;
  readonly symbols: readonly RuleSymbol[];
}

type AnswerContext = Pick<RuleContext, 'files' | 'workspace'>;

const MAX_BYTES = 512 * 1024;
/** Definitions of one name that are listed, and names that are answered in one note. */
const LISTED = 3;
const ANSWERED = 4;
/** A name that so many things have means none of them. */
const MOST_DEFINITIONS = 40;
/** Places that are looked at to find two callers that still stand where the graph has them. */
const MAX_LOOKS = 4;
const NAMED = 2;

const RUNS = new Set(['function', 'method']);
const VALUES = new Set(['field', 'variable', 'constant']);

/** What the graph knows of the words of a search; a word behind another with a dot is a member of that. */
export function knownOf(
  patterns: readonly string[],
  terms: readonly string[],
  graph: RuleGraph | undefined,
): readonly Known[] {
  if (graph === undefined) return [];
  const known: Known[] = [];
  const owners = new Set<string>();
  for (const term of terms) {
    const qualified = qualifiedIn(patterns, term);
    const found = lookUp(term, qualified, graph);
    if (found === undefined) continue;
    if (qualified !== undefined) {
      const owner = qualified.slice(0, qualified.indexOf('.'));
      owners.add(owner);
      for (const receiver of receiversIn(patterns, owner)) owners.add(receiver);
    }
    known.push(found);
  }
  return known.filter(({ name }) => !owners.has(name)).slice(0, ANSWERED);
}

/** `Store\\.save`, `Store::save`, `(s \\*Store\\) save`: what stands before the word and may be the name of its owner. */
function qualifiedIn(patterns: readonly string[], term: string): string | undefined {
  const owner = String.raw`([\p{ID_Start}_]\p{ID_Continue}*)(?:\\?\.prototype)?(?:\\?\.|::|->|#|\\?\) )`;
  const expression = new RegExp(`${owner}${escaped(term)}(?!\\p{ID_Continue})`, 'u');
  for (const pattern of patterns) {
    const found = expression.exec(pattern)?.[1];
    if (found !== undefined) return `${found}.${term}`;
  }
  return undefined;
}

/** `(s \\*Store\\) save`: what the method calls its own object. */
function receiversIn(patterns: readonly string[], owner: string): readonly string[] {
  const expression = new RegExp(`\\((\\p{ID_Continue}+) \\\\?\\*?${escaped(owner)}\\\\?\\)`, 'u');
  return patterns.flatMap((pattern) => expression.exec(pattern)?.[1] ?? []);
}

function escaped(term: string): string {
  return term.replaceAll(/[$^]/g, String.raw`\$&`);
}

function lookUp(name: string, qualified: string | undefined, graph: RuleGraph): Known | undefined {
  const { total, items } = graph.symbols(qualified ?? name, LISTED);
  if (total === 0 || total > MOST_DEFINITIONS) return undefined;
  // An everyday word is as likely meant as a word; as the name of a value it tells nothing.
  if (/^\p{Ll}+$/u.test(name) && items.every(({ kind }) => VALUES.has(kind))) return undefined;
  return { name, total, symbols: items };
}

/** How much of an answer is said. */
export interface Extent {
  readonly callers: number;
  readonly counts: boolean;
  readonly definitions: number;
}

/** Fullest first. */
export const EXTENTS: readonly Extent[] = [
  { callers: NAMED, counts: true, definitions: LISTED },
  { callers: 1, counts: true, definitions: LISTED },
  { callers: 0, counts: true, definitions: LISTED },
  { callers: 0, counts: true, definitions: 2 },
  { callers: 0, counts: true, definitions: 1 },
  { callers: 0, counts: false, definitions: 1 },
];

/** The answer itself; undefined where a file does not bear out what is known. */
export function answerOf(known: readonly Known[], extent: Extent, context: AnswerContext): OwnWords | undefined {
  const { files } = context;
  const standing = known.filter(({ symbols }) =>
    symbols.slice(0, extent.definitions).every((symbol) => stands(symbol, [symbol.name], files)),
  );
  if (standing.length === 0) return undefined;
  // With several names, callers of each would be too much.
  const each = standing.length > 1 ? { ...extent, callers: 0 } : extent;
  return joined(
    standing.map((one) => tell(one, each, context)),
    '; ',
  );
}

function tell({ name, total, symbols }: Known, extent: Extent, context: AnswerContext): OwnWords {
  const [first] = symbols;
  if (total === 1 && first) {
    const what = own`${at(first, context)} defines ${labelOf(first)}`;
    const use = extent.counts ? useOf(first, extent, context) : undefined;
    return use === undefined ? what : own`${what}: ${use}`;
  }
  const listed = symbols.slice(0, extent.definitions).map((symbol) => {
    // That one of several has no callers tells less than it seems to.
    const use = extent.counts ? useOf(symbol, { ...extent, callers: 0, definitions: 0 }, context) : undefined;
    return use === undefined ? at(symbol, context) : own`${at(symbol, context)} (${use})`;
  });
  const more = total > listed.length ? own` and ${total - listed.length} more` : own('');
  return own`${name} has ${total} definitions: ${joined(listed, ', ')}${more}`;
}

function labelOf({ kind, qualified }: RuleSymbol): OwnWords {
  return own`${own(kind)} ${qualified}`;
}

/** Undefined where the graph does not tell: of values it knows no uses. */
function useOf(symbol: RuleSymbol, extent: Extent, context: AnswerContext): OwnWords | undefined {
  const { callers, use, kind } = symbol;
  const places = byRole(use.places, ['place', 'places']);
  if (callers.total > 0) {
    const kin = use.implementers > 0 ? `, implemented or extended by ${use.implementers}` : '';
    const count = own(withPlaces(byRole(callers.roles, ['caller', 'callers']), symbol, places) + kin + openOf(use));
    const named = callersOf(symbol, extent.callers, context);
    if (named.length === 0) return count;
    return own`${count}${own(named.length < callers.total ? ', among them' : ':')} ${joined(named, ', ')}`;
  }
  // Of what is read or set through an object, only some places are known.
  if (kind === 'field' || kind === 'getter') return undefined;
  const parts = [
    ...(use.implementers > 0 ? [`implemented or extended by ${use.implementers}`] : []),
    ...(places === '' ? [] : [`used in ${places}`]),
  ];
  if (parts.length > 0) return own(parts.join(', '));
  if (!RUNS.has(kind) || extent.definitions === 0) return undefined;
  return own(`no callers are known${openOf(use)}`);
}

/** What a count cannot rule out. */
function openOf({ unresolved }: RuleSymbol['use']): string {
  return unresolved > 0 ? `, ${counted(unresolved, 'reference')} of that name unresolved` : '';
}

/** Without a caller in production, what is handed on there is told as well. */
function withPlaces(callers: string, { callers: { roles }, use }: RuleSymbol, places: string): string {
  return (roles.production ?? 0) === 0 && (use.places.production ?? 0) > 0 ? `${callers}, used in ${places}` : callers;
}

function callersOf(symbol: RuleSymbol, most: number, context: AnswerContext): OwnWords[] {
  if (most === 0) return [];
  return symbol.callers.items
    .slice(0, MAX_LOOKS)
    .filter((caller) => stands(caller, [symbol.name, caller.name], context.files))
    .slice(0, most)
    .map((caller) => own`${caller.name} (${at(caller, context)})`);
}

function at({ path, line }: { readonly path: string; readonly line: number }, { workspace }: AnswerContext): OwnWords {
  return own`${asPath(workspace.relative(path))}:${line}`;
}

/** It is where the graph has it: the file is as it was, or that line still has one of the names in it. */
function stands(location: CodeLocation, names: readonly string[], files: AnswerContext['files']): boolean {
  const present = presentAt(location, files, MAX_BYTES);
  return lineStands(present, location.line, (text) => names.some((name) => hasName(text, name)));
}

/** What the index has not read and could say more; undefined where it has read all. */
export function unreadOf(known: readonly Known[], { workspace }: AnswerContext): OwnWords | undefined {
  const unread = known.flatMap(({ symbols }) => symbols.flatMap((symbol) => symbol.unread ?? []));
  const [first] = unread.flatMap(({ items }) => items);
  if (first === undefined) return undefined;
  const most = Math.max(...unread.map(({ total }) => total));
  return own`, which has not read ${asPath(workspace.relative(first))}${own(most > 1 ? ` and ${most - 1} more with that word` : '')}`;
}
