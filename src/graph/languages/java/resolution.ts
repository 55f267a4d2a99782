import { COMMON } from '../language-rules.ts';
import type { LanguageRules } from '../language-rules.ts';
import { javaBuiltIns } from './built-ins.ts';
import { java as modules, packageMembers } from './module-finder.ts';

const WIDER = ['byte', 'short', 'int', 'long', 'float', 'double'];
const BOXES: Readonly<Record<string, string>> = {
  boolean: 'Boolean',
  byte: 'Byte',
  char: 'Character',
  short: 'Short',
  int: 'Integer',
  long: 'Long',
  float: 'Float',
  double: 'Double',
};
const BOXED = new Map(Object.entries(BOXES).map(([plain, box]) => [box, plain]));
/** What strings and numbers are besides. */
const ABOVE = new Set(['Object', 'Number', 'CharSequence', 'Comparable', 'Serializable']);

/**
 * How well a value of one type suits a parameter of another, both known by name alone: 1 for the same, less for what has to
 * be converted, undefined where it cannot be meant, 0 where nothing is known. What lists hold is not converted.
 */
export function suits(given: string, wanted: string, isHeld = false): number | undefined {
  if (given === wanted) return 1;
  if (isHeld && (given in BOXES || wanted in BOXES)) return undefined;
  if (given === 'null') return wanted in BOXES ? undefined : wanted === 'Object' ? 0 : 0.1;
  if (wanted === 'Object') return 0.1;
  if (given === '[]' || wanted === '[]') return undefined;
  const isPlain = given in BOXES;
  if (isPlain && wanted in BOXES) return widened(given, wanted);
  if (isPlain) return BOXES[given] === wanted ? 0.3 : isAbove(BOXES[given] ?? '', wanted) ? 0.2 : undefined;
  if (wanted in BOXES) return widened(BOXED.get(given) ?? '', wanted) === undefined ? undefined : 0.3;
  if (given === 'String' || BOXED.has(given)) return isAbove(given, wanted) ? 0.5 : undefined;
  if (wanted === 'String' || BOXED.has(wanted)) return undefined;
  // `StringReader` is a `Reader`: what is above a class of a library, its name says as a rule.
  return given.endsWith(wanted) ? 0.5 : 0;
}

function widened(given: string, wanted: string): number | undefined {
  if (given === wanted) return 1;
  const [from, to] = [WIDER.indexOf(given === 'char' ? 'short' : given), WIDER.indexOf(wanted)];
  return from === -1 || to <= from ? undefined : 0.9 - (to - from) / 10;
}

function isAbove(given: string, wanted: string): boolean {
  if (wanted === 'CharSequence') return given === 'String';
  if (wanted === 'Number') return given !== 'String' && given !== 'Boolean' && given !== 'Character';
  return ABOVE.has(wanted);
}

export const java: LanguageRules = {
  ...COMMON,
  family: 'java',
  builtIns: javaBuiltIns,
  modules,
  impliesThis: true,
  sharesDirectory: 'package',
  importsNested: true,
  methodsApart: true,
  interfacesAreObjects: true,
  constructors: ['constructor'],
  iterators: ['iterator'],
  packageMembers,
  suits,
};
