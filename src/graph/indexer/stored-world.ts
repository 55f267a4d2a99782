import { decodeFacts } from '../format/facts-codec.ts';
import type { FileFacts } from '../model/facts.ts';
import { directoryOf } from '../model/paths.ts';
import type { Located, World } from '../resolve/world.ts';

/** All facts of a workspace: read when they are asked for, and kept while there is room. */
export interface StoredWorld extends World {
  /** Different names of the definitions in a file, as they are looked up. */
  namesIn(path: string): ReadonlySet<string>;
  /** The files that define a name. */
  pathsOf(name: string): Iterable<string>;
  /** A file that is new or has other facts; with these at hand they need not be read. */
  set(path: string, names: Iterable<string>, facts?: FileFacts, bytes?: number): void;
  remove(path: string): void;
  /** Lets facts go that were not asked for lately. Only between two resolutions: within one, a file's facts are one object. */
  trim(): void;
}

/** Stored bytes of the facts that are kept ready; in memory they take about eight times as much. */
const READY_BYTES = 12 << 20;

interface Ready {
  readonly facts: FileFacts;
  readonly bytes: number;
  used: number;
}

export function createStoredWorld(readFacts: (path: string) => Uint8Array | undefined): StoredWorld {
  const names = new Map<string, ReadonlySet<string>>();
  const byName = new Map<string, Set<string>>();
  const byDirectory = new Map<string, Set<string>>();
  const ready = new Map<string, Ready>();
  const located = new Map<string, readonly Located[]>();
  const listed = new Map<string, readonly string[]>();
  let readyBytes = 0;
  let round = 0;

  function forget(path: string): void {
    const entry = ready.get(path);
    if (entry === undefined) return;
    ready.delete(path);
    readyBytes -= entry.bytes;
  }

  function keep(path: string, facts: FileFacts, bytes: number): void {
    ready.set(path, { facts, bytes, used: round });
    readyBytes += bytes;
  }

  function remove(path: string): void {
    forget(path);
    for (const name of names.get(path) ?? []) {
      takeOut(byName, name, path);
      located.delete(name);
    }
    names.delete(path);
    const directory = directoryOf(path);
    takeOut(byDirectory, directory, path);
    listed.delete(directory);
  }

  function file(path: string): FileFacts | undefined {
    const entry = ready.get(path);
    if (entry !== undefined) {
      entry.used = round;
      return entry.facts;
    }
    if (!names.has(path)) return undefined;
    const bytes = readFacts(path);
    if (bytes === undefined) return undefined;
    const facts = decodeFacts(bytes);
    keep(path, facts, bytes.length);
    return facts;
  }

  function locate(name: string): readonly Located[] {
    const found: Located[] = [];
    for (const path of [...(byName.get(name.toWellFormed()) ?? [])].sort()) {
      const facts = file(path);
      facts?.definitions.forEach((definition, index) => {
        if (definition.name === name) found.push({ file: facts, index });
      });
    }
    return found;
  }

  return {
    file,
    named(name) {
      let found = located.get(name);
      if (found === undefined) located.set(name, (found = byName.has(name.toWellFormed()) ? locate(name) : NOWHERE));
      return found;
    },
    directory(path) {
      let paths = listed.get(path);
      if (paths === undefined) listed.set(path, (paths = [...(byDirectory.get(path) ?? [])].sort()));
      return paths;
    },
    pathsOf: (name) => byName.get(name.toWellFormed()) ?? [],
    namesIn: (path) => names.get(path) ?? NO_NAMES,
    set(path, given, facts, bytes = 0) {
      const found = new Set<string>();
      for (const name of given) found.add(name.toWellFormed());
      remove(path);
      names.set(path, found);
      for (const name of found) {
        putIn(byName, name, path);
        located.delete(name);
      }
      const directory = directoryOf(path);
      putIn(byDirectory, directory, path);
      listed.delete(directory);
      if (facts !== undefined && readyBytes < READY_BYTES) keep(path, facts, bytes);
    },
    remove,
    trim() {
      round += 1;
      if (readyBytes <= READY_BYTES) return;
      // They hold the facts of the files they name.
      located.clear();
      for (const [path] of [...ready].sort(([, a], [, b]) => a.used - b.used)) {
        if (readyBytes <= READY_BYTES / 2) break;
        forget(path);
      }
    },
  };
}

const NOWHERE: readonly Located[] = [];
const NO_NAMES: ReadonlySet<string> = new Set();

function putIn(map: Map<string, Set<string>>, key: string, path: string): void {
  const paths = map.get(key);
  if (paths === undefined) map.set(key, new Set([path]));
  else paths.add(path);
}

function takeOut(map: Map<string, Set<string>>, key: string, path: string): void {
  const paths = map.get(key);
  if (paths?.delete(path) && paths.size === 0) map.delete(key);
}
