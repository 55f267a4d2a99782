/** What stands in a string for the value of something: `{x}`, `${x}`, `#{x}`, `$x`, `$(x)`, `[x]`. */
export type Fill = 'braces' | 'dollar-braces' | 'hash-braces' | 'dollar' | 'dollar-brackets' | 'tcl';

export interface Quote {
  readonly open: string;
  readonly close: string;
  /** Which escapes count: those of C, those of the quote itself, PowerShell's, or none. */
  readonly escapes: 'c' | 'quote' | 'grave' | 'doubled' | 'none';
  readonly fill?: Fill;
  /** A shell runs what it holds. */
  readonly shell?: true;
}

/** How a language is written, as far as its calls and texts go. */
export interface Language {
  readonly name: string;
  /** `f(a)`, `(f a)`, or `f a` with a command to a line. */
  readonly syntax: 'calls' | 'lists' | 'words';
  /** What starts a comment that ends with the line. */
  readonly comment: readonly string[];
  readonly block?: readonly [open: string, close: string];
  /** Longer ones first. */
  readonly quotes: readonly Quote[];
  /** Quotes with a word before them: `q{…}` of Perl, `%w[…]` of Ruby. */
  readonly words?: 'perl' | 'ruby';
  /** Letters before a quote that change it: `f"…"`. */
  readonly prefixes?: true;
  /** What joins texts. */
  readonly joins: ReadonlySet<string>;
  /** Texts side by side are one. */
  readonly adjacent?: true;
  /** Marks in front of a name that do not belong to it. */
  readonly sigils: string;
  /** What leads from a thing to what is in it. */
  readonly joints: readonly string[];
  /** Calls without brackets: of everything, or of a text alone. */
  readonly bare?: 'all' | 'text';
  /** Calls that take what is at hand (`$_`) when they are given nothing. */
  readonly topical?: ReadonlySet<string>;
  /** `/…/` may be a pattern. */
  readonly patterns?: true;
  /** Signs inside of names beside letters and digits. */
  readonly inNames?: string;
  /** Names are the same in capitals. */
  readonly anyCase?: true;
}

const C = 'c';
const plain = (open: string, escapes: Quote['escapes'], fill?: Fill): Quote => ({
  open,
  close: open,
  escapes,
  ...(fill && { fill }),
});
const shell = (fill?: Fill): Quote => ({ ...plain('`', C, fill), shell: true });
const set = (...marks: readonly string[]): ReadonlySet<string> => new Set(marks);

const PYTHON: Language = {
  name: 'python',
  syntax: 'calls',
  comment: ['#'],
  quotes: [plain('"""', C), plain("'''", C), plain('"', C), plain("'", C)],
  prefixes: true,
  joins: set('+', '/', '%'),
  adjacent: true,
  sigils: '',
  joints: ['.'],
};
const NODE: Language = {
  name: 'node',
  syntax: 'calls',
  comment: ['//'],
  block: ['/*', '*/'],
  quotes: [plain('"', C), plain("'", C), plain('`', C, 'dollar-braces')],
  joins: set('+'),
  sigils: '',
  joints: ['?.', '.'],
  patterns: true,
  inNames: '$',
};

const ALL: readonly Language[] = [
  PYTHON,
  NODE,
  { ...NODE, name: 'groovy' },
  {
    name: 'perl',
    syntax: 'calls',
    comment: ['#'],
    quotes: [plain('"', C, 'dollar'), plain("'", 'quote'), shell('dollar')],
    words: 'perl',
    joins: set('.'),
    sigils: '$@%&',
    joints: ['::', '->'],
    bare: 'all',
    topical: set('unlink', 'rmdir'),
    patterns: true,
  },
  {
    name: 'ruby',
    syntax: 'calls',
    comment: ['#'],
    quotes: [plain('"', C, 'hash-braces'), plain("'", 'quote'), shell('hash-braces')],
    words: 'ruby',
    joins: set('+', '/'),
    adjacent: true,
    sigils: '$@',
    joints: ['::', '&.', '.'],
    bare: 'all',
    patterns: true,
  },
  {
    name: 'php',
    syntax: 'calls',
    comment: ['//', '#'],
    block: ['/*', '*/'],
    quotes: [plain('"', C, 'dollar'), plain("'", 'quote'), shell('dollar')],
    joins: set('.'),
    sigils: '$&',
    joints: ['::', '->', '?->', '\\'],
    bare: 'text',
  },
  {
    name: 'r',
    syntax: 'calls',
    comment: ['#'],
    quotes: [
      { open: 'r"(', close: ')"', escapes: 'none' },
      { open: "r'(", close: ")'", escapes: 'none' },
      plain('"', C),
      plain("'", C),
    ],
    joins: set(),
    sigils: '',
    joints: [':::', '::', '$'],
  },
  {
    name: 'julia',
    syntax: 'calls',
    comment: ['#'],
    block: ['#=', '=#'],
    quotes: [plain('"""', C, 'dollar-brackets'), plain('"', C, 'dollar-brackets'), shell('dollar-brackets')],
    joins: set('*', '+', '/'),
    sigils: '',
    joints: ['.'],
  },
  {
    name: 'lua',
    syntax: 'calls',
    comment: ['--'],
    block: ['--[[', ']]'],
    quotes: [{ open: '[[', close: ']]', escapes: 'none' }, plain('"', C), plain("'", C)],
    joins: set('..'),
    sigils: '',
    joints: ['.', ':'],
    bare: 'text',
  },
  {
    name: 'awk',
    syntax: 'calls',
    comment: ['#'],
    quotes: [plain('"', C)],
    joins: set(),
    adjacent: true,
    sigils: '',
    joints: [],
    patterns: true,
  },
  {
    name: 'elisp',
    syntax: 'lists',
    comment: [';'],
    quotes: [plain('"', C)],
    joins: set(),
    sigils: '',
    joints: [],
    inNames: '-+*/<>=!?:',
  },
  {
    name: 'tcl',
    syntax: 'words',
    comment: ['#'],
    quotes: [plain('"', C, 'tcl')],
    joins: set(),
    sigils: '$',
    joints: ['::'],
  },
  {
    name: 'powershell',
    syntax: 'words',
    comment: ['#'],
    block: ['<#', '#>'],
    quotes: [plain('"', 'grave', 'dollar'), plain("'", 'doubled')],
    joins: set('+'),
    sigils: '$@',
    joints: ['::', '.'],
    anyCase: true,
  },
];

export const LANGUAGES: ReadonlyMap<string, Language> = new Map(ALL.map((language) => [language.name, language]));
