// What a copy before a call costs: the whole decision with its copy, inside the engine; and what others notice of it.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { homedir, loadavg } from 'node:os';
import { join } from 'node:path';
import { adapterNamed } from '../src/adapters/registry.ts';
import { openEngine } from '../src/assembly/open-engine.ts';
import { handle } from '../src/handle.ts';
import { pathsOf } from '../src/platform/paths.ts';
import { measure, printTable, summarize } from './lib/measure.ts';

const COUNTS = [1, 100, 10_000] as const;
const BYTES = 4_096;
const QUIET_MS = 3_000;

/** Neither among temporary files, which are not copied, nor in the repository that this runs in. */
const home = mkdtempSync(join(homedir(), '.fairlead-bench-'));
const tracked = join(home, 'tracked');
const plain = join(home, 'plain');

function plant(dir: string): void {
  for (const count of COUNTS) {
    mkdirSync(join(dir, `of-${count}`), { recursive: true });
    for (let at = 0; at < count; at += 1)
      writeFileSync(join(dir, `of-${count}`, `${at}.txt`), `${dir} ${count} ${at} `.padEnd(BYTES, 'x'));
  }
}

const recorded = JSON.parse(
  readFileSync(join(process.cwd(), 'test/fixtures/claude-code/PreToolUse/bash.json'), 'utf8'),
) as Record<string, unknown>;
const adapter = adapterNamed('claude-code');
if (!adapter) throw new Error('no adapter');
let calls = 0;
/** As the daemon has it. */
const copier = join(process.cwd(), 'dist', 'copier.js');
const payloadOf = (cwd: string, command: string) => ({
  ...recorded,
  cwd,
  session_id: `bench-${(calls += 1)}`,
  tool_use_id: `toolu_${calls}`,
  tool_input: { command },
});

try {
  for (const dir of [tracked, plain]) plant(dir);
  execFileSync('git', ['init', '-q', tracked]);
  mkdirSync(join(home, 'fairlead', 'config'), { recursive: true });
  const paths = pathsOf(join(home, 'fairlead'));
  mkdirSync(paths.config, { recursive: true });
  writeFileSync(join(paths.config, 'config.yaml'), 'undo:\n  budgetMs: 7000\n  budgetMegabytes: 1000\n');
  const engine = openEngine({ paths, userHome: home, resident: true, keeps: true, copier });
  const ask = (payload: Record<string, unknown>) =>
    handle({ payload, cwd: String(payload['cwd']), depth: 0, home, receivedAt: Date.now() }, adapter, engine);

  const rows: [string, number, number, number, string][] = [];
  for (const dir of [tracked, plain]) {
    for (const count of COUNTS) {
      let unkept = 0;
      const runs = count === 10_000 ? 5 : 40;
      const { p50, p95, p99 } = await measure(
        async (payload: Record<string, unknown>) => {
          const { stdout } = await ask(payload);
          if (!stdout.includes('kept as undo')) unkept += 1;
        },
        { runs, warmup: 2, prepare: () => payloadOf(dir, `rm -rf of-${count}`) },
      );
      const where = dir === tracked ? 'in a repository' : 'outside';
      rows.push([`${count} files, ${where}`, p50 / 1_000, p95 / 1_000, p99 / 1_000, `${unkept} of ${runs + 2}`]);
    }
  }
  console.log(`files of ${BYTES} bytes; load of the machine ${loadavg()[0]?.toFixed(1)}\n`);
  printTable(['a copy of', 'p50 ms', 'p95 ms', 'p99 ms', 'not kept'], rows);

  const alone = await measureOthers(false);
  const beside = await measureOthers(true);
  console.log('');
  printTable(
    ['events of other sessions', 'p50 µs', 'p95 µs', 'p99 µs'],
    [
      ['alone', alone.p50, alone.p95, alone.p99],
      ['while 10,000 files are copied', beside.p50, beside.p95, beside.p99],
    ],
  );
  engine.close();

  async function measureOthers(isCopying: boolean) {
    const times: number[] = [];
    const until = performance.now() + QUIET_MS;
    let isOver = false;
    const copying = isCopying
      ? (async () => {
          while (!isOver) await ask(payloadOf(plain, 'rm -rf of-10000'));
        })()
      : undefined;
    while (performance.now() < until) {
      const payload = payloadOf(plain, 'ls -la');
      const started = performance.now();
      await ask(payload);
      times.push((performance.now() - started) * 1_000);
      await new Promise((resolve) => {
        setTimeout(resolve, 1);
      });
    }
    isOver = true;
    await copying;
    return summarize(Float64Array.from(times));
  }
} finally {
  rmSync(home, { recursive: true, force: true });
}
