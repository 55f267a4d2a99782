import type { Expression } from '../model/expression.ts';
import type { Base, DefinitionKind, FileFlag, Import, Language, Reference, Trait, Visibility } from '../model/facts.ts';
import { LANGUAGES as DESCRIPTORS } from '../languages/index.generated.ts';
import type { EdgeKind, Why } from '../model/links.ts';

/** Raised when the bytes of the same facts change. */
export const FACTS_FORMAT = 3;

/**
 * The numbers that stand for words in stored data. A language says its own; another word goes to the end of its list. To
 * move or remove one, raise `FACTS_FORMAT`, or `RECORD_FORMAT` for the words of links.
 */
export const LANGUAGES: readonly Language[] = languageNames();

function languageNames(): Language[] {
  const names: Language[] = [];
  for (const { name, code } of DESCRIPTORS) names[code] = name;
  names[11] = 'manifest';
  return names;
}

export const FLAGS: readonly FileFlag[] = [
  'test',
  'generated',
  'vendored',
  'sample',
  'product',
  'damaged',
  'too-large',
  'minified',
  'binary',
  'not-utf8',
  'slow',
  'unreadable',
  'cut',
];

export const KINDS: readonly DefinitionKind[] = [
  'namespace',
  'class',
  'struct',
  'interface',
  'trait',
  'enum',
  'type',
  'function',
  'method',
  'field',
  'variable',
  'constant',
];

export const VISIBILITIES: readonly Visibility[] = ['public', 'private', 'special'];

export const TRAITS: readonly Trait[] = [
  'static',
  'abstract',
  'async',
  'generator',
  'getter',
  'setter',
  'constructor',
  'declared',
  'callable',
  'wrapped',
  'local',
  'optional',
  'test',
  'unbound',
];

export const BASE_WAYS: readonly Base['how'][] = ['extends', 'implements', 'embeds', 'adds'];
export const REFERENCE_KINDS: readonly Reference['kind'][] = [
  'call',
  'new',
  'type',
  'reference',
  'decorator',
  'implements',
];
export const IMPORT_KINDS: readonly Import['kind'][] = ['value', 'type', 'effect', 'star', 'dynamic'];

/** The number 0 is kept for an expression that was written before. */
export const EXPRESSIONS: readonly (Expression['is'] | 'again')[] = [
  'again',
  'name',
  'this',
  'super',
  'member',
  'element',
  'each',
  'call',
  'new',
  'await',
  'entered',
  'either',
  'both',
  'tuple',
  'part',
  'record',
  'function',
  'expected',
  'parameter',
  'apply',
  'as',
  'typeof',
  'literal',
  'unknown',
];

export const EDGE_KINDS: readonly EdgeKind[] = [
  'imports',
  'exports',
  'calls',
  'instantiates',
  'extends',
  'implements',
  'overrides',
  'references',
];

export const WHYS: readonly Why[] = [
  'scope',
  'import',
  'class',
  'receiver',
  'return',
  'package',
  'only',
  'possible',
  'handed',
];

/** One bit for each word that is there; in which order they were is not kept. */
export function maskOf<T>(words: readonly T[], of: readonly T[]): number {
  let mask = 0;
  for (const word of words) mask |= 1 << of.indexOf(word);
  return mask;
}

const lists = new Map<readonly unknown[], Map<number, readonly unknown[]>>();

/** The words of a mask, in the order of the list; equal masks give the same array. */
export function wordsOf<T>(mask: number, of: readonly T[]): readonly T[] {
  let known = lists.get(of);
  if (known === undefined) lists.set(of, (known = new Map()));
  let words = known.get(mask) as readonly T[] | undefined;
  if (words === undefined) known.set(mask, (words = of.filter((_, bit) => (mask & (1 << bit)) !== 0)));
  return words;
}
