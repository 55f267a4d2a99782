import type { CodeRole, RoleCounts } from '../../engine/rule.ts';
import type { DefinitionKind, FileFlag, Language } from '../model/facts.ts';
import type { EdgeKind, Why } from '../model/links.ts';
import type { PartialScope } from '../store/scope.ts';

/** Of the shapes below, as `--json` prints them; raised by a change that a program reading them could notice. */
export const ANSWER_SCHEMA = 1;

/** What a question to the graph is answered with: data, of which text and JSON are made. */
export type Answer =
  | SearchAnswer
  | CallsAnswer
  | ImpactAnswer
  | ContextAnswer
  | FilesAnswer
  | ChoiceAnswer
  | MissingAnswer;

/** An answer, and how far it can be relied on. */
export interface Answered {
  readonly answer: Answer;
  readonly root: string;
  readonly state: AnswerState;
  /** Files that changed since they were indexed and could not be read again in time. */
  readonly stale: number;
  /** Only where the root has more files than are indexed. */
  readonly scope?: PartialScope;
  /** Files that were not read, or not all of them, and could change the answer. It is never `stable` then. */
  readonly unread?: Shown<UnreadFile>;
  /** What was kept of an impact: `E<n>` on the canvas. */
  readonly evidence?: string;
  /** Absolute paths. */
  readonly pictures?: { readonly svg?: string; readonly png?: string };
  /** Why evidence or a picture is missing that was asked for. */
  readonly warning?: string;
}

export interface UnreadFile {
  readonly path: string;
  readonly why: FileFlag;
  /** Some of it was read. */
  readonly inPart: boolean;
}

export type AnswerState = 'stable' | 'partial' | 'stale';

/** A symbol as others refer to it. */
export interface Mention {
  /** `path#Container.name`: names this symbol and no other. */
  readonly key: string;
  /** `Container.name`; the path of a module. */
  readonly name: string;
  readonly kind: DefinitionKind | 'module';
  readonly path: string;
  readonly line: number;
}

export interface SymbolInfo extends Mention {
  readonly lastLine: number;
  readonly signature: string;
  readonly doc?: string;
  readonly exported: boolean;
  readonly test: boolean;
  /** The same for other builds: its callers and callees are taken together with theirs. */
  readonly variants?: readonly Mention[];
  /** Distinct callers, and how many of them are of each role. */
  readonly callers: number;
  readonly callerRoles: RoleCounts;
}

export interface Site {
  readonly path: string;
  readonly line: number;
  readonly column: number;
  readonly kind: EdgeKind;
  readonly why: Why;
  readonly confidence: number;
}

/** All that joins two symbols: the other one, and every place in the code that leads from one to the other. */
export interface Calls {
  readonly symbol: Mention;
  readonly test: boolean;
  /** What the code at the other end is there for. */
  readonly role: CodeRole;
  readonly sites: readonly Site[];
}

/** The first of a longer list, best first. */
export interface Shown<Item> {
  readonly total: number;
  readonly items: readonly Item[];
}

/** Symbols at the other end of calls, and how many of them are of each role. */
export interface ShownCalls extends Shown<Calls> {
  readonly roles: RoleCounts;
}

export interface SearchAnswer {
  readonly is: 'search';
  readonly query: string;
  readonly kinds?: readonly SymbolInfo['kind'][];
  readonly symbols: Shown<SymbolInfo>;
  /** For a search that found nothing. */
  readonly similar: readonly Mention[];
}

/** What an answer of no callers cannot rule out. */
export interface Doubt {
  /** Places that may lead here, or from here, and are not counted. */
  readonly possible: number;
  /** References that led nowhere: of the symbol's name for callers, in its file for callees. */
  readonly unresolved: number;
}

/**
 * Where a member stands in for another one, a call of that one may end here. Such calls are listed and counted apart from
 * callers.
 */
export interface Dispatch {
  /** Members of interfaces, traits and bases by which this may be called; those with more callers first. */
  readonly overrides: readonly CalledAs[];
  /** Of callers: what a call of this may end at. Of callees: what their calls may end at besides. */
  readonly implementations?: Shown<Mention>;
}

export interface CalledAs extends CalledInstead {
  readonly by: 'implements' | 'overrides';
  readonly calls: number;
  readonly from: ShownCalls;
}

export interface CallsAnswer extends Doubt, Dispatch {
  readonly is: 'callers' | 'callees';
  readonly symbol: SymbolInfo;
  /** Others of that name, which were not asked about. */
  readonly others: readonly Mention[];
  readonly calls: ShownCalls;
  readonly sites: number;
  /** What leads here without a call: as a value, a type, a base, an import. */
  readonly uses: ShownCalls;
  /** Where the possible ones are, when they were asked for. */
  readonly maybe?: ShownCalls;
  /** Without callers: members of interfaces with the same name that are called, though nothing says that this is one of them. */
  readonly namesakes: readonly CalledInstead[];
}

export interface CalledInstead {
  readonly symbol: Mention;
  readonly callers: number;
}

