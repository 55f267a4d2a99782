import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { BUILD, VERSION } from '../../platform/build.ts';
import { nodeFiles } from '../../platform/files.ts';
import { isAlive } from '../../platform/processes.ts';
import { takeLease } from '../store/lease.ts';
import { openGraph } from '../store/open-graph.ts';
import { readAll } from '../store/read-all.fixture.ts';
import { openSnapshotBytes } from '../store/snapshot.ts';
import { openProject, sizeOf } from './project.fixture.ts';
import type { Project, Tree } from './project.fixture.ts';
import type { DrawResult } from './request.ts';
import { createIndexing } from './start-indexer.ts';
import type { Indexing } from './start-indexer.ts';
import { countIndexed, INDEXED, TREE } from './tree.fixture.ts';

/** A process compiles the grammar of every other language that it meets. What is about the process meets none of them. */
const SMALL: Tree = Object.fromEntries(
  Object.entries(TREE).filter(([path]) => /^(src|ignored)\/|^[^/]*(json|ignore)$/.test(path)),
);
const IN_SMALL = countIndexed(SMALL);

let shared: string;
let program: string;
beforeAll(async () => {
  shared = mkdtempSync(join(process.cwd(), 'node_modules/.fairlead-indexer-'));
  program = join(shared, 'indexer.js');
  await build({
    entryPoints: { indexer: 'src/indexer.ts' },
    outdir: shared,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    packages: 'external',
    define: { __FAIRLEAD_VERSION__: JSON.stringify(VERSION), __FAIRLEAD_BUILD__: JSON.stringify(BUILD) },
  });
});
afterAll(() => rmSync(shared, { recursive: true }));

/** The program, killed by its own first word of progress as often as asked: nobody can be too late to do it. */
function killedProgram(times: number): string {
  const [path, kills] = [join(shared, `killed-${times}.mjs`), join(project.root, '../kills')];
  writeFileSync(
    path,
    `import { appendFileSync, statSync } from 'node:fs';
    const write = process.stdout.write.bind(process.stdout);
    const killed = statSync(${JSON.stringify(kills)}, { throwIfNoEntry: false })?.size ?? 0;
    process.stdout.write = (text, ...rest) => {
      if (killed < ${times} && text.includes('"progress"')) {
        appendFileSync(${JSON.stringify(kills)}, 'x');
        process.kill(process.pid, 'SIGKILL');
      }
      return write(text, ...rest);
    };
    await import('./indexer.js');`,
  );
  return path;
}

let project: Project;
const started: Indexing[] = [];
beforeEach(() => {
  project = openProject(SMALL);
});
afterEach(async () => {
  for (const each of started.splice(0)) await end(each);
  project.close();
});

function start(more: { idleMs?: number; program?: string } = {}): Indexing {
  const indexing = createIndexing({ state: project.state, node: process.execPath, program, ...more });
  started.push(indexing);
  return indexing;
}

async function end(indexing: Indexing): Promise<void> {
  const { pid } = indexing;
  indexing.close();
  await until(() => pid === undefined || !isAlive(pid));
}

