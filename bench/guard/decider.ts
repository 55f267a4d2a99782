// An engine in a process of its own that decides the commands of the list, each once, and says how long each took. For a comparison it
// is bundled from the sources of either build, so it uses nothing but what opens an engine and asks it.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { adapterNamed } from '../../src/adapters/registry.ts';
import { openEngine } from '../../src/assembly/open-engine.ts';
import { handle } from '../../src/handle.ts';
import { pathsOf } from '../../src/platform/paths.ts';
import { readList } from './list.ts';
import type { Listed } from './list.ts';

/** The guard remembers what it denied in a session, and sessions of agents are not endless. */
const SESSION_COMMANDS = 50;

/** What a build does, over and over: what `script` commands start, and find unchanged. */
const BUILD = [
  'set -euo pipefail',
  'cd "$(dirname "$0")"',
  'if [ ! -d node_modules ]; then npm ci; fi',
  'echo "building ${1:-all} in $PWD"',
  'rm -rf dist',
  'npx tsc -p . || { echo "types do not fit" >&2; exit 1; }',
  'for part in core web cli; do npx esbuild "src/$part/main.ts" --bundle --outdir="dist/$part"; done',
  '',
].join('\n');
const SCRIPT_BYTES = 10_240;
const SCRIPTS = ['bash build.sh', './build.sh', 'source build.sh', 'npm run build'];

/** The next so many commands of a kind; `any` goes by the order of the list. */
export interface Asked {
  readonly what: Listed['kind'] | 'any' | 'script';
  readonly count: number;
}

export interface Decided {
  readonly kind: Listed['kind'];
  readonly micros: number;
}

export type Told = { readonly decided: readonly Decided[] } | { readonly error: string };

/** Answers its parent until that lets go of it. */
export function serveDecisions(): void {
  // Not in the system's directory for temporary files: there, deleting is harmless and costs less to judge.
  mkdirSync('.build', { recursive: true });
  const home = mkdtempSync(join(process.cwd(), '.build', 'decider-'));
  const project = join(home, 'project');
  // A repository of its own, else a look would find the one that this file lies in.
  mkdirSync(join(project, '.git'), { recursive: true });
  writeFileSync(join(project, '.git/HEAD'), 'ref: refs/heads/main\n');
  const script = BUILD.repeat(Math.ceil(SCRIPT_BYTES / BUILD.length)).slice(0, SCRIPT_BYTES);
  writeFileSync(join(project, 'build.sh'), `#!/bin/bash\n${script}`, { mode: 0o755 });
  writeFileSync(join(project, 'package.json'), JSON.stringify({ scripts: { build: 'bash build.sh' } }));
  const recorded = JSON.parse(readFileSync('test/fixtures/claude-code/PreToolUse/bash.json', 'utf8')) as object;
  const adapter = adapterNamed('claude-code');
  if (!adapter) throw new Error('no adapter');
  const engine = openEngine({ paths: pathsOf(join(home, 'fairlead')), userHome: home, resident: true, keeps: 'trial' });
  const list = readList();
  const order = list.map(({ kind }) => kind).values();
  const queues = {
    pass: list.filter(({ kind }) => kind === 'pass').values(),
    answered: list.filter(({ kind }) => kind === 'answered').values(),
  };
  let calls = 0;

  const next = (what: Asked['what']): Listed => {
    if (what === 'script') return { kind: 'pass', command: SCRIPTS[calls % SCRIPTS.length] as string };
    const kind = what === 'any' ? order.next().value : what;
    const listed = kind && queues[kind].next().value;
    if (!listed) throw new Error('the list is used up');
    return listed;
  };

  const decide = async (what: Asked['what']): Promise<Decided> => {
    const { command, kind } = next(what);
    calls += 1;
    const payload = {
      ...recorded,
      cwd: project,
      session_id: `bench-${Math.floor(calls / SESSION_COMMANDS)}`,
      tool_use_id: `toolu_${calls}`,
      tool_input: { command, description: 'run a command' },
    };
    const call = { payload, cwd: project, depth: 0, home, receivedAt: Date.now() };
    const started = performance.now();
    const { stdout } = await handle(call, adapter, engine);
    const micros = (performance.now() - started) * 1_000;
    // A benchmark of failures would look fast.
    if ((stdout === '') !== (kind === 'pass')) throw new Error(`${kind} was expected of ${command}: ${stdout}`);
    // As often as a busy engine does it after its replies.
    if (calls % SESSION_COMMANDS === 0) engine.memory.ledger.flush();
    return { kind, micros };
  };

  const answer = async ({ what, count }: Asked): Promise<void> => {
    const decided: Decided[] = [];
    for (let at = 0; at < count; at += 1) decided.push(await decide(what));
    engine.memory.ledger.flush();
    process.send?.({ decided } satisfies Told);
  };
  process.on('message', (asked: Asked) => {
    answer(asked).catch((error: unknown) => process.send?.({ error: String(error) } satisfies Told));
  });
  process.on('disconnect', () => {
    engine.close();
    rmSync(home, { recursive: true, force: true });
    process.exit();
  });
}
