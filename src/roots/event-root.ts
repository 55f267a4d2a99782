import type { PlaceReason } from '../engine/engine.ts';
import type { Event, ToolCall } from '../event/event.ts';
import type { Root } from './find-root.ts';

export interface Lookup {
  /** The root of a path, with whether the path may lead to it. */
  find(path: string, fresh: boolean): { readonly root: Root; readonly leads: boolean };
  /** The root of the one direct child that is a project. */
  onlyChild(dir: string): Root | undefined;
}

interface Candidate {
  readonly path: string;
  readonly reason: PlaceReason;
}

/**
 * The root an event belongs to. With an active root, a path elsewhere moves it only when that path lies inside
 * the new root, so that a stray file or an unmarked directory changes nothing.
 */
export function chooseRoot(
  event: Event,
  active: Root | undefined,
  lookup: Lookup,
): { root: Root; reason: PlaceReason } {
  const pending = active?.markerBacked !== true;
  const named = namedPaths(event);
  const holdsNamed = (root: Root) => named.length === 0 || named.some((each) => root.inside(each.path));
  for (const { path, reason } of [...named, ...fallbackPaths(event)]) {
    const { root, leads } = lookup.find(path, pending);
    if (!leads || !root.markerBacked) continue;
    if (pending || root.path === active.path || holdsNamed(root)) return { root, reason };
  }
  if (!pending) return { root: active, reason: 'active' };
  const here = lookup.find(event.cwd, true);
  const child = here.leads && !here.root.markerBacked ? lookup.onlyChild(event.cwd) : undefined;
  return child === undefined ? { root: here.root, reason: 'none' } : { root: child, reason: 'single-child' };
}

/** Every path that the event's tool calls name. */
export function touchedPaths(event: Event): ReadonlySet<string> {
  const paths = new Set<string>();
  for (const call of callsOf(event)) {
    for (const path of call.paths) paths.add(path);
    for (const edit of call.edits) paths.add(edit.path);
  }
  return paths;
}

/** Their path is a place to look in, not a file. */
export const SEARCHES: ReadonlySet<ToolCall['kind'] | undefined> = new Set(['search', 'glob', 'list'] as const);

/** A shell command is not interpreted to find a root: it contributes its working directory alone. */
function namedPaths(event: Event): Candidate[] {
  const calls = callsOf(event).filter((call) => call.kind !== 'shell');
  const isSearch = (call: ToolCall) => SEARCHES.has(call.kind);
  const found: Candidate[] = [];
  for (const call of calls) if (!isSearch(call)) for (const path of call.paths) found.push({ path, reason: 'file' });
  for (const call of calls) if (isSearch(call)) for (const path of call.paths) found.push({ path, reason: 'path' });
  return found;
}

function fallbackPaths(event: Event): Candidate[] {
  if (event.name !== 'session.start') return [{ path: event.cwd, reason: 'cwd' }];
  const paths = event.projectDir === undefined ? [event.cwd] : [event.cwd, event.projectDir];
  return paths.map((path) => ({ path, reason: 'session-start' }));
}

function callsOf(event: Event): readonly ToolCall[] {
  return event.tool === undefined ? (event.batch ?? []) : [event.tool, ...(event.batch ?? [])];
}
