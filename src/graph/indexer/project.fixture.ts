import { mkdirSync, mkdtempSync, realpathSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { systemClock } from '../../platform/clock.ts';
import { nodeFiles } from '../../platform/files.ts';
import type { Files } from '../../platform/files.ts';
import { createParser } from '../parse/parse-file.ts';
import type { GraphReader } from '../query/graph-reader.ts';
import { resolveFile } from '../resolve/resolve-file.ts';
import type { GraphFile } from '../store/pack.ts';
import { openRecord } from '../store/record.ts';
import { openSnapshotBytes } from '../store/snapshot.ts';
import { openGraph } from '../store/open-graph.ts';
import { graphPaths } from '../store/graph-paths.ts';
import type { GraphPaths } from '../store/graph-paths.ts';
import type { WalkOptions } from '../walk/walk-options.ts';
import { createIndexer } from './indexer.ts';
import type { Indexer } from './indexer.ts';

export type Tree = Readonly<Record<string, string>>;

/** A real directory with a state directory beside it. */
export interface Project {
  readonly root: string;
  readonly state: string;
  readonly location: GraphPaths;
  /** That indexers which are opened from now on are given. */
  walk: WalkOptions;
  write(path: string, text: string): void;
  remove(path: string): void;
  indexer(files?: Files): Indexer;
  /** What a reader sees now. */
  graph(): GraphReader;
  /** What differs between the snapshot and one made of the files alone; empty when that has the same bytes. */
  difference(): Promise<readonly string[]>;
  close(): void;
}

/** One for all: a grammar takes long to load. */
const parser = createParser({ budgetMs: 60_000 });
let tick = Math.floor(Date.now() / 1_000);

export function openProject(tree: Tree, under = ''): Project {
  const top = realpathSync(mkdtempSync(join(tmpdir(), 'fl-graph-')));
  const root = join(top, under, 'app');
  const state = join(top, 'state');
  mkdirSync(root, { recursive: true });
  const opened: Indexer[] = [];

  function write(path: string, text: string): void {
    const full = join(root, path);
    mkdirSync(dirname(full), { recursive: true });
    writeFileSync(full, text);
    // Two writes of the same length within one tick of the file system would look like none.
    tick += 1;
    utimesSync(full, tick, tick);
  }

  function open(files: Files, location: GraphPaths): Indexer {
    const breathe = async (): Promise<void> => {};
    const { micros } = systemClock;
    return createIndexer({ root, files, location, parser, resolve: resolveFile, micros, breathe, walk: project.walk });
  }

  for (const [path, text] of Object.entries(tree)) write(path, text);
  const location = graphPaths(state, root);
  const project: Project = {
    root,
    state,
    location,
    walk: {},
    write,
    remove: (path) => rmSync(join(root, path), { recursive: true }),
    indexer(files = nodeFiles) {
      const indexer = open(files, location);
      opened.push(indexer);
      return indexer;
    },
    graph() {
      const graph = openGraph(nodeFiles, location, root);
      if (graph === undefined) throw new Error('there is no graph');
      return graph;
    },
    async difference() {
      const fresh = graphPaths(join(top, 'fresh'), root);
      rmSync(fresh.dir, { recursive: true, force: true });
      const indexer = open(nodeFiles, fresh);
      await indexer.indexAll();
      indexer.close();
      const [found, wanted] = [location, fresh].map(({ snapshot }) => nodeFiles.readBytes(snapshot));
      if (found === undefined || wanted === undefined) return ['there is no snapshot'];
      return Buffer.compare(found, wanted) === 0 ? [] : differences(found, wanted);
    },
    close() {
      for (const indexer of opened) indexer.close();
      rmSync(top, { recursive: true });
    },
  };
  return project;
}

export function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}

/** By file, where it is one. */
function differences(found: Uint8Array, wanted: Uint8Array): string[] {
  const [mine, other] = [found, wanted].map((bytes) => {
    const pack = openSnapshotBytes(bytes)?.pack;
    return new Map(pack?.paths.map((path, index) => [path, pack.fileAt(index)]));
  });
  const told: string[] = [];
  for (const path of new Set([...(mine?.keys() ?? []), ...(other?.keys() ?? [])])) {
    const [a, b] = [mine?.get(path), other?.get(path)].map((file) => file && describe(file));
    if (a !== b) told.push(`${path}\n  is     ${a}\n  should ${b}`);
  }
  return told.length > 0 ? told : ['the bytes'];
}

function describe({ record, ...file }: GraphFile): string {
  const opened = openRecord(record);
  const { edges, possible, unresolved, strings } = opened.links();
  const asked = opened.asked();
  return JSON.stringify({ ...file, links: [[...edges], [...possible], unresolved, strings], asked });
}
