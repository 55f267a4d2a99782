// The engine of one build, in a process of its own: told what to decide and how often, it says how long one decision takes.
// It is bundled from the sources of each build, so it uses nothing but what opens an engine and asks it.
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { adapterNamed } from '../../src/adapters/registry.ts';
import { openEngine } from '../../src/assembly/open-engine.ts';
import { handle } from '../../src/handle.ts';
import { pathsOf } from '../../src/platform/paths.ts';

const COMMANDS = { pass: 'npm run build && npm test', deny: 'rm -rf /' } as const;
/** The guard remembers what it denied in a session, and sessions of agents are not endless. */
const SESSION_CALLS = 50;

export interface Asked {
  readonly what: keyof typeof COMMANDS;
  readonly calls: number;
}

const home = realpathSync(mkdtempSync(join(tmpdir(), 'fairlead-compare-')));
const project = join(home, 'project');
mkdirSync(join(project, '.git'), { recursive: true });
writeFileSync(join(project, '.git', 'HEAD'), 'ref: refs/heads/main\n');
const recorded = JSON.parse(readFileSync('test/fixtures/claude-code/PreToolUse/bash.json', 'utf8')) as object;
const engine = openEngine({ paths: pathsOf(join(home, 'fairlead')), userHome: home, resident: true });
let calls = 0;

/** Microseconds of one decision, at the median. */
async function measure({ what, calls: count }: Asked): Promise<number> {
  const adapter = adapterNamed('claude-code');
  if (!adapter) throw new Error('no adapter');
  const times = new Float64Array(count);
  for (let at = 0; at < count; at += 1) {
    calls += 1;
    const payload = {
      ...recorded,
      cwd: project,
      session_id: `compare-${what}-${Math.floor(calls / SESSION_CALLS)}`,
      tool_use_id: `toolu_${calls}`,
      tool_input: { command: COMMANDS[what], description: 'run a command' },
    };
    const call = { payload, cwd: project, depth: 0, home, receivedAt: Date.now() };
    const started = performance.now();
    const { stdout } = await handle(call, adapter, engine);
    times[at] = (performance.now() - started) * 1_000;
    if (stdout.includes('"deny"') !== (what === 'deny')) throw new Error(`${what}: ${stdout}`);
  }
  engine.memory.ledger.flush();
  return times.toSorted()[Math.floor(count / 2)] ?? Number.NaN;
}

process.on('message', (asked: Asked) => {
  measure(asked).then(
    (micros) => process.send?.({ micros }),
    (error: unknown) => process.send?.({ error: String(error) }),
  );
});
process.on('disconnect', () => {
  engine.close();
  rmSync(home, { recursive: true, force: true });
  process.exit();
});
