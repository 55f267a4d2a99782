// What a look for losses costs in a repository of 50,000 files: the whole decision inside the engine, without the transport.
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import { join } from 'node:path';
import { adapterNamed } from '../src/adapters/registry.ts';
import { openEngine } from '../src/assembly/open-engine.ts';
import { handle } from '../src/handle.ts';
import { pathsOf } from '../src/platform/paths.ts';
import { report } from './lib/figures.ts';
import { measure, printTable } from './lib/measure.ts';

const FILES = 50_000;
const FILES_IN_DIR = 40;
const RUNS = 40;

const COMMANDS = [
  'git checkout -- src/7/3.ts',
  'git checkout -- src/9',
  'git commit --amend --no-edit',
  'git branch -D topic',
  'rm -rf src/11',
  'git reset --hard',
  'git checkout .',
  'git clean -fd',
];

/** Not in the system's directory for temporary files: there, deleting is harmless. */
const home = join(process.cwd(), '.build', `bench-losses-${process.pid}`);
const project = join(home, 'project');
const git = (...args: readonly string[]) =>
  execFileSync('git', args, {
    cwd: project,
    stdio: 'ignore',
    env: { PATH: process.env['PATH'], GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1' },
  });

function plant(): void {
  for (let dir = 0; dir < FILES / FILES_IN_DIR; dir += 1) {
    mkdirSync(join(project, 'src', String(dir)), { recursive: true });
    for (let file = 0; file < FILES_IN_DIR; file += 1)
      writeFileSync(join(project, 'src', String(dir), `${file}.ts`), `export const x${dir} = ${file};\n`);
  }
  git('init', '-q', '-b', 'main');
  git('config', 'user.name', 'A');
  git('config', 'user.email', 'a@example.org');
  git('config', 'remote.origin.url', '/nowhere');
  git('add', '-A');
  for (const at of [1, 2, 3]) git('commit', '-q', '--allow-empty', '-m', `Commit ${at}`);
  git('update-ref', 'refs/remotes/origin/main', 'HEAD~1');
  git('branch', 'topic', 'HEAD~1');
}

const recorded = JSON.parse(
  readFileSync(join(process.cwd(), 'test/fixtures/claude-code/PreToolUse/bash.json'), 'utf8'),
) as Record<string, unknown>;
const adapter = adapterNamed('claude-code');
if (!adapter) throw new Error('no adapter');
let calls = 0;

try {
  plant();
  const engine = openEngine({ paths: pathsOf(join(home, 'fairlead')), userHome: home, resident: true });
  const rows: [string, number, number, number, string][] = [];
  for (const command of COMMANDS) {
    let unseen = 0;
    const { p50, p95, p99 } = await measure(
      async (payload: Record<string, unknown>) => {
        const call = { payload, cwd: project, depth: 0, home, receivedAt: Date.now() };
        const { stdout } = await handle(call, adapter, engine);
        if (stdout !== '') unseen += 1;
      },
      {
        runs: RUNS,
        warmup: 5,
        prepare: () => ({
          ...recorded,
          cwd: project,
          session_id: `bench-${(calls += 1)}`,
          tool_use_id: `toolu_${calls}`,
          tool_input: { command },
        }),
      },
    );
    rows.push([command, p50 / 1_000, p95 / 1_000, p99 / 1_000, `${unseen} of ${RUNS + 5}`]);
  }
  const load = loadavg()[0]?.toFixed(1);
  console.log(`${FILES} files, nothing to lose, ${RUNS} times each; load of the machine ${load}\n`);
  printTable(['', 'p50 ms', 'p95 ms', 'p99 ms', 'not seen in time'], rows);
  const slowest = Math.max(...rows.map(([, , p95]) => p95));
  report('losses', { p95: slowest });
  engine.close();
} finally {
  rmSync(home, { recursive: true, force: true, maxRetries: 5 });
}
