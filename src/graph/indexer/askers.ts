import type { Question } from '../model/links.ts';
import type { GraphFile } from '../store/pack.ts';
import { openRecord } from '../store/record.ts';
import { sortAsked } from './lookers.ts';
import type { Asked } from './lookers.ts';

/** Which files asked which questions when they were resolved. */
export interface Askers {
  of(question: Question): Iterable<string>;
  /** What a file asked. */
  asked(path: string): Asked | undefined;
  replace(path: string, questions: readonly Question[]): void;
  leave(path: string): void;
}

/** Built when the first change asks for it: an index made from nothing never does. */
export function createAskers(files: ReadonlyMap<string, GraphFile>): Askers {
  const asked = new Map<string, Asked>();
  let askers: Map<Question, Set<string>> | undefined;

  function enter(into: Map<Question, Set<string>>, path: string, given: readonly Question[]): void {
    const sorted = sortAsked(given);
    asked.set(path, sorted);
    for (const question of sorted.all) {
      const paths = into.get(question);
      if (paths === undefined) into.set(question, new Set([path]));
      else paths.add(path);
    }
  }

  function leave(path: string): void {
    for (const question of asked.get(path)?.all ?? []) {
      const paths = askers?.get(question);
      if (paths?.delete(path) && paths.size === 0) askers?.delete(question);
    }
    asked.delete(path);
  }

  return {
    of(question) {
      if (askers === undefined) {
        askers = new Map();
        for (const { path, record } of files.values()) enter(askers, path, openRecord(record).asked());
      }
      return askers.get(question) ?? [];
    },
    asked: (path) => asked.get(path),
    replace(path, questions) {
      if (askers === undefined) return;
      leave(path);
      enter(askers, path, questions);
    },
    leave,
  };
}
