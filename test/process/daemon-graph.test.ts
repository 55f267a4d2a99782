import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { until } from '../patience.ts';
import { graphPaths } from '../../src/graph/index.ts';
import { openGraph } from '../../src/graph/graph.fixture.ts';
import { nodeFiles } from '../../src/platform/files.ts';
import { pause } from '../../src/platform/timers.ts';
import { bash, decisionOf, eventIn, fairlead, isLinux, newHome, put, send, signal } from './daemon-home.ts';
import type { Home } from './daemon-home.ts';
import { processesOf } from './proc.ts';

async function indexedHome(config = ''): Promise<Home> {
  const home = newHome({ config });
  put(join(home.project, 'src/load.ts'), 'export function loadPlan(name: string) {\n  return name;\n}\n');
  put(
    join(home.project, 'src/run.ts'),
    "import { loadPlan } from './load.ts';\nexport const run = () => loadPlan('a');\n",
  );
  const { code, err } = await fairlead(home, 'graph', 'index');
  expect({ code, err }).toEqual({ code: 0, err: '' });
  return home;
}

/** As the finished data has it, without asking anybody to look at the files. */
function callersOf(home: Home, name: string): string[] {
  const reader = openGraph(nodeFiles, graphPaths(home.state, home.project), home.project);
  const [symbol] = reader?.named(name) ?? [];
  if (reader === undefined || symbol === undefined) return [];
  return reader
    .incoming(symbol)
    .filter(({ kind }) => kind === 'calls')
    .map((link) => `${reader.symbol(link.symbol).name} ${link.path}:${link.line}`);
}

const holds = (home: Home, expected: readonly string[]) =>
  until('the graph follows', () => callersOf(home, 'loadPlan').join() === expected.join());

async function tell(home: Home, file: string, changes = {}): Promise<void> {
  expect(decisionOf(await send(home, eventIn(home, file, changes)))).toBe('none');
}

describe.runIf(isLinux)('the code graph of a project in a real daemon', () => {
  it('follows edits, commands and what else changed before a prompt', async () => {
    const home = await indexedHome();
    expect(callersOf(home, 'loadPlan')).toEqual(['run src/run.ts:2']);
    await tell(home, 'SessionStart/startup.json');
    await home.daemon();
    const path = join(home.project, 'src/run.ts');
    writeFileSync(
      path,
      readFileSync(path, 'utf8').replace('export', "// once more\nexport const again = () => loadPlan('b');\nexport"),
    );
    await tell(home, 'PostToolUse/edit.json', {
      tool_input: { file_path: path, old_string: 'export', new_string: 'export', replace_all: false },
      tool_response: { filePath: path },
    });
    await holds(home, ['again src/run.ts:3', 'run src/run.ts:4']);

    put(
      join(home.project, 'src/extra.ts'),
      "import { loadPlan } from './load.ts';\nexport const extra = () => loadPlan('c');\n",
    );
    await tell(home, 'PostToolUse/bash.json');
    await holds(home, ['extra src/extra.ts:2', 'again src/run.ts:3', 'run src/run.ts:4']);

    rmSync(path);
    await tell(home, 'UserPromptSubmit/plain.json');
    await holds(home, ['extra src/extra.ts:2']);
    expect(await home.status()).toMatchObject({ failures: 0 });
  });

  it('answers a search for a known name with what it knows', async () => {
    const home = await indexedHome('packs: { codegraph: on }\n');
    await tell(home, 'SessionStart/startup.json');
    await home.daemon();
    const note = await until('a note has the answer', async () => {
      await tell(home, 'UserPromptSubmit/plain.json');
      // While files are compared after a prompt, nothing is claimed.
      await pause(1_000);
      const { out } = await send(home, bash(home, 'grep -rn loadPlan .'));
      return out.includes('run\\" (src/run.ts:2)') && out;
    });
    expect(note).toContain('src/load.ts:1');
  });

  it('leaves no indexing process behind when it is killed', async () => {
    const home = await indexedHome();
    await tell(home, 'SessionStart/startup.json');
    const { pid } = await home.daemon();
    await tell(home, 'PostToolUse/bash.json');
    const indexers = () =>
      processesOf(home.state).filter(({ args }) => args.some((arg) => arg.endsWith('/indexer.js')));
    await until('it is asked', () => indexers().length === 1);
    signal(pid, 'SIGKILL');
    await until('it has ended', () => indexers().length === 0);
    expect(indexers()).toEqual([]);
  });
});
