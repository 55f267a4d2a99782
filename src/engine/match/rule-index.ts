import { isWanted, kindsFor, NO_EFFECTS, targetOf, touchesGlob } from './effect-filter.ts';
import type { CallEffects } from './effect-filter.ts';
import { compileGlob } from '../../text/glob.ts';
import type { Glob } from '../../text/glob.ts';
import { findByPath, indexPaths, splitPath } from './path-index.ts';
import type { PathEntry, PathIndex, RootOf } from './path-index.ts';
import { createWordMatcher } from '../../text/words.ts';
import type { WordMatcher } from '../../text/words.ts';
import { stamp } from '../../text/stamp.ts';
import { TURN_TALLY } from '../api/turn-tally.ts';
import { LEASE_ENDS } from '../session/leases.ts';
import type { Listen, RuleBody, RuleMeta } from '../rule.ts';
import type { Effect, EffectKind } from '../../event/effect.ts';
import type { Event, EventName } from '../../event/event.ts';
import type { Mode } from '../../event/verdict.ts';

export type { RootOf };

/** A rule as one workspace runs it. */
export interface ActiveRule {
  readonly meta: RuleMeta;
  readonly mode: Mode;
  readonly options: Readonly<Record<string, unknown>>;
  /** Where it comes from, for people: `built in`, or a file. */
  readonly source: string;
  /** Tells versions of a rule apart whose data is the same: the code of a built-in rule has the version of the build. */
  readonly version?: string;
  /** The policy of a team that says how hard it acts. */
  readonly policy?: string;
  /** Nothing on this machine makes it act less hard. */
  readonly held?: true;
  /** As hard as the policy wants it, where the machine has it act less hard and the policy allows that. */
  readonly lowered?: Mode;
  /** For a rule that a project brought: its relative globs count from here, whatever root a path has. */
  readonly root?: string;
  /** Loads the code; called only when the rule really runs. */
  load(): RuleBody | Promise<RuleBody>;
}

/** What a rule's own memory is kept under: rules of two projects may have the same name. */
export function memoryName({ meta, root }: ActiveRule): string {
  return root === undefined ? meta.id : `${meta.id} ${root}`;
}

export interface RuleIndex {
  readonly rules: readonly ActiveRule[];
  /** Changes whenever a rule, its mode or its options change. */
  readonly digest: string;
  /** Whether a rule sums up what a turn heard and was kept from. */
  readonly keepsTally: boolean;
  /** Whether a rule has a lease. */
  readonly hasLeases: boolean;
  /** Whether a rule says how old its copy of a team's state may be. */
  readonly hasBounds: boolean;
  /** Whether a rule that listens to such events, tools and words has to know what the call would do. */
  wantsEffects(event: Event): boolean;
  /** Tiers 0 and 1: the rules whose filters the event passes, most important first. */
  select(event: Event, rootOf: RootOf, effects?: CallEffects): readonly ActiveRule[];
  /** True when a protecting rule that may stop the agent listens to this event at all. */
  isGuarded(event: EventName): boolean;
  /** Whether a rule listens that stops the action when it cannot be asked. */
  failsClosed(event: EventName): boolean;
}

interface Entry {
  readonly rule: ActiveRule;
  readonly names: ReadonlySet<string> | undefined;
  /** Only for calls that name no path. */
  readonly bare: boolean;
  /** Position in the bucket's word matcher; -1 without words. */
  readonly wordsId: number;
}

interface Bucket {
  readonly byPath: PathIndex<Entry & PathEntry>;
  readonly byEffect: ReadonlyMap<EffectKind, EffectEntries>;
  /** All that name an effect. */
  readonly withEffect: readonly Entry[];
  /** Those of them that want it to be read. */
  readonly asking: readonly Entry[];
  readonly byWords: readonly Entry[];
  readonly always: readonly Entry[];
  readonly words: WordMatcher | undefined;
}

/** The entries that one kind of effect concerns. */
interface EffectEntries {
  readonly byPath: PathIndex<Entry & PathEntry>;
  readonly anywhere: readonly Entry[];
}

const NONE: readonly ActiveRule[] = [];
const EMPTY: Pick<Bucket, 'asking' | 'words'> = { asking: [], words: undefined };

