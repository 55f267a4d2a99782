import type { Effect, EffectKind } from '../../event/effect.ts';
import type { ShellWord } from '../../shell/command.ts';
import type { CommandLine } from './command-line.ts';
import { isOn, layoutOf, onlyShows, readCommandLine } from './command-line.ts';
import type { ReadEffects } from '../scene.ts';

export interface Verb {
  readonly kind?: EffectKind;
  readonly how: string;
  /** Only with one of these options; `name=value` asks for that value. */
  readonly needs?: readonly string[];
  /** Not with any of these options. */
  readonly unless?: readonly string[];
  /** What it acts on when the command names nothing. */
  readonly target?: string;
}

/** What a program of nouns and verbs does, by where its verb stands: a word elsewhere is a name, not a verb. */
export interface VerbTable {
  readonly kind: EffectKind;
  /** What its verbs act on when the command names nothing. */
  readonly target?: string;
  /** What they act on whatever the command names. */
  readonly always?: string;
  /** See `Layout`; the options that take the next word, without dashes and parted by blanks. */
  readonly values?: string;
  readonly wholeWords?: boolean;
  /** By the words that lead to the verb; `a|b` stands for either. A string is the `how`. */
  readonly verbs: Readonly<Record<string, string | Verb>>;
  /** For programs with nouns at any depth: the first word that is a verb decides. */
  readonly scan?: {
    readonly verbs: Readonly<Record<string, string | Verb>>;
    readonly depth: number;
    /** Words that are nouns here, though verbs elsewhere. */
    readonly nouns?: readonly string[];
  };
}

/** Also tells what an unusual form of the program does; undefined leaves it to the table. */
export type ReadForm = (line: CommandLine) => Found | undefined;

interface Found {
  readonly verb: Verb;
  /** Absent when the command names nothing. */
  readonly target?: string | undefined;
}

export function readVerbs(table: VerbTable, readForm?: ReadForm): ReadEffects {
  const layout = layoutOf(table.values ?? '', table.wholeWords);
  let compiled: Compiled | undefined;
  return (command, scene) => {
    const { paths, depth, scanned } = (compiled ??= compileTable(table));
    const line = readCommandLine(command.words.slice(1), layout);
    if (line.operands.length === 0 || onlyShows(line)) return NOTHING;
    const found = readForm?.(line) ?? findPath(line, paths, depth) ?? findFirst(line, scanned, table.scan);
    if (!found || !applies(found.verb, line)) return NOTHING;
    const { kind = table.kind, how } = found.verb;
    const target =
      table.always ??
      found.target ??
      found.verb.target ??
      table.target ??
      line.operands.map(({ value }) => value).join(' ');
    return [scene.effect(command, { kind, how, target })];
  };
}

const NOTHING: readonly Effect[] = [];

interface Compiled {
  readonly paths: ReadonlyMap<string, Verb>;
  /** Words of the longest path. */
  readonly depth: number;
  readonly scanned: ReadonlyMap<string, Verb> | undefined;
}

function compileTable({ verbs, scan }: VerbTable): Compiled {
  const paths = compile(verbs);
  const depth = Math.max(0, ...[...paths.keys()].map((path) => path.split(' ').length));
  return { paths, depth, scanned: scan && compile(scan.verbs) };
}

function compile(verbs: VerbTable['verbs']): ReadonlyMap<string, Verb> {
  const paths = new Map<string, Verb>();
  for (const [path, given] of Object.entries(verbs)) {
    const verb = typeof given === 'string' ? { how: given } : given;
    let spelled = [''];
    for (const part of path.split(' ')) {
      spelled = spelled.flatMap((start) => part.split('|').map((word) => (start === '' ? word : `${start} ${word}`)));
    }
    for (const one of spelled) paths.set(one, verb);
  }
  return paths;
}

function findPath({ operands }: CommandLine, paths: ReadonlyMap<string, Verb>, depth: number): Found | undefined {
  for (let length = Math.min(depth, operands.length); length > 0; length -= 1) {
    const verb = paths.get(pathOf(operands, length));
    if (verb) return { verb, target: nameTarget(operands, length) };
  }
  return undefined;
}

function findFirst(
  { operands }: CommandLine,
  verbs: ReadonlyMap<string, Verb> | undefined,
  scan: VerbTable['scan'],
): Found | undefined {
  if (!verbs || !scan) return undefined;
  for (let at = 0; at < Math.min(scan.depth, operands.length); at += 1) {
    const word = (operands[at] as ShellWord).value.toLowerCase();
    const verb = verbs.get(word);
    if (verb) return { verb, target: nameTarget(operands, at + 1) };
    if (scan.nouns?.includes(word) !== true && (HARMLESS.has(word) || HARMLESS_START.test(word))) return undefined;
  }
  return undefined;
}

/** Verbs after which a word such as `delete` is a name. */
const HARMLESS: ReadonlySet<string> = new Set(
  (
    'list ls show describe get create new add set update edit view info status logs log tail ssh scp exec run deploy ' +
    'build open start stop restart login logout auth config version help search export import print read inspect watch ' +
    'wait copy cp diff init connect enable disable api'
  ).split(' '),
);
const HARMLESS_START = /^(?:get|list|describe|show|set|add|create|print)-/;

function pathOf(operands: readonly ShellWord[], length: number): string {
  let path = '';
  for (let at = 0; at < length; at += 1)
    path += (at === 0 ? '' : ' ') + (operands[at] as ShellWord).value.toLowerCase();
  return path;
}

function nameTarget(operands: readonly ShellWord[], from: number): string | undefined {
  if (from >= operands.length) return undefined;
  return operands
    .slice(from, from + 3)
    .map(({ text }) => text)
    .join(' ');
}

function applies({ needs, unless }: Verb, { options }: CommandLine): boolean {
  if (unless?.some((name) => options.has(name)) === true) return false;
  return needs === undefined || needs.some((wanted) => isGiven(wanted, options));
}

function isGiven(wanted: string, options: CommandLine['options']): boolean {
  const equals = wanted.indexOf('=');
  if (equals < 0) return isOn(wanted, options);
  return options.get(wanted.slice(0, equals))?.at(-1)?.value.toLowerCase() === wanted.slice(equals + 1);
}
