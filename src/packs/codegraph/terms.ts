import { listed } from '../../effects/words/arguments.ts';
import { withoutEnding } from './languages.ts';
import { NO_NAMES, withoutSentences } from './prose.ts';
import type { Search } from './search.ts';
import { redact } from '../../engine/rule.ts';

/** What stands before a secret: the names that the engine's own redaction knows, and some more. */
const SECRET_NAME =
  /(?:passw(?:or)?d|pwd|passphrase|secret|(?:api|access|private)[_-]?key|token|credential|authorization|bearer)s?\w{0,20}["'\s]*$/i;
const TOKEN_NAME = /(?:authorization|bearer)["'\s]*$/i;
const MAY_NAME_SECRET = /pass|pwd|secret|key|token|credential|authorization|bearer/i;

/** A text without what looks like a secret. */
function withoutSecrets(text: string): string {
  const redacted = redact(text);
  const clean = redacted === text ? text : redacted.replaceAll(/\[redacted[^\]]*\]/g, ' ');
  return clean.replace(LONG_RUN, (run) => (looksLikeKey(run.replaceAll(/[+/=-]/g, '')) ? ' ' : run));
}

/** Longer than most names, with the marks that keys have between their letters. */
const LONG_RUN = /[\w+/-]{16,}={0,2}/g;

/** Letters and digits that nobody made up as a name: hexadecimal, or changing between the two again and again. */
function looksLikeKey(run: string): boolean {
  if (/^(?=.*\d)[\da-f]{16,}$/i.test(run)) return true;
  return run.length >= 20 && (run.match(/\d(?=[a-z])|[a-z](?=\d)/gi)?.length ?? 0) >= 4;
}

/** An expression whose syntax is taken out, without what it gives to the name of a secret, up to the next alternative. */
function withoutValues(text: string): string {
  if (!MAY_NAME_SECRET.test(text)) return text;
  let kept = '';
  let depth = 0;
  /** How many groups were open where the present value began. */
  let valueAt: number | undefined;
  for (const part of text.match(PARTS) ?? []) {
    if (part === '(') depth += 1;
    else if (part === ')') depth -= 1;
    if (valueAt !== undefined && (depth < valueAt || (part === '|' && depth === valueAt))) valueAt = undefined;
    if (valueAt === undefined && beginsValue(part, kept)) valueAt = depth;
    kept += valueAt !== undefined && RUN.test(part) ? ' ' : part;
  }
  return kept;
}

const PARTS = /[\p{ID_Continue}-]+|[^\p{ID_Continue}-]/gu;
const RUN = /^[\p{ID_Continue}-]/u;
/** Names are looked for so far back. */
const REACH = 200;

/** `apikey` of `api[_-]?key`, whose class has become a gap. */
function joined(text: string): string {
  return text.slice(text.lastIndexOf('|') + 1).replaceAll(/[^\p{ID_Continue}]+/gu, '');
}

/** `=` and `:` give a value to the name before them; after a mere gap, digits tell a value from one more name. */
function beginsValue(part: string, before: string): boolean {
  const gives = part === '=' || part === ':';
  if (!gives && !(RUN.test(part) && part.length >= 6)) return false;
  const near = before.slice(-REACH).replace(/[^\p{ID_Continue}'"|)-]+$/u, ' ');
  const names = [near, ...(/\(([^()]*)\)\W*$/.exec(near)?.[1]?.split('|') ?? [])];
  if (gives) return names.some((name) => SECRET_NAME.test(name) || SECRET_NAME.test(joined(name)));
  return names.some((name) => TOKEN_NAME.test(name) || (/\d/.test(part) && SECRET_NAME.test(name)));
}

const MOST_WORDS = 4;
const MOST_CHARACTERS = 80;
/** Nobody writes a longer pattern by hand, and reading one takes time. */
const LONGEST_PATTERN = 1_000;

/** Words of languages rather than names in a program. */
const KEYWORDS: ReadonlySet<string> = new Set(
  listed(
    'abstract and any as assert async auto await begin bool boolean break byte case catch char class const continue ' +
      'crate debugger declare def default defer del delete do double elif else elsif end ensure enum except explicit ' +
      'export extends extern false False final finally float fn for foreach from func function global go goto if impl ' +
      'implements import in include inline instanceof int interface internal is keyof lambda let long match mod module ' +
      'mut mutable namespace native new nil none None nonlocal not null nullptr number of operator or override package ' +
      'pass private protected protocol pub public raise readonly record ref require rescue return sealed self set ' +
      'short signed sizeof static str string struct super switch synchronized template then this throw throws trait ' +
      'transient true True try type typedef typeof undefined union unless unsafe unsigned until use using val var ' +
      'virtual void volatile when where while with yield',
  ),
);

/** Names of files that say what a file is for, not what is in it. */
const FILE_ROLES: ReadonlySet<string> = new Set(
  listed('index main mod lib src app pkg cmd test tests spec specs __init__ __main__ __tests__ __mocks__'),
);

/** The parts of an expression that are no text: escapes, classes, the heads of groups, counts; colours of a terminal as well. */
const SYNTAX =
  // eslint-disable-next-line no-control-regex
  /\u001b\[[0-?]*[ -/]*[@-~]|\\(?:[pPxu]\{[^}]*\}|x[\da-f]{2}|u[\da-f]{4}|[kg]<\w*>|.)|\[\^?\]?(?:\[:\w+:\]|\\.|[^\]\\])*\]|\(\?(?:P?<\w+>|<?[=!]|[a-z-]*[:)]?)|\{\d*,?\d*\}/gisu;

/** The words of a search that a graph may know, in their order. */
export function termsOf({ patterns, globs, listing }: Search): readonly string[] {
  const words = new Set<string>();
  for (const pattern of patterns)
    addWords(words, (listing ? withoutEnding(pattern) : withoutTexts(pattern)).slice(0, LONGEST_PATTERN));
  if (listing && words.size === 0) for (const glob of globs) addWords(words, nameParts(glob.slice(0, LONGEST_PATTERN)));
  if (listing) for (const role of FILE_ROLES) words.delete(role);
  return fitting(words);
}

/** Words that hyphens join name no symbol, and a word in quotes is a string or a key. */
function withoutTexts(pattern: string): string {
  return pattern.replaceAll(JOINED, ' ').replaceAll(QUOTED, ' ');
}

const JOINED = /(?<![\p{ID_Continue}\\])\p{L}+(?:-\p{L}+)+(?!\p{ID_Continue})/gu;
const QUOTED = /(["'`])[\p{ID_Continue}.]+\1/gu;

function addWords(words: Set<string>, pattern: string): void {
  const clean = withoutSecrets(pattern);
  // A secret may show only in the expression as written, or only without its syntax.
  const shown = clean === pattern ? undefined : new Set(runsOf(clean.replace(SYNTAX, ' ')));
  const names = new Set(runsOf(withoutSentences(pattern.replace(BLANKS, ' ').replace(SYNTAX, '\u0000'), isKeyword)));
  for (const run of runsOf(withoutSecrets(withoutValues(pattern.replace(SYNTAX, standIn)))))
    if (NAME.test(run) && !isKeyword(run) && names.has(run) && shown?.has(run) !== false) words.add(run);
}

function isKeyword(word: string): boolean {
  return KEYWORDS.has(word) || NO_NAMES.has(word);
}

/** What an expression has where a text has blanks. */
const BLANKS = /(?:\\s|\\ |\[ \]|\[\[:(?:space|blank):\]\]| )[+*?]?/g;

function runsOf(text: string): readonly string[] {
  return text.match(/\p{ID_Continue}+/gu) ?? [];
}

/** What a part of an expression may stand for, as far as it gives a value to a name or groups alternatives. */
function standIn(syntax: string): string {
  if (syntax.startsWith('(?')) return syntax.endsWith(')') ? ' ' : '(';
  if (/^\\[(|)]$/.test(syntax)) return syntax.slice(1);
  if (/^\\(?:[=:W]|x3[adAD])$/.test(syntax)) return '=';
  return /^\[(?!\^).*[=:]/.test(syntax.replaceAll(/\[:\w+:\]/g, '')) ? '=' : ' ';
}

/** Begins as a name does, and has three letters or more. */
const NAME = /^(?=[\p{ID_Start}_])(?:\P{L}*\p{L}){3}/u;

/** What a glob says of names: not the directory it starts from, nor the endings, as both of `*.test.ts`. */
function nameParts(glob: string): string {
  const segments = glob.split('/');
  const first = segments.findIndex((segment) => /[*?[{]/.test(segment));
  return segments
    .slice(Math.max(first, 0))
    .map((segment) => segment.replace(/(?<=.)\..*$/su, ''))
    .join('/');
}

function fitting(words: ReadonlySet<string>): readonly string[] {
  const chosen: string[] = [];
  let length = 0;
  for (const word of words) {
    if (chosen.length === MOST_WORDS) break;
    const longer = length + word.length + (chosen.length > 0 ? 1 : 0);
    if (longer > MOST_CHARACTERS) continue;
    chosen.push(word);
    length = longer;
  }
  return chosen;
}
