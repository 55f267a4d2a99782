import { compileGlob, keysOfPath, matchGlob, matchGlobPath, requiredKeys } from './glob.ts';
import type { Glob, GlobPath } from './glob.ts';
import { createWordMatcher, foldCase } from './words.ts';
import type { WordMatcher } from './words.ts';
import { stamp } from './stamp.ts';
import type { Listen, RuleBody, RuleMeta } from './rule.ts';
import type { Event, EventName } from '../event/event.ts';
import type { Mode } from '../event/verdict.ts';

/** A rule as one workspace runs it. */
export interface ActiveRule {
  readonly meta: RuleMeta;
  readonly mode: Mode;
  readonly options: Readonly<Record<string, unknown>>;
  /** Where it comes from, for people: `built in`, or a file. */
  readonly source: string;
  /** Tells versions of a rule apart whose data is the same: the code of a built-in rule has the version of the build. */
  readonly version?: string;
  /** For a rule that a project brought: its relative globs count from here, whatever root a path has. */
  readonly root?: string;
  /** Loads the code; called only when the rule really runs. */
  load(): RuleBody | Promise<RuleBody>;
}

/** How an event stood to a rule before any of its code was needed. */
export type Filtered = { readonly tier: 0 | 1; readonly reason: string };

/** The workspace root a path belongs to; empty when it has none. */
export type RootOf = (path: string) => string;

/** What a rule's own memory is kept under: rules of two projects may have the same name. */
export function memoryName({ meta, root }: ActiveRule): string {
  return root === undefined ? meta.id : `${meta.id} ${root}`;
}

export interface RuleIndex {
  readonly rules: readonly ActiveRule[];
  /** Changes whenever a rule, its mode or its options change. */
  readonly digest: string;
  /** Tiers 0 and 1: the rules whose filters the event passes, most important first. */
  select(event: Event, rootOf: RootOf): readonly ActiveRule[];
  /** True when a protecting rule that may stop the agent listens to this event at all. */
  isGuarded(event: EventName): boolean;
  /** Whether a rule listens that stops the action when it cannot be asked. */
  failsClosed(event: EventName): boolean;
}

interface Entry {
  readonly rule: ActiveRule;
  readonly names: ReadonlySet<string> | undefined;
  readonly globs: readonly Glob[] | undefined;
  /** Position in the bucket's word matcher; -1 without words. */
  readonly wordsId: number;
}

interface Bucket {
  /** Entries by a literal that one of their globs requires. */
  readonly byPath: ReadonlyMap<string, readonly PathEntry[]>;
  /** Entries with a glob that has no literal to index by. */
  readonly anyPath: readonly Entry[];
  readonly byWords: readonly Entry[];
  readonly always: readonly Entry[];
  readonly words: WordMatcher | undefined;
}

interface PathEntry {
  readonly entry: Entry;
  readonly path: GlobPath;
}

const NONE: readonly ActiveRule[] = [];

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

  return {
    rules,
    digest: digestOf(rules),
    isGuarded: (event) => (listeners.get(event) ?? []).some(({ rule }) => rule.meta.guard === true && canStop(rule)),
    failsClosed: (event) =>
      (listeners.get(event) ?? []).some(({ rule }) => rule.meta.onError === 'block' && canStop(rule)),
    select(event, rootOf) {
      const heard = listeners.get(event.name);
      if (!heard) return NONE;
      const kind = event.tool?.kind ?? '';
      const key = `${event.name} ${kind}`;
      let bucket = buckets.get(key);
      if (!bucket) {
        bucket = buildBucket(heard.filter(({ listen }) => !listen.tool || listen.tool.includes(kind as never)));
        buckets.set(key, bucket);
      }
      return selectFrom(bucket, event, rootOf);
    },
  };
}

function canStop({ mode }: ActiveRule): boolean {
  return mode === 'ask' || mode === 'enforce';
}

function selectFrom(bucket: Bucket, event: Event, rootOf: RootOf): readonly ActiveRule[] {
  const name = event.tool?.name ?? '';
  let words: ReadonlySet<number> | undefined;
  let found: Set<ActiveRule> | undefined;
  const take = (entry: Entry) => {
    if (entry.names && !entry.names.has(name)) return;
    if (entry.wordsId >= 0) {
      words ??= bucket.words?.find(textsOf(event));
      if (!words?.has(entry.wordsId)) return;
    }
    (found ??= new Set()).add(entry.rule);
  };

  for (const entry of bucket.always) take(entry);
  if (bucket.byPath.size > 0 || bucket.anyPath.length > 0) {
    for (const path of pathsOf(event)) {
      const place = placeOf(path, rootOf);
      for (const key of keysOfPath(place.segments)) {
        for (const { entry, path: glob } of bucket.byPath.get(key) ?? []) {
          if (matchGlobPath(glob, place.below(entry.rule.root), place.segments)) take(entry);
        }
      }
      for (const entry of bucket.anyPath) {
        if (entry.globs?.some((glob) => matchGlob(glob, place.below(entry.rule.root), place.segments))) take(entry);
      }
    }
  }
  if (bucket.byWords.length > 0) {
    words ??= bucket.words?.find(textsOf(event));
    if (words && words.size > 0) for (const entry of bucket.byWords) take(entry);
  }
  if (!found) return NONE;
  return found.size === 1 ? [...found] : [...found].sort(byImportance);
}

