import type { Expression, Generic, Parameter } from '../model/expression.ts';
import type { Definition, FileFacts, Reference } from '../model/facts.ts';
import { baseType } from './base-types.ts';
import { envOf, isClassLike } from './class-parts.ts';
import { elementOf } from './contents.ts';
import { childrenNamed } from './file-table.ts';
import type { LanguageRules } from '../languages/language-rules.ts';
import { rulesOf } from './language-rules.ts';
import type { Resolution } from './resolution.ts';
import type { ObjectType, Type } from './types.ts';
import type { Located } from './world.ts';

type Suits = NonNullable<LanguageRules['suits']>;

/** Of methods that differ in their parameters, those that so many arguments can be meant for; all when none is. */
export function takingArguments(located: readonly Located[], count: number | undefined): readonly Located[] {
  if (count === undefined || located.length < 2) return located;
  const fitting = located.filter(({ file, index }) => takes(file.definitions[index] as Definition, count));
  return fitting.length > 0 ? fitting : located;
}

function takes({ parameters }: Definition, count: number): boolean {
  const isOpen = parameters.at(-1)?.rest === true;
  return isOpen ? count >= parameters.length - 1 : count === parameters.length;
}

/** Of these the one that the arguments suit best by their types; several where they do not tell. */
export function suitingArguments(
  r: Resolution,
  located: readonly Located[],
  given: readonly Expression[] | undefined,
): readonly Located[] {
  if (located.length < 2) return located;
  const best = possibleOf(r, located, given);
  return best.length > 0 ? best : located;
}

/** The same, and none where they suit none. */
function possibleOf(
  r: Resolution,
  located: readonly Located[],
  given: readonly Expression[] | undefined,
): readonly Located[] {
  const { suits } = rulesOf(r.file.language);
  if (given === undefined || suits === undefined) return located;
  const { returned } = r;
  const types = given.map((arg) => argumentType(r, arg));
  const points = located.map((one) => pointsOf(r, one, types, suits));
  r.returned = returned;
  const most = Math.max(...points);
  return most === IMPOSSIBLE ? [] : located.filter((_, n) => points[n] === most);
}

function argumentType(r: Resolution, arg: Expression): Type {
  return arg.is === 'new' ? r.type(r, r.file, arg.of, r.root) : r.value(r, r.file, arg, r.root);
}

const IMPOSSIBLE = -Infinity;

/**
 * The method that a call means among those of a class and of its bases, where a class adds to the overloads that it
 * inherits. `outside` where the project has none and a library may have it; undefined where it lacks one altogether.
 */
export function overloadAbove(
  r: Resolution,
  type: ObjectType,
  { name, args, given }: Reference,
): readonly Located[] | 'outside' | undefined {
  let level: readonly ObjectType[] = [type];
  let leadsOutside = false;
  for (let away = 0; away < FARTHEST && level.length > 0; away++) {
    const found = level.flatMap(({ file, index }) =>
      childrenNamed(file, index, name)
        .filter((child) => isMethod(file.definitions[child]) && takes(file.definitions[child] as Definition, args ?? 0))
        .map((child) => ({ file, index: child })),
    );
    const best = possibleOf(r, found, given);
    if (best.length > 0) return best;
    leadsOutside ||= level.some((one) => hasUnknownBase(r, one));
    level = level.flatMap((one) => basesOf(r, one));
  }
  return leadsOutside ? 'outside' : undefined;
}

/** A component of a record is read by calling it. */
function isMethod(definition: Definition | undefined): boolean {
  return definition?.kind === 'method' || definition?.traits.includes('callable') === true;
}

/** The method of a class or of what is above it that one with these parameters replaces. */
export function overloadLike(r: Resolution, type: ObjectType, { name, parameters }: Definition): Located | undefined {
  let level: readonly ObjectType[] = [type];
  for (let away = 0; away < FARTHEST && level.length > 0; away++) {
    for (const { file, index } of level) {
      const same = childrenNamed(file, index, name).find((child) => {
        const other = file.definitions[child] as Definition;
        if (other.kind !== 'method' || other.parameters.length !== parameters.length) return false;
        const generics = [...other.generics, ...(file.definitions[index]?.generics ?? [])];
        return parameters.every((own, n) => isSameParameter(own, other.parameters[n], generics));
      });
      if (same !== undefined) return { file, index: same };
    }
    level = level.flatMap((one) => basesOf(r, one));
  }
  return undefined;
}

/** By name: what a type parameter stands for, the class below says. */
function isSameParameter(own: Parameter, other: Parameter | undefined, generics: readonly Generic[]): boolean {
  const [mine, wanted] = [lastName(own.type), lastName(other?.type)];
  return mine === wanted || wanted === undefined || generics.some(({ name }) => name === wanted);
}

function lastName(type: Expression | undefined): string | undefined {
  switch (type?.is) {
    case 'name':
      return type.name.slice(type.name.lastIndexOf('.') + 1);
    case 'member':
      return type.name;
    case 'apply': {
      const name = lastName(type.of);
      return name === '[]' ? `[]${lastName(type.types[0])}` : name;
    }
    default:
      return undefined;
  }
}

