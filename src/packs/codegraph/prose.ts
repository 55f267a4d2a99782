import { listed } from '../../effects/words/arguments.ts';

/** Words that hold sentences together and that programs do not use as names. */
const CONNECTING: ReadonlySet<string> = new Set(
  listed(
    "a an the to be been was were are am has have had having can cannot can't could couldn't should shouldn't must may might " +
      "will won't would wouldn't don't doesn't didn't isn't aren't wasn't you your we our us they their it its it's that these " +
      'those there here no on at by but all which who how why what please already only also because after before than into ' +
      'about without too very more most some such so just still yet ever never did does',
  ),
);

/** Marks that comments carry. */
const MARKS: ReadonlySet<string> = new Set(listed('TODO FIXME XXX HACK'));

/** What names nothing, wherever it stands. */
export const NO_NAMES: ReadonlySet<string> = new Set([
  ...MARKS,
  ...listed('the was were been cannot could should would your their these those'),
]);

/** Keywords that are words of a sentence as well. */
const BETWEEN: ReadonlySet<string> = new Set(
  listed('and any as do for from if in is new not of or then this until use using when where while with'),
);

/** With one of these begins a piece of code, whatever follows. */
const DECLARING: ReadonlySet<string> = new Set(
  listed(
    'abstract async class const def enum export extern final fn func function impl inline interface let module namespace ' +
      'override package private protected protocol pub public readonly record static struct trait type typedef union val var',
  ),
);

/** As no identifier of more than one part is written: letters alone, and no capital after a small one. */
const PLAIN = /^(?:\p{L}(?:(?!\p{Lu})\p{L})*|\p{Lu}+)$/u;
const WORD = String.raw`\p{ID_Continue}+(?:['’]\p{L}+)?`;
const START = String.raw`(?<!\p{ID_Continue}['’]?)`;
/** Blanks, after a mark of punctuation perhaps; what comes may be an option of a command. */
const GAP = String.raw`([,;:.!?]?)[ \t]+-{0,2}`;
const RUN = new RegExp(`${START}${WORD}(?:${GAP}${WORD})+`, 'gu');
/** Two words, and what parts them, looked at from every word on. */
const PAIR = new RegExp(`${START}(?=(${WORD})${GAP}(${WORD}))`, 'gu');
const WORDS = new RegExp(WORD, 'gu');

/**
 * A text with its sentences taken out: they are strings and comments, of which a graph knows nothing. Words in them that
 * are written as only names are stay.
 */
export function withoutSentences(text: string, isKeyword: (word: string) => boolean): string {
  return text.replace(RUN, (run, _mark, at: number) =>
    isQuoted(text, at, run) || isSentence(run, isKeyword) ? run.replace(WORDS, hidePlain) : run,
  );
}

/** Words between quotes are a text of the program. */
function isQuoted(text: string, at: number, run: string): boolean {
  const quote = text[at - 1];
  return quote !== undefined && /["'`]/.test(quote) && text[at + run.length] === quote;
}

function hidePlain(word: string): string {
  return isPlain(word) ? ' ' : word;
}

function isPlain(word: string): boolean {
  return PLAIN.test(word.replace(/['’]/u, ''));
}

function isSentence(run: string, isKeyword: (word: string) => boolean): boolean {
  const words = run.match(WORDS) ?? [];
  if (words.some((word) => MARKS.has(word) || CONNECTING.has(word.toLowerCase().replace('’', "'")))) return true;
  const [first = ''] = words;
  if (DECLARING.has(first)) return false;
  const isOrdinary = (word: string) => isPlain(word) && !isKeyword(word);
  const last = words.at(-1) ?? '';
  const inner = words.slice(1, -1);
  if (first.toLowerCase() === 'not' && words.slice(1).every(isOrdinary)) return true;
  if (isOrdinary(first) && isOrdinary(last) && !isCapital(last) && inner.length > 0)
    if (inner.every((word) => BETWEEN.has(word) || isOrdinary(word))) return true;
  return [...run.matchAll(PAIR)].some(
    ([, one = '', mark, other = '']) =>
      isOrdinary(one) &&
      isOrdinary(other) &&
      // `user: User` gives a type, `Warning: old` a message.
      (mark === ':' ? isCapital(one) && !isCapital(other) : !isDeclaration(one, other)),
  );
}

function isCapital(word: string): boolean {
  return /^\p{Lu}/u.test(word);
}

/** `User user` and `opts Options`: a type and what is of it. */
function isDeclaration(first: string, second: string): boolean {
  if (isCapital(second)) return !isCapital(first);
  const [type, name] = [first.toLowerCase(), second.toLowerCase()];
  return isCapital(first) && (type.includes(name) || name.includes(type));
}
