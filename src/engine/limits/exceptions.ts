import { compileGlob, matchGlob } from '../../text/glob.ts';
import { cellId, parseValue } from '../../state/cells.ts';
import type { Draft } from '../../state/draft.ts';
import type { Effect } from '../../event/effect.ts';
import type { Event, ToolCall } from '../../event/event.ts';
import type { Verdict } from '../../event/verdict.ts';

/** What a person lets pass by rules, in one workspace and for a time. */
export interface Exception {
  readonly id: string;
  readonly rules: readonly string[];
  readonly since: number;
  readonly until: number;
  /** For one use: the seal of the call it is bound to. */
  readonly call?: string;
  /** For one use: the decision that stopped the call. */
  readonly decision?: string;
  readonly command?: string;
  /** Everything that the call touches must match. */
  readonly path?: string;
  readonly reason?: string;
}

/** Where an exception counts: in the workspace of a root, or on all machines of a team. */
export type ExceptionPlace = string | { readonly team: string };

function exceptionsId(place: ExceptionPlace): string {
  return idIn(place, 'exceptions');
}

/** The same again: what only one of the two has, nobody added who may. */
function copyId(place: ExceptionPlace): string {
  return idIn(place, 'exceptions-copy');
}

function idIn(place: ExceptionPlace, name: string): string {
  return typeof place === 'string' ? cellId('workspace', place, name) : cellId('team', place.team, name);
}

/** Those in force. */
export function readExceptions(draft: Draft, root: ExceptionPlace): readonly Exception[] {
  if (!draft.holds(exceptionsId(root))) return [];
  const copies = new Set(parseExceptions(draft.read(copyId(root))).map((one) => JSON.stringify(one)));
  return parseExceptions(draft.read(exceptionsId(root))).filter(
    (one) => one.until > draft.now && copies.has(JSON.stringify(one)),
  );
}

/** Those that have no effect, because something other than this program wrote them. */
export function strayExceptions(root: ExceptionPlace, read: (id: string) => string | undefined): readonly Exception[] {
  const value = read(exceptionsId(root));
  if (value === undefined) return NO_EXCEPTIONS;
  const copy = read(copyId(root));
  if (value === copy) return NO_EXCEPTIONS;
  const copies = new Set(parseExceptions(copy).map((one) => JSON.stringify(one)));
  return parseExceptions(value).filter((one) => !copies.has(JSON.stringify(one)));
}

const NO_EXCEPTIONS: readonly Exception[] = [];

function parseExceptions(value: string | undefined): readonly Exception[] {
  const found = parseValue(value);
  if (!Array.isArray(found)) return NO_EXCEPTIONS;
  return (found as unknown[]).filter((one): one is Exception => typeof one === 'object' && one !== null);
}

export function writeExceptions(draft: Draft, root: ExceptionPlace, exceptions: readonly Exception[]): void {
  const ids = [exceptionsId(root), copyId(root)];
  if (exceptions.length === 0) return ids.forEach((id) => draft.delete(id));
  const expires = Math.max(...exceptions.map(({ until }) => until));
  for (const id of ids) draft.set(id, JSON.stringify(exceptions), expires);
}

/** A digest that no other text can be made to fit, so that what a person allowed is what runs. */
export type Seal = (text: string) => string;

/** Names a call by its tool, its place, and its command or else its whole input; the order of keys does not matter. */
export function sealOf({ name, command, input }: ToolCall, cwd: string, seal: Seal): string | undefined {
  const what = command ?? canonical(input, DEEPEST);
  return what === undefined ? undefined : seal(JSON.stringify([name, cwd, what]));
}

/** No tool takes more; an input that is deeper has no name. */
const DEEPEST = 100;

function canonical(value: unknown, levels: number): unknown {
  if (typeof value !== 'object' || value === null) return value ?? null;
  if (levels === 0) return undefined;
  const items: readonly (readonly [string, unknown])[] = Array.isArray(value)
    ? value.map((item) => ['', item] as const)
    : Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  const named = items.map(([key, item]) => [key, canonical(item, levels - 1)] as const);
  return named.some(([, item]) => item === undefined) ? undefined : named;
}

/** A rule that could not look gives this variant; one use does not cover it, since nobody knows what it would have said. */
export const UNABLE = 'unable';