async function until(isSo: () => boolean): Promise<void> {
  for (let tries = 0; !isSo(); tries += 1) {
    if (tries > 1_000) throw new Error('it does not come about');
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

const index = () => ({ do: 'index', root: project.root }) as const;

/** Enough files that a process can be ended among them. */
function grow(count: number): void {
  for (let n = 0; n < count; n += 1)
    project.write(
      `many/f${n}.ts`,
      `import { f${n + 1} } from './f${n + 1}.ts';\nexport function f${n}() { return f${n + 1}() }\n`,
    );
}

describe('the indexing process', () => {
  it('reads files up to the size that is asked for, be it less or more than the usual', async () => {
    const large = `export function last() {}\n${'// a remark\n'.repeat(100_000)}`;
    project.write('src/large.ts', large);
    const indexing = start();
    const flagsUnder = async (maxFile?: number) => {
      await indexing.ask({ do: 'index', root: project.root, force: true, ...(maxFile !== undefined && { maxFile }) });
      return ['src/large.ts', 'src/use.ts'].map((path) => project.graph().file(path)?.flags);
    };
    expect(await flagsUnder()).toEqual([['too-large'], []]);
    expect(await flagsUnder(large.length)).toEqual([[], []]);
    expect(await flagsUnder(20)).toEqual([['too-large'], ['too-large']]);
  });

  it('is started by the first question, answers all of them, and is one process', async () => {
    for (const [path, text] of Object.entries(TREE)) project.write(path, text);
    const indexing = start();
    expect(indexing.pid).toBeUndefined();
    const told: string[] = [];
    const first = await indexing.ask(index(), ({ phase }) => told.push(phase));
    expect(first).toMatchObject({ parsed: INDEXED, notices: [], tookMs: expect.any(Number) });
    expect(told).toContain('resolving');
    const { pid } = indexing;
    project.write('src/use.test.ts', '');
    const path = join(project.root, 'src/use.test.ts');
    const more = await Promise.all([
      indexing.ask({ do: 'refresh', root: project.root, paths: [path] }),
      indexing.ask({ do: 'sweep', root: project.root }),
      indexing.ask({ do: 'verify', root: project.root }),
    ]);
    expect(more.map(({ parsed }) => parsed)).toEqual([1, 0, 0]);
    expect(indexing.pid).toBe(pid);
    expect(indexing.failures).toBe(0);
    expect(await project.difference()).toEqual([expect.stringContaining('src/use.test.ts')]);
    await end(indexing);
    expect(await project.difference(), 'what changed is folded in when it ends').toEqual([]);
  });

  it('does what is asked several times once', async () => {
    const indexing = start();
    const asked = Array.from({ length: 20 }, () => indexing.ask(index()));
    const parsed = (await Promise.all(asked)).map((result) => result.parsed);
    // The first was under way when the others came.
    expect(parsed.filter((count) => count === IN_SMALL).length).toBeLessThanOrEqual(2);
    expect(new Set(parsed.slice(1)).size).toBe(1);
  });

  it('ends by itself when nothing is asked, and comes back', async () => {
    const indexing = start({ idleMs: 50 });
    await indexing.ask(index());
    await until(() => indexing.pid === undefined);
    expect((await indexing.ask(index())).parsed).toBe(0);
    expect(indexing.failures).toBe(0);
  });

  it('says what it cannot do', async () => {
    const indexing = start();
    await expect(indexing.ask({ do: 'index', root: join(project.root, 'gone') })).rejects.toThrow('is not a directory');
    await expect(indexing.ask(index())).resolves.toMatchObject({ parsed: IN_SMALL });
  });

  it('that was killed leaves a store that the next one goes on with', async () => {
    grow(100);
    const first = start();
    await first.ask(index());
    await end(first);
    const before = readAll(project.graph());
    for (let n = 0; n < 100; n += 1) project.write(`many/f${n}.ts`, `export function g${n}() {}\n`);
    const indexing = start({ program: killedProgram(1) });
    // It is asked again in the next process, which need not read what is stored already.
    const { parsed } = await indexing.ask(index());
    expect(indexing.failures).toBe(1);
    expect(parsed).toBeLessThanOrEqual(100);
    expect(readAll(project.graph())).not.toEqual(before);
    await end(indexing);
    expect(await project.difference()).toEqual([]);
  });

  it('that is killed again and again is not asked for ever', async () => {
    grow(100);
    const indexing = start({ program: killedProgram(9) });
    await expect(indexing.ask(index())).rejects.toThrow('did not answer: it was ended by SIGKILL');
    expect(indexing.failures).toBe(2);
    expect(openGraph(nodeFiles, project.location, project.root), 'never half').toBeUndefined();
  });

  it('waits for another one that writes there, and says who does when that takes too long', async () => {
    const [one, two] = [start(), start()];
    const [first, second] = await Promise.all([one.ask(index()), two.ask(index())]);
    expect([first.parsed, second.parsed].sort((a, b) => a - b)).toEqual([0, IN_SMALL]);
    const lease = takeLease(nodeFiles, project.location, { pid: process.pid, since: 1 });
    await expect(one.ask({ ...index(), waitMs: 80 })).rejects.toThrow(`written by process ${process.pid}`);
    lease?.release();
    project.write('src/use.ts', '');
    expect((await two.ask(index())).parsed).toBe(1);
    expect((await one.ask(index())).parsed, 'it sees what the other one stored').toBe(0);
    await end(one);
    await end(two);
    expect(await project.difference()).toEqual([]);
  });

  it('ends with whoever started it', async () => {
    grow(300);
    const indexing = start();
    const asked = indexing.ask(index());
    const refused = asked.then(
      () => '',
      (error: Error) => error.message,
    );
    await until(() => existsSync(project.location.facts));
    await end(indexing);
    expect(await refused).toContain('it was told to end');
  });
});

describe('what is found damaged', () => {
  const half = (file: string) => writeFileSync(file, readFileSync(file).subarray(0, sizeOf(file) / 2));
  it.each<[string, (location: Project['location']) => void]>([
    ['the facts, all', ({ facts }) => writeFileSync(facts, 'no database '.repeat(900))],
    ['the facts, some', ({ facts }) => writeFileSync(facts, readFileSync(facts).fill(0xff, 2_048))],
    ['the snapshot', ({ snapshot }) => half(snapshot)],
    ['the delta', ({ delta }) => half(delta)],
  ])('%s: is told and made anew', async (_, spoil) => {
    const indexing = start();
    await indexing.ask(index());
    await end(indexing);
    const next = start();
    project.write('src/use.ts', 'export function run() {}\n');
    await next.ask({ do: 'sweep', root: project.root });
    process.kill(next.pid ?? 0, 'SIGKILL');
    await until(() => next.pid === undefined);
    for (const suffix of ['-wal', '-shm']) rmSync(project.location.facts + suffix, { force: true });
    spoil(project.location);
    const isGone = openSnapshotBytes(readFileSync(project.location.snapshot)) === undefined;
    if (!isGone) expect(project.graph().counts.files, 'old data stays readable').toBe(IN_SMALL);
    const result = await next.ask(index());
    expect(result.notices).toHaveLength(1);
    await end(next);
    expect(await project.difference()).toEqual([]);
  });
});

describe('pictures', () => {
  async function draw(): Promise<DrawResult> {
    const indexing = start();
    await indexing.ask({ do: 'index', root: project.root });
    const about = { root: project.root, symbol: 'src/store.ts#make', origin: 'explicit' } as const;
    return indexing.draw({ do: 'draw', what: 'impact', ...about });
  }

  it('are drawn by it', async () => {
    const { png = '' } = await draw();
    expect(readFileSync(png).toString('latin1', 1, 4)).toBe('PNG');
  });

  it('are SVG alone where its renderer is damaged', async () => {
    mkdirSync(join(shared, 'pictures'));
    writeFileSync(join(shared, 'pictures/resvg.wasm'), 'cut off');
    const { svg = '', png, warning } = await draw();
    rmSync(join(shared, 'pictures'), { recursive: true });
    expect([existsSync(svg), png]).toEqual([true, undefined]);
    expect(warning).toMatch(/^there is no PNG, only the SVG: /);
  });
});
