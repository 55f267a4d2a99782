import { cpSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { graphPaths } from '../../src/graph/index.ts';
import { createIndexer, createParser, resolveFile } from '../../src/graph/indexing.fixture.ts';
import { systemClock } from '../../src/platform/clock.ts';
import { nodeFiles } from '../../src/platform/files.ts';
import { filesBelow } from './trees.ts';
import type { Tree } from './trees.ts';

export interface Refreshed {
  readonly edit: string;
  readonly files: number;
  /** Milliseconds of CPU of one refresh, from the changed file on disk to the written graph. */
  readonly p50: number;
  readonly p95: number;
  readonly max: number;
  /** p95 when a file of more than 30 kB counts in proportion to its size. */
  readonly scaled: number;
}

const USUAL_BYTES = 30_000;
const MAX_FILES = 700;
/** What is put at the end of the nth file, by language. */
const COMMENTS: Readonly<Record<string, (n: number) => string>> = {
  Python: () => '# seen\n',
  Go: () => '// seen\n',
  TypeScript: () => '// seen\n',
};
const FUNCTIONS: typeof COMMENTS = {
  Python: (n) => `def added_${n}(value):\n    return str(value)\n`,
  Go: (n) => `func added${n}(value int) int { return value }\n`,
  TypeScript: (n) => `export function added${n}(value: number) { return String(value); }\n`,
};

/** Every file of the tree is edited once, and the graph is brought up to date after each edit. */
export async function refreshAll(tree: Tree, scratch: string): Promise<Refreshed[]> {
  const root = join(scratch, 'refresh', 'project');
  rmSync(join(scratch, 'refresh'), { recursive: true, force: true });
  mkdirSync(root, { recursive: true });
  cpSync(tree.dir, root, { recursive: true });
  const location = graphPaths(join(scratch, 'refresh', 'state'), root);
  mkdirSync(location.dir, { recursive: true });
  const indexer = createIndexer({
    root,
    files: nodeFiles,
    location,
    parser: createParser(),
    resolve: resolveFile,
    micros: systemClock.micros,
    breathe: () => Promise.resolve(),
  });
  await indexer.indexAll();
  const all = filesBelow(root);
  const step = Math.max(1, Math.ceil(all.length / MAX_FILES));
  const files = all.filter((_, at) => at % step === 0);
  const results: Refreshed[] = [];
  for (const [edit, texts] of [
    ['a comment at the end', COMMENTS],
    ['a function at the end', FUNCTIONS],
  ] as const) {
    const times: number[] = [];
    const scaled: number[] = [];
    for (const [n, file] of files.entries()) {
      writeFileSync(file, `${readFileSync(file, 'utf8')}\n${texts[tree.name]?.(n) ?? ''}`);
      const before = process.cpuUsage();
      await indexer.refresh([file]);
      const { user, system } = process.cpuUsage(before);
      const ms = (user + system) / 1_000;
      times.push(ms);
      scaled.push(ms / Math.max(1, statSync(file).size / USUAL_BYTES));
    }
    results.push({
      edit,
      files: files.length,
      p50: share(times, 0.5),
      p95: share(times, 0.95),
      max: share(times, 1),
      scaled: share(scaled, 0.95),
    });
  }
  indexer.close();
  rmSync(join(scratch, 'refresh'), { recursive: true, force: true });
  return results;
}

export function share(values: readonly number[], part: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN;
}