function hasUnknownBase(r: Resolution, type: ObjectType): boolean {
  const { bases } = type.file.definitions[type.index] as Definition;
  return bases.some((base) => baseType(r, type.file, base, envOf(type)).is !== 'object');
}

function pointsOf(r: Resolution, { file, index }: Located, types: readonly Type[], suits: Suits): number {
  const { parameters } = file.definitions[index] as Definition;
  const last = parameters.at(-1);
  // What takes any number is meant when nothing else is.
  let sum = last?.rest === true ? -0.05 : 0;
  for (const [n, type] of types.entries()) {
    const parameter = parameters[n] ?? (last?.rest === true ? last : undefined);
    const points = parameter === undefined ? IMPOSSIBLE : pointsFor(r, file, parameter, type, suits);
    sum += points;
  }
  return sum;
}

function pointsFor(r: Resolution, file: FileFacts, parameter: Parameter, given: Type, suits: Suits): number {
  if (parameter.type === undefined) return 0;
  const wanted = r.type(r, file, parameter.type, r.root);
  const points = compare(r, given, wanted, suits);
  if (parameter.rest !== true) return points;
  return Math.max(points, compare(r, given, elementOf(r, wanted, 0), suits));
}

function compare(r: Resolution, given: Type, wanted: Type, suits: Suits): number {
  if (wanted.is === 'unknown' || wanted.is === 'param')
    return wanted.is === 'param' && given.is !== 'unknown' ? 0.05 : 0;
  if (given.is === 'lambda') return mayBeFunction(wanted, suits) ? 0 : IMPOSSIBLE;
  const [own, other] = [nameOf(given), nameOf(wanted)];
  // Nothing is of any type that is an object's, and rather of one that says more.
  if (given.is === 'nothing') return other === undefined ? NEAREST : (suits('null', other) ?? IMPOSSIBLE);
  if (given.is === 'object' && isOurs(given)) {
    if (wanted.is === 'object' && isOurs(wanted)) return distancePoints(r, given, wanted);
    return other === undefined ? 0 : (suits('', other) ?? IMPOSSIBLE);
  }
  if (own === undefined) return 0;
  // No library knows the types of the project.
  if (wanted.is === 'object' && isOurs(wanted)) return IMPOSSIBLE;
  if (other === undefined) return 0;
  if (given.is === 'object' && wanted.is === 'object') return builtInPoints(r, given, wanted, suits);
  return suits(own, other) ?? IMPOSSIBLE;
}

function mayBeFunction(wanted: Type, suits: Suits): boolean {
  if (wanted.is === 'object' && isOurs(wanted)) return wanted.file.definitions[wanted.index]?.kind === 'interface';
  const name = nameOf(wanted);
  return name === undefined || suits('', name) !== undefined;
}

function isOurs({ file }: ObjectType): boolean {
  return file.path !== '';
}

/** The name of a type that the project does not define. */
function nameOf(type: Type): string | undefined {
  if (type.is === 'literal') return type.type;
  if (type.is === 'outside') return type.name;
  return type.is === 'object' && !isOurs(type) ? type.file.definitions[type.index]?.name : undefined;
}

function builtInPoints(r: Resolution, given: ObjectType, wanted: ObjectType, suits: Suits): number {
  const points = distancePoints(r, given, wanted);
  const [own, other] = [given.args[0], wanted.args[0]];
  if (points !== 1 || own === undefined || other === undefined || given.args.length > 1) return points;
  // A list of something is no list of something else, and holds it as it is.
  const [held, asked] = [nameOf(own), other.is === 'param' ? 'Object' : nameOf(other)];
  if (held !== undefined && asked !== undefined && suits(held, asked, true) === undefined) return IMPOSSIBLE;
  const inner = compare(r, own, other, suits);
  return inner === IMPOSSIBLE ? IMPOSSIBLE : 0.9 + inner / 10;
}

const NEAREST = 0.1;

/** The nearer the base, the better it suits. */
function distancePoints(r: Resolution, given: ObjectType, wanted: ObjectType): number {
  let level: readonly ObjectType[] = [given];
  for (let away = 0; away < FARTHEST && level.length > 0; away++) {
    if (level.some(({ file, index }) => file === wanted.file && index === wanted.index)) return 1 - away / 20;
    level = level.flatMap((type) => basesOf(r, type));
  }
  return IMPOSSIBLE;
}

const FARTHEST = 10;

function basesOf(r: Resolution, type: ObjectType): ObjectType[] {
  const { bases } = type.file.definitions[type.index] as Definition;
  const found: ObjectType[] = [];
  for (const base of bases) {
    const above = baseType(r, type.file, base, envOf(type));
    if (above.is === 'object' && isClassLike(above.file.definitions[above.index])) found.push(above);
  }
  return found;
}