/** Why a rule was not selected, or undefined when its filters hold. Slow and plain: for explain and tests. */
export function whyFiltered(rule: ActiveRule, event: Event, rootOf: RootOf): Filtered | undefined {
  const heard = rule.meta.on.filter((listen) => namesOf(listen).includes(event.name));
  if (heard.length === 0) return { tier: 0, reason: `listens to other events than ${event.name}` };
  const ofTool = heard.filter(
    (listen) =>
      (!listen.tool || listen.tool.includes(event.tool?.kind as never)) &&
      (!listen.name || listen.name.includes(event.tool?.name ?? '')),
  );
  if (ofTool.length === 0) return { tier: 0, reason: `listens to other tools than ${event.tool?.name ?? 'none'}` };
  const places = pathsOf(event).map((path) => placeOf(path, rootOf));
  const ofPath = ofTool.filter(
    (listen) =>
      !listen.paths ||
      listen.paths
        .map(compileGlob)
        .some((glob) => places.some((place) => matchGlob(glob, place.below(rule.root), place.segments))),
  );
  if (ofPath.length === 0)
    return { tier: 1, reason: `no path matches ${ofTool.flatMap((listen) => listen.paths ?? []).join(', ')}` };
  const texts = textsOf(event).map(foldCase);
  const ofWords = ofPath.filter(
    (listen) => !listen.words || listen.words.some((word) => texts.some((text) => text.includes(foldCase(word)))),
  );
  if (ofWords.length === 0)
    return { tier: 1, reason: `has none of the words ${ofPath.flatMap((listen) => listen.words ?? []).join(', ')}` };
  return undefined;
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

interface Place {
  readonly segments: readonly string[];
  /** The segments below `root`, or below the path's own workspace; undefined when it lies elsewhere. */
  below(root: string | undefined): readonly string[] | undefined;
}

export function placeOf(path: string, rootOf: RootOf): Place {
  const segments = path.split('/').filter(isNotEmpty);
  let own: readonly string[] | undefined | null = null;
  return {
    segments,
    below: (root) => {
      if (root !== undefined) return segmentsBelow(path, segments, root);
      return (own = own === null ? segmentsBelow(path, segments, rootOf(path)) : own);
    },
  };
}

function segmentsBelow(path: string, segments: readonly string[], root: string): readonly string[] | undefined {
  if (root === '' || !path.startsWith(root) || (path.length > root.length && path[root.length] !== '/'))
    return undefined;
  return segments.slice(root.split('/').filter(isNotEmpty).length);
}

function isNotEmpty(text: string): boolean {
  return text !== '';
}

function buildBucket(heard: readonly { readonly rule: ActiveRule; readonly listen: Listen }[]): Bucket {
  const words: { text: string; id: number }[] = [];
  const entries = heard.map(({ rule, listen }, id): Entry => {
    for (const text of listen.words ?? []) words.push({ text, id });
    return {
      rule,
      names: listen.name && new Set(listen.name),
      globs: listen.paths?.map(compileGlob),
      wordsId: listen.words ? id : -1,
    };
  });
  const withPaths = entries.filter((entry) => entry.globs);
  const { byPath, anyPath } = indexPaths(withPaths);
  const withoutPaths = entries.filter((entry) => !entry.globs);
  return {
    byPath,
    anyPath,
    byWords: withoutPaths.filter((entry) => entry.wordsId >= 0),
    always: withoutPaths.filter((entry) => entry.wordsId < 0),
    words: words.length > 0 ? createWordMatcher(words) : undefined,
  };
}

/** Each glob goes under the literal that fewest others share, so that a thousand rules on `*.ts` do not share one list. */
function indexPaths(entries: readonly Entry[]): { byPath: Map<string, PathEntry[]>; anyPath: Entry[] } {
  const count = new Map<string, number>();
  const alternatives = entries.flatMap((entry) =>
    (entry.globs ?? []).flatMap((glob) => glob.alternatives.map((path) => ({ entry, path, keys: requiredKeys(path) }))),
  );
  for (const { keys } of alternatives) for (const key of keys) count.set(key, (count.get(key) ?? 0) + 1);
  const byPath = new Map<string, PathEntry[]>();
  const anyPath = new Set<Entry>();
  for (const { entry, path, keys } of alternatives) {
    const key = keys.sort((a, b) => (count.get(a) ?? 0) - (count.get(b) ?? 0))[0];
    if (key === undefined) anyPath.add(entry);
    else byPath.set(key, [...(byPath.get(key) ?? []), { entry, path }]);
  }
  return { byPath, anyPath: [...anyPath] };
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