export interface ImpactAnswer extends Doubt, Dispatch {
  readonly is: 'impact';
  readonly symbol: SymbolInfo;
  readonly others: readonly Mention[];
  readonly depth: number;
  /** By distance, from 1 on; a caller is listed at its shortest. */
  readonly levels: readonly { readonly distance: number; readonly callers: ShownCalls }[];
  readonly callees: ShownCalls;
  /** What the callees leave open; the rest of the answer is about callers. */
  readonly calleeDoubt: Doubt;
  readonly uses: ShownCalls;
  readonly files: Shown<{ readonly path: string; readonly symbols: number }>;
  readonly tests: Shown<Mention>;
  /** What is reached through other members alone, within the same distance, and the tests among that. */
  readonly dispatched?: { readonly callers: ShownCalls; readonly tests: Shown<Mention>; readonly files: number };
  readonly namesakes: readonly CalledInstead[];
  /** False where so much depends on the symbol that the rest was not followed; counts are least numbers then. */
  readonly complete: boolean;
}

export interface ContextAnswer {
  readonly is: 'context';
  /** Words, or the symbols that were named. */
  readonly query: string;
  readonly symbols?: readonly string[];
  readonly blocks: readonly ContextBlock[];
  /** Whole symbols that did not fit, and how long their blocks are. */
  readonly leftOut: readonly { readonly symbol: Mention; readonly chars: number }[];
  /** Asked for by name and not there, or not one. */
  readonly unclear: readonly (ChoiceAnswer | MissingAnswer)[];
}

export interface ContextBlock extends Doubt, Dispatch {
  readonly symbol: SymbolInfo;
  readonly firstLine: number;
  readonly source: readonly string[];
  readonly callers: ShownCalls;
  readonly callees: ShownCalls;
  readonly calleeDoubt: Doubt;
  readonly tests: Shown<Mention>;
}

export interface FilesAnswer {
  readonly is: 'files';
  readonly path: string;
  readonly pattern?: string;
  readonly language?: string;
  readonly format: 'tree' | 'flat';
  /** So many levels are opened, because all of them would be more than was asked for. */
  readonly depth?: number;
  readonly rows: Shown<FileRow>;
  /** Of all files that match, whether or not they are listed. */
  readonly files: number;
  readonly symbols: number;
  /** Languages that there are files of. */
  readonly languages: readonly string[];
}

export interface FileRow {
  readonly path: string;
  /** More than one only for a directory below which nothing is listed. */
  readonly files: number;
  readonly symbols: number;
  readonly language?: Language;
  readonly flags?: readonly FileFlag[];
}

/** Several symbols fit what was asked for equally well. */
export interface ChoiceAnswer {
  readonly is: 'choice';
  readonly wanted: string;
  readonly candidates: Shown<SymbolInfo>;
}

export interface MissingAnswer {
  readonly is: 'missing';
  readonly wanted: string;
  readonly file?: string;
  readonly similar: readonly Mention[];
  /** References of that name which could not be resolved. */
  readonly unresolved: number;
}

/** The files that an answer says something about, each once. */
export function pathsIn(answer: Answer): string[] {
  const paths = new Set<string>();
  const add = ({ path }: { readonly path: string }) => void paths.add(path);
  const addCalls = ({ items }: Shown<Calls>) => {
    for (const { symbol, sites } of items) {
      add(symbol);
      for (const site of sites) add(site);
    }
  };
  collect(answer, add, addCalls);
  return [...paths];
}

function addDispatch(
  { overrides, implementations }: Dispatch,
  add: (place: { readonly path: string }) => void,
  addCalls: (calls: Shown<Calls>) => void,
): void {
  for (const { symbol, from } of overrides) {
    add(symbol);
    addCalls(from);
  }
  for (const each of implementations?.items ?? []) add(each);
}

function collect(
  answer: Answer,
  add: (place: { readonly path: string }) => void,
  addCalls: (calls: Shown<Calls>) => void,
): void {
  switch (answer.is) {
    case 'search':
      for (const each of [...answer.symbols.items, ...answer.similar]) add(each);
      return;
    case 'callers':
    case 'callees':
      add(answer.symbol);
      for (const each of answer.others) add(each);
      addDispatch(answer, add, addCalls);
      for (const { symbol } of answer.namesakes) add(symbol);
      addCalls(answer.calls);
      addCalls(answer.uses);
      if (answer.maybe) addCalls(answer.maybe);
      return;
    case 'impact':
      add(answer.symbol);
      for (const { callers } of answer.levels) addCalls(callers);
      addCalls(answer.callees);
      addCalls(answer.uses);
      for (const each of [...answer.others, ...answer.files.items, ...answer.tests.items]) add(each);
      addDispatch(answer, add, addCalls);
      if (answer.dispatched) addCalls(answer.dispatched.callers);
      for (const each of answer.dispatched?.tests.items ?? []) add(each);
      for (const { symbol } of answer.namesakes) add(symbol);
      return;
    case 'context':
      for (const block of answer.blocks) {
        const { symbol, callers, callees, tests } = block;
        add(symbol);
        addDispatch(block, add, addCalls);
        addCalls(callers);
        addCalls(callees);
        for (const each of tests.items) add(each);
      }
      for (const { symbol } of answer.leftOut) add(symbol);
      for (const each of answer.unclear) collect(each, add, addCalls);
      return;
    case 'files':
      for (const row of answer.rows.items) if (row.language !== undefined) add(row);
      return;
    case 'choice':
      for (const each of answer.candidates.items) add(each);
      return;
    case 'missing':
      for (const each of answer.similar) add(each);
  }
}
