import type { FileFlag } from '../model/facts.ts';
import { ANY_WORD, LEAST_WORD } from '../model/lost.ts';
import { descriptorOf, descriptorOfPath } from '../walk/known-languages.ts';
import type { Answer, ContextBlock, Mention, Shown, UnreadFile } from './answer.ts';
import { mention } from './describe-symbol.ts';
import { familyOf } from './family.ts';
import type { FileEntry, GraphReader } from './graph-reader.ts';

/** Why a file has no facts, or not all of them, in the order in which one reason counts before another. */
const REASONS: readonly FileFlag[] = ['too-large', 'minified', 'slow', 'unreadable', 'not-utf8', 'cut', 'damaged'];
const UNREAD = new Set(REASONS);
const IN_PART = new Set<FileFlag>(['cut', 'damaged']);
const MOST_LISTED = 5;

/** A file that was not read, or not all of it, with the words that this leaves open. */
interface Unread extends UnreadFile {
  readonly language: string;
  readonly family: string | undefined;
  readonly words: ReadonlySet<string>;
}

const known = new WeakMap<GraphReader, readonly Unread[]>();

function unreadIn(reader: GraphReader): readonly Unread[] {
  let unread = known.get(reader);
  if (unread === undefined)
    known.set(reader, (unread = reader.flagged(UNREAD).flatMap((file) => asUnread(reader, file))));
  return unread;
}

function asUnread(reader: GraphReader, { path, language, flags, symbols }: FileEntry): Unread[] {
  const why = REASONS.find((reason) => flags.includes(reason));
  // A word in an old encoding spoils nothing else.
  if (why === undefined || (why === 'not-utf8' && symbols > 0)) return [];
  const words = new Set(reader.unresolvedIn(path).map(([name]) => name));
  if (IN_PART.has(why) && words.size === 0) return [];
  const { name, family = name } = descriptorOf(language) ?? {};
  return [{ path, why, inPart: IN_PART.has(why) && symbols > 0, language, family, words }];
}

/** The files that could make an answer another one, had they been read. */
export function unreadFor(reader: GraphReader, answer: Answer): Shown<UnreadFile> | undefined {
  return unreadIn(reader).length === 0 ? undefined : listed(reader, questionOf(reader, answer));
}

/** The files that may have more that leads to a symbol. */
export function unreadAbout(reader: GraphReader, id: number): Shown<UnreadFile> | undefined {
  return unreadIn(reader).length === 0
    ? undefined
    : listed(reader, aboutSymbols(reader, [mention(reader.symbol(id))], []));
}

function listed(reader: GraphReader, isOpen: IsOpen): Shown<UnreadFile> | undefined {
  const found = unreadIn(reader).filter(isOpen);
  if (found.length === 0) return undefined;
  return {
    total: found.length,
    items: found.slice(0, MOST_LISTED).map(({ path, why, inPart }) => ({ path, why, inPart })),
  };
}

type IsOpen = (unread: Unread) => boolean;

/** Whether an unread file may have what a question is about. */
function questionOf(reader: GraphReader, answer: Answer): IsOpen {
  switch (answer.is) {
    case 'callers':
      return aboutSymbols(reader, [answer.symbol], []);
    case 'impact': {
      // Nobody calls a file by a word.
      const callers = answer.levels.flatMap((level) =>
        level.callers.items.flatMap(({ symbol }) => (symbol.kind === 'module' ? [] : [symbol.name])),
      );
      return aboutSymbols(reader, [answer.symbol], callers);
    }
    case 'context': {
      const isOpen = aboutSymbols(
        reader,
        answer.blocks.map(({ symbol }) => symbol),
        [],
      );
      return (unread) => isOpen(unread) || answer.unclear.some(({ wanted }) => speaksOf(unread, wanted));
    }
    case 'callees':
      return ({ path }) => path === answer.symbol.path;
    case 'files':
      return ({ path, language }) =>
        path.startsWith(answer.path) && (answer.language === undefined || answer.language === language);
    case 'search':
      return (unread) => speaksOf(unread, answer.query);
    case 'choice':
    case 'missing':
      return (unread) => speaksOf(unread, answer.wanted);
  }
}

/** By the names of what is asked about, with those of a class's members, in files that can use it. */
function aboutSymbols(reader: GraphReader, symbols: readonly Mention[], others: readonly string[]): IsOpen {
  const names = new Set(others.map(lastOf));
  const families = new Set<string | undefined>();
  for (const { key, name, path } of symbols) {
    names.add(lastOf(name));
    const { name: language, family = language } = descriptorOfPath(path) ?? {};
    families.add(family);
    const id = reader.byKey(key);
    for (const each of id === undefined ? [] : familyOf(reader, id).ids) {
      const symbol = reader.symbol(each);
      if (!symbol.isLocal) names.add(symbol.kind === 'module' ? stemOf(symbol.name) : symbol.name);
    }
  }
  return (unread) => families.has(unread.family) && [...names].some((name) => has(unread, name));
}

function has({ words, inPart }: Unread, name: string): boolean {
  return words.has(name) || words.has(ANY_WORD) || (!inPart && name.length < LEAST_WORD);
}

/** Whether all words of a search may be in it, in whatever case. */
function speaksOf(unread: Unread, query: string): boolean {
  const wanted = lastOf(query.slice(query.indexOf('#') + 1))
    .toLowerCase()
    .split(/[^\p{L}\p{N}_$]+/u)
    .filter((word) => word !== '');
  if (wanted.length === 0) return false;
  if (unread.words.has(ANY_WORD)) return true;
  const words = [...unread.words].map((word) => word.toLowerCase());
  return wanted.every((want) => words.some((word) => word.includes(want)));
}

function lastOf(name: string): string {
  return name.slice(Math.max(name.lastIndexOf('.'), name.lastIndexOf(':')) + 1);
}

function stemOf(name: string): string {
  return name.replace(/\.[^.]*$/, '');
}

/** How many files that were not read may have what was asked about itself, and not only who calls what calls it. */
export function unreadNamesakes(reader: GraphReader, answer: Answer, { total }: Shown<UnreadFile>): number {
  return answer.is === 'impact' ? (listed(reader, aboutSymbols(reader, [answer.symbol], []))?.total ?? 0) : total;
}

/** What was not read counts among what is not resolved, so that no answer says 0. */
export function withUnread(answer: Answer, unread: number): Answer {
  const raised = <Open extends { readonly unresolved: number }>(open: Open): Open =>
    open.unresolved > 0 ? open : { ...open, unresolved: unread };
  switch (answer.is) {
    case 'callers':
    case 'callees':
    case 'missing':
      return raised(answer);
    case 'impact':
      return raised(answer);
    case 'context':
      return { ...answer, blocks: answer.blocks.map((block): ContextBlock => raised(block)) };
    default:
      return answer;
  }
}