export function createRuleIndex(active: readonly ActiveRule[]): RuleIndex {
  const rules = active.filter((rule) => rule.mode !== 'off').sort(byImportance);
  const listeners = new Map<EventName, { rule: ActiveRule; listen: Listen }[]>();
  for (const rule of rules) {
    for (const listen of rule.meta.on) {
      for (const event of namesOf(listen)) {
        const list = listeners.get(event) ?? [];
        list.push({ rule, listen });
        listeners.set(event, list);
      }
    }
  }
  const buckets = new Map<string, Bucket>();
  const withEffects = new Set(
    [...listeners].filter(([, heard]) => heard.some(({ listen }) => listen.effect)).map(([event]) => event),
  );

  function bucketFor(event: Event): Bucket | undefined {
    const heard = listeners.get(event.name);
    if (!heard) return undefined;
    const kind = event.tool?.kind ?? '';
    const key = `${event.name} ${kind}`;
    let bucket = buckets.get(key);
    if (!bucket) {
      bucket = buildBucket(heard.filter(({ listen }) => !listen.tool || listen.tool.includes(kind as never)));
      buckets.set(key, bucket);
    }
    return bucket;
  }

  let digest: string | undefined;

  return {
    rules,
    get digest() {
      return (digest ??= digestOf(rules));
    },
    keepsTally: rules.some(({ meta }) => Object.values(meta.state ?? {}).some(({ name }) => name === TURN_TALLY.name)),
    hasBounds: rules.some(({ meta }) => meta.team !== undefined),
    hasLeases: rules.some(({ meta }) => meta.lease !== undefined),
    isGuarded: (event) =>
      (listeners.get(event) ?? []).some(({ rule }) => rule.meta.guard === true && canStop(rule) && !isLocal(rule)),
    failsClosed: (event) =>
      (listeners.get(event) ?? []).some(({ rule }) => failsClosed(rule) && canStop(rule) && !isLocal(rule)),
    wantsEffects(event) {
      if (!withEffects.has(event.name)) return false;
      const { asking, words } = bucketFor(event) ?? EMPTY;
      if (asking.length === 0 || asking.some(({ wordsId }) => wordsId < 0)) return asking.length > 0;
      const found = words?.find(textsOf(event));
      return asking.some(({ wordsId }) => found?.has(wordsId) === true);
    },
    select(event, rootOf, effects = NO_EFFECTS) {
      const bucket = bucketFor(event);
      return bucket ? selectFrom(bucket, event, rootOf, effects) : NONE;
    },
  };
}

/** About workspaces with a certain entry only: that is no reason to stop calls everywhere when nobody can look. */
function isLocal({ meta }: ActiveRule): boolean {
  return meta.needs?.entry !== undefined;
}

/**
 * Whether the rule's failure stops the call: as it says, and else when it denies and is in force at `enforce`. A rule
 * that nobody can rely on would be worse than none.
 */
export function failsClosed({ meta, mode }: Pick<ActiveRule, 'meta' | 'mode'>): boolean {
  return meta.onError === undefined ? mode === 'enforce' && denies(meta) : meta.onError === 'block';
}

function denies({ guard, examples }: RuleMeta): boolean {
  return guard === true || examples?.deny !== undefined;
}

function canStop({ mode }: ActiveRule): boolean {
  return mode === 'save' || mode === 'ask' || mode === 'enforce';
}

function selectFrom(bucket: Bucket, event: Event, rootOf: RootOf, effects: CallEffects): readonly ActiveRule[] {
  const name = event.tool?.name ?? '';
  let words: ReadonlySet<number> | undefined;
  let found: Set<ActiveRule> | undefined;
  const take = (entry: Entry) => {
    if (entry.names && !entry.names.has(name)) return;
    if (entry.bare && pathsOf(event).length > 0) return;
    if (entry.wordsId >= 0) {
      words ??= bucket.words?.find(textsOf(event));
      if (!words?.has(entry.wordsId)) return;
    }
    (found ??= new Set()).add(entry.rule);
  };

  for (const entry of bucket.always) take(entry);
  if (bucket.byPath.entries.length > 0)
    for (const path of pathsOf(event)) findByPath(bucket.byPath, splitPath(path, rootOf), take);
  if (effects instanceof Error) for (const entry of bucket.withEffect) take(entry);
  else for (const effect of effects) findByEffect(bucket.byEffect.get(effect.kind), effect, event, rootOf, take);
  if (bucket.byWords.length > 0) {
    words ??= bucket.words?.find(textsOf(event));
    if (words && words.size > 0) for (const entry of bucket.byWords) take(entry);
  }
  if (!found) return NONE;
  return found.size === 1 ? [...found] : [...found].sort(byImportance);
}

