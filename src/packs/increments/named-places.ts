import { resolve } from 'node:path';
import type { Event } from '../../engine/rule.ts';
import { readShell } from '../../shell/read.ts';
import { parsePath, SPECWEAVE } from './layout.ts';
import type { ScanPlace } from './ladder.ts';

/** Nobody works on more projects in one call; each is looked at as a whole. */
const MOST_ROOTS = 3;
/** A path in a word, which may also be `of=…`, a script or code. */
const PATHS = /[^\s'"`=:;,()<>|&]*\.specweave\b[^\s'"`:;,()<>|&]*/g;

export interface CallPlace {
  /** The directory with increments that the call takes place in. */
  readonly nearest: string | undefined;
  readonly workspace: { readonly root: string; readonly home: string };
  rootOf(root: string): string;
}

/** Where to look after a call that does not say what it edits: the place it runs in, and those of the workspace it names. */
export function placesNamed(event: Event, { nearest, workspace, rootOf }: CallPlace): readonly ScanPlace[] {
  const places = new Map<string, Set<string>>();
  if (nearest !== undefined) places.set(nearest, new Set());
  for (const path of pathsNamed(event, workspace)) {
    const parsed = parsePath(path);
    if (!parsed) continue;
    const root = rootOf(parsed.root);
    if (root !== workspace.root && !root.startsWith(`${workspace.root}/`)) continue;
    if (!places.has(root) && places.size >= MOST_ROOTS) continue;
    const named = places.get(root) ?? new Set();
    if (parsed.increment !== undefined) named.add(parsed.increment);
    places.set(root, named);
  }
  return [...places].map(([root, named]) => ({ root, named: [...named] }));
}

function pathsNamed({ tool, cwd }: Event, { root, home }: CallPlace['workspace']): string[] {
  if (!tool) return [];
  if (tool.command === undefined) return [...tool.paths, ...pathsIn(JSON.stringify(tool.input), cwd)];
  if (!tool.command.includes(SPECWEAVE)) return [];
  return readShell(tool.command, { cwd, home, root }).commands.flatMap(({ dir = cwd, words, redirects }) => {
    const isInside = `${dir}/`.includes(`/${SPECWEAVE}/`);
    return [...words, ...redirects.flatMap(({ target }) => target ?? [])].flatMap(({ value }) =>
      isInside && !value.includes(SPECWEAVE) ? [resolve(dir, value)] : pathsIn(value, dir),
    );
  });
}

function pathsIn(text: string, dir: string): string[] {
  if (!text.includes(SPECWEAVE)) return [];
  // The slash makes the directory itself a place below it.
  return [...text.matchAll(PATHS)].map(([path]) => `${resolve(dir, path)}/`);
}