function stops({ kind }: Pick<Verdict, 'kind'>): boolean {
  return kind === 'save' || kind === 'ask' || kind === 'deny';
}

export interface Judged {
  readonly verdicts: readonly Verdict[];
  /** By rule: the exception that silenced it. */
  readonly silenced: ReadonlyMap<string, Exception>;
  /** Rules that looked and stop the call. */
  readonly stopping: ReadonlySet<string>;
  /** Names the call, if it can be named; made when somebody asks. */
  call(): string | undefined;
}

interface ExceptionParts {
  readonly draft: Draft;
  readonly root: string;
  /** The team that this machine shares state with. */
  readonly team?: string | undefined;
  readonly effects: readonly Effect[];
  readonly seal: Seal;
  /** Rules that no exception covers. */
  isHeld(rule: string): boolean;
}

const NONE: ReadonlyMap<string, Exception> = new Map();
const NOBODY: ReadonlySet<string> = new Set();
const unnamed = (): undefined => undefined;

/**
 * Takes out what exceptions cover. They silence a rule and grant nothing: what the agent asks its person by itself, it
 * still asks. Nothing is read unless something would be stopped; an exception for one use goes with the event.
 */
export function applyExceptions(
  verdicts: readonly Verdict[],
  event: Event,
  { draft, root, team, effects, seal, isHeld }: ExceptionParts,
): Judged {
  const { tool } = event;
  if (!tool || !verdicts.some(stops)) return { verdicts, silenced: NONE, stopping: NOBODY, call: unnamed };
  let named: { readonly seal: string | undefined } | undefined;
  const call = () => (named ??= { seal: sealOf(tool, event.cwd, seal) }).seal;
  const known = readExceptions(draft, root);
  // One use is for one machine.
  const shared = team === undefined ? [] : readExceptions(draft, { team }).filter((one) => one.call === undefined);
  const fitting = [...known, ...shared].filter((exception) => fits(exception, call, tool, effects, root));
  const silenced = new Map<string, Exception>();
  const stopping = new Set<string>();
  const left = verdicts.map((verdict): Verdict => {
    if (!stops(verdict)) return verdict;
    const { rule, priority, variant } = verdict;
    const covers = (one: Exception) => one.rules.includes(rule) && !(one.call !== undefined && variant === UNABLE);
    const exception = isHeld(rule) ? undefined : fitting.find(covers);
    if (exception) {
      silenced.set(rule, exception);
      return { kind: 'pass', rule, priority, reason: describeException(exception) };
    }
    if (variant !== UNABLE) stopping.add(rule);
    return verdict;
  });
  const used = [...silenced.values()].filter((one) => one.call !== undefined);
  if (used.length > 0)
    writeExceptions(
      draft,
      root,
      known.filter((one) => !used.includes(one)),
    );
  return { verdicts: left, silenced, stopping, call };
}

export function describeException({ id, decision }: Exception): string {
  return `allowed by exception ${id}${decision === undefined ? '' : `, once, after decision ${decision}`}`;
}

function fits(
  exception: Exception,
  call: () => string | undefined,
  tool: ToolCall,
  effects: readonly Effect[],
  root: string,
): boolean {
  if (exception.call !== undefined && exception.call !== call()) return false;
  if (exception.command !== undefined && exception.command.trim() !== tool.command?.trim()) return false;
  return exception.path === undefined || allLieIn(exception.path, tool, effects, root);
}

/** An effect on something that is no path, or on an unknown one, is outside of every pattern. */
function allLieIn(pattern: string, tool: ToolCall, effects: readonly Effect[], root: string): boolean {
  const touched = [...tool.paths, ...effects.map(({ path }) => path)];
  const glob = compileGlob(pattern);
  return (
    touched.length > 0 &&
    touched.every((path) => {
      if (path === undefined) return false;
      const absolute = segmentsOf(path);
      const isInside = path === root || path.startsWith(root === '/' ? root : `${root}/`);
      return matchGlob(glob, isInside ? absolute.slice(segmentsOf(root).length) : undefined, absolute);
    })
  );
}

function segmentsOf(path: string): string[] {
  return path.split('/').filter((segment) => segment !== '');
}