function findByEffect(
  heard: EffectEntries | undefined,
  effect: Effect,
  event: Event,
  rootOf: RootOf,
  take: (entry: Entry) => void,
): void {
  if (!heard) return;
  for (const entry of heard.anywhere) take(entry);
  const target = heard.byPath.entries.length > 0 ? targetOf(effect, event, rootOf) : undefined;
  if (target?.tree === false) findByPath(heard.byPath, target.path, take);
  else if (target)
    for (const entry of heard.byPath.entries)
      if (entry.globs.some((glob) => touchesGlob(target, glob, entry.rule.root))) take(entry);
}

const compiled = new WeakMap<readonly string[], readonly Glob[]>();

export function globsOf(paths: readonly string[]): readonly Glob[] {
  const known = compiled.get(paths);
  if (known) return known;
  const globs = paths.map(compileGlob);
  compiled.set(paths, globs);
  return globs;
}

/** What the event brings into the project or the conversation; words are looked for here. */
export function textsOf(event: Event): readonly string[] {
  const { tool, prompt } = event;
  const texts: string[] = [];
  if (tool) {
    if (tool.command !== undefined) texts.push(tool.command);
    if (tool.query !== undefined) texts.push(tool.query);
    for (const edit of tool.edits) if (edit.new !== undefined) texts.push(edit.new);
    if (tool.error !== undefined) texts.push(tool.error);
    if (texts.length === 0 && tool.hasInput) texts.push(JSON.stringify(tool.input));
  }
  if (prompt) texts.push(prompt.text);
  if (event.stop?.lastMessage !== undefined) texts.push(event.stop.lastMessage);
  if (event.notification) texts.push(event.notification.message);
  return texts;
}

export function pathsOf(event: Event): readonly string[] {
  if (event.tool) return event.tool.paths;
  return event.place ? [event.place.path] : [];
}

function buildBucket(heard: readonly { readonly rule: ActiveRule; readonly listen: Listen }[]): Bucket {
  const words: { text: string; id: number }[] = [];
  const entries = heard.map(({ rule, listen }, id) => {
    for (const text of listen.words ?? []) words.push({ text, id });
    return {
      rule,
      names: listen.name && new Set(listen.name),
      bare: listen.bare === true,
      effect: listen.effect,
      ifKnown: listen.ifKnown === true,
      globs: listen.paths && globsOf(listen.paths),
      wordsId: listen.words ? id : -1,
    };
  });
  const plain = entries.filter(({ effect }) => !effect);
  const withEffect = entries.filter(({ effect }) => effect);
  const withoutPaths = plain.filter(({ globs }) => !globs);
  const kinds = new Set(withEffect.flatMap(({ effect }) => effect?.flatMap(kindsFor) ?? []));
  return {
    byPath: indexPaths(plain.filter(hasGlobs)),
    byEffect: new Map(
      [...kinds].map((kind): [EffectKind, EffectEntries] => {
        const concerned = withEffect.filter(({ effect }) => effect && isWanted(kind, effect));
        const anywhere = concerned.filter(({ globs }) => !globs);
        return [kind, { byPath: indexPaths(concerned.filter(hasGlobs)), anywhere }];
      }),
    ),
    withEffect,
    asking: withEffect.filter(({ ifKnown }) => !ifKnown),
    byWords: withoutPaths.filter(({ wordsId }) => wordsId >= 0),
    always: withoutPaths.filter(({ wordsId }) => wordsId < 0),
    words: words.length > 0 ? createWordMatcher(words) : undefined,
  };
}

function hasGlobs<Some extends { readonly globs: readonly Glob[] | undefined }>(
  entry: Some,
): entry is Some & { readonly globs: readonly Glob[] } {
  return entry.globs !== undefined;
}

/** What a rule has to be told of: what it listens to, and what ends the calls that it has a lease for. */
export function heardBy({ on, lease }: Pick<RuleMeta, 'on' | 'lease'>): readonly EventName[] {
  const own = on.flatMap(namesOf);
  return lease ? [...own, ...LEASE_ENDS] : own;
}

export function namesOf(listen: Listen): readonly EventName[] {
  return typeof listen.event === 'string' ? [listen.event] : listen.event;
}

function byImportance(a: ActiveRule, b: ActiveRule): number {
  return (
    (b.meta.priority ?? 50) - (a.meta.priority ?? 50) || (a.meta.id < b.meta.id ? -1 : a.meta.id > b.meta.id ? 1 : 0)
  );
}

function digestOf(rules: readonly ActiveRule[]): string {
  return stamp(rules.map(({ meta, mode, options, version }) => JSON.stringify([meta, mode, options, version])));
}
