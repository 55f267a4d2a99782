// What a team costs the events of a machine: the real engine with the rules that are in force by default, on a state file,
// alone and with a team on a real Redis, each event handled by both in turn.
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { adapterNamed } from '../src/adapters/registry.ts';
import { openEngine } from '../src/assembly/open-engine.ts';
import { handle } from '../src/handle.ts';
import { pathsOf } from '../src/platform/paths.ts';
import { startRedis } from '../src/team/state/redis.fixture.ts';
import { lacks } from '../test/lacking.ts';
import { report } from './lib/figures.ts';
import { printTable, summarize } from './lib/measure.ts';

type Fields = Readonly<Record<string, unknown>>;

/** An edit is told to the team, so it comes more slowly: the server has to have time to hear of it. */
const RUNS = { command: 4_000, edit: 300 } as const;
const WARMUP = { command: 2_000, edit: 100 } as const;
const adapter = adapterNamed('claude-code');
if (!adapter) throw new Error('no adapter');

const recorded = (file: string): Fields =>
  JSON.parse(readFileSync(join(process.cwd(), 'test/fixtures/claude-code', file), 'utf8')) as Fields;
const BEFORE = recorded('PreToolUse/bash.json');
const EDIT = recorded('PostToolUse/edit.json');

function open(top: string, name: string, config: string) {
  const home = join(top, name);
  const project = join(home, 'project');
  mkdirSync(join(project, '.git'), { recursive: true });
  writeFileSync(join(project, '.git/config'), '[remote "origin"]\n\turl = https://git.example.com/acme/app.git\n');
  mkdirSync(join(home, 'config'));
  writeFileSync(join(home, 'config/config.yaml'), config);
  const paths = pathsOf(home);
  const engine = openEngine({ paths, userHome: home, resident: true });
  let calls = 0;
  const send = async (kind: 'command' | 'edit') => {
    calls += 1;
    const tool = { session_id: `${name}-${calls % 4}`, cwd: project, tool_use_id: `c${calls}` };
    const edit = {
      file_path: join(project, `a${calls % 20}.ts`),
      old_string: 'const a = 1;',
      new_string: 'const a = 2;',
    };
    const payload =
      kind === 'command'
        ? { ...BEFORE, ...tool, tool_input: { command: 'npm test' } }
        : { ...EDIT, ...tool, tool_input: edit };
    const call = { payload, cwd: project, depth: 0, home, receivedAt: Date.now() };
    const began = performance.now();
    await handle(call, adapter as NonNullable<typeof adapter>, engine);
    return (performance.now() - began) * 1_000;
  };
  return { engine, send };
}

if (lacks('redis-server')) console.log('  redis-server is not here; nothing is measured');
else {
  const top = realpathSync(mkdtempSync(join(tmpdir(), 'fairlead-bench-sharing-')));
  const redis = await startRedis();
  const alone = open(top, 'alone', '');
  const shared = open(top, 'shared', `state:\n  team: { url: '${redis.url}', name: acme }\n`);
  const looking = setInterval(() => {
    alone.engine.look();
    shared.engine.look();
  }, 250);
  const rows: (string | number)[][] = [];
  let ratio = Number.NaN;
  for (const kind of ['command', 'edit'] as const) {
    const times = [alone, shared].map(() => new Float64Array(RUNS[kind]));
    for (let nth = -WARMUP[kind]; nth < RUNS[kind]; nth += 1) {
      const order = nth % 2 === 0 ? [0, 1] : [1, 0];
      for (const which of order) {
        const took = await ([alone, shared][which] as typeof alone).send(kind);
        if (nth >= 0) (times[which] as Float64Array)[nth] = took;
      }
      // What comes after replies gets its turn.
      if (kind === 'edit' || nth % 21 === 0)
        await new Promise((resolve) => setTimeout(resolve, kind === 'edit' ? 30 : 2));
    }
    const [one, other] = times.map(summarize) as [ReturnType<typeof summarize>, ReturnType<typeof summarize>];
    rows.push([kind, one.p50, other.p50, one.p95, other.p95, (other.p95 / one.p95).toFixed(2)]);
    if (kind === 'command') ratio = other.p95 / one.p95;
  }
  console.log('  Microseconds of one event, alone and with a team.');
  printTable(['event', 'p50', 'p50 team', 'p95', 'p95 team', 'ratio'], rows);
  report('sharing', { p95: ratio });
  clearInterval(looking);
  for (const { engine } of [alone, shared]) {
    await engine.finishLate(1_000);
    engine.close();
  }
  await redis.close();
  rmSync(top, { recursive: true, force: true });
}
