import type { Language } from '../model/facts.ts';
import type { BuiltIns } from './built-ins/built-ins.ts';
import { collectBuiltIns } from './built-ins/built-ins.ts';
import { cBuiltIns } from './built-ins/c.ts';
import { declareBuiltIns } from './built-ins/declare.ts';
import { goBuiltIns } from './built-ins/go.ts';
import { javaBuiltIns } from './built-ins/java.ts';
import { pythonBuiltIns } from './built-ins/python.ts';
import { rubyBuiltIns } from './built-ins/ruby.ts';
import { rustBuiltIns } from './built-ins/rust.ts';
import { typescriptBuiltIns } from './built-ins/typescript.ts';

/** In what languages differ when names and members are looked up. */
export interface LanguageRules {
  readonly builtIns: BuiltIns;
  /** Whether static members belong to the class alone and others to its objects alone. */
  readonly separatesStatic: boolean;
  /** Whether members of the class around are in scope without `this`. */
  readonly impliesThis: boolean;
  /** Whether all files of a directory share one scope, or all of a package wherever they lie. */
  readonly sharesDirectory: boolean | 'package';
  /** Whether imports take in all that another file has, and what it takes in itself, so that names are shared by all. */
  readonly takesIn: boolean;
  /** Whether methods have names of their own, apart from those of fields and variables, and one each by their parameters. */
  readonly methodsApart: boolean;
  /** Whether members may be written apart from their type (`adds`). */
  readonly addsMembers: boolean;
  /** Names of what runs when an object is made. */
  readonly constructors: readonly string[];
  /** Name of what runs when an object is called. */
  readonly callMember: string;
  /** Names of what gives the iterator of an object, and of what enters it. */
  readonly iterators: readonly string[];
  readonly enters: readonly string[];
  /** What a literal list is. */
  readonly list: string;
  /** What an asynchronous function returns; `isDeclared` when its declared type says so already. */
  readonly promise: { readonly name: string; readonly isDeclared: boolean };
  readonly generator: string;
}

/** What holds unless a language says otherwise. */
const COMMON: Omit<LanguageRules, 'builtIns'> = {
  separatesStatic: false,
  impliesThis: false,
  sharesDirectory: false,
  takesIn: false,
  methodsApart: false,
  addsMembers: false,
  constructors: [],
  callMember: '()',
  iterators: [],
  enters: [],
  list: '[]',
  promise: { name: '', isDeclared: true },
  generator: '',
};

const typescript: LanguageRules = {
  ...COMMON,
  builtIns: typescriptBuiltIns,
  separatesStatic: true,
  constructors: ['constructor'],
  iterators: ['[Symbol.iterator]', '[Symbol.asyncIterator]'],
  list: 'Array',
  promise: { name: 'Promise', isDeclared: true },
  generator: 'Generator',
};

const python: LanguageRules = {
  ...COMMON,
  builtIns: pythonBuiltIns,
  constructors: ['__init__', '__new__'],
  callMember: '__call__',
  iterators: ['__iter__', '__aiter__'],
  enters: ['__enter__', '__aenter__'],
  list: 'list',
  promise: { name: 'Awaitable', isDeclared: false },
  generator: 'Generator',
};

const c: LanguageRules = { ...COMMON, builtIns: cBuiltIns, impliesThis: true, takesIn: true, addsMembers: true };

const ruby: LanguageRules = {
  ...c,
  builtIns: rubyBuiltIns,
  separatesStatic: true,
  constructors: ['initialize'],
  list: 'Array',
};

/** Its own words are no references. */
const shell: LanguageRules = { ...c, builtIns: collectBuiltIns(declareBuiltIns('shell', '[]', ''), '', '') };

const go: LanguageRules = { ...COMMON, builtIns: goBuiltIns, sharesDirectory: true, addsMembers: true };

const rust: LanguageRules = {
  ...COMMON,
  builtIns: rustBuiltIns,
  addsMembers: true,
  iterators: ['iter', 'into_iter'],
  list: 'Vec',
  promise: { name: 'Future', isDeclared: false },
};

const java: LanguageRules = {
  ...COMMON,
  builtIns: javaBuiltIns,
  impliesThis: true,
  sharesDirectory: 'package',
  methodsApart: true,
  constructors: ['constructor'],
  iterators: ['iterator'],
};

const RULES: Partial<Readonly<Record<Language, LanguageRules>>> = {
  typescript,
  javascript: typescript,
  python,
  cython: python,
  go,
  rust,
  java,
  c,
  cpp: c,
  ruby,
};

export function rulesOf(language: Language): LanguageRules {
  return RULES[language] ?? shell;
}
