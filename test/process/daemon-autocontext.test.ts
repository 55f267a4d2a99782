import { cpSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { until } from '../patience.ts';
import { graphPaths, readActiveRoot, readInitRecord } from '../../src/graph/index.ts';
import { openGraph } from '../../src/graph/graph.fixture.ts';
import type { InitRecord } from '../../src/graph/graph.fixture.ts';
import { nodeFiles } from '../../src/platform/files.ts';
import { eventIn, fairlead, isLinux, newHome, put, send, signal } from './daemon-home.ts';
import type { Home, Payload } from './daemon-home.ts';
import { processesOf } from './proc.ts';

function armedHome(): Home & { readonly w: string } {
  const home = newHome({ config: 'packs: { autocontext: on }\n' });
  const w = join(home.dir, 'w');
  mkdirSync(w);
  return Object.assign(home, { w });
}

/** A repository as a clone leaves it, with so many files of code. */
function plantRepository(dir: string, count = 2): string {
  mkdirSync(join(dir, '.git'), { recursive: true });
  put(join(dir, '.git/HEAD'), 'ref: refs/heads/main\n');
  put(join(dir, 'src/load.ts'), 'export function loadPlan(name: string) {\n  return name;\n}\n');
  for (let n = 1; n < count; n += 1) {
    const many = Array.from({ length: 40 }, (_, each) => `export const run${each} = () => loadPlan('${each}');\n`);
    put(join(dir, `src/run${n}.ts`), `import { loadPlan } from './load.ts';\n${many.join('')}`);
  }
  return dir;
}

const recordOf = (home: Home, root: string): InitRecord | undefined =>
  readInitRecord(nodeFiles, graphPaths(home.state, root), root);

function filesOf(home: Home, root: string): number {
  const reader = openGraph(nodeFiles, graphPaths(home.state, root), root);
  const count = reader?.counts.files ?? 0;
  reader?.close();
  return count;
}

const becomes = (home: Home, root: string, state: InitRecord['state']) =>
  until(`${root} is ${state}`, () => recordOf(home, root)?.state === state);

/** As an agent in `w` sends it; nothing but the answer comes back. */
async function tell(home: Home & { w: string }, file: string, changes: Payload = {}): Promise<string> {
  const { code, out, err } = await send(home, eventIn(home, file, { cwd: home.w, ...changes }), {
    env: { CLAUDE_PROJECT_DIR: home.w },
  });
  expect({ code, err }).toEqual({ code: 0, err: '' });
  return out;
}

const readFile = (home: Home & { w: string }, path: string) =>
  tell(home, 'PostToolUse/bash.json', {
    tool_name: 'Read',
    tool_input: { file_path: path },
    tool_response: { type: 'text', file: { filePath: path, content: '', numLines: 1, startLine: 1, totalLines: 1 } },
  });

const indexers = (home: Home) =>
  processesOf(home.state).filter(({ args }) => args.some((arg) => arg.endsWith('/indexer.js')));

describe.runIf(isLinux)('a real daemon with the pack on', () => {
  it('waits in an empty directory, and indexes what is cloned into it', async () => {
    const home = armedHome();
    const said = await tell(home, 'SessionStart/startup.json');
    const { hookSpecificOutput } = JSON.parse(said) as { hookSpecificOutput: { additionalContext: string } };
    expect(hookSpecificOutput.additionalContext).toMatch(/armed.{1,80}$/);
    await home.daemon();
    expect(await tell(home, 'PostToolUse/bash.json')).toBe('');
    expect(graphPaths(home.state, home.w).workspace).toSatisfy((path: string) => !nodeFiles.exists(path));

    const repository = join(home.w, 'repo');
    cpSync(plantRepository(join(home.dir, 'origin')), repository, { recursive: true });
    expect(await tell(home, 'PostToolUse/bash.json')).toBe('');
    await becomes(home, repository, 'stable');
    expect(recordOf(home, repository)).toMatchObject({ reason: 'single-child', files: 2, failures: 0 });
    expect(filesOf(home, repository)).toBe(2);
    expect(readActiveRoot(nodeFiles, home.state, home.w)).toMatchObject({ root: repository, reason: 'single-child' });
    await until('the picture follows', () =>
      nodeFiles.exists(join(graphPaths(home.state, repository).artifacts, 'architecture.svg')),
    );

    const { out } = await fairlead(home, 'graph', 'status', '--root', repository, '--json');
    expect(JSON.parse(out)).toMatchObject({ state: 'stable', initialisation: { reason: 'single-child' } });
    expect((await fairlead(home, 'graph', 'status', '--root', home.w)).out).toContain(repository);

    rmSync(repository, { recursive: true });
    expect(await tell(home, 'PostToolUse/bash.json', { cwd: repository })).toBe('');
    expect(await readFile(home, join(repository, 'src/load.ts'))).toBe('');
    await becomes(home, repository, 'pending');
    expect(await home.status()).toMatchObject({ failures: 0 });
  });

  it('makes one attempt for twenty events at once', async () => {
    const home = armedHome();
    await tell(home, 'SessionStart/startup.json');
    await home.daemon();
    plantRepository(home.w, 60);
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, n) => readFile(home, join(home.w, `src/run${n + 1}.ts`))),
    );
    expect(answers).toHaveLength(20);
    await becomes(home, home.w, 'stable');
    expect(filesOf(home, home.w)).toBe(60);
    expect(indexers(home)).toHaveLength(1);
    const { startedAt, failures } = recordOf(home, home.w) as InitRecord;
    await readFile(home, join(home.w, 'src/load.ts'));
    expect([recordOf(home, home.w)?.startedAt, failures]).toEqual([startedAt, 0]);
  });

  it('ends up with a whole index when both processes are killed at it', async () => {
    const home = armedHome();
    const count = 600;
    plantRepository(home.w, count);
    await tell(home, 'SessionStart/startup.json');
    const { pid } = await home.daemon();
    // The first time it may be the hook's own engine that answers, which indexes nothing.
    await tell(home, 'PostToolUse/bash.json');
    await becomes(home, home.w, 'indexing');
    const [indexer] = await until('it works', () => indexers(home).length > 0 && indexers(home));
    const { facts } = graphPaths(home.state, home.w);
    await until('some of it is stored', () => (nodeFiles.stat(facts)?.size ?? 0) > 0);
    signal(pid, 'SIGKILL');
    signal(indexer?.pid ?? 0, 'SIGKILL');
    expect([0, count]).toContain(filesOf(home, home.w));
    await until('they are gone', () => home.processes().length === 0);

    await tell(home, 'PostToolUse/bash.json');
    await home.daemon();
    await tell(home, 'PostToolUse/bash.json');
    await becomes(home, home.w, 'stable');
    expect(filesOf(home, home.w)).toBe(count);
    expect(readFileSync(graphPaths(home.state, home.w).init, 'utf8')).not.toContain('error');
  });

  it('goes on with another indexing process when one is killed', async () => {
    const home = armedHome();
    const count = 600;
    plantRepository(home.w, count);
    await tell(home, 'SessionStart/startup.json');
    await home.daemon();
    await tell(home, 'PostToolUse/bash.json');
    const [first] = await until('it works', () => indexers(home).length > 0 && indexers(home));
    signal(first?.pid ?? 0, 'SIGKILL');
    await becomes(home, home.w, 'stable');
    expect(filesOf(home, home.w)).toBe(count);
  });
});
