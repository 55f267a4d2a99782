import { mkdirSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { implementationsOf, openGraph, type GraphReader } from '../../src/graph/graph.fixture.ts';
import { graphPaths } from '../../src/graph/index.ts';
import { createIndexer, createParser, resolveFile } from '../../src/graph/indexing.fixture.ts';
import { systemClock } from '../../src/platform/clock.ts';
import { nodeFiles } from '../../src/platform/files.ts';
import type { Oracle } from './oracle.ts';
import type { Member, Miss, Place } from './score.ts';

/** Pairs of a member and one that may be called instead. */
export interface DispatchScore {
  readonly members: number;
  readonly expected: number;
  readonly found: number;
  readonly ours: number;
  readonly right: number;
  readonly missed: readonly Miss[];
  readonly wrong: readonly Miss[];
}

/** What our graph says may be called instead of a member; undefined where it knows no such member. */
export type StandIns = (member: Member) => readonly Place[] | undefined;

export function scoreDispatch(oracle: Pick<Oracle, 'members' | 'files'>, standIns: StandIns): DispatchScore {
  let [expected, found, ours, right] = [0, 0, 0, 0];
  const missed: Miss[] = [];
  const wrong: Miss[] = [];
  for (const member of oracle.members) {
    const mine = (standIns(member) ?? []).filter(({ file }) => oracle.files.has(file));
    const lacking = member.targets.filter((target) => !mine.some((place) => isSame(place, target)));
    const extra = mine.filter((place) => !member.targets.some((target) => isSame(place, target)));
    expected += member.targets.length;
    found += member.targets.length - lacking.length;
    ours += mine.length;
    right += mine.length - extra.length;
    for (const target of lacking) missed.push({ site: member, kind: 'dispatch', expected: [target], got: [] });
    for (const target of extra) {
      const got = [{ ...member, target, why: 'possible' as const }];
      wrong.push({ site: member, kind: 'dispatch', expected: [], got });
    }
  }
  return { members: oracle.members.length, expected, found, ours, right, missed, wrong };
}

/** Asks a graph that is made and stored as for a user. */
export async function judgeDispatch(scratch: string, root: string, oracle: Oracle): Promise<DispatchScore> {
  const state = join(scratch, 'state');
  rmSync(state, { recursive: true, force: true });
  const at = resolve(root);
  const location = graphPaths(state, at);
  mkdirSync(location.dir, { recursive: true });
  const indexer = createIndexer({
    root: at,
    files: nodeFiles,
    location,
    parser: createParser(),
    resolve: resolveFile,
    micros: systemClock.micros,
    breathe: () => Promise.resolve(),
  });
  await indexer.indexAll();
  indexer.close();
  const reader = openGraph(nodeFiles, location, at);
  if (reader === undefined) throw new Error(`no graph of ${root}`);
  const score = scoreDispatch(oracle, (member) => standInsIn(reader, member));
  reader.close();
  rmSync(state, { recursive: true, force: true });
  return score;
}

function standInsIn(reader: GraphReader, { file, line, column, name }: Member): readonly Place[] | undefined {
  const id = reader.named(name).find((each) => {
    const symbol = reader.symbol(each);
    return symbol.path === file && symbol.line === line + 1 && symbol.column === column + 1;
  });
  if (id === undefined) return undefined;
  return implementationsOf(reader, id)
    .map((each) => reader.symbol(each))
    .filter(({ isDeclared }) => !isDeclared)
    .map((symbol) => ({ file: symbol.path, line: symbol.line - 1, column: symbol.column - 1 }));
}

function isSame(a: Place, b: Place): boolean {
  return a.file === b.file && a.line === b.line;
}
